"""Whatever comes over the wire: the specified answer, nothing stored, nothing told of the inside."""

from __future__ import annotations

import json
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from urllib.parse import quote

import httpx
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from rendered.projects import Project, Served

RPC, MCP, CHAT, CRON = "/api/a2a/jsonrpc", "/api/mcp", "/api/chat", "/api/cron"
SECRET = "zz-secret-of-the-scheduler"
INSIDE = re.compile(r"Traceback|\b[A-Z]\w+(Error|Exception)\b|site-packages|\.py\b|/src/|\\src\\")
MODERN = {
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": "2026-07-28",
}


def envelope(method: str, params: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def v1(*parts: object, **more: object) -> dict[str, object]:
    message = {"messageId": "m", "role": "ROLE_USER", "parts": list(parts), **more}
    return envelope("SendMessage", {"message": message})


def v03(*parts: object, **more: object) -> dict[str, object]:
    message = {"kind": "message", "messageId": "m", "role": "user", "parts": list(parts), **more}
    return envelope("message/send", {"message": message})


def call(skill: str, args: object) -> dict[str, object]:
    return {"data": {"skill": skill, "args": args}}


def call_03(skill: str, args: object) -> dict[str, object]:
    return {"kind": "data", **call(skill, args)}


WRONG = ("get_species_profile", {"year": "soon", "colour": "blue"})
BAD: dict[str, tuple[object, str | None, int]] = {
    "malformed JSON": (b'{"jsonrpc": "2.0", ', "1.0", -32700),
    "nothing at all": (b"", "1.0", -32700),
    "an unknown method": (envelope("Nope", {}), "1.0", -32601),
    "a version from the future": (v1({"text": "hi"}), "9.9", -32009),
    "version 1 without saying so": (v1({"text": "hi"}), None, -32009),
    "no parts": (v1(), "1.0", -32602),
    "an empty part": (v1({}), "1.0", -32602),
    "params in a list": (envelope("SendMessage", [1]), "1.0", -32602),
    "params in words": (envelope("SendMessage", "hi"), "1.0", -32602),
    "an unknown skill": (v1(call("nope", {})), "1.0", -32602),
    "wrong arguments": (v1(call(*WRONG)), "1.0", -32602),
    "arguments in a list": (v1(call("get_species_profile", [1])), "1.0", -32602),
    "an unknown task": (envelope("GetTask", {"id": "none"}), "1.0", -32001),
    "cancelling an unknown task": (envelope("CancelTask", {"id": "none"}), "1.0", -32001),
    "a message for an unknown task": (v1({"text": "hi"}, taskId="none"), "1.0", -32001),
    "0.3: malformed JSON": (b"{", None, -32700),
    "0.3: an unknown method": (envelope("message/nope", {}), None, -32601),
    "0.3: no parts": (v03(), None, -32602),
    "0.3: an empty part": (v03({}), None, -32602),
    "0.3: params in a list": (envelope("message/send", [1]), None, -32602),
    "0.3: params in words": (envelope("message/send", "hi"), None, -32602),
    "0.3: an unknown skill": (v03(call_03("nope", {})), None, -32602),
    "0.3: wrong arguments": (v03(call_03(*WRONG)), None, -32602),
    "0.3: an unknown task": (envelope("tasks/get", {"id": "none"}), None, -32001),
    "0.3: cancelling an unknown task": (envelope("tasks/cancel", {"id": "none"}), None, -32001),
}


@pytest.mark.parametrize(("body", "version", "code"), BAD.values(), ids=BAD)
def test_a_bad_a2a_request_gets_the_specified_code_and_stores_nothing(
    agent: Served, body: object, version: str | None, code: int
) -> None:
    before = stored_tasks(agent)

    response = agent.post(RPC, body, version)

    assert response.json()["error"]["code"] == code, response.text
    tells_nothing_of_the_inside(response)
    assert stored_tasks(agent) == before


STREAMED = {"SendMessage": "SendStreamingMessage", "message/send": "message/stream"}
BAD_STREAMS = {
    name: (body | {"method": STREAMED[body["method"]]}, version, code)
    for name, (body, version, code) in BAD.items()
    if isinstance(body, dict) and body["method"] in STREAMED
} | {
    "an unknown task to watch": (envelope("SubscribeToTask", {"id": "none"}), "1.0", -32001),
    "0.3: an unknown task to watch": (envelope("tasks/resubscribe", {"id": "none"}), None, -32001),
}


@pytest.mark.parametrize(("body", "version", "code"), BAD_STREAMS.values(), ids=BAD_STREAMS)
def test_a_bad_request_for_a_stream_gets_the_same_code_and_stores_nothing(
    agent: Served, body: object, version: str | None, code: int
) -> None:
    before = stored_tasks(agent)

    response = agent.post(RPC, body, version)

    streamed = response.headers["content-type"].startswith("text/event-stream")
    answer = response.text.removeprefix("data:") if streamed else response.text
    assert json.loads(answer)["error"]["code"] == code, response.text
    tells_nothing_of_the_inside(response)
    assert stored_tasks(agent) == before


@pytest.mark.parametrize(("method", "version"), [("CancelTask", "1.0"), ("tasks/cancel", None)])
def test_a_finished_task_cannot_be_cancelled(
    agent: Served, method: str, version: str | None
) -> None:
    task = agent.ask("How heavy are Gentoo penguins?")

    assert agent.rpc(method, {"id": task["id"]}, version)["error"]["code"] == -32002


@pytest.mark.parametrize("path", [RPC, MCP, CHAT])
def test_a_huge_body_is_refused_within_a_second_and_the_server_lives(
    agent: Served, path: str
) -> None:
    body = b'{"text": "' + b"x" * 20_000_000 + b'"}'
    started = time.monotonic()

    response = agent.post(path, body, "1.0")

    assert response.status_code == httpx.codes.REQUEST_ENTITY_TOO_LARGE
    assert time.monotonic() - started < 1
    assert agent.client.get("/api/health").json()["status"] == "ok"


@pytest.mark.parametrize("path", [RPC, MCP, CHAT])
@pytest.mark.parametrize(
    ("header", "value", "status"),
    [
        ("Host", "evil.example.com", 421),
        ("Host", "127.0.0.1.evil.example.com", 421),
        ("Origin", "https://evil.example.com", 403),
        ("Origin", "null", 403),
        ("Content-Type", "text/plain", 415),
        ("X-Forwarded-For", "203.0.113.9", 403),
    ],
)
def test_a_request_from_a_strange_place_is_turned_away(
    agent: Served, path: str, header: str, value: str, status: int
) -> None:
    response = agent.post(path, v1({"text": "hi"}), "1.0", **{header: value})

    assert response.status_code == status
    tells_nothing_of_the_inside(response)


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_mcp_offers_no_stream_and_no_session(agent: Served, method: str) -> None:
    response = agent.client.request(method, MCP, headers={"Accept": "text/event-stream"})

    assert response.status_code == httpx.codes.METHOD_NOT_ALLOWED


META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
FUTURE = {**META, "io.modelcontextprotocol/protocolVersion": "2099-01-01"}
BAD_MCP: dict[str, tuple[object, dict[str, str], int]] = {
    "malformed JSON": (b"{", MODERN | {"Mcp-Method": "tools/list"}, -32700),
    "an unknown method": (
        envelope("tools/nope", {"_meta": META}),
        MODERN | {"Mcp-Method": "tools/nope"},
        -32601,
    ),
    "an unsupported version": (
        envelope("tools/list", {"_meta": FUTURE}),
        MODERN | {"MCP-Protocol-Version": "2099-01-01", "Mcp-Method": "tools/list"},
        -32022,
    ),
    "a header that contradicts the body": (
        envelope("tools/list", {"_meta": META}),
        MODERN | {"Mcp-Method": "tools/call"},
        -32020,
    ),
    "legacy: malformed JSON": (b"{", {"Accept": MODERN["Accept"]}, -32700),
    "legacy: an unknown method": (
        envelope("tools/nope", {}),
        {"Accept": MODERN["Accept"], "MCP-Protocol-Version": "2025-11-25"},
        -32601,
    ),
}


@pytest.mark.parametrize(("body", "headers", "code"), BAD_MCP.values(), ids=BAD_MCP)
def test_a_bad_mcp_request_gets_the_specified_code(
    agent: Served, body: object, headers: dict[str, str], code: int
) -> None:
    response = agent.post(MCP, body, None, **headers)

    assert f'"code":{code}' in response.text.replace(" ", ""), response.text
    assert response.status_code < 500
    tells_nothing_of_the_inside(response)


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=20)
    | st.sampled_from(["", "user", "ROLE_USER", "none", "\x00", "text", "data", "file"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "text", "data", "kind", "parts", "role", "skill", "args", "raw"])
            | st.text(max_size=8),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)
