"""An update of an installed project: it locks again, and the project's own tests say how it went."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from uv import find_uv_bin

import newer
from support import git, hermetic, replace, run, status, tree, write

pytestmark = pytest.mark.slow
Env = dict[str, str]


@pytest.fixture(scope="module")
def newest(tmp_path_factory: pytest.TempPathFactory, checkout: Path) -> Path:
    return newer.newer_template(checkout, tmp_path_factory.mktemp("newer") / "agent-new")


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory, newest: Path) -> Env:
    return hermetic(tmp_path_factory.mktemp("settings"), newest)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, checkout: Path) -> Path:
    """A project of this version with one dependency more, and few tests, so that they are quick."""
    here = tmp_path_factory.mktemp("here")
    done = run(here, hermetic(here / "settings", checkout), "demo", "--defaults", timeout=600)
    assert done.returncode == 0, done.stderr
    project = here / "demo"
    replace(project / "pyproject.toml", 'testpaths = ["tests"]',
            'testpaths = ["tests/test_card.py", "tests/test_mine.py"]')  # fmt: skip
    write(project / "tests/test_mine.py", "def test_mine() -> None:\n    assert True\n")
    uv(project, "add", "--quiet", "humanize==4.9.0")
    commit(project)
    return project


@pytest.fixture
def project(installed: Path) -> Iterator[Path]:
    """As it was installed, whatever a test does to it."""
    start = git(installed, "rev-parse", "HEAD")
    yield installed
    git(installed, "reset", "--quiet", "--hard", start)
    uv(installed, "sync", "--quiet")


def uv(project: Path, *words: str) -> str:
    done = subprocess.run(
        [find_uv_bin(), *words], cwd=project, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def commit(project: Path) -> None:
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "-m", "work")


def test_it_locks_again_and_says_that_the_tests_are_green(project: Path, env: Env) -> None:
    done = run(project, env, "update", timeout=300)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "Its own tests are green" in done.stdout
    assert (project / newer.ADDED).is_file()
    assert "<<<<<<<" not in (project / "uv.lock").read_text()
    uv(project, "lock", "--check")
    uv(project, "run", "--no-sync", "python", "-c", "import humanize")
    assert all(line[1] == " " for line in status(project))


def test_it_names_the_tests_that_it_broke_and_how_to_undo_that(project: Path, env: Env) -> None:
    test = "def test_agents() -> None:\n    assert open('AGENTS.md').read()\n"
    write(project / "tests/test_mine.py", test)
    commit(project)
    before = tree(project)

    done = run(project, env, "update", timeout=300)

    assert done.returncode == 1
    assert "This broke 1 of its own tests" in done.stdout
    assert "tests.test_mine::test_agents" in done.stdout
    assert "Undo: git reset --hard" in done.stdout
    git(project, "reset", "--hard")
    assert tree(project) == before


def test_tests_that_failed_before_are_not_held_against_it(project: Path, env: Env) -> None:
    write(project / "tests/test_mine.py", "def test_red() -> None:\n    assert False\n")
    commit(project)

    done = run(project, env, "update", timeout=300)

    assert done.returncode == 0
    assert "1 of its own tests fail, and all of them failed before" in done.stdout


def test_a_rename_installs_the_package_under_its_new_name(project: Path, env: Env) -> None:
    test = (
        "from palmer_penguins import MEASURES\n\n\ndef test_mine() -> None:\n    assert MEASURES\n"
    )
    write(project / "tests/test_mine.py", test)
    commit(project)
    run(project, env, "update", "--no-test", timeout=300)
    commit(project)

    done = run(project, env, "rename", "a_much_longer_package_name", timeout=300)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "Its own tests are green" in done.stdout
    uv(project, "lock", "--check")
    uv(project, "run", "--no-sync", "ruff", "check", "--quiet", ".")
    uv(project, "run", "--no-sync", "ruff", "format", "--quiet", "--check", ".")
    assert not (project / "packages/palmer_penguins").exists()


def test_a_strip_accepts_the_prompt_that_follows_from_it(project: Path, env: Env) -> None:
    replace(
        project / "src/demo/prompt/system.md", "at most four sentences", "at most three sentences"
    )
    replace(project / "tests/snapshots/system_prompt.md", "at most four", "at most three")
    replace(project / "pyproject.toml", '"tests/test_mine.py"', '"tests/test_prompt.py"')
    commit(project)
    run(project, env, "update", "--no-test", timeout=300)
    commit(project)

    done = run(project, env, "strip", timeout=300)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "Its own tests are green" in done.stdout
    snapshot = (project / "tests/snapshots/system_prompt.md").read_text()
    assert "at most three sentences" in snapshot
    assert "## Refusals" not in snapshot
