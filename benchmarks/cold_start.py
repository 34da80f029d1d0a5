"""How long a new process takes to its first card, which is what a serverless platform waits for."""

from __future__ import annotations

from benchmarks.row import Aim, Row, alternated
from benchmarks.served import App, our_app, peer_app, serving
from benchmarks.workbench import Workbench


def rows(bench: Workbench) -> list[Row]:
    ours, peer = our_app(bench), peer_app(bench, "bare_starlette")
    start(ours), start(peer)  # compiles, and makes the database
    return [
        Row(
            name="cold-start",
            what="cold start of the rendered app to its first card",
            against="a bare Starlette app of one route",
            unit="s",
            aim=Aim(3),
            **alternated(lambda: start(ours), lambda: start(peer), bench.times(11)),
        )
    ]


def start(app: App) -> float:
    with serving(app) as server:
        return server.seconds
