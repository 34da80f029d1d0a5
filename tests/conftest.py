from __future__ import annotations

from pathlib import Path

import pytest

from support import clone_working_tree, hermetic, with_fake_uv


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--all-variants", action="store_true", help="render every combination of answers"
    )


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


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """An empty folder to work in."""
    folder = tmp_path / "here"
    folder.mkdir()
    return folder
