"""An app behind uvicorn in a process of its own, ours and the peers alike."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from benchmarks.workbench import Workbench
from rendered.projects import free_port

PEERS = Path(__file__).parent / "peers"
CARD = "/.well-known/agent-card.json"


@dataclass(frozen=True)
class App:
    """What uvicorn is told to serve."""

    name: str
    folder: Path
    python: str
    variables: Mapping[str, str]

    def with_variables(self, variables: Mapping[str, str]) -> App:
        return replace(self, variables={**self.variables, **variables})


@dataclass(frozen=True)
class Server:
    """A server process that answers."""

    process: subprocess.Popen[bytes]
    port: int
    seconds: float
    """From the start of the process to the first answer."""


def our_app(bench: Workbench, database_url: str | None = None) -> App:
    """The rendered project; without a URL it gets a new SQLite file."""
    project = bench.project
    url = database_url or f"sqlite:///{(bench.new_folder() / 'agent.db').as_posix()}"
    variables = project.variables(DATABASE_URL=url)
    return App("app:app", project.folder, project.environment.python, variables)


def peer_app(bench: Workbench, module: str) -> App:
    """A module of `peers`: the same environment, the same domain package, nothing else of ours."""
    project = bench.project
    # A plain install of the SDK has no OpenTelemetry; here pydantic-ai brings it.
    variables = project.variables(OTEL_INSTRUMENTATION_A2A_SDK_ENABLED="false")
    return App(f"{module}:app", PEERS, project.environment.python, variables)


@contextmanager
def serving(app: App, path: str = CARD) -> Iterator[Server]:
    """The app, from its first answer on `path` until the end of the block."""
    port = free_port()
    # Long enough that a connection lives while the other side has its turn.
    options = f"--host 127.0.0.1 --port {port} --http h11 --timeout-keep-alive 300"
    started = time.perf_counter()
    process = subprocess.Popen(
        [app.python, "-m", "uvicorn", app.name, *options.split(), "--no-access-log"],
        cwd=app.folder,
        env=app.variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for_an_answer(process, port, path)
        yield Server(process, port, time.perf_counter() - started)
    finally:
        process.terminate()
        process.wait(timeout=30)


class Caller:
    """Sends one request again and again over one connection."""

    def __init__(self, server: Server, path: str, body: bytes, headers: Mapping[str, str]) -> None:
        # Not httpx: the client's own time would stand in the numbers of both sides.
        self._connection = HTTPConnection("127.0.0.1", server.port, timeout=60)
        self._path = path
        self._body = body
        self._headers = {"Content-Type": "application/json", **headers}

    def call(self, expected: bytes) -> float:
        """The seconds that one call took."""
        started = time.perf_counter()
        self._connection.request("POST", self._path, self._body, self._headers)
        response = self._connection.getresponse()
        answer = response.read()
        seconds = time.perf_counter() - started
        assert response.status == 200, answer
        assert expected in answer, answer
        return seconds

    def calls_per_second(self, number: int, expected: bytes) -> float:
        started = time.perf_counter()
        for _ in range(number):
            self.call(expected)
        return number / (time.perf_counter() - started)


def _wait_for_an_answer(process: subprocess.Popen[bytes], port: int, path: str) -> None:
    deadline = time.monotonic() + 60
    while not _answers(port, path):
        assert process.poll() is None, f"the server ended with {process.returncode}"
        assert time.monotonic() < deadline, "the server does not answer"
        time.sleep(0.002)


def _answers(port: int, path: str) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()
