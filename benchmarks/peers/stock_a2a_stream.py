"""A text in pieces on the stock A2A SDK with its database store: an event for each piece."""

import os

from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import DatabaseTaskStore, TaskUpdater
from a2a.types import AgentCapabilities, AgentCard, Part, Task, TaskState, TaskStatus
from sqlalchemy.ext.asyncio import create_async_engine
from starlette.applications import Starlette


class Executor(AgentExecutor):  # type: ignore[misc] # the SDK is not in the environment of the generator
    """The task, working, as many pieces as the message says, completed."""

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        task_id, context_id = str(context.task_id), str(context.context_id)
        status = TaskStatus(state=TaskState.TASK_STATE_SUBMITTED)
        history = [context.message] if context.message else []
        await event_queue.enqueue_event(
            Task(id=task_id, context_id=context_id, status=status, history=history)
        )
        updater = TaskUpdater(event_queue, task_id, context_id)
        await updater.start_work()
        for number in range(int(context.message.parts[0].text)):
            await updater.add_artifact(
                [Part(text="word ")], artifact_id="reply", name="reply", append=number > 0
            )
        await updater.complete()

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        await TaskUpdater(event_queue, str(context.task_id), str(context.context_id)).cancel()


ENGINE = create_async_engine(f"sqlite+aiosqlite:///{os.environ['PEER_DATABASE']}")
CARD = AgentCard(
    name="stock", description="Talks", version="1", capabilities=AgentCapabilities(streaming=True)
)
HANDLER = DefaultRequestHandler(
    agent_executor=Executor(), task_store=DatabaseTaskStore(ENGINE), agent_card=CARD
)
app = Starlette(routes=[*create_agent_card_routes(CARD), *create_jsonrpc_routes(HANDLER, "/")])
