"""The tutorial, walked to its end as a newcomer does."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from agent_new.about import repository_url
from support import ROOT, hermetic
from walk import Walk, changed, commands_under

pytestmark = pytest.mark.slow

TUTORIAL = (ROOT / "docs/tutorial/README.md").read_text(encoding="utf-8")
NEEDS_POSTGRES = "## Keep it in Postgres\n"
ADDRESS = "postgresql://postgres@127.0.0.1:5432/postgres"


@pytest.fixture
def postgres() -> Iterator[str | None]:
    """The address of a server that the template's own tests would start; None without one."""
    spec = spec_from_file_location("own_postgres", ROOT / "template/tests/postgres.py")
    assert spec
    assert spec.loader
    module: Any = module_from_spec(spec)
    spec.loader.exec_module(module)
    with module.own_server() as url:
        yield url


@pytest.fixture
def newcomer(tmp_path: Path, checkout: Path) -> dict[str, str]:
    """Nothing but Python, pip and git; the public address of this project is the checkout."""
    env = hermetic(tmp_path / "settings", checkout)
    del env["PYTHONPATH"]
    env.pop("VIRTUAL_ENV", None)
    own = Path(sys.executable).parent
    path = [folder for folder in env["PATH"].split(os.pathsep) if Path(folder) != own]
    git = Path(env["GIT_CONFIG_GLOBAL"])
    git.write_text(f'[url "{checkout.as_posix()}"]\n\tinsteadOf = {repository_url()}\n')
    return {**env, "PATH": os.pathsep.join(path)}


def test_the_tutorial_shows_what_it_says(
    tmp_path: Path, newcomer: dict[str, str], postgres: str | None
) -> None:
    here = tmp_path / "newcomer"
    here.mkdir()
    page = TUTORIAL if postgres else TUTORIAL.split(NEEDS_POSTGRES)[0]

    with Walk(here, newcomer, {ADDRESS: postgres or ADDRESS}) as walk:
        walk.follow(page)


def test_a_change_that_does_not_fit_is_told() -> None:
    assert changed("a\nb\nc\n", " a\n-b\n+x\n…\n c\n+d\n") == "a\nx\nc\nd\n"

    with pytest.raises(AssertionError, match="are there 0 times"):
        changed("a\n", " b\n+c\n")


def test_the_commands_of_a_section_are_found() -> None:
    [commands] = [commands_under("Check it", TUTORIAL)]

    assert "uv run pytest" in commands[0]
