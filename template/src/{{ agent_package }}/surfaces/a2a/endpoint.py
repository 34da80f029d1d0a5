"""Joins the SDK's parts to one endpoint."""

import asyncio
import os
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

# The SDK opens some fifty spans for each request, exporter or not; agent and HTTP spans stay.
os.environ.setdefault("OTEL_INSTRUMENTATION_A2A_SDK_ENABLED", "false")

from a2a.server.routes.jsonrpc_dispatcher import JsonRpcDispatcher
from a2a.types import AgentCard
from google.protobuf.json_format import ParseDict
from starlette.types import ASGIApp

from ...persistence.task_store import TaskStore
from ..surface import Opening
from .caller_user import CallerContextBuilder
from .checked_context import CheckedContextBuilder
from .executor import TurnExecutor
from .handler import RequestHandler
from .parts import Parts
from .repairs.v03_wire import RepairedV03Adapter
from .running import RunningTasks
from .served import served
from .wire import checked

TASKS_END, STREAMS_END = 0.6, 0.9
"""When, of the time that a shutdown may take."""


@asynccontextmanager
async def a2a_endpoint(opening: Opening, card: Mapping[str, Any]) -> AsyncIterator[ASGIApp]:
    """The endpoint while it is open; on the way out, tasks in the background are ended."""
    services, seconds = opening.services, opening.settings.shutdown_seconds
    store = TaskStore(services.engine, instance=str(uuid.uuid4()))
    known_card = _for_the_handler(card)
    running = RunningTasks(store, TASKS_END * seconds)
    handler = RequestHandler(
        store,
        known_card,
        agent_executor=TurnExecutor(services, opening.identity, running),
        request_context_builder=CheckedContextBuilder(store, services.catalog),
    )
    builder = CallerContextBuilder()
    dispatcher = JsonRpcDispatcher(
        handler, builder, enable_v0_3_compat=True, shutdown_grace_period=STREAMS_END * seconds
    )
    dispatcher._v03_adapter = RepairedV03Adapter(
        handler, builder, shutdown_grace_period=STREAMS_END * seconds
    )
    watching = asyncio.create_task(running.watch())
    parts = Parts(
        handler=handler,
        card=known_card,
        callers=opening.callers,
        settings=opening.settings,
        streams_end=STREAMS_END * seconds,
    )
    try:
        async with served(checked(dispatcher, known_card), parts) as app:
            try:
                yield app
            finally:
                await running.drain()
    finally:
        watching.cancel()
        await handler.aclose()


def _for_the_handler(card: Mapping[str, Any]) -> AgentCard:
    # It reads the capabilities, shows the card to nobody, and warns where there are no skills: an
    # agent without tools says on its own card that it has none.
    skills = card["skills"] or [
        {"id": "none", "name": "none", "description": "none", "tags": ["none"]}
    ]
    return ParseDict({**card, "skills": skills}, AgentCard(), ignore_unknown_fields=True)
