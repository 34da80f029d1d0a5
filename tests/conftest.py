from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from support import clone_working_tree, git, hermetic, run, with_fake_uv


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--all-variants", action="store_true", help="render every combination of answers"
    )
    parser.addoption(
        "--many-examples", action="store_true", help="generate 40 times as much for each property"
    )


def pytest_configure(config: pytest.Config) -> None:
    """The same few examples at each push; many new ones where they are asked for."""
    slow = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
    settings.register_profile(
        "push", max_examples=15, deadline=None, derandomize=True, suppress_health_check=slow
    )
    settings.register_profile("many", max_examples=600, deadline=None, suppress_health_check=slow)
    settings.load_profile("many" if config.getoption("--many-examples") else "push")


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This working tree, changes included, as a clean checkout: the tests run its code."""
    return clone_working_tree(tmp_path_factory.mktemp("checkout") / "agent new")


@pytest.fixture
def env(tmp_path: Path, checkout: Path) -> dict[str, str]:
    return hermetic(tmp_path / "settings", checkout)


@pytest.fixture
def env_with_fake_uv(env: dict[str, str], tmp_path: Path) -> dict[str, str]:
    return with_fake_uv(env, tmp_path / "fake")


@pytest.fixture(scope="session")
def rendered(tmp_path_factory: pytest.TempPathFactory, checkout: Path) -> Path:
    """A project of this version, committed but not installed; tests work on copies."""
    folder = tmp_path_factory.mktemp("rendered")
    env = hermetic(tmp_path_factory.mktemp("settings"), checkout)
    done = run(folder, env, "demo", "--defaults", "--no-install")
    assert done.returncode == 0, done.stderr
    return folder / "demo"


@pytest.fixture
def project(rendered: Path, here: Path) -> Path:
    """A copy of `rendered`, in `here`."""
    shutil.copytree(rendered, here / "demo", symlinks=True)
    return here / "demo"


@pytest.fixture
def commit(project: Path) -> Callable[[], None]:
    """Commit all that was done to `project`."""

    def commit() -> None:
        git(project, "add", "--all")
        git(project, "commit", "--quiet", "-m", "work")

    return commit


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """An empty folder to work in."""
    folder = tmp_path / "here"
    folder.mkdir()
    return folder
