"""MCP tool calls in the stateless revision, one after the other."""

from __future__ import annotations

import json

from benchmarks.a2a_calls import SKILL, WARM_UP
from benchmarks.row import Aim, Row, alternated
from benchmarks.served import Caller, Server, our_app, peer_app, serving
from benchmarks.workbench import Workbench

REVISION = "2026-07-28"
HEADERS = {
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": REVISION,
    "Mcp-Method": "tools/call",
    "Mcp-Name": SKILL,
}
BODY = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {
            "name": SKILL,
            "arguments": {},
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": REVISION,
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        },
    }
).encode()
OURS, PEERS = "/api/mcp", "/mcp"
DONE = b"structuredContent"


def rows(bench: Workbench) -> list[Row]:
    number = bench.times(200)
    with serving(our_app(bench)) as ours, serving(peer_app(bench, "bare_mcp")) as peer:
        our_caller, peer_caller = caller(ours, OURS), caller(peer, PEERS)
        return [
            Row(
                name="mcp",
                what=f"MCP `tools/call`, {REVISION}, SQLite, everything persisted",
                against="a bare low-level SDK server",
                unit="calls/s",
                aim=Aim(0.9, at_least=True),
                **alternated(
                    lambda: our_caller.calls_per_second(number, DONE),
                    lambda: peer_caller.calls_per_second(number, DONE),
                    bench.times(9),
                ),
            )
        ]


def caller(server: Server, path: str) -> Caller:
    made = Caller(server, path, BODY, HEADERS)
    made.calls_per_second(WARM_UP, DONE)
    return made
