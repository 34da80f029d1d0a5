"""What a2a-sdk leaves open where protobuf carries 0.3, shown on the SDK alone.

A test here that fails is good news: the SDK has closed that gap, and its part of
`surfaces/a2a/repairs/v03_protobuf.py` can go.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_rest_routes
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import AgentCapabilities, AgentCard
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tests.test_a2a_repairs import Parrot


@pytest.fixture(scope="module")
def stock() -> Iterator[TestClient]:
    """The SDK's own endpoint of REST."""
    handler = DefaultRequestHandler(
        agent_executor=Parrot(),
        task_store=InMemoryTaskStore(),
        agent_card=AgentCard(name="parrot", capabilities=AgentCapabilities(streaming=True)),
    )
    routes = create_rest_routes(handler, enable_v0_3_compat=True)
    with TestClient(Starlette(routes=routes), base_url="http://127.0.0.1") as client:
        yield client


def message(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"message": {"messageId": "m", "role": "ROLE_USER", "content": list(parts)}}


def test_a_message_that_cannot_be_read_is_an_internal_error(stock: TestClient) -> None:
    assert stock.post("/v1/message:send", json=message({})).status_code == 500


def test_bytes_that_are_no_base64_are_taken_for_others(stock: TestClient) -> None:
    file = {"file": {"fileWithBytes": "JSUlJQ==", "mimeType": "text/plain"}}  # that is "%%%%"

    assert stock.post("/v1/message:send", json=message(file)).status_code == 200


def test_the_last_event_of_a_stream_that_waits_is_not_final(stock: TestClient) -> None:
    streamed = stock.post("/v1/message:stream", json=message({"text": "x"})).text

    assert "TASK_STATE_INPUT_REQUIRED" in streamed
    assert '"final"' not in streamed
