"""How long a rendered project's own tests take."""

from __future__ import annotations

import time

from benchmarks.row import Aim, Row
from benchmarks.workbench import Workbench


def rows(bench: Workbench) -> list[Row]:
    project = bench.project
    started = time.perf_counter()
    project.run("python", "-m", "pytest", "-q", "-p", "no:cacheprovider")
    return [
        Row(
            name="own-tests",
            what="all of a rendered project's own tests",
            against="-",
            unit="s",
            aim=Aim(30),
            ours=(time.perf_counter() - started,),
        )
    ]
