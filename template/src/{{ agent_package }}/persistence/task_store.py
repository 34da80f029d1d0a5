"""The tasks of A2A, in the same database as the chat log, for any number of instances."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from a2a.server.cluster import (
    ConcurrentTaskModificationError,
    StoredTask,
    TaskVersion,
    VersionedTaskStore,
)
from a2a.server.context import ServerCallContext
from a2a.server.events import Event
from a2a.server.tasks import DatabaseTaskStore
from a2a.types import (
    ListTasksRequest,
    ListTasksResponse,
    Task,
    TaskArtifactUpdateEvent,
    TaskState,
)
from a2a.utils.errors import InvalidParamsError
from sqlalchemy import Select, delete, select, update
from sqlalchemy.exc import DataError
from sqlalchemy.ext.asyncio import AsyncEngine

from .engine import transaction
from .storable import is_key
from .tables import tasks
from .task_rows import (
    ABANDONED,
    CANCEL,
    CLAIM,
    HAS_ENDED,
    LEASE,
    NEWER,
    OWNED,
    RELEASE,
    UPDATE,
    all_columns,
    as_dicts,
    as_model,
    insert_of,
    status_columns,
)

MOST_MADE_UP = 10_000


@dataclass(frozen=True, kw_only=True)
class OwnedTask:
    """A task as it was read, and whose it is."""

    task: Task
    version: int
    owner: str | None
    """None of tasks of a2a-sdk 0.3 that nobody was given yet."""


class TaskStore(VersionedTaskStore):
    """The store of one instance.

    It keeps the promises of the SDK's cluster store in one table and one statement for each save:
    writes are counted, and one that comes too late changes nothing.
    """

    def __init__(self, engine: AsyncEngine, instance: str) -> None:
        self._engine = engine
        self._instance = instance
        # Its conversions and its listing; a migration made the table.
        self._sdk = DatabaseTaskStore(engine, create_table=False)
        self._insert = insert_of(engine.dialect.name)
        self._made_up: set[str] = set()
        self.rested = asyncio.Event()
        """Set when a task was written that does not run any more."""

    def made_up(self, task_id: str) -> None:
        """An id is new, so nothing is looked for under it before something is written."""
        if len(self._made_up) > MOST_MADE_UP:  # of requests that failed before they wrote
            self._made_up.clear()
        self._made_up.add(task_id)

    async def save(
        self,
        task: Task,
        *,
        event: Event | None,
        prev: Task | None,
        prev_version: TaskVersion,
        context: ServerCallContext,
    ) -> TaskVersion:
        """Write what the event changed; ConcurrentTaskModificationError where that is too late."""
        owner = self._sdk.owner_resolver(context)
        if prev_version.is_missing:
            self._made_up.discard(task.id)
            columns = all_columns(task, self._instance, owner)
            return TaskVersion(await self._write(self._insert, task.id, columns))
        only_artifacts = isinstance(event, TaskArtifactUpdateEvent)
        read = OwnedTask(task=task, version=prev_version._value, owner=owner)  # type: ignore[arg-type]
        return TaskVersion(await self.overwrite(read, only_artifacts=only_artifacts))

    async def overwrite(self, read: OwnedTask, *, only_artifacts: bool = False) -> int:
        """Write a task that was read and then changed; the number of this write."""
        task, artifacts = read.task, as_dicts(read.task.artifacts)
        its = {"its_id": task.id, "its_owner": read.owner, "its_version": read.version}
        if only_artifacts:
            return await self._write(UPDATE, task.id, {**its, "artifacts": artifacts})
        if task.status.state == TaskState.TASK_STATE_CANCELED:
            task.status.timestamp.GetCurrentTime()  # the SDK leaves the time of the state before
            columns = status_columns(task, self._instance)
            return await self._write(
                CANCEL, task.id, {**columns, **its, "its_artifacts": artifacts}
            )
        columns = status_columns(task, self._instance)
        return await self._write(UPDATE, task.id, {**columns, **its, "artifacts": artifacts})

    async def get(self, task_id: str, context: ServerCallContext) -> StoredTask | None:
        """The task, where it belongs to the caller."""
        if task_id in self._made_up or not is_key(task_id):
            return None
        its = {"its_id": task_id, "its_owner": self._sdk.owner_resolver(context)}
        found = await self._read(OWNED, its)
        return StoredTask(found[0].task, TaskVersion(found[0].version)) if found else None

    async def list(self, params: ListTasksRequest, context: ServerCallContext) -> ListTasksResponse:
        """One page of the tasks of the caller."""
        try:
            return await self._sdk.list(params, context)
        except (DataError, ValueError, OverflowError):  # as the SDK and the drivers read them
            raise InvalidParamsError("params: the page token or the time cannot be read.") from None

    async def delete(self, task_id: str, context: ServerCallContext) -> None:
        """Delete a task of the caller."""
        owner = self._sdk.owner_resolver(context)
        its = (tasks.c.id == task_id) & (tasks.c.owner == owner)
        await transaction(self._engine, lambda c: c.execute(delete(tasks).where(its)).close())

    async def newer(self, task_id: str, than: TaskVersion) -> OwnedTask | None:
        """The task, whoever owns it, where it was written since."""
        found = await self._read(NEWER, {"its_id": task_id, "its_version": than._value})
        return found[0] if found else None

    async def claim(self, task_id: str, context: ServerCallContext) -> int | None:
        """Be the instance that goes on with a task that waits; None where another is, or it is not there."""
        its = {"its_id": task_id, "its_owner": self._sdk.owner_resolver(context)}
        now = datetime.now(UTC)
        values = {**its, "now": now, "instance": self._instance, "running_until": now + LEASE}
        claimed: int | None = await transaction(self._engine, lambda c: c.scalar(CLAIM, values))
        return claimed

    async def release(self, task_id: str, claimed: int) -> None:
        """Give back what was claimed and not gone on with."""
        its = {"its_id": task_id, "its_version": claimed}
        await transaction(self._engine, lambda connection: connection.execute(RELEASE, its).close())

    async def keep_running(self, ids: Collection[str]) -> None:
        """Say that these tasks of this instance still run."""
        mine = tasks.c.id.in_(ids) & (tasks.c.instance == self._instance)
        kept = update(tasks).where(mine).values(running_until=datetime.now(UTC) + LEASE)
        await transaction(self._engine, lambda connection: connection.execute(kept).close())

    async def ended(self, ids: Collection[str]) -> set[str]:
        """Those of the tasks that have ended, whoever ended them."""
        query = select(tasks.c.id).where(tasks.c.id.in_(ids), HAS_ENDED)
        return await transaction(self._engine, lambda connection: {*connection.scalars(query)})

    async def abandoned(self) -> Sequence[OwnedTask]:
        """Tasks that are still said to run, by instances that say nothing any more."""
        return await self._read(ABANDONED, {"now": datetime.now(UTC)})

    async def _read(self, query: Select[Any], values: dict[str, Any]) -> Sequence[OwnedTask]:
        rows = await transaction(
            self._engine, lambda connection: connection.execute(query, values).mappings().all()
        )
        return [
            OwnedTask(
                task=self._sdk._from_orm(as_model(dict(row))),
                version=row["version"],
                owner=row["owner"],
            )
            for row in rows
        ]

    async def _write(self, statement: Any, task_id: str, values: dict[str, Any]) -> int:
        version: int | None = await transaction(
            self._engine, lambda connection: connection.scalar(statement, values)
        )
        if version is None:
            raise ConcurrentTaskModificationError(task_id)
        if values.get("running_until", ...) is None:
            self.rested.set()
        return version
