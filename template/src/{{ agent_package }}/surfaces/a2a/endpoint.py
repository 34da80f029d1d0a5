"""Joins the SDK's parts to one JSON-RPC endpoint."""

import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

# The SDK opens some fifty spans for each request, exporter or not; agent and HTTP spans stay.
os.environ.setdefault("OTEL_INSTRUMENTATION_A2A_SDK_ENABLED", "false")

from a2a.server.context import ServerCallContext
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes.jsonrpc_dispatcher import JsonRpcDispatcher
from a2a.types import AgentCard
from google.protobuf.json_format import ParseDict
from starlette.types import ASGIApp

from ...agent.services import Services
from ...contracts import Identity
from ...persistence.task_store import open_task_store
from .caller_user import CallerContextBuilder, CallerUser, user_of
from .checked_context import CheckedContextBuilder
from .executor import TurnExecutor
from .wire import RepairedV03Adapter, checked

PARKED_SECONDS = 900.0
"""After this, a task that waits for input lives in the database only."""


@asynccontextmanager
async def a2a_endpoint(
    services: Services,
    identity: Identity,
    card: Mapping[str, Any],
    extended_card: Callable[[CallerUser], dict[str, Any]],
) -> AsyncIterator[ASGIApp]:
    """The endpoint while it is open; on the way out, tasks in the background are ended."""
    tasks = open_task_store(services.engine)
    public_card = _for_the_handler(card)

    async def for_the_caller(_: AgentCard, context: ServerCallContext) -> AgentCard:
        return ParseDict(extended_card(user_of(context)), AgentCard())

    handler = DefaultRequestHandler(
        agent_executor=TurnExecutor(services, identity),
        task_store=tasks,
        request_context_builder=CheckedContextBuilder(tasks, services.catalog),
        agent_card=public_card,
        extended_agent_card=public_card,
        extended_card_modifier=for_the_caller,
        interrupted_task_timeout=PARKED_SECONDS,
    )
    builder = CallerContextBuilder()
    dispatcher = JsonRpcDispatcher(handler, builder, enable_v0_3_compat=True)
    dispatcher._v03_adapter = RepairedV03Adapter(handler, builder)
    try:
        yield checked(dispatcher)
    finally:
        await handler.aclose()


def _for_the_handler(card: Mapping[str, Any]) -> AgentCard:
    # It reads the capabilities, shows the card to nobody, and warns where there are no skills: an
    # agent without tools says on its own card that it has none.
    skills = card["skills"] or [
        {"id": "none", "name": "none", "description": "none", "tags": ["none"]}
    ]
    return ParseDict({**card, "skills": skills}, AgentCard(), ignore_unknown_fields=True)
