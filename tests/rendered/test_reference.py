"""The page of a rendered agent's commands says what they say, and its examples run."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from rendered.projects import Project
from support import ROOT
from walk import Walk, blocks_of

PAGE = ROOT / "docs/reference/rendered-commands.md"


def test_the_page_is_what_the_commands_say(project_of: Callable[[str], Project]) -> None:
    said = project_of("default").run("python", str(ROOT / "docs/generate.py"), "--rendered")

    if os.environ.get("WRITE_DOCS"):
        PAGE.write_text(said, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == said, (
        "`just docs` writes it: WRITE_DOCS=1 uv run pytest -n0 tests/rendered/test_reference.py"
    )


def test_the_examples_of_the_page_run(project_of: Callable[[str], Project], tmp_path: Path) -> None:
    project = project_of("default")
    script = tmp_path / "my-agent"
    script.write_text(
        f"#!{project.environment.python}\nfrom my_agent.cli import main\n\nmain()\n",
        encoding="utf-8",
    )
    script.chmod(0o755)
    here = tmp_path / "here"
    here.mkdir()
    env = project.variables(PATH=f"{tmp_path}{os.pathsep}{os.environ['PATH']}")

    with Walk(here, env) as walk:
        for block in blocks_of(PAGE.read_text(encoding="utf-8")):
            if block.language == "sh":
                for line in block.text.splitlines():
                    walk.run(line)
