"""The clients that others use reach the agent, in each dialect that they can speak."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rendered.projects import Project, Row, Served, rows

CLIENTS = Path(__file__).parent / "clients"
CITATIONS = "application/vnd.my-agent.citations+json"
REFUSAL = "application/vnd.my-agent.refusal+json"
DIALECTS = pytest.mark.parametrize("dialect", ["1.0", "0.3"])
MODES = pytest.mark.parametrize("mode", ["auto", "legacy", "2026-07-28"])
Seen = dict[str, Any]


def seen_by(script: str, url: str, project: Project) -> Seen:
    done = subprocess.run(
        [project.environment.python, str(CLIENTS / script), url],
        capture_output=True,
        encoding="utf-8",
        env=project.variables(),
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    seen: Seen = json.loads(done.stdout)
    return seen


@pytest.fixture(scope="module")
def a2a(agent: Served, project_of: Callable[[str], Project]) -> Seen:
    return seen_by("a2a_journey.py", agent.url, project_of("default"))


@pytest.fixture(scope="module")
def mcp(agent: Served, project_of: Callable[[str], Project]) -> Seen:
    return seen_by("mcp_journey.py", f"{agent.url}/api/mcp", project_of("default"))


def test_the_card_leads_each_a2a_client_to_its_own_dialect(a2a: Seen) -> None:
    assert a2a["1.0"]["transport"] == "JsonRpcTransport"
    assert a2a["0.3"]["transport"] == "CompatJsonRpcTransport"


@DIALECTS
def test_a_question_becomes_a_finished_task_with_a_citation(a2a: Seen, dialect: str) -> None:
    answered = a2a[dialect]["answered"]

    assert answered["state"] == "TASK_STATE_COMPLETED"
    assert "5076.02 g" in answered["text"]
    assert answered["artifacts"] == ["get_species_profile"]
    [citation] = answered["data"][CITATIONS]["citations"]
    assert citation["source"]["table"] == "penguins"
    assert a2a[dialect]["read again"] == answered


@DIALECTS
def test_a_question_beyond_the_data_is_refused_by_a_rule(a2a: Seen, dialect: str) -> None:
    refused = a2a[dialect]["refused"]

    assert refused["state"] == "TASK_STATE_COMPLETED"
    assert list(refused["data"]) == [REFUSAL]
    assert refused["data"][REFUSAL]["rule"] == "population_outside_data"


@DIALECTS
def test_a_missing_argument_is_asked_for_and_its_answer_ends_the_task(
    a2a: Seen, dialect: str
) -> None:
    asked, done = a2a[dialect]["asked back"], a2a[dialect]["followed up"]

    assert asked["state"] == "TASK_STATE_INPUT_REQUIRED"
    assert done["state"] == "TASK_STATE_COMPLETED"
    assert (done["id"], done["context"]) == (asked["id"], asked["context"])
    assert "5076.02 g" in done["text"]


@DIALECTS
def test_a_task_that_waits_can_be_cancelled(a2a: Seen, dialect: str) -> None:
    assert a2a[dialect]["cancelled"]["state"] == "TASK_STATE_CANCELED"
    assert a2a[dialect]["read after cancelling"]["state"] == "TASK_STATE_CANCELED"


@DIALECTS
def test_errors_reach_the_a2a_client_by_their_names(a2a: Seen, dialect: str) -> None:
    assert a2a[dialect]["unknown task"] == "TaskNotFoundError"
    assert a2a[dialect]["cancelled too late"] == "TaskNotCancelableError"


def test_a_task_of_one_dialect_lives_on_in_the_other(a2a: Seen) -> None:
    assert a2a["made in 1.0, read in 0.3"] == a2a["1.0"]["answered"]
    assert a2a["made in 0.3, read in 1.0"] == a2a["0.3"]["answered"]
    assert a2a["asked in 1.0, answered in 0.3"]["state"] == "TASK_STATE_COMPLETED"


@MODES
def test_an_mcp_client_finds_the_tools_and_the_view_of_a_claim(mcp: Seen, mode: str) -> None:
    tools, view = mcp[mode]["tools"], mcp[mode]["view"]

    claims = [name for name in tools if "_meta" in tools[name]]
    assert claims == ["get_species_profile", "compare_groups", "get_yearly_trend"]
    assert [name for name in tools if "_meta" not in tools[name]] == [
        "list_penguin_groups",
        "describe_measures",
    ]
    assert tools["get_species_profile"]["inputSchema"]["required"] == ["species"]
    assert view["mimeType"] == "text/html;profile=mcp-app"
    assert view["uri"].startswith("ui://")
    views = [tools[name]["_meta"]["ui"]["resourceUri"] for name in claims]
    assert mcp[mode]["resources"] == views
    assert view["uri"] == views[0]


@MODES
def test_an_mcp_call_gives_data_citation_and_view(mcp: Seen, mode: str) -> None:
    answered, listed = mcp[mode]["answered"], mcp[mode]["listed"]

    assert answered["structuredContent"]["data"]["n"] == 123
    assert answered["structuredContent"]["citation"]["source"]["table"] == "penguins"
    assert "<svg" in answered["_meta"]["my-agent/view"]
    assert list(listed["structuredContent"]) == ["data"]


@MODES
def test_an_mcp_refusal_is_a_result_and_no_error(mcp: Seen, mode: str) -> None:
    refused = mcp[mode]["refused"]

    assert refused["structuredContent"]["refusal"]["rule"] == "population_outside_data"
    assert not refused.get("isError")


@MODES
def test_wrong_arguments_are_told_by_their_names(mcp: Seen, mode: str) -> None:
    wrong = mcp[mode]["wrong arguments"]

    assert wrong["isError"] is True
    assert "`species`" in wrong["content"][0]["text"]
    assert "`year`" in wrong["content"][0]["text"]


@MODES
def test_what_is_not_there_is_an_mcp_error(mcp: Seen, mode: str) -> None:
    assert mcp[mode]["unknown tool"]["code"] == -32602
    assert mcp[mode]["unknown resource"]["code"] == (-32002 if mode == "legacy" else -32602)


def test_a2a_lint_finds_no_error(agent: Served) -> None:
    lint = str(Path(sys.executable).with_name("a2a-lint"))
    done = subprocess.run(
        [lint, "--live", "--json", agent.url], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr
    json.loads(done.stdout)


def test_every_turn_and_every_call_is_in_sql(agent: Served, a2a: Seen, mcp: Seen) -> None:
    contexts = [a2a[dialect][turn]["context"] for dialect in ("1.0", "0.3") for turn in TURNS]
    for context, turn in zip(contexts, [*TURNS, *TURNS], strict=True):
        query = (
            "SELECT role, tool_name, tool_citation IS NOT NULL, refusal_rule "
            "FROM chat_messages WHERE context_id = ? ORDER BY created_at"
        )
        assert rows(agent, query, TURNS[turn], context) == TURNS[turn], turn

    query = (
        "SELECT tool_name, count(tool_citation), count(refusal_rule), count(error), count(*) "
        "FROM chat_messages JOIN conversations USING (owner, context_id) "
        "WHERE surface = 'mcp' GROUP BY tool_name ORDER BY tool_name"
    )
    assert rows(agent, query, MCP_CALLS) == MCP_CALLS


USER: Row = ("user", None, 0, None)
SAID: Row = ("assistant", None, 0, None)
CALLED: Row = ("tool", "get_species_profile", 1, None)
TURNS: dict[str, list[Row]] = {
    "answered": [USER, CALLED, SAID],
    "refused": [USER, ("assistant", None, 0, "population_outside_data")],
    "asked back": [USER, SAID, USER, CALLED, SAID],
    "cancelled": [USER, SAID],
}


MCP_CALLS = [
    ("get_species_profile", 3, 3, 3, 9),  # in three modes: an answer, a refusal, wrong arguments
    ("list_penguin_groups", 0, 0, 0, 3),
]
