"""One skill on the bare A2A SDK, as its documentation shows it: nothing outlives the process."""

import uuid
from dataclasses import asdict

from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import (
    AgentCapabilities,
    AgentCard,
    AgentInterface,
    AgentSkill,
    Part,
    Task,
    TaskState,
    TaskStatus,
)
from google.protobuf.json_format import ParseDict
from palmer_penguins import MEASURES, penguin_groups
from starlette.applications import Starlette


class Executor(AgentExecutor):  # type: ignore[misc] # the SDK is not in the environment of the generator
    """The task, working, one artifact, completed."""

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        task_id, context_id = str(context.task_id), str(context.context_id)
        status = TaskStatus(state=TaskState.TASK_STATE_SUBMITTED)
        history = [context.message] if context.message else []
        await event_queue.enqueue_event(
            Task(id=task_id, context_id=context_id, status=status, history=history)
        )
        updater = TaskUpdater(event_queue, task_id, context_id)
        await updater.start_work()
        data = await listed()
        text = ", ".join(f"{g['species']} on {g['island']} ({g['count']})" for g in data["groups"])
        parts = [Part(text=text, media_type="text/plain"), Part(media_type="application/json")]
        ParseDict(data, parts[1].data.struct_value)
        await updater.add_artifact(parts, artifact_id=str(uuid.uuid4()), name="groups")
        await updater.complete(updater.new_agent_message([parts[0]]))

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        await TaskUpdater(event_queue, str(context.task_id), str(context.context_id)).cancel()


async def listed() -> dict[str, list[dict[str, object]]]:
    found = await penguin_groups()
    return {
        "groups": [asdict(group) for group in found.groups],
        "sexes": list(found.sexes),
        "years": list(found.years),
        "measures": list(MEASURES),
    }


CARD = AgentCard(
    name="bare",
    description="Lists penguins",
    version="1",
    supported_interfaces=[
        AgentInterface(url="http://127.0.0.1/", protocol_binding="JSONRPC", protocol_version="1.0")
    ],
    capabilities=AgentCapabilities(streaming=True),
    default_input_modes=["text/plain"],
    default_output_modes=["text/plain"],
    skills=[
        AgentSkill(
            id="list_penguin_groups", name="List", description="Lists penguins", tags=["penguins"]
        )
    ],
)
HANDLER = DefaultRequestHandler(
    agent_executor=Executor(), task_store=InMemoryTaskStore(), agent_card=CARD
)
app = Starlette(routes=[*create_agent_card_routes(CARD), *create_jsonrpc_routes(HANDLER, "/")])
