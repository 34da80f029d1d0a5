"""The stream of chat, and its page."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from pydantic import ValidationError
from sse_starlette.sse import EventSourceResponse
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from ...agent.failure import Failure
from ...agent.run_agent import run_agent
from ...agent.services import Services
from ...contracts import Identity, Turn, TurnEvent
from .adapter import ChatRequest, Chunk, UiMessageStream, to_turn
from .page import POLICY, page

HEADERS = {
    "x-vercel-ai-ui-message-stream": "v1",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
}


@asynccontextmanager
async def chat_endpoint(services: Services, identity: Identity) -> AsyncIterator[ASGIApp]:
    """The endpoint of both routes while it is open."""
    document = page(identity, services.catalog)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "GET":
            response: Response = HTMLResponse(document, headers=POLICY)
        else:
            response = await _chat(Request(scope, receive), services)
        await response(scope, receive, send)

    yield app


async def _chat(request: Request, services: Services) -> Response:
    try:
        turn = to_turn(ChatRequest.model_validate_json(await request.body()), request.state.caller)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False, include_context=False)
        problems = [f"{'.'.join(map(str, e['loc'])) or 'body'}: {e['msg']}" for e in found]
        return JSONResponse({"error": {"message": "; ".join(problems)}}, 400)
    except ValueError as error:
        return JSONResponse({"error": {"message": str(error)}}, 400)
    return EventSourceResponse(_events(turn, services), headers=HEADERS, sep="\n")


async def _events(turn: Turn, services: Services) -> AsyncIterator[dict[str, str]]:
    chunks: asyncio.Queue[Chunk | None] = asyncio.Queue()
    working = asyncio.create_task(_run(turn, services, chunks))
    try:
        while (chunk := await chunks.get()) is not None:
            # In ASCII: some clients end a line at U+2028, too.
            yield {"data": json.dumps(chunk)}
        yield {"data": "[DONE]"}
    finally:
        working.cancel()  # who has gone, or pressed stop, waits for nothing


async def _run(turn: Turn, services: Services, chunks: asyncio.Queue[Chunk | None]) -> None:
    stream = UiMessageStream()

    async def tell(event: TurnEvent) -> None:
        for chunk in stream.told(event):
            chunks.put_nowait(chunk)

    try:
        for chunk in stream.begin():
            chunks.put_nowait(chunk)
        reply = await run_agent(replace(turn, listener=tell), services)
        for chunk in stream.end(reply):
            chunks.put_nowait(chunk)
    except Exception as error:
        chunks.put_nowait({"type": "error", "errorText": str(Failure.of(error))})
    finally:
        chunks.put_nowait(None)
