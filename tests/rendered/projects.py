"""A rendered project at work."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from rendered.environment import Environment
from support import run

CACHES = {"__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".import_linter_cache"}
SETTINGS = (
    "AGENT_",
    "AI_GATEWAY",
    "APP_",
    "AUTH_",
    "CRON_SECRET",
    "DATABASE_URL",
    "GRPC_",
    "OPENAI_",
    "PUBLIC_",
    "PYTEST_",
    "VERCEL",
)


@dataclass(frozen=True)
class Project:
    """A rendered project and the environment that it runs in."""

    folder: Path
    answers: Mapping[str, Any]
    environment: Environment

    @property
    def package(self) -> str:
        return str(self.answers["agent_name"]).replace("-", "_")

    @property
    def domain(self) -> str:
        return str(self.answers.get("domain_package", "palmer_penguins"))

    def files(self) -> list[Path]:
        """What was rendered, without what the tools have left there since."""
        every = (p for p in sorted(self.folder.rglob("*")) if p.is_file())
        return [p for p in every if not CACHES & set(p.relative_to(self.folder).parts)]

    def variables(self, **more: str) -> dict[str, str]:
        """The environment variables of its processes: none of the person's settings."""
        paths = ("src", f"packages/{self.domain}/src", ".")
        kept = {n: v for n, v in os.environ.items() if not n.startswith(SETTINGS)}
        return {
            **kept,
            "PYTHONPATH": os.pathsep.join(str(self.folder / path) for path in paths),
            "PYTHONUTF8": "1",
            **more,
        }

    def run(self, *command: str, timeout: float = 300, **settings: str) -> str:
        """Run a tool of the environment in the project; its output, once it has succeeded."""
        done = subprocess.run(
            [self.environment.script(command[0]), *command[1:]],
            cwd=self.folder,
            env=self.variables(**settings),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=timeout,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    @contextmanager
    def served(self, data: Path, port: int | None = None, **settings: str) -> Iterator[Served]:
        """The project behind a real server; database and output stand in `data`."""
        port = port or free_port()
        database, output = data / "agent.db", data / "server.log"
        command = ["-m", "uvicorn", "app:app", "--host", "127.0.0.1", "--port", str(port)]
        with output.open("wb") as log:
            server = subprocess.Popen(
                [self.environment.python, *command],
                cwd=self.folder,
                env=self.variables(
                    **{
                        "DATABASE_URL": f"sqlite:///{database.as_posix()}",
                        "GRPC_PORT": str(free_port()),
                        **settings,
                    }
                ),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
            try:
                with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
                    served = Served(client, database, output)
                    served.wait_until_ready(server)
                    yield served
            finally:
                server.terminate()
                server.wait(timeout=30)


@dataclass(frozen=True)
class Served:
    """The served agent, as its callers see it."""

    client: httpx.Client
    database: Path
    output: Path

    @property
    def url(self) -> str:
        return str(self.client.base_url).rstrip("/")

    def wait_until_ready(self, server: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + 60
        while True:
            if server.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"the server did not get ready:\n{self.output.read_text()}")
            try:
                if self.client.get("/api/health?deep=1").status_code == httpx.codes.OK:
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.05)

    def post(
        self, path: str, body: object, version: str | None = None, **headers: str
    ) -> httpx.Response:
        """Bytes go as they are, everything else as JSON."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        sent = {"Content-Type": "application/json"} | ({"A2A-Version": version} if version else {})
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.post(path, content=content, headers=sent)

    def rpc(self, method: str, params: object, version: str | None = "1.0") -> dict[str, Any]:
        """One A2A call; the whole JSON-RPC response."""
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        answer: dict[str, Any] = self.post("/api/a2a/jsonrpc", body, version).json()
        return answer

    def ask(self, text: str) -> dict[str, Any]:
        """Ask in words; the task that comes of it."""
        message = {"messageId": "m", "role": "ROLE_USER", "parts": [{"text": text}]}
        answer = self.rpc("SendMessage", {"message": message})
        assert "result" in answer, answer
        task: dict[str, Any] = answer["result"]["task"]
        return task


def said(task: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of a reply by the end of their media type: `plain`, `citations`, `refusal`."""
    names = {"text/plain": "plain"}
    return {
        names.get(part["mediaType"], part["mediaType"].split(".")[-1].split("+")[0]): part
        for part in task["status"]["message"]["parts"]
    }


def render(answers: Mapping[str, Any], here: Path, env: Mapping[str, str]) -> Path:
    """A project as `agent-new` makes it."""
    data = here / "answers.json"
    data.write_text(json.dumps(answers), encoding="utf-8")
    name = str(answers["agent_name"])
    done = run(here, env, name, "--defaults", "--no-install", "--no-git", "--data-file", str(data))
    assert done.returncode == 0, done.stderr
    return here / name


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


Row = tuple[Any, ...]


def rows(agent: Served, query: str, expected: object, *parameters: str) -> list[Row]:
    """What stands in the database, at the latest after 5 seconds: tool rows are queued."""
    deadline = time.monotonic() + 5
    while True:
        with closing(sqlite3.connect(agent.database)) as connection:
            found = connection.execute(query, parameters).fetchall()
        if found == expected or time.monotonic() > deadline:
            return found
        time.sleep(0.02)
