"""A provider of models on this machine: it waits, breaks or answers, as the question says."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

WAIT_SECONDS = 30
PAUSE_SECONDS = 0.6


class _Completions(BaseHTTPRequestHandler):
    """Answers OpenAI chat completions."""

    stopping: threading.Event

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked = json.dumps(request["messages"][-1])
        if "break" in asked:
            self._send(400, "application/json", ['{"error": {"message": "zz-inside"}}'])
        elif request.get("stream"):
            pause = PAUSE_SECONDS if "slowly" in asked else 0
            self._send(200, "text/event-stream", self._pieces(pause, waits="wait" in asked))
        else:
            if "wait" in asked:
                self.stopping.wait(WAIT_SECONDS)
            message = {"role": "assistant", "content": "As you say."}
            self._send(200, "application/json", [json.dumps(_completion(message=message))])

    def _pieces(self, pause: float, *, waits: bool) -> Iterator[str]:
        if waits:
            yield _chunk({"content": "Hm, "})
            self.stopping.wait(WAIT_SECONDS)
        for word in ("As ", "you ", "say."):
            yield _chunk({"content": word})
            self.stopping.wait(pause)
        yield _chunk({}, "stop")
        yield "data: [DONE]\n\n"

    def _send(self, status: int, kind: str, pieces: Iterable[str]) -> None:
        try:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.end_headers()
            for piece in pieces:
                self.wfile.write(piece.encode())
        except OSError:
            pass  # who has cancelled waits for nothing

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def slow_model() -> Iterator[dict[str, str]]:
    """The settings of an agent that asks this provider, while it is there."""
    stopping = threading.Event()
    handler = type("Completions", (_Completions,), {"stopping": stopping})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield {
            "AGENT_MODEL": "openai-chat:m",
            "OPENAI_BASE_URL": f"http://127.0.0.1:{server.server_port}/v1",
            "OPENAI_API_KEY": "none",
        }
    finally:
        stopping.set()
        server.shutdown()
        thread.join()
        server.server_close()


def _completion(finish_reason: str | None = "stop", **choice: Any) -> dict[str, Any]:
    return {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "finish_reason": finish_reason, **choice}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def _chunk(delta: dict[str, Any], finish_reason: str | None = None) -> str:
    chunk = _completion(finish_reason, delta={"role": "assistant", **delta})
    return f"data: {json.dumps(chunk | {'object': 'chat.completion.chunk'})}\n\n"
