"""How long a render takes, without an install and without git."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.row import Aim, Row, alternated
from benchmarks.workbench import Workbench
from support import COMMAND

COPIER = str(Path(sys.executable).with_name("copier"))


def rows(bench: Workbench) -> list[Row]:
    ours = [*COMMAND, "demo", "--defaults", "--no-install", "--no-git"]
    peer = [COPIER, "copy", "--defaults", "--quiet", "--vcs-ref=HEAD", "--data=agent_name=demo"]

    def by_us() -> float:
        return seconds(bench, ours)

    def by_copier() -> float:
        return seconds(bench, [*peer, str(bench.checkout), "demo"])

    by_us(), by_copier()  # compiles
    return [
        Row(
            name="render",
            what="render of the full template, offline",
            against="`copier copy` of the same tree",
            unit="s",
            aim=Aim(1.2),
            **alternated(by_us, by_copier, bench.times(9)),
        )
    ]


def seconds(bench: Workbench, command: Sequence[str]) -> float:
    folder = bench.new_folder()
    taken = timed(bench, command, folder)
    assert (folder / "demo/pyproject.toml").is_file()
    return taken


def timed(bench: Workbench, command: Sequence[str], folder: Path) -> float:
    """How long a command takes that succeeds."""
    started = time.perf_counter()
    done = subprocess.run(
        command,
        cwd=folder,
        env=bench.variables,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    taken = time.perf_counter() - started
    assert done.returncode == 0, done.stderr
    return taken
