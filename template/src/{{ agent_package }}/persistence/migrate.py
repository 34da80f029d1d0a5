"""Bring the database to the schema of this code."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from pathlib import Path
from typing import Literal

from sqlalchemy import Connection, inspect, text
from sqlalchemy.ext.asyncio import AsyncEngine

from ..settings import ConfigurationError
from .old_tasks import take_over, taken_aside

HEAD = "0002"
"""The newest revision under `migrations/versions`, which are numbered in their order."""

Schema = Literal["older", "current", "newer"]

LOCK_KEY = 4_207_193_051
"""Of the advisory lock on Postgres; any number that nobody else uses."""

_ALEMBIC = threading.Lock()


NEWER = (
    "The code is older than the database, whose schema it does not know. "
    "Bring the code up to date, or use another database; nothing was changed."
)


async def schema_of(engine: AsyncEngine) -> Schema:
    """Beside that of this code. One query; Alembic is not imported for it."""
    async with engine.connect() as connection:
        return _schema(await connection.run_sync(_revision))


async def migrate(engine: AsyncEngine) -> bool:
    """Apply what is missing; True where something was. Several processes may call it at once.

    ConfigurationError where the database is newer than this code.
    """
    async with _between_processes(engine), _alone_in_this_one():
        if engine.dialect.name == "sqlite":
            if await schema_of(engine) == "current":
                return False
            async with engine.connect() as connection:
                # The file remembers it. Outside the lock, starts at once would fail each other.
                await connection.exec_driver_sql("PRAGMA journal_mode = WAL")
        async with engine.begin() as connection:
            return await connection.run_sync(_upgrade)


def _schema(revision: str | None) -> Schema:
    if revision == HEAD:
        return "current"
    return "newer" if revision is not None and revision > HEAD else "older"


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _upgrade(connection: Connection) -> bool:
    from alembic import command
    from alembic.config import Config

    if connection.dialect.name == "postgresql":
        # It ends with the transaction, so it holds through a pooler, too.
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK_KEY})
    match _schema(_revision(connection)):
        case "current":
            return False
        case "newer":
            raise ConfigurationError(NEWER)
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    old = taken_aside(connection)
    command.upgrade(config, "head")
    if old:
        take_over(connection)
    return True


@asynccontextmanager
async def _alone_in_this_one() -> AsyncIterator[None]:
    """Alembic keeps what it works on in its modules, so two apps of one process take turns."""
    while not _ALEMBIC.acquire(blocking=False):
        await asyncio.sleep(0.02)
    try:
        yield
    finally:
        _ALEMBIC.release()


def _between_processes(engine: AsyncEngine) -> AbstractAsyncContextManager[object]:
    """A lock beside the SQLite file; a database in memory has no neighbours to wait for."""
    from filelock import AsyncFileLock

    path = engine.url.database
    if engine.dialect.name != "sqlite" or not path or path == ":memory:":
        return nullcontext()
    return AsyncFileLock(f"{path}.lock", timeout=60)
