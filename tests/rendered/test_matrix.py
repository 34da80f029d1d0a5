"""Every variant is a repository that its owner can go on with at once."""

from __future__ import annotations

import ast
import html
import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from rendered.projects import FREE_TEXT, Project, Served, said

# `${{ … }}` belongs to a workflow, `{{` without a name to an f-string
LEFT_OVER = re.compile(r"(?<!\$)\{\{-? *\w+ *(\||\}\})|\{%|\.jinja\b")
PARSERS: dict[str, Callable[[str], object]] = {
    ".json": json.loads,
    ".py": ast.parse,
    ".toml": tomllib.loads,
    ".yaml": yaml.safe_load,
    ".yml": yaml.safe_load,
}


def text_of(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


def answers_of(project: Project) -> dict[str, Any]:
    """All answers, those included that were not given."""
    recorded: dict[str, Any] = yaml.safe_load(text_of(project.folder / ".copier-answers.yml"))
    return recorded


def without(text: str, values: list[str]) -> str:
    """A text without these values, in whichever way a file writes them."""
    for value in sorted(values, key=len, reverse=True):
        escaped = value.replace("\\", "\\\\")
        for written in (
            json.dumps(value)[1:-1],
            json.dumps(value, ensure_ascii=False)[1:-1],
            escaped.replace("'", "\\'"),
            value.replace("'", "''"),
            html.escape(value),
            value,
        ):
            text = text.replace(written, "")
    return text


def test_it_is_formatted_and_has_no_lint(project: Project) -> None:
    project.run("ruff", "format", "--no-cache", "--check", "--diff", ".")
    project.run("ruff", "check", "--no-cache", ".")


def test_its_types_are_right(project: Project) -> None:
    project.run("mypy", "--cache-dir", str(project.environment.mypy_cache))


def test_its_imports_go_one_way(project: Project) -> None:
    assert "0 broken" in project.run("lint-imports", "--no-cache")


def test_its_own_tests_pass(project: Project) -> None:
    project.run("python", "-m", "pytest", "-q", "-p", "no:cacheprovider")


def test_nothing_of_the_template_is_left_over(project: Project) -> None:
    values = [str(answers_of(project)[name]) for name in FREE_TEXT]
    for path in project.files():
        name = path.relative_to(project.folder).as_posix()
        if path.name != ".copier-answers.yml":  # copier folds its lines
            found = LEFT_OVER.search(without(text_of(path), values))
            assert found is None, f"{name}: {found}"
        assert not LEFT_OVER.search(name)


def test_every_file_is_clean_text_and_parses(project: Project) -> None:
    for path in project.files():
        name, text = path.relative_to(project.folder).as_posix(), text_of(path)
        assert "\r" not in text, name
        assert not text or (text.endswith("\n") and not text.endswith("\n\n")), name
        PARSERS.get(path.suffix, str)(text)


def test_free_text_arrives_character_for_character(project: Project, served: Served) -> None:
    answers = answers_of(project)
    for name in FREE_TEXT:
        assert answers[name] == project.answers.get(name, answers[name])

    written = tomllib.loads(text_of(project.folder / "pyproject.toml"))["project"]
    assert written["description"] == answers["description"]
    identity = identity_of(project)
    assert {name: getattr(identity, name) for name in FREE_TEXT} == {
        name: answers[name] for name in FREE_TEXT
    }
    card = served.client.get("/.well-known/agent-card.json").json()
    [source] = [e for e in card["capabilities"]["extensions"] if "data-source" in e["uri"]]
    assert (card["name"], card["description"], card["provider"]["organization"]) == (
        answers["title"],
        answers["description"],
        answers["organization"],
    )
    assert (source["params"]["study"], source["params"]["universe"]) == (
        answers["study"],
        answers["universe"],
    )


def identity_of(project: Project) -> Any:
    """`IDENTITY` of the rendered file, with a stand-in for the class that it fills."""
    source = text_of(project.folder / "src" / project.package / "identity.py")
    [call] = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    values = {word.arg: ast.literal_eval(word.value) for word in call.keywords if word.arg}
    return type("Identity", (), values)


def test_it_starts_and_answers(project: Project, served: Served) -> None:
    card = served.client.get("/.well-known/agent-card.json").json()
    answered = served.ask("How heavy are Gentoo penguins?")
    refused = served.ask("How heavy are emperor penguins?")

    assert served.client.get("/api/health").json()["status"] == "ok"
    assert answered["status"]["state"] == "TASK_STATE_COMPLETED"
    assert refused["status"]["state"] == "TASK_STATE_COMPLETED"
    if project.answers.get("example", True):
        [citation] = said(answered)["citations"]["data"]["citations"]
        assert citation["base"] == 123
        assert said(refused)["refusal"]["data"]["rule"] == "population_outside_data"
    else:
        assert card["skills"] == []
        assert list(said(answered)) == ["plain"]
        assert "AGENT_MODEL" in said(answered)["plain"]["text"]


def test_mcp_is_there_where_it_was_wanted(project: Project, served: Served) -> None:
    wanted = "mcp" in project.answers.get("surfaces", ["mcp"])

    response = served.post("/api/mcp", {"jsonrpc": "2.0", "id": 1, "method": "ping"})

    assert response.status_code == (200 if wanted else 404)
