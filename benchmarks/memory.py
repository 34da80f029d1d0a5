"""Whether the agent stays as it was after thousands of calls."""

from __future__ import annotations

import subprocess
from statistics import median

from benchmarks.a2a_calls import DONE, OURS, caller
from benchmarks.row import Aim, Row
from benchmarks.served import Server, our_app, serving
from benchmarks.workbench import Workbench

CALLS, COMPARED = 2000, 100


def rows(bench: Workbench) -> list[Row]:
    calls = bench.times(CALLS)
    with serving(our_app(bench)) as server:
        ours = caller(server, OURS)
        before = megabytes(server)
        seconds = [ours.call(DONE) for _ in range(calls)]
        grown = megabytes(server) - before
    compared = min(COMPARED, calls // 2)
    return [
        Row(
            name="memory",
            what=f"memory after {calls:,} A2A calls",
            against="itself before them",
            unit="MB more",
            ours=(grown,),
        ),
        Row(
            name="latency",
            what=f"latency of the last {compared} of {calls:,} A2A calls",
            against=f"the first {compared}",
            unit="s",
            aim=Aim(1.2),
            ours=(median(seconds[-compared:]),),
            peer=(median(seconds[:compared]),),
        ),
    ]


def megabytes(server: Server) -> float:
    command = ["ps", "-o", "rss=", "-p", str(server.process.pid)]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return int(shown) / 1024
