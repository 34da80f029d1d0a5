"""The AI SDK from npm reads the chat, in each version that people have."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from rendered.javascript import CHAT, run_client
from rendered.projects import Served, rows

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="one system is enough")
SDKS = ("ai", "ai-6", "ai-5")
CALL = "tool-get_species_profile"
Seen = dict[str, Any]


@pytest.fixture(scope="module", params=SDKS)
def sdk(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture(scope="module")
def seen(sdk: str, agent: Served, slow_agent: Served) -> Seen:
    found: Seen = json.loads(run_client(CHAT / "journey.mjs", sdk, agent.url, slow_agent.url))
    return found


def parts(turn: Seen) -> dict[str, Any]:
    """The parts of the last message by their types, each of which is there once."""
    listed = [part for part in turn["parts"] if part["type"] != "step-start"]
    found = {part["type"]: part for part in listed}
    assert len(found) == len(listed), listed
    return found


def test_an_answer_has_the_call_its_text_and_its_citation(seen: Seen) -> None:
    answered = parts(seen["answered"])

    assert list(answered) == [CALL, "text", "data-citations"]
    call = answered[CALL]
    assert (call["state"], call["input"]["species"]) == ("output-available", "Gentoo")
    assert call["output"]["data"]["n"] == 123
    assert call["output"]["citation"] == answered["data-citations"]["data"]["citations"][0]
    assert "<svg" in call["output"]["view"]
    assert "5076.02 g" in answered["text"]["text"]
    assert answered["text"]["state"] == "done"


def test_a_refusal_names_its_rule(seen: Seen) -> None:
    refused = parts(seen["refused"])

    assert list(refused) == ["text", "data-refusal"]
    assert refused["data-refusal"]["data"]["rule"] == "population_outside_data"


def test_a_question_back_is_answered_in_the_next_turn_of_the_chat(seen: Seen) -> None:
    asked, done = seen["asked back"], seen["followed up"]

    assert list(parts(asked)) == ["text"]
    assert "5076.02 g" in parts(done)["text"]["text"]
    assert done["roles"] == ["user", "assistant", "user", "assistant"]


@pytest.mark.parametrize("turn", ["answered", "refused", "asked back", "followed up"])
def test_a_turn_leaves_the_chat_ready_with_messages_that_the_sdk_accepts(
    seen: Seen, turn: str
) -> None:
    assert seen[turn]["invalid"] is None
    assert seen[turn]["status"] == "ready"
    assert "error" not in seen[turn]


def test_a_turn_that_breaks_is_an_error_with_a_reference(seen: Seen) -> None:
    assert seen["broken"]["status"] == "error"
    assert "Reference" in seen["broken"]["error"]
    assert "zz-inside" not in json.dumps(seen["broken"])


def test_what_is_no_message_is_an_error_with_the_reason(seen: Seen) -> None:
    assert seen["wrong"]["status"] == "error"
    assert "id: " in seen["wrong"]["error"]


def test_who_presses_stop_ends_the_turn_in_the_log(
    seen: Seen, sdk: str, slow_agent: Served
) -> None:
    query = "SELECT role, error FROM chat_messages WHERE context_id = ? ORDER BY created_at"
    expected = [("user", None), ("assistant", "CancelledError")]

    assert seen["stopped"]["status"] == "ready"
    assert rows(slow_agent, query, expected, f"{sdk}-stopped") == expected


def test_both_turns_of_a_chat_are_one_conversation(seen: Seen, sdk: str, agent: Served) -> None:
    del seen
    query = "SELECT role FROM chat_messages WHERE context_id = ? ORDER BY created_at"
    expected = [("user",), ("assistant",), ("user",), ("tool",), ("assistant",)]

    assert rows(agent, query, expected, f"{sdk}-asking") == expected
