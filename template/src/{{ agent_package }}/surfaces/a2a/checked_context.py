"""What must hold of a message before the SDK makes a task of it."""

from a2a.server.agent_execution import RequestContext, SimpleRequestContextBuilder
from a2a.server.context import ServerCallContext
from a2a.types import SendMessageRequest, Task

from ...contracts import Catalog
from ...persistence.task_store import TaskStore
from .adapter import to_turn
from .caller_user import caller_of
from .repairs.task_context import context_of


class CheckedContextBuilder(SimpleRequestContextBuilder):
    """Refuses a message that the agent cannot take: nothing is stored of it."""

    def __init__(self, task_store: TaskStore, catalog: Catalog) -> None:
        super().__init__()
        self._tasks = task_store
        self._catalog = catalog

    async def build(
        self,
        context: ServerCallContext,
        params: SendMessageRequest | None = None,
        task_id: str | None = None,
        context_id: str | None = None,
        task: Task | None = None,
    ) -> RequestContext:
        """The SDK's context of a message that can be answered."""
        if params:
            to_turn(params.message, "", caller_of(context), self._catalog)
        context_id = await context_of(task_id, context_id, self._tasks, context)
        built = await super().build(context, params, task_id, context_id, task)
        if not task_id and built.task_id:
            self._tasks.made_up(built.task_id)
        return built
