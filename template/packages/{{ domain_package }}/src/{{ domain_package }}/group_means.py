"""The mean of one measure in groups of birds."""

from collections import defaultdict
from dataclasses import dataclass
from statistics import mean, stdev
from typing import Literal

from .dataset import measured

Grouping = Literal["species", "island", "sex", "year"]


@dataclass(frozen=True)
class GroupMean:
    """One group; numbers are in the unit of the measure."""

    group: str
    n: int
    mean: float
    sd: float | None
    """Sample standard deviation; None for a single bird."""


async def group_means(
    by: Grouping,
    measure: str = "body_mass_g",
    *,
    species: str | None = None,
    island: str | None = None,
    sex: str | None = None,
    year: int | None = None,
) -> tuple[GroupMean, ...]:
    """The groups that the filters leave, in order of their names; an unknown measure is a ValueError.

    A bird whose group was not recorded is in none.
    """
    filters = {"species": species, "island": island, "sex": sex, "year": year}
    groups: dict[str, list[float]] = defaultdict(list)
    for value, group in await measured(measure, filters, by):
        if group is not None:
            groups[f"{group:g}" if by == "year" else group].append(value)
    return tuple(_group_mean(group, groups[group]) for group in sorted(groups))


def _group_mean(group: str, values: list[float]) -> GroupMean:
    return GroupMean(
        group=group,
        n=len(values),
        mean=round(mean(values), 2),
        sd=round(stdev(values), 2) if len(values) > 1 else None,
    )
