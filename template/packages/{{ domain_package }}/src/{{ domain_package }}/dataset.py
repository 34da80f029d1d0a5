"""The dataset as one SQL table, loaded from the CSV file on first use."""

import asyncio
import csv
import hashlib
import sqlite3
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

TABLE = "penguins"
PERIOD = "2007/2009"
FIELDED = "Observed by Palmer Station Antarctica LTER during three breeding seasons"
URL = "https://doi.org/10.5281/zenodo.3960218"


@dataclass(frozen=True)
class Measure:
    """What was measured on each bird."""

    label: str
    unit: str


MEASURES = {
    "bill_length_mm": Measure("bill length", "mm"),
    "bill_depth_mm": Measure("bill depth", "mm"),
    "flipper_length_mm": Measure("flipper length", "mm"),
    "body_mass_g": Measure("body mass", "g"),
}
"""The numeric columns of the table."""

_NUMERIC = (*MEASURES, "year")
_lock = threading.Lock()


async def select(sql: str, parameters: tuple[Any, ...] = ()) -> list[sqlite3.Row]:
    """Rows of a query on the table, read off the event loop."""
    return await asyncio.to_thread(_select, sql, parameters)


async def measured(
    measure: str, filters: Mapping[str, str | int | None], *columns: str
) -> list[sqlite3.Row]:
    """The measure, then `columns`, of every bird that the filters leave and that has a value.

    A filter of None leaves all; an unknown measure is a ValueError.
    """
    if measure not in MEASURES:
        raise ValueError(f"{measure!r} is no measure; there are {', '.join(MEASURES)}")
    given = {column: value for column, value in filters.items() if value is not None}
    where = " AND ".join([f"{measure} IS NOT NULL", *(f"{column} = ?" for column in given)])
    return await select(
        f"SELECT {', '.join([measure, *columns])} FROM {TABLE} WHERE {where}",
        tuple(given.values()),
    )


@lru_cache(maxsize=1)
def fingerprint() -> str:
    """Digest of the file that the table was loaded from."""
    return f"sha256:{hashlib.sha256(_csv_bytes()).hexdigest()}"


def _select(sql: str, parameters: tuple[Any, ...]) -> list[sqlite3.Row]:
    with _lock:  # one connection serves all threads
        return _database().execute(sql, parameters).fetchall()


@lru_cache(maxsize=1)
def _database() -> sqlite3.Connection:
    rows = list(csv.DictReader(_csv_bytes().decode().splitlines()))
    columns = list(rows[0])
    kinds = ", ".join(f"{c} {'REAL' if c in _NUMERIC else 'TEXT'}" for c in columns)
    # In memory: it works on a read-only disk, and the CSV file stays the one original.
    database = sqlite3.connect(":memory:", check_same_thread=False)
    database.row_factory = sqlite3.Row
    database.execute(f"CREATE TABLE {TABLE} ({kinds})")
    database.executemany(
        f"INSERT INTO {TABLE} VALUES ({', '.join('?' * len(columns))})",
        [[None if row[c] == "NA" else row[c] for c in columns] for row in rows],
    )
    return database


def _csv_bytes() -> bytes:
    return files(__package__).joinpath("penguins.csv").read_bytes()
