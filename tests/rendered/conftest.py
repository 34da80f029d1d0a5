from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from rendered.environment import environment_for
from rendered.projects import Project, Served, render
from rendered.slow_model import slow_model
from rendered.variants import PER_PUSH, TESTED_PER_PUSH, VARIANTS, WITHOUT_A_SURFACE
from support import hermetic


@pytest.hookimpl(tryfirst=True)  # before `-m` selects
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.slow)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Which variants a test sees, one after the other: one server at a time."""
    if "project" not in metafunc.fixturenames:
        return
    everything = metafunc.config.getoption("--all-variants")
    match metafunc.module.__name__.rpartition(".")[2]:
        case "test_own_tests_of_surfaces":
            chosen: Iterable[str] = WITHOUT_A_SURFACE
        case "test_own_tests":
            rest = [variant for variant in VARIANTS if variant not in WITHOUT_A_SURFACE]
            chosen = rest if everything else TESTED_PER_PUSH
        case _:
            chosen = VARIANTS if everything else PER_PUSH
    metafunc.parametrize("project", chosen, indirect=True, scope="module")


@pytest.fixture(scope="session")
def project_of(
    tmp_path_factory: pytest.TempPathFactory, checkout: Path
) -> Callable[[str], Project]:
    """A variant by its name, rendered on first use."""
    env = hermetic(tmp_path_factory.mktemp("settings"), checkout)

    @cache
    def folder_of(variant: str) -> Path:
        return render(VARIANTS[variant], tmp_path_factory.mktemp(variant), env)

    @cache
    def project(variant: str) -> Project:
        with_grpc = "a2a-grpc" in VARIANTS[variant].get("surfaces", ())
        environment = environment_for(folder_of("bindings" if with_grpc else "default"))
        return Project(folder_of(variant), VARIANTS[variant], environment)

    return project


@pytest.fixture(scope="module")
def project(request: pytest.FixtureRequest, project_of: Callable[[str], Project]) -> Project:
    return project_of(request.param)


@pytest.fixture(scope="module")
def served(project: Project, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The variant, served for all tests of it in one file."""
    with project.served(tmp_path_factory.mktemp("data")) as served:
        yield served


@pytest.fixture(scope="module")
def agent(
    project_of: Callable[[str], Project], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    """The default variant, served for all tests of one file."""
    with project_of("default").served(tmp_path_factory.mktemp("data")) as served:
        yield served


@pytest.fixture(scope="module")
def slow_agent(
    project_of: Callable[[str], Project], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    """The default variant with a model that waits or breaks when it is asked to."""
    with (
        slow_model() as settings,
        project_of("default").served(
            tmp_path_factory.mktemp("data"), port=None, **settings
        ) as served,
    ):
        yield served
