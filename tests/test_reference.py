"""The pages of the reference say what the code says, and their examples run."""

from __future__ import annotations

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
import yaml

from agent_new.about import installed_version
from support import ROOT
from walk import Walk, blocks_of

REFERENCE = ROOT / "docs/reference"


def generator() -> Any:
    spec = spec_from_file_location("generate", ROOT / "docs/generate.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["commands.md", "questions.md"])
def test_the_page_is_what_the_code_says(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")

    written = (REFERENCE / name).read_text(encoding="utf-8")

    assert written == generator().PAGES[name](), "`just docs` writes it: python docs/generate.py"


@pytest.mark.slow
def test_the_examples_of_the_commands_run(here: Path, env: dict[str, str]) -> None:
    page = (REFERENCE / "commands.md").read_text(encoding="utf-8")

    with Walk(here, env) as walk:
        for block in blocks_of(page):
            if block.language == "sh":
                for line in block.text.splitlines():
                    walk.run(line)

    assert (here / "my-agent/CLAUDE.md").exists()
    assert (here / "agents/other-agent/CLAUDE.md").exists()


def test_the_guide_of_a_new_agent_names_the_version_that_made_it() -> None:
    config = yaml.safe_load((ROOT / "copier.yml").read_text(encoding="utf-8"))

    assert config["template_version"]["default"] == installed_version()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", config["template_date"]["default"])


def test_every_command_that_a_help_lists_has_its_own_help_on_the_page() -> None:
    page = (REFERENCE / "commands.md").read_text(encoding="utf-8")
    helps = dict(re.findall(r"^\$ agent-new (.*?) ?--help\n(.*?)^```", page, re.M | re.S))

    listed = {
        f"{words} {name}".strip()
        for words, said in helps.items()
        for name in re.findall(r"^  (\w+) ", said.partition("\nCommands:\n")[2], re.M)
    }
    assert "secrets check" in listed
    assert listed == helps.keys() - {""}
