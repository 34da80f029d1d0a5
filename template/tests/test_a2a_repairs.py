"""What a2a-sdk leaves open, shown on the SDK alone.

A test here that fails is good news: the SDK has closed that gap, and its module in
`surfaces/a2a/repairs` can go.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_jsonrpc_routes
from a2a.server.tasks import (
    InMemoryPushNotificationConfigStore,
    InMemoryTaskStore,
    TaskUpdater,
)
from a2a.types import (
    AgentCapabilities,
    AgentCard,
    Message,
    Role,
    Task,
    TaskState,
    TaskStatus,
)
from starlette.applications import Starlette
from starlette.testclient import TestClient

OLD_PUSH = "tasks/pushNotificationConfig"
WEBHOOK = {"url": "https://receiver.example/"}


class Parrot(AgentExecutor):
    """Says what it was told, and waits for more; told to break, it breaks."""

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        task_id, context_id = str(context.task_id), str(context.context_id)
        if context.current_task is None:
            status = TaskStatus(state=TaskState.TASK_STATE_SUBMITTED)
            await event_queue.enqueue_event(Task(id=task_id, context_id=context_id, status=status))
        assert context.message is not None
        if context.message.parts[0].text == "break":
            raise RuntimeError("zz-secret")
        said = Message(message_id="s", role=Role.ROLE_AGENT, parts=context.message.parts)
        await TaskUpdater(event_queue, task_id, context_id).requires_input(said)

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        raise NotImplementedError


class Stock:
    """The SDK's own endpoint over HTTP."""

    def __init__(self, client: TestClient) -> None:
        self._client = client

    def text(self, method: str, params: Any, version: str = "1.0", query: str = "") -> str:
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        headers = {"A2A-Version": version} if version else {}
        return self._client.post(f"/{query}", json=body, headers=headers).text

    def call(self, method: str, params: Any, version: str = "1.0", query: str = "") -> Any:
        return json.loads(self.text(method, params, version, query))

    def send(self, *parts: dict[str, Any], **ids: str) -> Any:
        return self.call("SendMessage", message(*parts, **ids))

    def task(self) -> str:
        """The id of a task that waits."""
        task_id: str = self.send({"text": "x"})["result"]["task"]["id"]
        return task_id


@pytest.fixture(scope="module")
def stock() -> Iterator[Stock]:
    card = AgentCard(
        name="parrot",
        capabilities=AgentCapabilities(streaming=True, push_notifications=True),
    )
    handler = DefaultRequestHandler(
        agent_executor=Parrot(),
        task_store=InMemoryTaskStore(),
        agent_card=card,
        push_config_store=InMemoryPushNotificationConfigStore(),
    )
    routes = create_jsonrpc_routes(handler, "/", enable_v0_3_compat=True)
    with TestClient(Starlette(routes=routes), base_url="http://127.0.0.1") as client:
        yield Stock(client)


def message(*parts: dict[str, Any], **ids: str) -> dict[str, Any]:
    return {"message": {"messageId": "m", "role": "ROLE_USER", "parts": list(parts), **ids}}


def old_message(text: str) -> dict[str, Any]:
    parts = [{"kind": "text", "text": text}]
    return {"message": {"kind": "message", "messageId": "m", "role": "user", "parts": parts}}


def code_of(answer: Any) -> int | None:
    code: int | None = answer.get("error", {}).get("code")
    return code


def test_error_text(stock: Stock) -> None:
    assert "zz-secret" in str(stock.send({"text": "break"}))


def test_whole_numbers(stock: Stock) -> None:
    assert "42.0" in str(stock.send({"data": {"n": 42}}))


def test_line_separators(stock: Stock) -> None:
    assert "\u2028" in stock.text("SendStreamingMessage", message({"text": "a\u2028b"}))


def test_unknown_enums(stock: Stock) -> None:
    stock.task()

    assert stock.call("ListTasks", {"status": "BOGUS"})["result"]["tasks"]


def test_bad_base64(stock: Stock) -> None:
    assert "result" in stock.send({"raw": "%%%", "mediaType": "text/plain"})


def test_task_context(stock: Stock) -> None:
    task = stock.send({"text": "x"})["result"]["task"]

    for said in ("y", "z"):
        answer = stock.send({"text": said}, taskId=task["id"], messageId=said)

    contexts = {m["contextId"] for m in answer.get("result", {}).get("task", {}).get("history", ())}
    assert contexts != {task["contextId"]}


def test_version_header_with_an_old_method(stock: Stock) -> None:
    assert code_of(stock.call("message/send", old_message("x"), "1.0")) == -32603


def test_version_header_in_the_query(stock: Stock) -> None:
    asked = stock.call("SendMessage", message({"text": "x"}), "", "?A2A-Version=1.0")

    assert code_of(asked) == -32009


def test_v03_wire_parameters(stock: Stock) -> None:
    assert code_of(stock.call("message/send", {"message": {}}, "")) == -32600


def test_v03_wire_deleted_config(stock: Stock) -> None:
    task = stock.task()
    config = {"taskId": task, "pushNotificationConfig": {**WEBHOOK, "id": "c"}}
    stock.call(f"{OLD_PUSH}/set", config, "")
    named = {"id": task, "pushNotificationConfigId": "c"}

    assert "result" not in stock.call(f"{OLD_PUSH}/delete", named, "")


def test_v03_wire_config_without_its_id(stock: Stock) -> None:
    task = stock.task()
    config = {"taskId": task, "pushNotificationConfig": {**WEBHOOK, "id": "c"}}
    stock.call(f"{OLD_PUSH}/set", config, "")

    assert "error" in stock.call(f"{OLD_PUSH}/get", {"id": task}, "")


def test_v03_final(stock: Stock) -> None:
    assert '"final":true' not in stock.text("message/stream", old_message("x"), "")
