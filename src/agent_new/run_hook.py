"""Run the scripts of `hooks/`, which a person can also run by hand."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from .host import python_environment, run, this_python
from .source import hooks_folder


class Outcome(NamedTuple):
    """What a hook did."""

    worked: bool
    line: str
    """Its last line on stdout: what it did, for the person."""
    details: str
    """What it said on stderr: why it failed."""


def run_hook(name: str, project: Path) -> Outcome:
    script = hooks_folder() / f"{name}.py"
    done = run([this_python(), str(script), str(project)], python_environment())
    lines = done.stdout.strip().splitlines()
    return Outcome(done.returncode == 0, lines[-1] if lines else "", done.stderr.strip())
