"""One frozen object describes a tool; every surface is made from it."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal, TypeVar

from pydantic import BaseModel, ValidationError

from .answer import Answer, Options
from .caller import Caller
from .refusal import Asked, Refusal, Refusals

Outcome = Answer | Options | Refusal
ArgsT = TypeVar("ArgsT", bound=BaseModel)


class ArgumentsError(Exception):
    """Arguments that do not fit: `missing` names absent fields, `problems` says all that is wrong."""

    def __init__(
        self,
        tool: str,
        missing: tuple[str, ...],
        problems: tuple[str, ...],
        fields: tuple[str, ...],
    ) -> None:
        """`fields` are those that are absent or wrong."""
        super().__init__(f"{tool}: {'; '.join(problems)}")
        self.tool = tool
        self.missing = missing
        self.problems = problems
        self.fields = fields

    @property
    def only_missing(self) -> bool:
        """Nothing is wrong but that something is absent, so asking back helps."""
        return len(self.missing) == len(self.problems)


class CredentialNeeded(Exception):  # noqa: N818  # no error: the task waits, and goes on later
    """Raised by a tool that needs something from the caller first, such as a sign-in elsewhere.

    The turn ends with `text`, and over A2A the same task goes on with the next message. A secret
    itself is never asked for in a message: `url` is where it is given.
    """

    def __init__(self, text: str, url: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.url = url

    @property
    def said(self) -> str:
        """The words with the address, for who reads words only."""
        return f"{self.text} {self.url}".strip()


@dataclass(frozen=True, kw_only=True)
class Example:
    """A question in words and the arguments that answer it."""

    question: str
    args: Mapping[str, Any]


async def _no_model(prompt: str) -> str:
    raise LookupError("this context has no model to ask")


@dataclass(frozen=True, kw_only=True)
class ToolContext:
    """What a tool may know of the call besides its arguments."""

    caller: Caller
    cancelled: asyncio.Event
    """Set when nobody waits for the result any more."""
    ask: Callable[[str], Awaitable[str]] = _no_model
    """Ask AGENT_TOOL_MODEL a prompt; what it says is a guess of a model, and no evidence."""


@dataclass(frozen=True, kw_only=True)
class ToolSpec(Generic[ArgsT]):
    """A tool: its file, its function, the tool and the skill all bear the function's name."""

    kind: ClassVar[Literal["claim", "discovery"]]
    returns: ClassVar[tuple[type, ...]]

    function: Callable[[ArgsT, ToolContext], Awaitable[Outcome]]
    title: str
    description: str
    args: type[ArgsT]
    output: type[BaseModel]
    """The model of `data` in what the function returns."""
    examples: tuple[Example, ...]
    tags: tuple[str, ...]
    refusals: Refusals
    """Checked before the function runs, so that no tool can forget it."""
    read_only: bool = False
    """It changes nothing; hosts may then run it without asking the person."""
    open_world: bool = True
    """It reaches beyond this agent's own data, for example the web."""
    scope: str = ""
    """What a program must be allowed to, to see and call it; people are not limited by scopes."""

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.function.__name__

    def parse(self, args: Mapping[str, Any]) -> ArgsT:
        """The arguments as the tool's own model; ArgumentsError tells every problem at once."""
        try:
            return self.args.model_validate(dict(args))
        except ValidationError as error:
            found = error.errors(include_url=False, include_input=False, include_context=False)
            raise ArgumentsError(
                self.name,
                missing=tuple(
                    str(e["loc"][0]) for e in found if e["type"] == "missing" and len(e["loc"]) == 1
                ),
                problems=tuple(f"`{_path(e['loc'])}`: {e['msg']}" for e in found),
                fields=tuple(str(e["loc"][0]) for e in found if e["loc"]),
            ) from None

    async def run(self, args: ArgsT, context: ToolContext) -> Outcome:
        """Refuse by the rules, else do the work."""
        asked = Asked(tool=self.name, args=args.model_dump(mode="json", exclude_none=True))
        if refusal := self.refusals.check(asked):
            return refusal
        outcome = await self.function(args, context)
        if not isinstance(outcome, self.returns):
            raise TypeError(
                f"{self.name} is a {self.kind} tool and returned {type(outcome).__name__}"
            )
        if not isinstance(outcome, Refusal) and not isinstance(outcome.data, self.output):
            raise TypeError(f"{self.name} returned {type(outcome.data).__name__} as its data")
        return outcome


@dataclass(frozen=True, kw_only=True)
class VisualTool(ToolSpec[ArgsT]):
    """A tool that makes a claim: text, data, a chart and the evidence, all four, or a refusal."""

    kind = "claim"
    returns = (Answer, Refusal)

    function: Callable[[ArgsT, ToolContext], Awaitable[Answer | Refusal]]


@dataclass(frozen=True, kw_only=True)
class DiscoveryTool(ToolSpec[ArgsT]):
    """A tool that lists what can be asked for, and claims nothing."""

    kind = "discovery"
    returns = (Options, Refusal)

    function: Callable[[ArgsT, ToolContext], Awaitable[Options | Refusal]]


class Catalog(Mapping[str, ToolSpec[Any]]):
    """The tools by name, in the order in which they are listed."""

    def __init__(self, tools: tuple[ToolSpec[Any], ...]) -> None:
        self._tools = {tool.name: tool for tool in tools}
        if len(self._tools) < len(tools):
            raise ValueError(f"two tools have one name: {[tool.name for tool in tools]}")

    def of(self, caller: Caller | None) -> "Catalog":
        """The tools that a caller may see and call; without one, those that need no scope."""
        return Catalog(
            tuple(t for t in self.values() if (caller.may(t.scope) if caller else not t.scope))
        )

    def __getitem__(self, name: str) -> ToolSpec[Any]:
        return self._tools[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools)

    def __len__(self) -> int:
        return len(self._tools)


def _path(location: tuple[int | str, ...]) -> str:
    return ".".join(str(step) for step in location) or "arguments"
