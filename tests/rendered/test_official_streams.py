"""The official A2A client streams in each dialect, and stops what it has started."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rendered.projects import Project, Served, rows

CLIENTS = Path(__file__).parent / "clients"
DIALECTS = pytest.mark.parametrize("dialect", ["1.0", "0.3"])
Seen = dict[str, Any]


@pytest.fixture(scope="module")
def a2a(agent: Served, slow_agent: Served, project_of: Callable[[str], Project]) -> Seen:
    project = project_of("default")
    script = str(CLIENTS / "a2a_stream_journey.py")
    done = subprocess.run(
        [project.environment.python, script, agent.url, slow_agent.url],
        capture_output=True,
        encoding="utf-8",
        env=project.variables(),
        timeout=25,  # less than what is cancelled would take
        check=False,
    )
    assert done.returncode == 0, done.stderr
    seen: Seen = json.loads(done.stdout)
    return seen


def test_the_card_promises_streams(agent: Served) -> None:
    card = agent.client.get("/.well-known/agent-card.json").json()

    assert card["capabilities"]["streaming"] is True


@DIALECTS
def test_a_stream_is_the_task_its_work_its_artifact_and_its_reply(a2a: Seen, dialect: str) -> None:
    events, stored = a2a[dialect]["answered"]["events"], a2a[dialect]["answered"]["stored"]

    assert [event["kind"] for event in events] == [
        "task",
        "statusUpdate",
        "artifactUpdate",
        "statusUpdate",
    ]
    assert [event["state"] for event in events] == [
        "TASK_STATE_SUBMITTED",
        "TASK_STATE_WORKING",
        None,
        "TASK_STATE_COMPLETED",
    ]
    assert len({event["id"] for event in events}) == 1
    assert stored["state"] == "TASK_STATE_COMPLETED"
    assert stored["artifacts"] == [events[2]["artifact"]] == ["get_species_profile"]
    assert stored["text"] == events[-1]["parts"][0]["text"]
    assert "5076.02 g" in stored["text"]


@DIALECTS
def test_a_running_task_is_cancelled_before_the_eyes_of_all_who_watch(
    a2a: Seen, dialect: str
) -> None:
    seen = a2a[dialect]

    assert seen["cancelled"]["state"] == "TASK_STATE_CANCELED"
    assert seen["events"][-1]["state"] == "TASK_STATE_CANCELED"
    assert seen["watched"][0]["kind"] == "task"
    assert seen["watched"][-1]["state"] == "TASK_STATE_CANCELED"
    assert seen["stored"] == seen["cancelled"]


@DIALECTS
def test_a_cancelled_turn_is_in_the_log(a2a: Seen, slow_agent: Served, dialect: str) -> None:
    query = "SELECT role, error FROM chat_messages WHERE context_id = ? ORDER BY created_at"
    expected = [("user", None), ("assistant", "CancelledError")]

    assert rows(slow_agent, query, expected, a2a[dialect]["stored"]["context"]) == expected
