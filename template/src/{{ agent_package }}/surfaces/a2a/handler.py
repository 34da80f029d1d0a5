"""The SDK's request handler, with the checks that must come before anything is stored."""

from typing import Any

from a2a.server.agent_execution import RequestContext, SimpleRequestContextBuilder
from a2a.server.context import ServerCallContext
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.tasks import TaskStore
from a2a.types import Message, SendMessageRequest, Task

from ...contracts import Catalog
from .adapter import to_turn
from .caller_user import caller_of


class CheckedRequestHandler(DefaultRequestHandler):
    """Refuses a message that the agent cannot take before a task is made of it."""

    def __init__(self, catalog: Catalog, task_store: TaskStore, **options: Any) -> None:
        super().__init__(
            task_store=task_store,
            request_context_builder=StoredContextBuilder(task_store),
            **options,
        )
        self._catalog = catalog

    async def on_message_send(
        self, params: SendMessageRequest, context: ServerCallContext
    ) -> Message | Task:
        """Check the message, then let the SDK run it."""
        to_turn(params.message, params.message.context_id, caller_of(context), self._catalog)
        sent: Message | Task = await super().on_message_send(params, context)
        return sent


class StoredContextBuilder(SimpleRequestContextBuilder):
    """Gives a message that names only its task the context of that task (a2a-python#1206)."""

    def __init__(self, task_store: TaskStore) -> None:
        super().__init__()
        self._tasks = task_store

    async def build(
        self,
        context: ServerCallContext,
        params: SendMessageRequest | None = None,
        task_id: str | None = None,
        context_id: str | None = None,
        task: Task | None = None,
    ) -> RequestContext:
        """The SDK's context, with the stored context id where none was given."""
        if task_id and not context_id:
            stored = await self._tasks.get(task_id, context)
            context_id = stored.context_id if stored else None
        return await super().build(context, params, task_id, context_id, task)
