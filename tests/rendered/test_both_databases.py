"""What people and clients send is stored alike by SQLite and by Postgres."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from rendered.projects import Project, Served, rows
from support import ROOT

RPC, MCP, CHAT = "/api/a2a/jsonrpc", "/api/mcp", "/api/chat"
NO_POSTGRES = "no Postgres: install the package `postgresql` of your system"
LONGEST_ID = 256
TEXTS = {
    "a NUL": (r"alpha\u0000omega", "alpha\N{REPLACEMENT CHARACTER}omega"),
    "the six characters of one": (r"alpha\\u0000omega", r"alpha\u0000omega"),
    "an emoji": (r"alpha\ud83d\udc27omega", "alpha🐧omega"),
}


@dataclass(frozen=True)
class Stored:
    """An agent, and what stands in its database."""

    agent: Served
    postgres: str | None

    def texts(self, context_id: str, expected: list[str]) -> list[str]:
        """The words of the person in a conversation, once they are those that are expected."""
        query = (
            "SELECT text FROM chat_messages WHERE role = 'user' AND context_id = {} "
            "ORDER BY created_at"
        )
        if self.postgres is None:
            wanted = [(text,) for text in expected]
            return [row[0] for row in rows(self.agent, query.format("?"), wanted, context_id)]
        command = ["psql", self.postgres, "-AtX", "-c", query.format(f"'{context_id}'")]
        return subprocess.check_output(command, encoding="utf-8").splitlines()


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def stored(
    request: pytest.FixtureRequest,
    project_of: Callable[[str], Project],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Stored]:
    project, data = project_of("default"), tmp_path_factory.mktemp("data")
    with ExitStack() as stack:
        if request.param == "sqlite":
            yield Stored(stack.enter_context(project.served(data)), None)
            return
        url = stack.enter_context(postgres_module().own_server())
        if url is None and os.environ.get("REQUIRE_POSTGRES"):
            pytest.fail(NO_POSTGRES)
        if url is None:
            pytest.skip(NO_POSTGRES)
        command = f"from {project.package}.cli import main; main()"
        project.run("python", "-c", command, "migrate", DATABASE_URL=url)
        yield Stored(stack.enter_context(project.served(data, DATABASE_URL=url)), url)


def postgres_module() -> Any:
    """The server of the rendered project's own tests."""
    path = ROOT / "template" / "tests" / "postgres.py"
    spec = importlib.util.spec_from_file_location("postgres", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def a2a(text: str, context_id: str, version: str = "1.0") -> bytes:
    """A message whose text is written in JSON already."""
    kind, role, method = {
        "1.0": ("", "ROLE_USER", "SendMessage"),
        "0.3": ('"kind": "text", ', "user", "message/send"),
    }[version]
    return (
        f'{{"jsonrpc": "2.0", "id": 1, "method": "{method}", "params": {{"message": '
        f'{{"messageId": "m", "contextId": "{context_id}", "role": "{role}", '
        f'"parts": [{{{kind}"text": "{text}"}}]}}}}}}'
    ).encode()


def chat(text: str, context_id: str) -> bytes:
    return (
        f'{{"id": "{context_id}", "messages": [{{"id": "m", "role": "user", '
        f'"parts": [{{"type": "text", "text": "{text}"}}]}}]}}'
    ).encode()


def mcp(species: str) -> bytes:
    return (
        '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": '
        f'{{"name": "get_species_profile", "arguments": {{"species": "{species}"}}}}}}'
    ).encode()


def succeeded(response: httpx.Response) -> None:
    assert response.status_code == httpx.codes.OK, response.text
    assert '"error"' not in response.text, response.text


@pytest.mark.parametrize("version", ["1.0", "0.3"])
@pytest.mark.parametrize(("written", "kept"), TEXTS.values(), ids=TEXTS)
def test_a_message_is_stored_and_the_next_one_too(
    stored: Stored, written: str, kept: str, version: str
) -> None:
    context = f"a2a-{version}-{len(written)}-{len(kept)}"

    for text in (written, "again"):
        succeeded(stored.agent.post(RPC, a2a(text, context, version), version))

    assert stored.texts(context, [kept, "again"]) == [kept, "again"]


@pytest.mark.parametrize(("written", "kept"), TEXTS.values(), ids=TEXTS)
def test_a_chat_is_stored_and_goes_on(stored: Stored, written: str, kept: str) -> None:
    context = f"chat-{len(written)}-{len(kept)}"

    for text in (written, "again"):
        succeeded(stored.agent.post(CHAT, chat(text, context)))

    assert stored.texts(context, [kept, "again"]) == [kept, "again"]


@pytest.mark.parametrize("half", [r"\ud83d", r"\udc27"])
def test_half_an_emoji_is_refused_or_replaced(stored: Stored, half: str) -> None:
    for version in ("1.0", "0.3"):
        answer = stored.agent.post(RPC, a2a(half, "half", version), version)
        assert answer.status_code < httpx.codes.INTERNAL_SERVER_ERROR
        assert answer.json().get("error", {"code": -32602})["code"] in (-32602, -32700)

    response = stored.agent.post(CHAT, chat(half, "half"))

    assert response.status_code in (httpx.codes.OK, httpx.codes.BAD_REQUEST)
    succeeded(stored.agent.post(RPC, a2a("again", "half"), "1.0"))


@pytest.mark.parametrize("species", [r"Gen\u0000too", r"Gentoo\ud83d"])
def test_a_tool_argument_that_no_database_takes_breaks_no_call(
    stored: Stored, species: str
) -> None:
    accept = "application/json, text/event-stream"

    response = stored.agent.post(MCP, mcp(species), Accept=accept)
    after = stored.agent.post(MCP, mcp("Gentoo"), Accept=accept)

    assert response.status_code < httpx.codes.INTERNAL_SERVER_ERROR
    assert "-32603" not in response.text
    assert "5076.02 g" in after.text


@pytest.mark.parametrize("version", ["1.0", "0.3"])
def test_an_id_may_be_long_and_not_longer(stored: Stored, version: str) -> None:
    longest = f"{version}-".ljust(LONGEST_ID, "x")

    succeeded(stored.agent.post(RPC, a2a("hi", longest, version), version))
    refused = stored.agent.post(RPC, a2a("hi", f"{longest}x", version), version).json()

    assert stored.texts(longest, ["hi"]) == ["hi"]
    assert refused["error"]["code"] == -32602


def test_a_chat_may_have_a_long_id_and_not_a_longer_one(stored: Stored) -> None:
    longest = "chat-".ljust(LONGEST_ID, "x")

    succeeded(stored.agent.post(CHAT, chat("hi", longest)))
    refused = stored.agent.post(CHAT, chat("hi", f"{longest}x"))

    assert stored.texts(longest, ["hi"]) == ["hi"]
    assert refused.status_code == httpx.codes.BAD_REQUEST


def test_a_task_is_read_again_as_it_was_sent(stored: Stored) -> None:
    asked = stored.agent.ask("How heavy are Gentoo penguins?")

    read = stored.agent.rpc("GetTask", {"id": asked["id"]})

    assert json.dumps(read["result"], sort_keys=True) == json.dumps(asked, sort_keys=True)
