"""What `agent-new add` writes is as green as the rest, with the example and without it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from rendered.projects import Project
from support import hermetic, run

LONG = "a_name_of_as_many_characters_as_there_may_be_4_"
TOOLS = (("zz", "visual"), (f"{LONG}b", "visual"), ("yy", "discovery"), (f"{LONG}c", "discovery"))
JOBS = (("xx", "*/5 6 * * 1-5"), (f"{LONG}d", "0 6 * * *"))


@pytest.fixture(scope="module", params=["default", "no_example"])
def added_to(
    request: pytest.FixtureRequest,
    project_of: Callable[[str], Project],
    tmp_path_factory: pytest.TempPathFactory,
    checkout: Path,
) -> Project:
    """A copy of the variant, with tools of both kinds and jobs."""
    variant = project_of(request.param)
    folder = tmp_path_factory.mktemp("added") / variant.folder.name
    shutil.copytree(variant.folder, folder)
    env = hermetic(tmp_path_factory.mktemp("settings"), checkout)
    for name, kind in TOOLS:
        done = run(folder, env, "add", "tool", name, "--kind", kind)
        assert done.returncode == 0, done.stderr
    for name, schedule in JOBS:
        done = run(folder, env, "add", "cron", name, "--schedule", schedule)
        assert done.returncode == 0, done.stderr
    return replace(variant, folder=folder)


def test_it_is_formatted_and_has_no_lint(added_to: Project) -> None:
    added_to.run("ruff", "format", "--no-cache", "--check", "--diff", ".")
    added_to.run("ruff", "check", "--no-cache", ".")


def test_its_types_are_right_and_its_imports_go_one_way(added_to: Project) -> None:
    added_to.run("mypy", "--cache-dir", str(added_to.environment.mypy_cache))
    assert "0 broken" in added_to.run("lint-imports", "--no-cache")


def test_its_tests_pass_the_new_ones_and_those_of_every_tool_and_job(added_to: Project) -> None:
    new = [f"tests/test_{name}.py" for name, _ in TOOLS]
    new += [f"tests/test_{name}_job.py" for name, _ in JOBS]
    known = ["tests/test_tools.py", "tests/test_cron.py", "tests/test_card.py"]
    if added_to.answers.get("example", True):
        known.append("tests/test_example_questions.py")

    added_to.run("pytest", "-q", "-p", "no:cacheprovider", *known, *new)


def test_its_schedules_are_as_its_own_command_writes_them(added_to: Project) -> None:
    written = (added_to.folder / "vercel.json").read_bytes()

    added_to.run("python", "-m", f"{added_to.package}.surfaces.cron")

    assert (added_to.folder / "vercel.json").read_bytes() == written
