"""The MCP server over stateless Streamable HTTP."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import mcp_types as types
import pydantic_core
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from ...agent.services import Services
from ...auth.gate import replayed
from ...contracts import Identity
from .server import build_server

JSON, STREAM = b"application/json", b"text/event-stream"
# The gate has checked Host and Origin, for every surface alike.
NO_SECOND_CHECK = TransportSecuritySettings(enable_dns_rebinding_protection=False)


@asynccontextmanager
async def mcp_endpoint(
    services: Services, identity: Identity, max_body_bytes: int
) -> AsyncIterator[ASGIApp]:
    """The endpoint while it is open; on the way out, calls in flight are ended."""

    def manager(*, json_response: bool) -> StreamableHTTPSessionManager:
        return StreamableHTTPSessionManager(
            build_server(services, identity),
            stateless=True,
            json_response=json_response,
            security_settings=NO_SECOND_CHECK,
            max_request_body_size=max_body_bytes,
        )

    # Only where the reply is a stream does a closed connection cancel the tool; a client that
    # takes no stream gets plain JSON.
    streaming, plain = manager(json_response=False), manager(json_response=True)
    async with streaming.run(), plain.run():
        yield _by_accepted_type(streaming, plain)


def _by_accepted_type(
    streaming: StreamableHTTPSessionManager, plain: StreamableHTTPSessionManager
) -> ASGIApp:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        accepted = dict(scope["headers"]).get(b"accept", b"").strip().lower() or b"*/*"
        if not any(kind in accepted for kind in (JSON, STREAM, b"*/*", b"application/*")):
            message = "Accept application/json or text/event-stream."
            await _refused(406, types.INVALID_REQUEST, message)(scope, receive, send)
            return
        body = await Request(scope, receive).body()
        if problem := _envelope_problem(body):
            await _refused(400, *problem)(scope, receive, send)
            return
        # The specification asks clients to accept both types, and not all do.
        others = [(name, value) for name, value in scope["headers"] if name != b"accept"]
        both = {**scope, "headers": [*others, (b"accept", JSON + b", " + STREAM)]}
        manager = streaming if STREAM in accepted else plain
        await manager.handle_request(both, replayed(body, receive), send)

    return app


def _envelope_problem(body: bytes) -> tuple[int, str] | None:
    """Code and words for what is no message; mcp 2.3.0 would answer in its library's words."""
    try:
        message = pydantic_core.from_json(body)
    except ValueError:
        return types.PARSE_ERROR, "The body is not JSON."
    if isinstance(message, list):
        return types.INVALID_REQUEST, "Batches are not served. Send one message."
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return types.INVALID_REQUEST, 'A message is an object with "jsonrpc": "2.0".'
    if not isinstance(message.get("params", {}), dict):
        return types.INVALID_PARAMS, "The params of a message are an object."
    request_id = message.get("id", 0)
    readable = isinstance(request_id, str | int) and not isinstance(request_id, bool)
    if not readable or not _is_message(message):
        return types.INVALID_REQUEST, (
            "A message has a method, or a result or an error; its id is a string or a whole number."
        )
    return None


def _is_message(message: dict[str, Any]) -> bool:
    try:
        types.jsonrpc_message_adapter.validate_python(message, by_name=False)
    except ValidationError:
        return False
    return True


def _refused(status: int, code: int, message: str) -> JSONResponse:
    error = {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": message}}
    return JSONResponse(error, status)
