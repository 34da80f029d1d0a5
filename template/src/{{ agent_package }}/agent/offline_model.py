"""A model without a model: it finds the example question that is nearest to what was asked.

Deterministic and honest about being one, so that everything around it runs without a key: it takes
the tool from the nearest example, the values from the words of the question, asks back for what is
missing or said twice, and refuses by the rules.
"""

import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from itertools import filterfalse
from typing import Any, get_args
from unicodedata import combining, normalize

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
_TELL_NOTHING = (
    "a about an and are at be can could did do does for from give had has have how i in is it know "
    "like me my of on or please show tell that the there these they this to want was were what when "
    "where which who with would you your"
)
_STOP_WORDS = frozenset(_TELL_NOTHING.split())


@dataclass(frozen=True)
class _Read:
    """An example and the words that tell what it asks for."""

    tool: ToolSpec[Any]
    example: Example
    words: frozenset[str]


@dataclass(frozen=True)
class _Match:
    """A tool, the arguments that a question gives for it, and those to ask back for."""

    tool: ToolSpec[Any]
    args: dict[str, Any]
    unclear: list[str]


def offline_model(catalog: Catalog, refusals: Refusals) -> FunctionModel:
    """The offline model over a catalog."""
    phrasebook = _Phrasebook(catalog)

    def part(messages: list[ModelMessage]) -> TextPart | ToolCallPart:
        returned = [p for p in messages[-1].parts if isinstance(p, ToolReturnPart)]
        if returned:
            return TextPart(_said_by(returned[-1]))
        question = _asked(messages)
        if refusal := refusals.check(Asked(text=" ".join(question))):
            return ToolCallPart("refuse", {"rule": refusal.rule, "detail": refusal.detail})
        return _decide(phrasebook.match(question), catalog)

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


def _decide(match: _Match | None, catalog: Catalog) -> TextPart | ToolCallPart:
    if match is None:
        return TextPart(_what_i_can_do(catalog))
    if match.unclear:
        return ToolCallPart("ask_user", {"question": _ask_for(match)})
    return ToolCallPart(match.tool.name, match.args)


class _Phrasebook:
    """The examples of all tools, read once."""

    def __init__(self, catalog: Catalog) -> None:
        self._arguments: dict[str, set[Any]] = {}
        for tool in catalog.values():
            for name, argument in tool.args.model_fields.items():
                self._arguments.setdefault(name, set()).update(_known_values(argument))
        self._read = [
            _Read(tool, example, self._words(example.question))
            for tool in catalog.values()
            for example in tool.examples
        ]
        self._by_tool = {
            tool.name: self._words(f"{tool.title} {tool.description}").union(
                *(read.words for read in self._read if read.tool is tool)
            )
            for tool in catalog.values()
        }

    def match(self, question: tuple[str, ...]) -> _Match | None:
        """The tool of the nearest example and the arguments, or None where nothing is near enough."""
        question = tuple(self._without_labels(said) for said in question)
        told = self._words(" ".join(question))
        nearest = max(
            self._read,
            key=lambda read: (self._similarity(told, read), -len(read.words - told)),
            default=None,
        )
        if nearest is None or self._similarity(told, nearest) < NEAR_ENOUGH:
            return None
        found = _Match(nearest.tool, {}, [])
        for name, argument in nearest.tool.args.model_fields.items():
            values = self._named(question, told, argument) or self._hinted(name, told)
            if len(values) == 1:
                found.args[name] = values[0]
            elif argument.is_required() or (values and not self._takes_several(name, nearest.tool)):
                found.unclear.append(name)
        return found

    def _takes_several(self, name: str, tool: ToolSpec[Any]) -> bool:
        return any(f"several {name}" in read.words for read in self._read if read.tool is tool)

    def _named(
        self, question: tuple[str, ...], told: frozenset[str], argument: FieldInfo
    ) -> list[Any]:
        """The values that stand in what was said; an answer to our asking back counts before it."""
        known = _known_values(argument)
        # "Adelie or Gentoo" names `species`, where an argument takes the names of others.
        several = [value for value in known if f"several {value}" in told]
        named = ([v for v in known if _stands_in(v, said)] for said in reversed(question))
        return several or next(filter(None, named), [])

    def _without_labels(self, text: str) -> str:
        """`Dream` for `Dream Island` and `2008` for `year 2008`: the name says nothing more there."""
        for name, values in self._arguments.items():
            if not values:
                continue
            either = "|".join(re.escape(str(value)) for value in values)
            text = re.sub(rf"(?i)\b({either})s? {name}s?\b", r"\1", text)
            text = re.sub(rf"(?i)\b{name}s? ({either})\b", r"\1", text)
        return text

    def _words(self, text: str) -> frozenset[str]:
        """What tells tools apart: `<species>` for any one species, and the other words."""
        words = _stems(text)
        for name, values in self._arguments.items():
            standing = [v for v in values if v not in self._arguments and _stands_in(v, text)]
            # The words of a name such as bill_depth_mm stay: examples teach by them.
            words -= {stem for v in standing if "_" not in str(v) for stem in _stems(str(v))}
            words |= {f"<{name}>"} if standing else set()
            words |= {f"several {name}"} if len(standing) > 1 else set()
        return frozenset(words)

    def _similarity(self, told: frozenset[str], read: _Read) -> float:
        """How much of the question an example and its tool say too; what all tools say tells little."""
        tools = self._by_tool.values()
        weights = {w: _weight(w) / (sum(w in its for its in tools) or 1) for w in told}
        in_example = sum(weights[word] for word in told & read.words)
        in_tool = sum(weights[word] for word in told & self._by_tool[read.tool.name])
        # Rounded: sets have no order, and sums of fractions should not depend on it.
        return round((0.6 * in_example + 0.4 * in_tool) / (sum(weights.values()) or 1), 6)

    def _hinted(self, name: str, told: frozenset[str]) -> list[Any]:
        """The values that examples in the same words have without naming them; most often one."""
        taught: dict[str, tuple[Any, set[str]]] = {}
        for read in self._read:
            value = read.example.args.get(name)
            named = str(value) in self._arguments or _stands_in(value, read.example.question)
            if value is not None and not named:
                _, words = taught.setdefault(repr(value), (value, _own_words(value)))
                words.update(word for word in read.words if word.isalnum())

        def score(value: Any, words: set[str]) -> float:
            weights = {word: 3 if word in _own_words(value) else 1 for word in told & words}
            taught_by = {word: sum(word in its for _, its in taught.values()) for word in weights}
            return round(sum(weight / taught_by[word] for word, weight in weights.items()), 6)

        scores = [(value, score(value, words)) for value, words in taught.values()]
        best = max((points for _, points in scores), default=0)
        nearest = [value for value, points in scores if points == best > 0]
        return [] if len(nearest) == len(scores) > 1 else nearest


