"""The A2A clients of npm reach the agent: the new one in both dialects, and the old one."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from rendered.javascript import run_client
from rendered.projects import Served

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="one system is enough")
SCRIPT = Path(__file__).parent / "clients/a2a/journey.mjs"
CLIENTS = ("1.0", "1.0 as 0.3", "0.3")
CITATIONS = "application/vnd.my-agent.citations+json"
WEBHOOK = "https://8.8.8.8/hook"
Seen = dict[str, Any]


@pytest.fixture(scope="module", params=CLIENTS)
def seen(request: pytest.FixtureRequest, agent: Served, slow_agent: Served) -> Seen:
    found: Seen = json.loads(run_client(SCRIPT, request.param, agent.url, slow_agent.url))
    return {**found, "client": request.param}


def test_the_card_leads_each_client_to_its_dialect(seen: Seen) -> None:
    assert seen["version"].startswith("1" if seen["client"] == "1.0" else "0.3")


def test_a_question_is_answered_with_its_citation(seen: Seen) -> None:
    answered = seen["answered"]

    assert answered["state"] == "TASK_STATE_COMPLETED"
    assert "5076.02 g" in answered["text"]
    assert answered["artifacts"] == ["get_species_profile"]
    assert answered["data"][CITATIONS]["citations"][0]["source"]["table"] == "penguins"
    assert seen["read again"] == answered


def test_a_stream_begins_with_the_task_and_ends_with_its_end(seen: Seen) -> None:
    streamed = seen["streamed"]

    assert streamed["kinds"] == ["task", "statusUpdate", "artifactUpdate", "statusUpdate"]
    assert streamed["last"] == "TASK_STATE_COMPLETED"


def test_a_question_back_is_answered_on_the_same_task(seen: Seen) -> None:
    asked, done = seen["asked back"], seen["followed up"]

    assert asked["state"] == "TASK_STATE_INPUT_REQUIRED"
    assert done["state"] == "TASK_STATE_COMPLETED"
    assert (done["id"], done["context"]) == (asked["id"], asked["context"])


def test_a_task_that_works_is_cancelled_and_followed_to_its_end(seen: Seen) -> None:
    assert seen["cancelled"]["state"] == "TASK_STATE_CANCELED"
    assert seen["cancelled"]["read again"] == "TASK_STATE_CANCELED"
    assert seen["followed"] == {"first": "task", "last": "TASK_STATE_CANCELED"}


def test_a_webhook_is_set_found_listed_and_deleted(seen: Seen) -> None:
    push = seen["push"]

    assert (push["set"], push["found"], push["listed"]) == (WEBHOOK, WEBHOOK, [WEBHOOK])
    assert push["deleted"] is None
    assert push["found then"].startswith("TaskNotFound")


def test_errors_reach_the_client_by_their_names(seen: Seen) -> None:
    assert seen["unknown task"].startswith("TaskNotFound")
    assert "ask" in seen["unknown task, streamed"]
    assert seen["cancelled too late"].startswith("TaskNotCancelable")
