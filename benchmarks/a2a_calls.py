"""Blocking A2A calls of a skill, one after the other, everything persisted."""

from __future__ import annotations

import json
import runpy
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks.row import Aim, Row, alternated
from benchmarks.served import App, Caller, Server, our_app, peer_app, serving
from benchmarks.workbench import Workbench

SKILL = "list_penguin_groups"
HEADERS = {"A2A-Version": "1.0"}
OURS, PEERS = "/api/a2a/jsonrpc", "/"
DONE = b"TASK_STATE_COMPLETED"
BODY = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "SendMessage",
        "params": {
            "message": {
                "messageId": "m",
                "role": "ROLE_USER",
                "parts": [{"data": {"skill": SKILL, "args": {}}}],
            }
        },
    }
).encode()
WARM_UP = 50


def rows(bench: Workbench) -> list[Row]:
    measured = [row(bench, our_app(bench), "a2a-sqlite", "SQLite", Aim(1.0, at_least=True))]
    with postgres(bench) as url:
        if url:
            measured.append(row(bench, our_app(bench, url), "a2a-postgres", "Postgres", None))
    return measured


def row(bench: Workbench, app: App, name: str, database: str, aim: Aim | None) -> Row:
    number = bench.times(200)
    with serving(app) as ours, serving(peer_app(bench, "bare_a2a")) as peer:
        our_caller, peer_caller = caller(ours, OURS), caller(peer, PEERS)
        return Row(
            name=name,
            what=f"blocking A2A send, direct skill call, {database}, everything persisted",
            against="the stock a2a-sdk handler with its in-memory store",
            unit="calls/s",
            aim=aim,
            **alternated(
                lambda: our_caller.calls_per_second(number, DONE),
                lambda: peer_caller.calls_per_second(number, DONE),
                bench.times(9),
            ),
        )


def caller(server: Server, path: str) -> Caller:
    """A connection over which the server has warmed up."""
    made = Caller(server, path, BODY, HEADERS)
    made.calls_per_second(WARM_UP, DONE)
    return made


@contextmanager
def postgres(bench: Workbench) -> Iterator[str | None]:
    """A migrated database on a server of its own; None where no Postgres is installed."""
    project = bench.project
    own_server = runpy.run_path(str(project.folder / "tests/postgres.py"))["own_server"]
    with own_server() as url:
        if url:
            migrate(bench, url)
        yield url


def migrate(bench: Workbench, url: str) -> None:
    project = bench.project
    command = f"from {project.package}.cli import main; main(['migrate'])"
    subprocess.run(
        [project.environment.python, "-c", command],
        cwd=project.folder,
        env=project.variables(DATABASE_URL=url),
        stdout=subprocess.DEVNULL,
        check=True,
    )
