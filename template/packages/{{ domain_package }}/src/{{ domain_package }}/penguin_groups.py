"""Which groups of birds the dataset holds."""

from dataclasses import dataclass

from .dataset import TABLE, select


@dataclass(frozen=True)
class PenguinGroup:
    """The birds of one species on one island."""

    species: str
    island: str
    count: int


@dataclass(frozen=True)
class PenguinGroups:
    """Everything that can be asked for."""

    groups: tuple[PenguinGroup, ...]
    sexes: tuple[str, ...]
    years: tuple[int, ...]


async def penguin_groups(species: str | None = None) -> PenguinGroups:
    """The groups of one species, or of all; a species that is not there has no groups."""
    where, parameters = ("WHERE species = ?", (species,)) if species else ("", ())
    rows = await select(
        f"SELECT species, island, count(*) FROM {TABLE} {where} GROUP BY 1, 2 ORDER BY 1, 2",
        parameters,
    )
    return PenguinGroups(
        groups=tuple(PenguinGroup(row[0], row[1], row[2]) for row in rows),
        sexes=tuple(await _distinct("sex")),
        years=tuple(int(year) for year in await _distinct("year")),
    )


async def _distinct(column: str) -> list[str]:
    rows = await select(
        f"SELECT DISTINCT {column} FROM {TABLE} WHERE {column} IS NOT NULL ORDER BY 1"
    )
    return [row[0] for row in rows]
