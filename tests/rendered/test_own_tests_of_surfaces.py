"""Every variant that leaves out one surface comes with tests, and they pass."""

from __future__ import annotations

from rendered.projects import Project


def test_its_own_tests_pass(project: Project) -> None:
    project.run("python", "-m", "pytest", "-q", "-p", "no:cacheprovider")
