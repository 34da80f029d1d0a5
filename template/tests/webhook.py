"""A receiver of push notifications, on a port of its own."""

import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Received:
    """One notification."""

    at: float
    body: dict[str, Any]
    headers: Mapping[str, str]

    @property
    def state(self) -> str:
        state: str = self.body.get("task", self.body)["status"]["state"]
        return state


@dataclass
class Webhook:
    """What it got, and how it answers: by `statuses` first, then with 200, each after `seconds`."""

    url: str
    received: list[Received] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)
    seconds: float = 0

    @property
    def states(self) -> list[str]:
        return [received.state for received in self.received]


@contextmanager
def webhook() -> Iterator[Webhook]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            hook.received.append(Received(time.monotonic(), body, dict(self.headers)))
            time.sleep(hook.seconds)
            status = hook.statuses.pop(0) if hook.statuses else 200
            self.send_response(status)
            if status // 100 == 3:
                self.send_header("Location", hook.url + "/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hook = Webhook(f"http://127.0.0.1:{server.server_address[1]}/hook")
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield hook
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
