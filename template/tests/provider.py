"""A server on this machine that plays a provider of models, by a script."""

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route


@dataclass(frozen=True)
class Call:
    """A step in which the model calls a tool; arguments may be any text."""

    tool: str
    arguments: str

    @classmethod
    def of(cls, tool: str, **args: Any) -> "Call":
        return cls(tool, json.dumps(args))


@dataclass(frozen=True)
class Status:
    """A step that answers with an HTTP status and no completion."""

    code: int


@dataclass(frozen=True)
class Broken:
    """A step that breaks the connection after the first words."""


@dataclass(frozen=True)
class Slow:
    """A step that thinks for `seconds` before its words."""

    seconds: float
    text: str


@dataclass
class Provider:
    """Answers OpenAI chat completions; a step of the script is words, pieces of words or the above."""

    url: str = ""
    script: list[Any] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)

    async def complete(self, request: Request) -> Response:
        self.requests.append(await request.json())
        step = self.script.pop(0)
        if isinstance(step, Slow):
            await asyncio.sleep(step.seconds)
            step = step.text
        if isinstance(step, Status):
            return JSONResponse({"error": {"message": "zz-provider-text"}}, step.code)
        if self.requests[-1].get("stream"):
            return StreamingResponse(_chunks(step), media_type="text/event-stream")
        return JSONResponse(_completion({"message": _message(step), "finish_reason": "stop"}))


@contextmanager
def playing() -> Iterator[Provider]:
    """The provider while it is served."""
    provider = Provider()
    app = Starlette(routes=[Route("/v1/chat/completions", provider.complete, methods=["POST"])])
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="critical"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    provider.url = f"http://127.0.0.1:{port}/v1"
    try:
        yield provider
    finally:
        server.should_exit = server.force_exit = True
        thread.join()


def _message(step: str | list[str] | Call) -> dict[str, Any]:
    if isinstance(step, Call):
        function = {"name": step.tool, "arguments": step.arguments}
        calls = [{"index": 0, "id": "call", "type": "function", "function": function}]
        return {"role": "assistant", "content": None, "tool_calls": calls}
    return {"role": "assistant", "content": "".join(step)}


async def _chunks(step: Any) -> AsyncIterator[str]:
    if isinstance(step, Broken):
        yield _event({"delta": {"role": "assistant", "content": "It "}, "finish_reason": None})
        raise ConnectionError("as scripted")
    pieces = [{"role": "assistant", "content": p} for p in step] if isinstance(step, list) else []
    for piece in pieces or [_message(step)]:
        yield _event({"delta": piece, "finish_reason": None})
    yield _event({"delta": {}, "finish_reason": "stop"})
    yield "data: [DONE]\n\n"


def _event(choice: dict[str, Any]) -> str:
    return f"data: {json.dumps(_completion(choice) | {'object': 'chat.completion.chunk'})}\n\n"


def _completion(choice: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, **choice}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }
