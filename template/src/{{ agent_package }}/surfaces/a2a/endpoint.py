"""Joins the SDK's parts to one endpoint."""

import asyncio
import os
import uuid
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

# The SDK opens some fifty spans for each request, exporter or not; agent and HTTP spans stay.
os.environ.setdefault("OTEL_INSTRUMENTATION_A2A_SDK_ENABLED", "false")

from a2a.server.context import ServerCallContext
from a2a.server.routes.jsonrpc_dispatcher import JsonRpcDispatcher
from a2a.types import AgentCard
from google.protobuf.json_format import ParseDict
from starlette.types import ASGIApp

from ...guarded_http import GuardedClient
from ...persistence.push_configs import PushConfigs
from ...persistence.task_store import TaskStore
from ..surface import Opening
from .caller_user import CallerContextBuilder, CallerUser, user_of
from .checked_context import CheckedContextBuilder
from .executor import TurnExecutor
from .handler import RequestHandler
from .parts import Parts
from .push_worker import PushWorker
from .repairs.v03_wire import RepairedV03Adapter
from .running import RunningTasks
from .served import served
from .wire import checked

TASKS_END, STREAMS_END = 0.6, 0.9
"""When, of the time that a shutdown may take."""


@asynccontextmanager
async def a2a_endpoint(
    opening: Opening,
    card: Mapping[str, Any],
    extended_card: Callable[[CallerUser], dict[str, Any]],
) -> AsyncIterator[ASGIApp]:
    """The endpoint while it is open; on the way out, tasks in the background are ended."""
    services, seconds = opening.services, opening.settings.shutdown_seconds
    store = TaskStore(services.engine, instance=str(uuid.uuid4()))
    known_card = _for_the_handler(card)
    running = RunningTasks(store, TASKS_END * seconds)

    async def for_the_caller(_: AgentCard, context: ServerCallContext) -> AgentCard:
        return ParseDict(extended_card(user_of(context)), AgentCard())

    async with AsyncExitStack() as stack:
        push = await stack.enter_async_context(_push(opening, store))
        handler = RequestHandler(
            store,
            known_card,
            agent_executor=TurnExecutor(services, opening.identity, running),
            request_context_builder=CheckedContextBuilder(store, services.catalog),
            extended_agent_card=known_card,
            extended_card_modifier=for_the_caller,
            **push,
        )
        stack.push_async_callback(handler.aclose)
        await stack.enter_async_context(_in_background(running.watch()))
        builder = CallerContextBuilder()
        dispatcher = JsonRpcDispatcher(
            handler, builder, enable_v0_3_compat=True, shutdown_grace_period=STREAMS_END * seconds
        )
        dispatcher._v03_adapter = RepairedV03Adapter(
            handler, builder, shutdown_grace_period=STREAMS_END * seconds
        )
        parts = Parts(
            handler=handler,
            card=known_card,
            callers=opening.callers,
            settings=opening.settings,
            streams_end=STREAMS_END * seconds,
        )
        app = await stack.enter_async_context(served(checked(dispatcher, known_card), parts))
        stack.push_async_callback(running.drain)
        yield app


@asynccontextmanager
async def _push(opening: Opening, store: TaskStore) -> AsyncIterator[dict[str, Any]]:
    """What the handler needs for push notifications, which are delivered meanwhile."""
    settings = opening.settings
    if not settings.push_notifications:
        yield {}
        return
    configs = PushConfigs(opening.services.engine)
    in_production = settings.app_env == "production"
    client = GuardedClient(https_only=in_production, allow_private=settings.push_allow_private)
    worker = PushWorker(configs, store, client)
    try:
        async with _in_background(worker.run()):
            # Without the SDK's sender: it delivers before the answer goes on, and once.
            yield {"push_config_store": configs, "push_url_validator": worker.allowed}
    finally:
        await client.aclose()


@asynccontextmanager
async def _in_background(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def _for_the_handler(card: Mapping[str, Any]) -> AgentCard:
    # It reads the capabilities, shows the card to nobody, and warns where there are no skills: an
    # agent without tools says on its own card that it has none.
    skills = card["skills"] or [
        {"id": "none", "name": "none", "description": "none", "tags": ["none"]}
    ]
    return ParseDict({**card, "skills": skills}, AgentCard(), ignore_unknown_fields=True)
