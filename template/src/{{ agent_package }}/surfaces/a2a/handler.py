"""The operations of A2A: the SDK's, behind checks that every binding and both dialects share."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import Any

from a2a.server.context import ServerCallContext
from a2a.server.events import Event
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.types import (
    AgentCard,
    CancelTaskRequest,
    GetTaskRequest,
    ListTasksRequest,
    ListTasksResponse,
    Message,
    SendMessageRequest,
    SubscribeToTaskRequest,
    Task,
    TaskArtifactUpdateEvent,
    TaskState,
    TaskStatusUpdateEvent,
)
from a2a.utils.errors import (
    PushNotificationNotSupportedError,
    TaskNotCancelableError,
    TaskNotFoundError,
    UnsupportedOperationError,
)

from ...persistence.task_rows import RUNNING, TERMINAL
from ...persistence.task_store import TaskStore
from .checks import check_id, check_message, check_state
from .extensions import check_required
from .stored_events import StoredEvents

PARKED_SECONDS = 0.05
"""After this, a task that waits for input lives in the database only, so any instance goes on."""


class RequestHandler(DefaultRequestHandler):
    """What every way in to A2A calls."""

    def __init__(self, store: TaskStore, agent_card: AgentCard, **parts: Any) -> None:
        self._store = store
        self._events = StoredEvents(store)
        super().__init__(
            task_store=store,
            agent_card=agent_card,
            event_stream=self._events,
            interrupted_task_timeout=PARKED_SECONDS,
            **parts,
        )

    async def on_message_send(
        self, params: SendMessageRequest, context: ServerCallContext
    ) -> Message | Task:
        """Answer a message, with a task that rests."""
        async with self._begun(params, context):
            answer: Message | Task = await super().on_message_send(params, context)
            return answer

    async def on_message_send_stream(
        self, params: SendMessageRequest, context: ServerCallContext
    ) -> AsyncGenerator[Event, None]:
        """Answer a message, and tell what happens on the way."""
        stream = super().on_message_send_stream(params, context)
        async with self._begun(params, context), aclosing(stream) as events:
            begun = False
            async for event in events:
                async for told in self._told(event, context, begun=begun):
                    yield told
                begun = True

    async def _told(
        self, event: Event, context: ServerCallContext, *, begun: bool
    ) -> AsyncGenerator[Event, None]:
        """A stream begins with its task, and has no other."""
        if begun and isinstance(event, Task):  # it ended elsewhere, and was read again
            yield TaskStatusUpdateEvent(
                task_id=event.id, context_id=event.context_id, status=event.status
            )
        elif not begun and isinstance(event, TaskStatusUpdateEvent | TaskArtifactUpdateEvent):
            # The SDK begins with what changes, where a message goes on with a task.
            stored = await self._store.get(event.task_id, context)
            if stored:
                yield stored.task
            yield event
        else:
            yield event

    async def on_get_task(self, params: GetTaskRequest, context: ServerCallContext) -> Task | None:
        """A task of the caller."""
        check_id("id", params.id)
        task: Task | None = await super().on_get_task(params, context)
        return task

    async def on_list_tasks(
        self, params: ListTasksRequest, context: ServerCallContext
    ) -> ListTasksResponse:
        """The tasks of the caller."""
        check_id("contextId", params.context_id)
        check_state(params.status)
        page: ListTasksResponse = await super().on_list_tasks(params, context)
        return page

    async def on_cancel_task(
        self, params: CancelTaskRequest, context: ServerCallContext
    ) -> Task | None:
        """End a task; TaskNotCancelableError where it ended otherwise meanwhile."""
        check_id("id", params.id)
        task: Task | None = await super().on_cancel_task(params, context)
        if task and task.status.state != TaskState.TASK_STATE_CANCELED:
            raise TaskNotCancelableError
        return task

    async def on_subscribe_to_task(
        self, params: SubscribeToTaskRequest, context: ServerCallContext
    ) -> AsyncGenerator[Event, None]:
        """A task as it is now, then what happens to it, whichever instance runs it."""
        check_id("id", params.id)
        stored = await self._store.get(params.id, context)
        if stored is None:
            raise TaskNotFoundError
        if stored.task.status.state in TERMINAL:
            raise UnsupportedOperationError("The task has ended; read it with GetTask.")
        yield stored.task
        changes = self._events.subscribe(params.id, after=stored.version, seen=stored.task)
        async with aclosing(changes):
            async for change in changes:
                yield change.event
                if _rests(change.event):
                    return

    @asynccontextmanager
    async def _begun(
        self, params: SendMessageRequest, context: ServerCallContext
    ) -> AsyncIterator[None]:
        """Check the message; one that goes on with a task has the task for itself."""
        check_required(self._agent_card, context)
        check_message(params.message)
        if params.configuration.HasField("task_push_notification_config"):
            self._check_push()
        task_id = params.message.task_id
        claimed = await self._claim(task_id, context) if task_id else None
        try:
            yield
        except Exception:
            if claimed:
                await self._store.release(task_id, claimed)
            raise

    def _check_push(self) -> None:
        if not self._agent_card.capabilities.push_notifications:  # the SDK would drop the config
            raise PushNotificationNotSupportedError

    async def _claim(self, task_id: str, context: ServerCallContext) -> int | None:
        claimed = await self._store.claim(task_id, context)
        if claimed is None:
            stored = await self._store.get(task_id, context)
            if stored and stored.task.status.state not in TERMINAL:  # else the SDK says why
                raise UnsupportedOperationError(
                    "The task is at work on another message. Send this one when the task waits, "
                    "or without the taskId."
                )
        return claimed


def _rests(event: Event) -> bool:
    return isinstance(event, Task | TaskStatusUpdateEvent) and event.status.state not in RUNNING
