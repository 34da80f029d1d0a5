"""`python -m benchmarks`: measure, and print one table."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from benchmarks import (
    a2a_calls,
    a2a_streams,
    cold_start,
    first_prompt,
    mcp_calls,
    memory,
    own_tests,
    render,
    update,
)
from benchmarks.machine import machine
from benchmarks.row import Row
from benchmarks.table import HEAD, line
from benchmarks.workbench import Workbench, workbench

MEASUREMENTS: dict[str, Callable[[Workbench], list[Row]]] = {
    "first-prompt": first_prompt.rows,
    "render": render.rows,
    "update": update.rows,
    "cold-start": cold_start.rows,
    "a2a": a2a_calls.rows,
    "a2a-stream": a2a_streams.rows,
    "mcp": mcp_calls.rows,
    "memory": memory.rows,
    "own-tests": own_tests.rows,
}
ONLY_IN_FULL = "own-tests"


def main() -> None:
    wanted = _parser().parse_args()
    names = wanted.only or [n for n in MEASUREMENTS if wanted.full or n != ONLY_IN_FULL]
    with workbench(wanted.quick) as bench:
        seen = machine(bench)
        print(", ".join(f"{name} {value}" for name, value in seen.items()), flush=True)
        print("", *HEAD, sep="\n", flush=True)
        rows = []
        for name in names:
            for row in MEASUREMENTS[name](bench):
                rows.append(row)
                print(line(row), flush=True)
    if wanted.json:
        told = {"machine": seen, "rows": [asdict(row) for row in rows]}
        wanted.json.write_text(json.dumps(told, indent=2), encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", action="append", choices=MEASUREMENTS, metavar="NAME")
    parser.add_argument("--quick", action="store_true", help="seconds, to see that it runs")
    parser.add_argument("--full", action="store_true", help="with the rendered project's tests")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the raw numbers there")
    return parser


main()
