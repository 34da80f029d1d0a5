"""Who still has the client of a2a-sdk 0.3 reaches the agent with it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from rendered.environment import environment_of
from rendered.projects import Served

SCRIPT = Path(__file__).parent / "clients/a2a_old_journey.py"
CITATIONS = "application/vnd.my-agent.citations+json"
WEBHOOK = "https://8.8.8.8/hook"
Seen = dict[str, Any]


@pytest.fixture(scope="module")
def seen(agent: Served, slow_agent: Served) -> Seen:
    python = environment_of(["a2a-sdk==0.3.26", "httpx"]).python
    done = subprocess.run(
        [python, str(SCRIPT), agent.url, slow_agent.url],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: Seen = json.loads(done.stdout)
    return found


def test_a_question_is_answered_with_its_citation(seen: Seen) -> None:
    answered = seen["answered"]

    assert answered["state"] == "completed"
    assert "5076.02 g" in answered["text"]
    assert answered["artifacts"] == ["get_species_profile"]
    assert answered["data"][CITATIONS]["citations"][0]["source"]["table"] == "penguins"
    assert seen["read again"] == answered


def test_a_question_back_is_answered_on_the_same_task(seen: Seen) -> None:
    asked, done = seen["asked back"], seen["followed up"]

    assert (asked["state"], done["state"]) == ("input-required", "completed")
    assert (done["id"], done["context"]) == (asked["id"], asked["context"])


def test_a_stream_is_read_to_its_end(seen: Seen) -> None:
    assert seen["streamed"]["kinds"] == [
        "task",
        "status-update",
        "artifact-update",
        "status-update",
    ]
    assert seen["streamed"]["last"] == "completed"


def test_a_task_that_works_is_cancelled_and_followed_to_its_end(seen: Seen) -> None:
    assert seen["cancelled"]["state"] == "canceled"
    assert seen["followed"][0] in {"submitted", "working"}
    assert seen["followed"][1] == "canceled"


def test_a_webhook_is_set_and_found(seen: Seen) -> None:
    assert seen["push"] == [WEBHOOK, WEBHOOK]


def test_errors_reach_the_client(seen: Seen) -> None:
    assert "Task not found" in seen["unknown task"]
    assert "cannot be canceled" in seen["cancelled too late"]
