"""How one measure is distributed in one species."""

from dataclasses import dataclass
from statistics import mean, stdev

from .dataset import measured

BINS = 10


@dataclass(frozen=True)
class Bin:
    """Birds from `low` up to `high`; the last bin holds its upper end too."""

    low: float
    high: float
    count: int


@dataclass(frozen=True)
class SpeciesProfile:
    """A measure over the birds that the filters left; numbers are in the unit of the measure."""

    n: int
    mean: float
    sd: float | None
    """Sample standard deviation; None for a single bird."""
    minimum: float
    maximum: float
    bins: tuple[Bin, ...]


async def species_profile(
    species: str,
    measure: str = "body_mass_g",
    island: str | None = None,
    sex: str | None = None,
    year: int | None = None,
) -> SpeciesProfile | None:
    """The profile, or None where no bird matches; an unknown measure is a ValueError."""
    filters = {"species": species, "island": island, "sex": sex, "year": year}
    values = [float(row[0]) for row in await measured(measure, filters)]
    return _profile(values) if values else None


def _profile(values: list[float]) -> SpeciesProfile:
    return SpeciesProfile(
        n=len(values),
        mean=round(mean(values), 2),
        sd=round(stdev(values), 2) if len(values) > 1 else None,
        minimum=min(values),
        maximum=max(values),
        bins=_bins(values),
    )


def _bins(values: list[float]) -> tuple[Bin, ...]:
    low, high = min(values), max(values)
    if low == high:
        return (Bin(low, high, len(values)),)
    width = (high - low) / BINS
    counts = [0] * BINS
    for value in values:
        counts[min(int((value - low) / width), BINS - 1)] += 1
    return tuple(
        Bin(round(low + i * width, 1), round(low + (i + 1) * width, 1), count)
        for i, count in enumerate(counts)
    )