methods = st.sampled_from(
    [
        *("SendMessage", "GetTask", "CancelTask", "ListTasks", "SendStreamingMessage"),
        *("SubscribeToTask", "GetExtendedAgentCard", "CreateTaskPushNotificationConfig"),
        *("message/send", "message/stream", "tasks/get", "tasks/cancel", "tasks/resubscribe"),
        *("tasks/pushNotificationConfig/set", "agent/getAuthenticatedExtendedCard"),
    ]
)
messages = st.sampled_from([*STREAMED, *STREAMED.values()])
broken_bodies = st.one_of(
    anything,
    st.fixed_dictionaries(
        {"jsonrpc": st.just("2.0") | anything, "method": methods | anything},
        optional={"id": anything, "params": anything},
    ),
    st.builds(envelope, methods, anything),
    st.builds(lambda method, message: envelope(method, {"message": message}), messages, anything),
    st.builds(lambda parts: v1(*parts), st.lists(anything, max_size=3)),
    st.builds(lambda parts: v03(*parts), st.lists(anything, max_size=3)),
    st.builds(lambda args: v1(call("get_species_profile", args)), anything),
    st.builds(
        lambda more: v1({"text": "hi"}, **more),
        st.dictionaries(
            st.sampled_from(["taskId", "contextId", "metadata", "extensions", "referenceTaskIds"]),
            anything,
        ),
    ),
)
many = settings(
    max_examples=200,
    deadline=5000,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@many
@given(body=broken_bodies, version=st.sampled_from([None, "1.0", "0.3"]))
@example(body=v1({"text": "hi"}, contextId="x" * 300), version="1.0")
@example(body=v1({"text": "a\x00b"}), version="1.0")
@example(body={"jsonrpc": "2.0", "id": 1, "method": []}, version="1.0")
@example(body={"jsonrpc": "2.0", "id": 1, "method": {}}, version=None)
def test_no_broken_a2a_envelope_breaks_the_server(
    agent: Served, body: object, version: str | None
) -> None:
    response = agent.post(RPC, body, version)

    breaks_nothing(response)


@many
@given(
    body=st.one_of(
        anything,
        st.builds(
            envelope,
            st.sampled_from(["tools/call", "tools/list", "resources/read", "initialize", "ping"]),
            anything,
        ),
        st.builds(
            lambda args: envelope(
                "tools/call", {"name": "get_species_profile", "arguments": args, "_meta": META}
            ),
            anything,
        ),
    ),
    modern=st.booleans(),
)
@example(body=None, modern=False)
@example(body={}, modern=False)
def test_no_broken_mcp_envelope_breaks_the_server(
    agent: Served, body: object, modern: bool
) -> None:
    method = body.get("method") if isinstance(body, dict) else None
    headers = MODERN | {"Mcp-Method": str(method)} if modern and method in MCP_METHODS else {}
    if method == "tools/call":
        headers = headers | {"Mcp-Name": "get_species_profile"}

    response = agent.post(MCP, body, None, **{"Accept": MODERN["Accept"], **headers})

    breaks_nothing(response)


@many
@given(
    body=st.one_of(
        anything,
        st.fixed_dictionaries(
            {"id": st.just("c") | anything, "messages": st.lists(anything, max_size=3)}
        ),
        st.builds(
            lambda message: {"id": "c", "messages": [message]},
            st.fixed_dictionaries(
                {"role": st.just("user") | anything, "parts": anything}, optional={"id": anything}
            ),
        ),
        st.builds(
            lambda part: {"id": "c", "messages": [{"role": "user", "parts": [part]}]},
            st.fixed_dictionaries({"type": st.just("text") | anything, "text": anything}),
        ),
    )
)
@example(body={"id": "x" * 300, "messages": []})
@example(body={"id": "c", "messages": [{"role": "user", "parts": [{"type": "text"}] * 2000}]})
@example(
    body={"id": "c", "messages": [{"role": "user", "parts": [{"type": "text", "text": "\0"}]}]}
)
def test_no_broken_chat_breaks_the_server(agent: Served, body: object) -> None:
    before = stored_turns(agent)

    response = agent.post(CHAT, body)

    breaks_nothing(response)
    if response.status_code != httpx.codes.OK:
        assert stored_turns(agent) == before


@pytest.fixture(scope="module")
def scheduled(
    project_of: Callable[[str], Project], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    """The default variant, which a scheduler may enter."""
    data = tmp_path_factory.mktemp("data")
    with project_of("default").served(data, CRON_SECRET=SECRET) as served:
        yield served


printable = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=30)


@many
@given(job=st.text(min_size=1, max_size=30), secret=st.just(SECRET) | printable)
@example(job="../health", secret=SECRET)
@example(job="check_skills", secret="x")
@example(job="check_skills/", secret=SECRET)
@example(job="x" * 5000, secret=SECRET)
def test_no_broken_job_breaks_the_server_or_runs(scheduled: Served, job: str, secret: str) -> None:
    path = f"{CRON}/{quote(job, safe='', errors='replace')}"

    response = scheduled.client.get(path, headers={"Authorization": f"Bearer {secret}"})

    breaks_nothing(response)
    assert response.status_code == (404 if secret == SECRET or "/" in job else 401), response.text
    assert count(scheduled, "job_runs") == 0


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "HEAD"])
def test_a_job_is_only_run_by_a_get(scheduled: Served, method: str) -> None:
    headers = {"Authorization": f"Bearer {SECRET}"}

    response = scheduled.client.request(method, f"{CRON}/check_skills", headers=headers)

    assert response.status_code == httpx.codes.METHOD_NOT_ALLOWED
    assert count(scheduled, "job_runs") == 0


MCP_METHODS = ("tools/call", "tools/list", "resources/read", "initialize", "ping")


def breaks_nothing(response: httpx.Response) -> None:
    assert response.status_code < 500, response.text
    assert response.elapsed.total_seconds() < 5
    assert not re.search(r'"code": ?-32603', response.text), response.text
    tells_nothing_of_the_inside(response)


def tells_nothing_of_the_inside(response: httpx.Response) -> None:
    assert not INSIDE.search(response.text), response.text


def stored_tasks(agent: Served) -> int:
    return count(agent, "tasks")


def stored_turns(agent: Served) -> int:
    # Of the chat: a message to A2A that waits for nobody may be written while others are tried.
    return count(
        agent, "chat_messages JOIN conversations USING (owner, context_id)", "surface = 'chat'"
    )


def count(agent: Served, table: str, which: str = "true") -> int:
    with closing(sqlite3.connect(agent.database)) as connection:
        query = f"SELECT count(*) FROM {table} WHERE {which}"
        [(found,)] = connection.execute(query).fetchall()
    return int(found)
