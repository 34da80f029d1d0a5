"""Every variant passes its own checks, so that its owner starts with a green repository."""

from __future__ import annotations

from rendered.projects import Project


def test_it_is_formatted_and_has_no_lint(project: Project) -> None:
    project.run("ruff", "format", "--no-cache", "--check", "--diff", ".")
    project.run("ruff", "check", "--no-cache", ".")


def test_its_types_are_right(project: Project) -> None:
    project.run("mypy", "--cache-dir", str(project.environment.mypy_cache))


def test_its_imports_go_one_way(project: Project) -> None:
    assert "0 broken" in project.run("lint-imports", "--no-cache")
