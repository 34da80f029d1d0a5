"""What was measured, and on how many birds."""

from dataclasses import dataclass

from .dataset import MEASURES, TABLE, Measure, select


@dataclass(frozen=True)
class MeasureCoverage:
    """One measure and the number of birds that have a value of it."""

    name: str
    measure: Measure
    birds: int


async def measure_coverage() -> tuple[MeasureCoverage, ...]:
    """Every measure, in the order of the table."""
    counts = ", ".join(f"count({name})" for name in MEASURES)
    [row] = await select(f"SELECT {counts} FROM {TABLE}")
    return tuple(
        MeasureCoverage(name, measure, birds)
        for (name, measure), birds in zip(MEASURES.items(), row, strict=True)
    )
