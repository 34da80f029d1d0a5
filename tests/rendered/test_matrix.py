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

import httpx
import yaml

from rendered.projects import Project, Served, said
from rendered.variants import AUTHS, FREE_TEXT, SURFACES

# `${{ … }}` belongs to a workflow, `{{` without a blank to an f-string
LEFT_OVER = re.compile(r"(?<!\$)\{\{-? +\w+ *(\||\}\})|\{%|\.jinja\b")
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


def test_a_way_in_is_there_where_it_was_wanted(project: Project, served: Served) -> None:
    found = {
        "mcp": served.post("/api/mcp", {"jsonrpc": "2.0", "id": 1, "method": "ping"}),
        "chat": served.client.get("/chat"),
        "cron": served.client.get("/api/cron/check_skills"),
        "a2a-rest": served.client.get("/api/a2a/rest/tasks"),
    }
    card = served.client.get("/.well-known/agent-card.json").json()

    there = {name for name, answer in found.items() if answer.status_code != httpx.codes.NOT_FOUND}
    for interface in card["supportedInterfaces"]:
        there |= {"a2a-grpc"} if interface["protocolBinding"] == "GRPC" else set()
    assert there == set(project.answers.get("surfaces", SURFACES))


def test_people_are_sent_to_the_page_or_to_the_card(project: Project, served: Served) -> None:
    home = served.client.get("/", follow_redirects=True)

    titled = f"<title>{html.escape(answers_of(project)['title'])}</title>"
    assert home.status_code == httpx.codes.OK
    assert (titled in home.text) == ("chat" in project.answers.get("surfaces", SURFACES))


def test_tokens_of_the_wanted_kind_are_known(project: Project) -> None:
    kinds = {path.stem for path in (project.folder / "src" / project.package / "auth").iterdir()}

    assert kinds & set(AUTHS) == {project.answers.get("auth", "clerk")}
