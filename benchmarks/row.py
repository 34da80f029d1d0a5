"""One row of the table: what was measured, pair by pair, and what it should come to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import TypeVar


@dataclass(frozen=True)
class Aim:
    """What the compared value should come to."""

    limit: float
    at_least: bool = False

    def met_by(self, value: float) -> bool:
        return value >= self.limit if self.at_least else value <= self.limit


@dataclass(frozen=True, kw_only=True)
class Row:
    """What was measured of ours and of its peer, one after the other, under the same load."""

    name: str
    what: str
    against: str
    unit: str
    ours: tuple[float, ...]
    peer: tuple[float, ...] = ()
    """Empty where there is no peer: the values of ours are then compared with the aim."""
    aim: Aim | None = None

    @property
    def values(self) -> tuple[float, ...]:
        """What the aim is about: the ratio of each pair, or the values themselves."""
        pairs = zip(self.ours, self.peer, strict=True) if self.peer else ()
        return tuple(ours / peer for ours, peer in pairs) or self.ours

    @property
    def is_met(self) -> bool:
        return self.aim is None or self.aim.met_by(median(self.values))


T = TypeVar("T")


def alternated(
    ours: Callable[[], T], peer: Callable[[], T], pairs: int
) -> dict[str, tuple[T, ...]]:
    """Both in turn; the order changes with each pair, so that neither always follows the other."""
    measured: list[tuple[T, T]] = []
    for number in range(pairs):
        if number % 2:
            second = peer()
            measured.append((ours(), second))
        else:
            measured.append((ours(), peer()))
    return {"ours": tuple(o for o, _ in measured), "peer": tuple(p for _, p in measured)}
