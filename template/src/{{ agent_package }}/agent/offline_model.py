"""A model without a model: it finds the example question that is nearest to what was asked.

Deterministic and honest about being one, so that everything around it runs without a key: it takes
the wording from the nearest example, the values from the question, asks back for what is missing,
and refuses by the rules.
"""

import json
import re
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, get_args

from pydantic.fields import FieldInfo
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import (
    AgentInfo,
    DeltaToolCall,
    DeltaToolCalls,
    FunctionModel,
)

from ..contracts import Asked, Catalog, Example, Refusals, ToolSpec

HOW_TO_SET_A_MODEL = (
    "This is the offline model: it only matches words. Set AGENT_MODEL (for example "
    "`openai:gpt-5.2`, with its key in OPENAI_API_KEY) for a model that understands."
)
NEAR_ENOUGH = 0.34
_STOP_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "at",
        "be",
        "by",
        "can",
        "do",
        "does",
        "for",
        "from",
        "give",
        "have",
        "how",
        "i",
        "in",
        "is",
        "it",
        "me",
        "my",
        "of",
        "on",
        "or",
        "please",
        "show",
        "tell",
        "that",
        "the",
        "there",
        "these",
        "they",
        "this",
        "to",
        "was",
        "were",
        "what",
        "when",
        "where",
        "which",
        "who",
        "with",
        "you",
        "your",
    ]  # words read better as text
)


@dataclass(frozen=True, kw_only=True)
class _Match:
    """A tool and the arguments that a question gives for it."""

    tool: ToolSpec[Any]
    args: dict[str, Any]
    score: float
    missing: tuple[str, ...] = field(default=())


def offline_model(catalog: Catalog, refusals: Refusals) -> FunctionModel:
    """The offline model over a catalog."""

    def part(messages: list[ModelMessage]) -> TextPart | ToolCallPart:
        returned = [p for p in messages[-1].parts if isinstance(p, ToolReturnPart)]
        if returned:
            return TextPart(_said_by(returned[-1]))
        return _decide(_asked(messages), catalog, refusals)

    async def respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=[part(messages)])

    async def stream(
        messages: list[ModelMessage], info: AgentInfo
    ) -> AsyncIterator[str | DeltaToolCalls]:
        match part(messages):
            case TextPart(content=text):
                yield text
            case ToolCallPart(tool_name=name, args=args):
                yield {0: DeltaToolCall(name, json.dumps(args))}

    return FunctionModel(respond, stream_function=stream, model_name="offline")


def _decide(question: str, catalog: Catalog, refusals: Refusals) -> TextPart | ToolCallPart:
    if refusal := refusals.check(Asked(text=question)):
        return ToolCallPart("refuse", {"rule": refusal.rule, "detail": refusal.detail})
    match = _best_match(question, catalog)
    if match is None:
        return TextPart(_what_i_can_do(catalog))
    if match.missing:
        return ToolCallPart("ask_user", {"question": _ask_for(match)})
    return ToolCallPart(match.tool.name, match.args)


def _best_match(question: str, catalog: Catalog) -> _Match | None:
    """The nearest tool, or None where nothing is near enough."""
    told = _distinctive(question, catalog)
    matches = [
        _match_example(question, tool, example, told)
        for tool in catalog.values()
        for example in tool.examples
    ]
    best = max(matches, key=lambda match: match.score, default=None)
    return best if best and best.score >= NEAR_ENOUGH else None


def _match_example(question: str, tool: ToolSpec[Any], example: Example, told: set[str]) -> _Match:
    """Values that stand in the example's own words must come from the question; the rest stays."""
    fields: Mapping[str, FieldInfo] = tool.args.model_fields
    kept = {
        name: value
        for name, value in example.args.items()
        if not _stands_in(value, example.question)
    }
    found = {name: v for name, f in fields.items() if (v := _value(question, f)) is not None}
    args = {**kept, **found}
    required = [name for name, f in fields.items() if f.is_required()]
    return _Match(
        tool=tool,
        args=args,
        score=_similarity(told, example, tool),
        missing=tuple(name for name in required if name not in args),
    )


def _distinctive(question: str, catalog: Catalog) -> set[str]:
    """The words of a question that tell tools apart: no values, and no word that all tools share."""
    asked = _stems(question)
    for tool in catalog.values():
        asked -= _value_stems(tool)
    in_all = set.intersection(*(_tool_stems(t) for t in catalog.values())) if catalog else set()
    return asked - in_all if len(catalog) > 1 else asked


def _similarity(told: set[str], example: Example, tool: ToolSpec[Any]) -> float:
    if not told:
        return 0.0
    nearest = _stems(example.question)
    in_example = len(told & nearest) / len(told)
    in_tool = len(told & _tool_stems(tool)) / len(told)
    return 0.6 * in_example + 0.4 * in_tool


def _tool_stems(tool: ToolSpec[Any]) -> set[str]:
    questions = " ".join(example.question for example in tool.examples)
    return _stems(f"{tool.title} {tool.description} {questions}")


def _value(text: str, argument: FieldInfo) -> Any:
    """The one known value of an argument that stands in a text."""
    for value in _known_values(argument):
        if _stands_in(value, text):
            return value
    return None


def _known_values(argument: FieldInfo) -> Iterable[Any]:
    yield from argument.examples or ()
    for option in get_args(argument.annotation):
        yield from (v for v in (get_args(option) or (option,)) if isinstance(v, str | int))


def _stands_in(value: Any, text: str) -> bool:
    named = str(value).split("_")
    if len(named) > 2:  # noqa: PLR2004  # a name such as bill_depth_mm: its last word is the unit
        return _stems(" ".join(named[:-1])) <= _stems(text)
    words = re.escape(str(value).casefold()).replace("_", "[ _]")
    return re.search(rf"(?<!\w){words}s?(?!\w)", text.casefold()) is not None


def _value_stems(tool: ToolSpec[Any]) -> set[str]:
    values = (v for f in tool.args.model_fields.values() for v in _known_values(f))
    return {stem for value in values if "_" not in str(value) for stem in _stems(str(value))}


def _stems(text: str) -> set[str]:
    words = re.findall(r"\w+", text.casefold())
    return {word.rstrip("s") for word in words if word not in _STOP_WORDS}


def _asked(messages: list[ModelMessage]) -> str:
    """The question; an answer to a question of ours is read together with what it answers."""
    said: list[tuple[str, str]] = []
    for message in messages:
        for part in message.parts:
            if isinstance(message, ModelRequest) and isinstance(part, UserPromptPart):
                said.append(("user", str(part.content)))
            elif isinstance(message, ModelResponse) and isinstance(part, TextPart):
                said.append(("assistant", part.content))
    question = said[-1][1] if said else ""
    while len(said) >= 3 and said[-2][0] == "assistant" and said[-2][1].endswith("?"):  # noqa: PLR2004
        said = said[:-2]
        question = f"{said[-1][1]} {question}"
    return question


def _ask_for(match: _Match) -> str:
    name = match.missing[0]
    argument: FieldInfo = match.tool.args.model_fields[name]
    known = ", ".join(str(value) for value in _known_values(argument))
    return f"Which {name.replace('_', ' ')}" + (f": {known}?" if known else "?")


def _what_i_can_do(catalog: Catalog) -> str:
    questions = [f"- {tool.examples[0].question}" for tool in catalog.values() if tool.examples]
    asked = "Ask me, for example:\n" + "\n".join(questions) if questions else "I have no tools yet."
    return f"{asked}\n\n{HOW_TO_SET_A_MODEL}"


def _said_by(returned: ToolReturnPart) -> str:
    return str(returned.model_response_object()["text"])
