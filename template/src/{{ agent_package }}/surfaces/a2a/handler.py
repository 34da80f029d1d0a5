"""The operations of A2A: the SDK's, behind checks that every binding and both dialects share."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
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
    TaskState,
    TaskStatusUpdateEvent,
)
from a2a.utils.errors import (
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
        self._check(params, context)
        answer: Message | Task = await super().on_message_send(params, context)
        return answer

    async def on_message_send_stream(
        self, params: SendMessageRequest, context: ServerCallContext
    ) -> AsyncGenerator[Event, None]:
        """Answer a message, and tell what happens on the way."""
        self._check(params, context)
        async with aclosing(super().on_message_send_stream(params, context)) as events:
            async for event in events:
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
        stored = await self._versioned_store.get(params.id, context)
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

    def _check(self, params: SendMessageRequest, context: ServerCallContext) -> None:
        check_required(self._agent_card, context)
        check_message(params.message)


def _rests(event: Event) -> bool:
    return isinstance(event, Task | TaskStatusUpdateEvent) and event.status.state not in RUNNING
