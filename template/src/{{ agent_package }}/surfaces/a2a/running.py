"""The tasks that run, here and elsewhere: each ends, whatever becomes of the instance that runs it."""

import asyncio
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from a2a.server.cluster import ConcurrentTaskModificationError
from a2a.types import TaskState, TaskStatus

from ...persistence.task_rows import LEASE
from ...persistence.task_store import OwnedTask, TaskStore
from .adapter import agent_message, text_part
from .told_to_stop import told_to_stop

BEAT_SECONDS = 1.0
"""How soon a task stops that was cancelled at another instance."""
KEEP_SECONDS = LEASE.total_seconds() / 4
REAP_SECONDS = 10.0
STOP_SECONDS = 3.0
"""For a task that was told to stop."""
LOST = "The instance that ran this task is gone. Send the message again."

logger = logging.getLogger(__name__)


@dataclass(eq=False)
class Running:
    """One task while it runs here."""

    stopped: asyncio.Event = field(default_factory=asyncio.Event)
    why: Literal["cancelled", "ended elsewhere", "shutdown"] | None = None
    ending: bool = False
    """Its last state is on its way to the store."""

    def stop(self, why: Literal["cancelled", "ended elsewhere", "shutdown"]) -> None:
        """Tell it to stop; the first reason counts."""
        self.why = self.why or why
        self.stopped.set()


class RunningTasks:
    """Those of this instance, and the end of those whose instance is gone."""

    def __init__(self, store: TaskStore, shutdown_seconds: float) -> None:
        """On shutdown, tasks may go on for `shutdown_seconds`."""
        self._store = store
        self._shutdown_seconds = shutdown_seconds
        self._tasks: dict[str, Running] = {}
        self._draining: asyncio.Task[None] | None = None
        self._kept = self._reaped = time.monotonic()

    @contextmanager
    def run(self, task_id: str) -> Iterator[Running]:
        """While it is open, the task runs here."""
        running = self._tasks[task_id] = Running()
        try:
            yield running
        finally:
            if self._tasks.get(task_id) is running:
                del self._tasks[task_id]

    def get(self, task_id: str) -> Running | None:
        """The task, where it runs here and is not about to end."""
        running = self._tasks.get(task_id)
        return None if running is None or running.ending else running

    async def watch(self) -> None:
        """Look after the tasks until cancelled."""
        trouble = False
        while True:
            try:
                await self._beat()
                trouble = False
            except Exception as error:  # whatever the driver raises; the next beat tries again
                if not trouble:
                    logger.warning("Running tasks cannot be looked after: %s", type(error).__name__)
                trouble = True
            await asyncio.sleep(BEAT_SECONDS)

    async def drain(self) -> None:
        """Let running tasks end; those that do not are told to stop."""
        await self._until_none_runs(self._shutdown_seconds)
        for running in self._tasks.values():
            running.stop("shutdown")
        await self._until_none_runs(STOP_SECONDS)

    async def _until_none_runs(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while self._tasks and time.monotonic() < deadline:
            await asyncio.sleep(0.05)

    async def _beat(self) -> None:
        # Streams are let go on for a while (sse-starlette); their tasks should end before that.
        if self._draining is None and told_to_stop():
            self._draining = asyncio.create_task(self.drain())
        now = time.monotonic()
        if self._tasks:
            for task_id in await self._store.ended(self._tasks):
                if running := self.get(task_id):
                    running.stop("ended elsewhere")
            if now - self._kept > KEEP_SECONDS:
                await self._store.keep_running(self._tasks)
                self._kept = now
        if now - self._reaped > REAP_SECONDS:
            self._reaped = now
            await self._reap()

    async def _reap(self) -> None:
        for lost in await self._store.abandoned():
            if lost.task.id in self._tasks:
                continue  # it is this instance that was late
            _fail(lost)
            try:
                await self._store.overwrite(lost)
            except ConcurrentTaskModificationError:
                continue  # another instance was first
            logger.warning("Task %s was ended: its instance is gone.", lost.task.id)


def _fail(lost: OwnedTask) -> None:
    task = lost.task
    if task.status.HasField("message"):
        task.history.append(task.status.message)
    status = TaskStatus(state=TaskState.TASK_STATE_FAILED)
    status.message.CopyFrom(agent_message([text_part(LOST)], task.id, task.context_id))
    status.timestamp.GetCurrentTime()
    task.status.CopyFrom(status)
