"""The pages of docs/how-to do what they say: their `sh` blocks are run, one after the other."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support import ROOT, git
from walk import blocks_of

PAGES = sorted(path.name for path in (ROOT / "docs/how-to").glob("*.md"))
EXPECTED = {"update-an-agent.md": (0, 0, 0), "wire-secrets.md": ()}
"""Exit codes of the blocks; 0 where nothing is said. `wire-secrets.md` has its own test."""


@pytest.mark.parametrize("page", [name for name in PAGES if EXPECTED.get(name) != ()])
def test_the_commands_of_a_page_work(project: Path, env: dict[str, str], page: str) -> None:
    own = env | {"PATH": os.pathsep.join((str(Path(sys.executable).parent), env["PATH"]))}
    own |= {
        f"GIT_{who}_{what}": "t@example.org"
        for who in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    blocks = [b for b in blocks_of((ROOT / "docs/how-to" / page).read_text()) if b.language == "sh"]
    assert blocks

    for block in blocks:
        done = subprocess.run(
            ["bash", "-euc", block.text], cwd=project, env=own, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr

    git(project, "status")


def test_every_command_has_a_page_and_the_readme_names_all_pages() -> None:
    readme = (ROOT / "README.md").read_text()

    assert [page for page in PAGES if f"docs/how-to/{page}" not in readme] == []
