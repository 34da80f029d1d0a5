"""The MCP server over stateless Streamable HTTP."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
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
        accepted = dict(scope["headers"]).get(b"accept", b"*/*").lower()
        if not any(kind in accepted for kind in (JSON, STREAM, b"*/*", b"application/*")):
            message = "Accept application/json or text/event-stream."
            await _refused(406, message)(scope, receive, send)
            return
        body = await Request(scope, receive).body()
        if problem := _envelope_problem(body):
            await _refused(400, problem)(scope, receive, send)
            return
        # The specification asks clients to accept both types, and not all do.
        others = [(name, value) for name, value in scope["headers"] if name != b"accept"]
        both = {**scope, "headers": [*others, (b"accept", JSON + b", " + STREAM)]}
        manager = streaming if STREAM in accepted else plain
        await manager.handle_request(both, replayed(body, receive), send)

    return app


def _envelope_problem(body: bytes) -> str | None:
    """What mcp 2.3.0 lets pass or answers with another code."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return None  # the SDK's own answer is right
    if isinstance(message, list):
        return "Batches are not served. Send one message."
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return 'A message is an object with "jsonrpc": "2.0".'
    if not isinstance(message.get("method"), str) and not message.keys() & {"result", "error"}:
        return "The method of a request is a string."
    if message.get("id", "") is None:
        return "The id of a request is a string or a number, not null."
    return None


def _refused(status: int, message: str) -> JSONResponse:
    error = {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": message}}
    return JSONResponse(error, status)
