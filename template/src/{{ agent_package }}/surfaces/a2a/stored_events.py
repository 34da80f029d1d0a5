"""What happens to a task, read from its row, so that any instance can tell of any task."""

import asyncio
from collections.abc import AsyncGenerator, Iterator

from a2a.server.cluster import TaskEventStream, TaskVersion, VersionedEvent
from a2a.server.events import Event
from a2a.types import Artifact, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent

from ...persistence.task_store import TaskStore

POLL_SECONDS = 0.25


class StoredEvents(TaskEventStream):
    """The SDK's event stream without a log of events: the row is the news.

    A subscriber sees what differs between two readings, so a log to write with each save, to read
    and to prune is not needed; of several changes within `POLL_SECONDS` it sees the sum.
    """

    def __init__(self, store: TaskStore) -> None:
        self._store = store

    async def publish(self, task_id: str, event: VersionedEvent) -> None:
        """Nothing to do: the store has it."""

    async def destroy(self, task_id: str) -> None:
        """Nothing to do: nothing was kept for it."""

    async def subscribe(
        self, task_id: str, *, after: TaskVersion, seen: Task | None = None
    ) -> AsyncGenerator[VersionedEvent, None]:
        """What happens after a reading; without what was `seen` then, the whole task comes first."""
        while True:
            if newer := await self._store.newer(task_id, after):
                after = TaskVersion(newer.version)
                for event in differences(seen, newer.task):
                    yield VersionedEvent(event=event, version=after)
                seen = newer.task
            await asyncio.sleep(POLL_SECONDS)


def differences(before: Task | None, now: Task) -> Iterator[Event]:
    """How a task came from one reading to the next; artifacts come before the status."""
    if before is None:
        yield now
        return
    known = {artifact.artifact_id: artifact for artifact in before.artifacts}
    for artifact in now.artifacts:
        yield from _growth(known.get(artifact.artifact_id), artifact, now)
    if now.status != before.status:
        yield TaskStatusUpdateEvent(task_id=now.id, context_id=now.context_id, status=now.status)


def _growth(before: Artifact | None, now: Artifact, task: Task) -> Iterator[Event]:
    if now == before:
        return
    old = list(before.parts) if before else []
    grown = bool(old) and list(now.parts[: len(old)]) == old
    told = Artifact()
    told.CopyFrom(now)
    if grown:
        del told.parts[: len(old)]
    yield TaskArtifactUpdateEvent(
        task_id=task.id, context_id=task.context_id, artifact=told, append=grown
    )
