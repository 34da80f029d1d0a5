"""`copier.yml` asks the same questions as the command, and gives the same verdicts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from jinja2 import FileSystemLoader, StrictUndefined
from jinja2.sandbox import SandboxedEnvironment

from agent_new.answers import read
from agent_new.names import agent_name_problem, clash_problem, domain_package_problem, package_of
from agent_new.questions import BY_KEY, QUESTIONS, default_of
from agent_new.reserved import AGENT_REASONS, as_jinja
from support import ROOT, git
from test_answers import BAD_AGENT_NAMES, BAD_PACKAGES, GOOD_AGENT_NAMES, GOOD_PACKAGES, suggested

TEXTS = [
    "", " ", "\u00a0", "a", "x" * 80, "x" * 81, "x" * 300, "x" * 301, "a\tb", "a\nb", "a\x00", "a\x7f",
    "a\x85", "a\u2028", "a\u2029", "\ud800", "a\u202eb", "\ufeffa", "Zoë 'Zed' \"Q\"", "{{ 7*7 }}",
    "{% raw %}", "C:\\new", "日本語", "😀", "\u200f", "\u200b", "a\uffff",
]  # fmt: skip
URLS = [
    "https://example.org", "http://localhost:8080/a?b=c#d", "https://example.org/ä", "ftp://a.org",
    "https://", "example.org", "https://a b.org", "https://a.org/\n", "https://example.org/a b",
    'https://example.org/"', "javascript:alert(1)", "https://-a.org", "https://a.org:99999999", "",
]  # fmt: skip
NAMES = [*GOOD_AGENT_NAMES, *BAD_AGENT_NAMES, *GOOD_PACKAGES, *BAD_PACKAGES, *sorted(AGENT_REASONS)]
NAMES += [name.replace("_", "-") for name in NAMES]


@pytest.fixture(scope="module")
def config() -> dict[str, Any]:
    loaded = yaml.safe_load((ROOT / "copier.yml").read_text(encoding="utf-8"))
    assert isinstance(loaded, dict)
    return loaded


@pytest.fixture(scope="module")
def jinja() -> SandboxedEnvironment:
    return SandboxedEnvironment(
        loader=FileSystemLoader(ROOT),
        undefined=StrictUndefined,
        extensions=["jinja2_ansible_filters.AnsibleCoreFiltersExtension"],
    )


def questions_of(config: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in config.items() if not key.startswith("_")}


def test_the_questions_are_the_same_ones_in_the_same_order(config: dict[str, Any]) -> None:
    asked = [key for key, value in questions_of(config).items() if value.get("when") is not False]

    assert asked == [question.key for question in QUESTIONS]


@pytest.mark.parametrize("name", ["demo", "a-b2-3c", "palmer-agent"])
def test_the_defaults_are_the_same(
    config: dict[str, Any], jinja: SandboxedEnvironment, name: str
) -> None:
    for question in QUESTIONS[1:]:
        default = config[question.key]["default"]
        if isinstance(default, str):
            default = jinja.from_string(default).render(agent_name=name)
        assert default == default_of(question, {"agent_name": name})


def test_the_choices_are_the_same(config: dict[str, Any]) -> None:
    for key in ("surfaces", "auth"):
        assert config[key]["choices"] == list(BY_KEY[key].choices)


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("agent_name", NAMES),
        ("domain_package", NAMES),
        ("title", TEXTS),
        ("description", TEXTS),
        ("organization", TEXTS),
        ("study", TEXTS),
        ("universe", TEXTS),
        ("organization_url", [*URLS, *TEXTS]),
    ],
)
def test_both_give_the_same_verdict(
    config: dict[str, Any], jinja: SandboxedEnvironment, key: str, values: list[str]
) -> None:
    validator = jinja.from_string(config[key]["validator"])

    for value in values:
        said = validator.render({"agent_name": "own-package", key: value}).strip()
        assert bool(said) == bool(read(BY_KEY[key], value)[1]), (value, said)


def test_both_refuse_a_domain_package_with_the_agents_name(
    config: dict[str, Any], jinja: SandboxedEnvironment
) -> None:
    validator = jinja.from_string(config["domain_package"]["validator"])
    said = validator.render(agent_name="own-package", domain_package="own_package")

    assert said.strip()
    assert clash_problem("own_package", "own-package")
    assert package_of("own-package") == "own_package"


@pytest.mark.parametrize("key", ["agent_name", "domain_package"])
def test_both_tell_the_value_and_a_name_that_would_do(
    config: dict[str, Any], jinja: SandboxedEnvironment, key: str
) -> None:
    problem_of = {"agent_name": agent_name_problem, "domain_package": domain_package_problem}[key]
    validator = jinja.from_string(config[key]["validator"])

    for name in NAMES:
        if said := validator.render({"agent_name": "own-package", key: name}).strip():
            assert said.startswith(json.dumps(name)), said
            assert problem_of(suggested(said)) is None, said


def test_the_template_reads_the_reserved_names_of_the_command() -> None:
    assert (ROOT / "includes/reserved.jinja").read_text(encoding="utf-8") == as_jinja()


def test_no_version_of_the_template_needs_trust(checkout: Path) -> None:
    for ref in ["HEAD", *git(ROOT, "tag").split()]:
        repository = checkout if ref == "HEAD" else ROOT
        keys = yaml.safe_load(git(repository, "show", f"{ref}:copier.yml"))
        assert not {"_tasks", "_migrations", "_jinja_extensions", "_skip_if_exists"} & set(keys)
        assert not [key for key in questions_of(keys) if questions_of(keys)[key].get("secret")]
