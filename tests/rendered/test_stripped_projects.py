"""A project whose example was stripped is as green as on its first day."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace as with_changes
from pathlib import Path

import pytest

from rendered.projects import Project
from support import git, hermetic, replace, run

Env = dict[str, str]

ADDED = (
    ("add", "tool", "get_open_claims", "--kind", "visual"),
    ("add", "tool", "ab", "--kind", "discovery"),
)
TESTS = ("tests/test_tools.py", "tests/test_cron.py", "tests/test_prompt.py", "tests/test_card.py")


@pytest.fixture
def grown(
    project_of: Callable[[str], Project], tmp_path: Path, checkout: Path
) -> Callable[..., Project]:
    """A committed copy of a variant, after these commands."""

    def grown(
        variant: str, *commands: tuple[str, ...], edit: Callable[[Path], None] | None = None
    ) -> Project:
        origin = project_of(variant)
        ignore = shutil.ignore_patterns(".*_cache", "__pycache__", ".git")
        folder = Path(shutil.copytree(origin.folder, tmp_path / origin.folder.name, ignore=ignore))
        if edit:
            edit(folder)
        git(folder, "init", "--quiet", "-b", "main")
        git(folder, "add", "--all")
        git(folder, "commit", "--quiet", "-m", "start")
        for words in commands:
            done = run(folder, hermetic(tmp_path / "settings", checkout), *words)
            assert done.returncode == 0, done.stdout + done.stderr
        return with_changes(origin, folder=folder)

    return grown


def check(project: Project, *tests: str) -> None:
    project.run("ruff", "check", "--no-cache", ".")
    project.run("ruff", "format", "--no-cache", "--check", ".")
    project.run("mypy", "--cache-dir", str(project.environment.mypy_cache))
    project.run("lint-imports", "--no-cache")
    project.run("pytest", "-q", "-p", "no:cacheprovider", *tests)


def test_a_tool_can_be_added_to_what_was_stripped(grown: Callable[..., Project]) -> None:
    project = grown("default", ("strip",), *ADDED)

    check(project, *TESTS, "tests/test_get_open_claims.py", "tests/test_ab.py")


def test_it_is_green_with_a_tool_of_the_example_that_was_changed(
    grown: Callable[..., Project],
) -> None:
    def edit(folder: Path) -> None:
        tool = folder / "src/my_agent/tools/get_species_profile.py"
        replace(tool, 'title="Species profile"', 'title="My profile"')

    project = grown("default", ("strip",), edit=edit)
    snapshot = project.folder / "tests/snapshots/system_prompt.md"
    code = "from my_agent.cli import main; main(['prompt'])"
    snapshot.write_text(project.run("python", "-c", code))  # as strip says

    check(project, *TESTS)
