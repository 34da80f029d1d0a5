"""Blocking A2A calls of a skill, one after the other, everything persisted."""

from __future__ import annotations

import json
import runpy
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from typing import NamedTuple

import psutil

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
STOCK = "the stock a2a-sdk handler with its in-memory store"


class Calls(NamedTuple):
    """What a number of calls came to."""

    per_second: float
    median_ms: float
    cpu_ms: float
    """Of the server, for each call."""


def rows(bench: Workbench) -> list[Row]:
    measured = rows_of(bench, our_app(bench), "a2a-sqlite", "SQLite", Aim(1.0, at_least=True))
    with postgres(bench) as url:
        if url:
            measured += rows_of(bench, our_app(bench, url), "a2a-postgres", "Postgres", None)
    return measured


def rows_of(bench: Workbench, app: App, name: str, database: str, aim: Aim | None) -> list[Row]:
    number = bench.times(200)
    with serving(app) as ours, serving(peer_app(bench, "bare_a2a")) as peer:
        our_caller, peer_caller = caller(ours, OURS), caller(peer, PEERS)
        measured = alternated(
            lambda: calls(ours, our_caller, number),
            lambda: calls(peer, peer_caller, number),
            bench.times(9),
        )
    what = f"blocking A2A send, direct skill call, {database}, everything persisted"

    def row(suffix: str, told: str, unit: str, place: int, aim: Aim | None) -> Row:
        sides = {side: tuple(each[place] for each in seen) for side, seen in measured.items()}
        return Row(name=name + suffix, what=what + told, against=STOCK, unit=unit, aim=aim, **sides)

    return [
        row("", "", "calls/s", 0, aim),
        row("-latency", ": median latency", "ms", 1, None),
        row("-cpu", ": CPU of the server for each call", "ms", 2, None),
    ]


def calls(server: Server, caller: Caller, number: int) -> Calls:
    before = cpu_seconds(server)
    seconds = [caller.call(DONE) for _ in range(number)]
    cpu = cpu_seconds(server) - before
    return Calls(number / sum(seconds), 1000 * median(seconds), 1000 * cpu / number)


def cpu_seconds(server: Server) -> float:
    used = psutil.Process(server.process.pid).cpu_times()
    return float(used.user + used.system)


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
