"""One async engine for the whole process, on SQLite or on Postgres."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from sqlalchemy import URL, Connection, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from ..settings import ConfigurationError

T = TypeVar("T")

WAIT_SECONDS = 5
"""For a connection to Postgres."""
SQLITE_WAIT_SECONDS = 8
"""For the writers before us: there is one at a time."""


def open_engine(database_url: str) -> AsyncEngine:
    """The engine for a URL as people and providers write it; nothing connects before a query."""
    try:
        url = make_url(database_url)
    except (ArgumentError, ValueError):
        raise ConfigurationError(
            "DATABASE_URL cannot be read. Write sqlite:///./.data/agent.db or "
            "postgresql://user:password@host/database; in a password, write @ : / as %40 %3A %2F."
        ) from None
    return _sqlite(url) if url.get_backend_name() == "sqlite" else _postgres(url)


async def transaction(engine: AsyncEngine, work: Callable[[Connection], T]) -> T:
    """Commit all that `work` does, or nothing of it."""
    if writer := _writers.get(engine):
        return await writer.run(work)
    async with engine.begin() as connection:
        return await connection.run_sync(work)


class _Writer:
    """Writes a SQLite file from one thread: one trip to it for a transaction, not one for each step.

    SQLite has one writer anyway; two connections would poll for the lock.
    """

    def __init__(self, url: URL) -> None:
        self._engine = create_engine(url.set(drivername="sqlite"), hide_parameters=True)
        event.listen(self._engine, "connect", _tune_sqlite)
        self._thread = ThreadPoolExecutor(1, "sqlite")

    async def run(self, work: Callable[[Connection], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._run, work)

    def _run(self, work: Callable[[Connection], T]) -> T:
        with self._engine.begin() as connection:
            return work(connection)

    def close(self, _: object) -> None:
        self._thread.submit(self._engine.dispose)
        self._thread.shutdown(wait=False)


_writers: WeakKeyDictionary[AsyncEngine, _Writer] = WeakKeyDictionary()


def _sqlite(url: URL) -> AsyncEngine:
    is_file = bool(url.database and url.database != ":memory:")
    if is_file:
        Path(str(url.database)).parent.mkdir(parents=True, exist_ok=True)
    # An error is logged, what people say is not.
    engine = create_async_engine(url.set(drivername="sqlite+aiosqlite"), hide_parameters=True)
    event.listen(engine.sync_engine, "connect", _tune_sqlite)
    if is_file:
        _writers[engine] = writer = _Writer(url)
        event.listen(engine.sync_engine, "engine_disposed", writer.close)
    return engine


def _tune_sqlite(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {SQLITE_WAIT_SECONDS * 1000}")
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _postgres(url: URL) -> AsyncEngine:
    return create_async_engine(
        url.set(drivername="postgresql+psycopg", query=_known_to_libpq(url.query)),
        hide_parameters=True,
        pool_pre_ping=True,  # providers close idle connections
        pool_recycle=240,
        pool_timeout=WAIT_SECONDS,
        # A pooler hands each transaction another server, where nothing is prepared.
        connect_args={"prepare_threshold": None, "connect_timeout": WAIT_SECONDS},
    )


def _known_to_libpq(query: Any) -> dict[str, Any]:
    """Without what other libraries put into a URL, such as `pgbouncer=true`, which libpq refuses."""
    from psycopg.pq import Conninfo

    known = {option.keyword.decode() for option in Conninfo.get_defaults()}
    sslmode = {"sslmode": query["ssl"]} if "ssl" in query and "sslmode" not in query else {}
    return {name: value for name, value in query.items() if name in known} | sslmode
