"""The rows as a Markdown table."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from benchmarks.row import Row

NAMES = ("what", "against", "aim", "median (min to max)", "ours", "peer", "met")


def line(row: Row) -> str:
    return _joined(_cells(row))


def _cells(row: Row) -> tuple[str, ...]:
    sign = "x" if row.peer else f" {row.unit}"
    low, middle, high = min(row.values), median(row.values), max(row.values)
    spread = f" ({low:.2f} to {high:.2f})" if len(row.values) > 1 else ""
    return (
        row.what,
        row.against,
        f"{'>=' if row.aim.at_least else '<='} {row.aim.limit:g}{sign}" if row.aim else "-",
        f"{middle:.2f}{sign}{spread}",
        _absolute(row.ours, row.unit),
        _absolute(row.peer, row.unit) if row.peer else "-",
        ("ok" if row.is_met else "over") if row.aim else "-",
    )


def _absolute(values: tuple[float, ...], unit: str) -> str:
    return f"{median(values):.4g} {unit}"


def _joined(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


HEAD = (_joined(NAMES), _joined(["---"] * len(NAMES)))
