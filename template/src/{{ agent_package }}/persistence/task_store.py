"""The tasks of A2A, in the same database as the chat log."""

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from a2a.server.context import ServerCallContext
from a2a.server.models import TaskModel
from a2a.server.tasks import DatabaseTaskStore
from a2a.types import ListTasksRequest, ListTasksResponse, Task, TaskState
from sqlalchemy import inspect
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncEngine

from .engine import transaction

RUNNING = (TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING)
WRITE_SECONDS = 0.25
"""How far what other processes see of a running task may be behind."""
_ATTRIBUTES = {attr.columns[0].key: attr.key for attr in inspect(TaskModel).column_attrs}

Key = tuple[str, str]


@dataclass(eq=False)
class _Running:
    """A task that this process works on."""

    task: Task
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    due: asyncio.TimerHandle | None = None


class RunningTaskStore(DatabaseTaskStore):
    """The SDK's store on our table, without a write for each event.

    A running task is held in memory. It is written when it begins and when it comes to rest, and
    in between once in `WRITE_SECONDS`.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        super().__init__(engine, create_table=False)  # a migration made the table
        self._running: dict[Key, _Running] = {}
        self._new: deque[str] = deque(maxlen=100)
        self._writing: set[asyncio.Task[None]] = set()
        self._upsert = _upsert(engine.dialect.name)

    def begin(self, task_id: str) -> None:
        """No database needs to be asked for this id: it was made just now."""
        self._new.append(task_id)

    async def save(self, task: Task, context: ServerCallContext) -> None:
        """Hold a running task; write one that begins or rests."""
        key = (self.owner_resolver(context), task.id)
        running = self._running.get(key)
        if running and task.status.state in RUNNING:
            running.task = task
            self._write_later(key, running)
            return
        if running is None:
            running = self._running[key] = _Running(task)
            if task.id in self._new:
                self._new.remove(task.id)
        running.task = task
        try:
            await self._write(key, running)
        except BaseException:
            self._running.pop(key, None)
            raise
        if task.status.state not in RUNNING:
            self._running.pop(key, None)

    async def get(self, task_id: str, context: ServerCallContext) -> Task | None:
        """A copy of what is held, or what is written."""
        running = self._running.get((self.owner_resolver(context), task_id))
        if running:
            copy = Task()
            copy.CopyFrom(running.task)
            return copy
        return None if task_id in self._new else await super().get(task_id, context)

    async def list(self, params: ListTasksRequest, context: ServerCallContext) -> ListTasksResponse:
        """What is written, with what is held."""
        await self.write_all()
        return await super().list(params, context)

    async def delete(self, task_id: str, context: ServerCallContext) -> None:
        """Forget it, here and in the database."""
        self._running.pop((self.owner_resolver(context), task_id), None)
        await super().delete(task_id, context)

    async def write_all(self) -> None:
        """Write now what would be written later."""
        for key, running in [*self._running.items()]:
            if running.due:
                await self._write(key, running)

    def _write_later(self, key: Key, running: _Running) -> None:
        def write() -> None:
            writing = asyncio.create_task(self._write(key, running))
            self._writing.add(writing)
            writing.add_done_callback(self._written)

        if running.due is None:
            running.due = asyncio.get_running_loop().call_later(WRITE_SECONDS, write)

    def _written(self, writing: asyncio.Task[None]) -> None:
        self._writing.discard(writing)
        if not writing.cancelled():
            writing.exception()  # the next write of the task will fail, too, and tell

    async def _write(self, key: Key, running: _Running) -> None:
        async with running.lock:
            if self._running.get(key) is not running:
                return  # it has come to rest
            if running.due:
                running.due.cancel()
                running.due = None
            row = self._to_orm(running.task, key[0])
            values = {column: getattr(row, name) for column, name in _ATTRIBUTES.items()}
            await transaction(self.engine, lambda c: c.execute(self._upsert, values).close())


def _upsert(dialect: str) -> Any:
    insert = (postgresql if dialect == "postgresql" else sqlite).insert(TaskModel.__table__)
    new = {name: insert.excluded[name] for name in _ATTRIBUTES if name != "id"}
    return insert.on_conflict_do_update(index_elements=["id"], set_=new)


def open_task_store(engine: AsyncEngine) -> RunningTaskStore:
    """The store of one process."""
    return RunningTaskStore(engine)
