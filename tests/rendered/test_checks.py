"""Every variant passes its own checks, so that its owner starts with a green repository."""

from __future__ import annotations

import json
from collections.abc import Callable

from agent_new.names import agent_name_problem, domain_package_problem
from rendered.projects import Project

INSTALLED = """
import importlib.metadata, json, pathlib, sys
imports = [name for name in importlib.metadata.packages_distributions() if name.isidentifier()]
named = [each.metadata["Name"] for each in importlib.metadata.distributions()]
commands = [path.stem for path in pathlib.Path(sys.executable).parent.iterdir()]
print(json.dumps([imports + named, commands]))
"""


def test_it_is_formatted_and_has_no_lint(project: Project) -> None:
    project.run("ruff", "format", "--no-cache", "--check", "--diff", ".")
    project.run("ruff", "check", "--no-cache", ".")


def test_its_types_are_right(project: Project) -> None:
    project.run("mypy", "--cache-dir", str(project.environment.mypy_cache))


def test_its_imports_go_one_way(project: Project) -> None:
    assert "0 broken" in project.run("lint-imports", "--no-cache")


def test_no_project_takes_a_name_of_what_it_installs(project_of: Callable[[str], Project]) -> None:
    libraries, commands = json.loads(project_of("bindings").run("python", "-c", INSTALLED))

    taken = {name.lower().replace("-", "_") for name in libraries if not name.startswith("_")}
    assert [name for name in sorted(taken) if not domain_package_problem(name)] == []
    assert [n for n in sorted(commands) if not agent_name_problem(n.replace("_", "-"))] == []