def _own_words(value: Any) -> set[str]:
    return _stems(str(value).replace("_", " "))


def _weight(word: str) -> int:
    return 3 if word.startswith("several ") else 1  # "Adelie or Gentoo" tells more than any word


def _known_values(argument: FieldInfo) -> list[Any]:
    options = [v for option in get_args(argument.annotation) for v in get_args(option) or (option,)]
    known = (*(argument.examples or ()), *options)
    return list(dict.fromkeys(v for v in known if isinstance(v, str | int | float)))


def _stands_in(value: Any, text: str) -> bool:
    named = str(value).split("_")
    if len(named) > 2:  # noqa: PLR2004  # a name such as bill_depth_mm: its last word is the unit
        return _stems(" ".join(named[:-1])) <= _stems(text)
    words = re.escape(_plain(str(value))).replace("_", "[ _]")
    return re.search(rf"(?<!\w){words}s?(?!\w)", _plain(text)) is not None


def _stems(text: str) -> set[str]:
    words = re.findall(r"\w+", _plain(text))
    return {word.rstrip("s") for word in words if word not in _STOP_WORDS}


def _plain(text: str) -> str:
    return "".join(filterfalse(combining, normalize("NFKD", text))).casefold()


def _asked(messages: list[ModelMessage]) -> tuple[str, ...]:
    """The question; an answer to a question of ours comes after what it answers."""
    said: list[tuple[str, str]] = []
    for message in messages:
        for part in message.parts:
            if isinstance(message, ModelRequest) and isinstance(part, UserPromptPart):
                said.append(("user", str(part.content)))
            elif isinstance(message, ModelResponse) and isinstance(part, TextPart):
                said.append(("assistant", part.content))
    question = [said[-1][1]] if said else []
    while len(said) >= 3 and said[-2][0] == "assistant" and said[-2][1].endswith("?"):  # noqa: PLR2004
        said = said[:-2]
        question.insert(0, said[-1][1])
    return tuple(question)


def _ask_for(match: _Match) -> str:
    name = match.unclear[0]
    argument: FieldInfo = match.tool.args.model_fields[name]
    known = ", ".join(str(value) for value in _known_values(argument))
    return f"Which {name.replace('_', ' ')}" + (f": {known}?" if known else "?")


def _what_i_can_do(catalog: Catalog) -> str:
    questions = [f"- {tool.examples[0].question}" for tool in catalog.values() if tool.examples]
    asked = "Ask me, for example:\n" + "\n".join(questions) if questions else "I have no tools yet."
    return f"{asked}\n\n{HOW_TO_SET_A_MODEL}"


def _said_by(returned: ToolReturnPart) -> str:
    return str(returned.model_response_object()["text"])
