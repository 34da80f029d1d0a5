"""Run a project's own tests, and tell which of them fail."""

from __future__ import annotations

import xml.etree.ElementTree as ET  # what pytest wrote on this machine a moment ago
from pathlib import Path
from typing import NamedTuple

from .environment import own_variables, project_python
from .host import run
from .scratch import scratch_folder

_SHOWN_LINES = 15


class Tested(NamedTuple):
    """One run of all tests."""

    passed: int
    failed: frozenset[str]
    """Names of tests that failed, or that could not even be collected."""
    trouble: str
    """Why there is no count at all: the last lines of the output. Empty: there is one."""

    @property
    def green(self) -> bool:
        return not self.failed and not self.trouble


def own_tests(project: Path) -> Tested:
    """With the project's environment as it is."""
    with scratch_folder() as scratch:
        report = scratch / "report.xml"
        command = [
            str(project_python(project)),
            "-m",
            "pytest",
            "-q",
            "--tb=line",
            "-p",
            "no:cacheprovider",
        ]
        done = run([*command, f"--junitxml={report}"], own_variables(), folder=project)
        if (done.returncode not in (0, 1) and not report.is_file()) or done.returncode in (3, 4):
            lines = (done.stdout + done.stderr).strip().splitlines()
            return Tested(0, frozenset(), "\n".join(lines[-_SHOWN_LINES:]) or "pytest did not run")
        return _read(report)


def _read(report: Path) -> Tested:
    passed, failed = 0, set()
    for case in ET.parse(report).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            failed.add("::".join(filter(None, (case.get("classname"), case.get("name")))))
        elif case.find("skipped") is None:
            passed += 1
    return Tested(passed, frozenset(failed), "")
