"""A text of a thousand pieces over an A2A stream, everything persisted."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from benchmarks.a2a_calls import DONE, HEADERS, OURS, PEERS
from benchmarks.row import Aim, Row, alternated
from benchmarks.served import Caller, our_app, peer_app, serving
from benchmarks.workbench import Workbench

PIECES = 1000
PEER_DATABASE = "PEER_DATABASE"
BODY = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "SendStreamingMessage",
        "params": {
            "message": {"messageId": "m", "role": "ROLE_USER", "parts": [{"text": str(PIECES)}]}
        },
    }
).encode()


def rows(bench: Workbench) -> list[Row]:
    with (
        talkative_model() as settings,
        serving(our_app(bench).with_variables(settings)) as ours,
        serving(
            peer_app(bench, "stock_a2a_stream").with_variables(
                {PEER_DATABASE: str(bench.new_folder() / "peer.db")}
            )
        ) as peer,
    ):
        our_caller = Caller(ours, OURS, BODY, HEADERS)
        peer_caller = Caller(peer, PEERS, BODY, HEADERS)
        our_caller.call(DONE)
        return [
            Row(
                name="a2a-stream",
                what=f"an A2A stream of {PIECES:,} pieces from a model, SQLite",
                against="the stock a2a-sdk handler on its database store, an event for each piece",
                unit="pieces/s",
                aim=Aim(10, at_least=True),
                **alternated(
                    lambda: PIECES / our_caller.call(DONE),
                    lambda: PIECES / peer_caller.call(DONE),
                    bench.times(5) if not bench.quick else 1,
                ),
            )
        ]


@contextmanager
def talkative_model() -> Iterator[dict[str, str]]:
    """The settings of an agent whose model answers in a thousand pieces, while it is there."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Completions)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield {
            "AGENT_MODEL": "openai-chat:m",
            "OPENAI_BASE_URL": f"http://127.0.0.1:{server.server_port}/v1",
            "OPENAI_API_KEY": "none",
            "HISTORY_TOKENS": "0",
        }
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Completions(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for _ in range(PIECES):
            self.wfile.write(_chunk({"role": "assistant", "content": "word "}, None))
        self.wfile.write(_chunk({}, "stop") + b"data: [DONE]\n\n")

    def log_message(self, *_: Any) -> None:
        pass


def _chunk(delta: dict[str, str], finish_reason: str | None) -> bytes:
    chunk = {
        "id": "c",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}],
    }
    return f"data: {json.dumps(chunk)}\n\n".encode()
