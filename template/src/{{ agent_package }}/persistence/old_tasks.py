"""A table `tasks` that a2a-sdk 0.3 made: its tasks come along as they are.

The SDK reads such a row whole, and it is written in the form of 1.0 when the task goes on. That version
kept no owners, so nobody sees the tasks before they are given to somebody.
"""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    MetaData,
    Table,
    func,
    inspect,
    select,
    text,
    update,
)
from sqlalchemy.ext.asyncio import AsyncEngine

from .engine import transaction
from .tables import tasks

ASIDE = "tasks_of_a2a_0_3"
AT_ONCE = 500
"""Rows in memory."""
COPIED = ("id", "context_id", "kind", "status", "artifacts", "history", "metadata")
WORKING = ("submitted", "working")
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)

_OLD = Table(ASIDE, MetaData(), *(Column(name, tasks.c[name].type) for name in COPIED))
_OF_NOBODY = tasks.c.owner.is_(None)


def taken_aside(connection: Connection) -> bool:
    """Move such a table out of the way of ours; True where there was one."""
    found = inspect(connection)
    if not found.has_table("tasks") or found.has_table("alembic_version"):
        return False
    connection.execute(text(f"ALTER TABLE tasks RENAME TO {ASIDE}"))
    return True


def take_over(connection: Connection) -> None:
    """Copy its tasks into our table, and drop it."""
    last = ""
    page = select(_OLD).order_by(_OLD.c.id).limit(AT_ONCE)
    while rows := connection.execute(page.where(_OLD.c.id > last)).mappings().all():
        connection.execute(tasks.insert(), [_taken_over(dict(row)) for row in rows])
        last = rows[-1]["id"]
    connection.execute(text(f"DROP TABLE {ASIDE}"))


async def tasks_of_nobody(engine: AsyncEngine) -> int:
    """How many there are."""
    count = select(func.count()).select_from(tasks).where(_OF_NOBODY)
    return await transaction(engine, lambda connection: connection.scalar(count) or 0)


async def give_tasks(engine: AsyncEngine, owner: str) -> int:
    """Make all of them those of one caller, named `issuer|subject`; how many they were."""
    given = update(tasks).where(_OF_NOBODY).values(owner=owner)
    return await transaction(engine, lambda connection: connection.execute(given).rowcount)


def _taken_over(row: dict[str, Any]) -> dict[str, Any]:
    # What still works is of a process that is gone: the agent ends it when it starts.
    works = row["status"].get("state") in WORKING
    return {
        **row,
        "last_updated": _moment(row["status"].get("timestamp")),
        "version": 1,
        "running_until": LONG_AGO if works else None,
    }


def _moment(written: str | None) -> datetime | None:
    """A time in UTC and without a zone, as the SDK keeps it."""
    try:
        moment = datetime.fromisoformat(written or "")
    except ValueError:
        return None
    return moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment
