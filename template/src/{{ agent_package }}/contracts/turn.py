"""One turn of a conversation: what was asked, and what came of it."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .caller import Caller
from .refusal import Refusal
from .tool_spec import Outcome

Surface = Literal["a2a", "mcp", "chat", "cron"]


@dataclass(frozen=True, kw_only=True)
class SkillCall:
    """A skill named by the caller, so that no model has to choose."""

    skill: str
    args: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class ToolResult:
    """What one tool call of a turn came to."""

    tool: str
    outcome: Outcome


@dataclass(frozen=True, kw_only=True)
class TextPiece:
    """A piece of what a model is saying; a new `part` begins another text."""

    part: int
    text: str


@dataclass(frozen=True, kw_only=True)
class CallStarted:
    """A tool begins to work."""

    id: str
    tool: str
    args: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class CallEnded:
    """A tool has returned."""

    id: str
    result: ToolResult


TurnEvent = TextPiece | CallStarted | CallEnded


@dataclass(frozen=True, kw_only=True)
class Turn:
    """What one caller asks in one conversation, whatever surface it came through."""

    surface: Surface
    caller: Caller
    context_id: str
    text: str = ""
    call: SkillCall | None = None
    model: str | None = None
    """A pydantic-ai model name for this turn only; None takes the setting."""
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)
    """Set it to stop the turn."""
    listener: Callable[[TurnEvent], Awaitable[None]] | None = None
    """Told what happens on the way; with one, the model streams."""

    @property
    def said(self) -> str:
        """What the log keeps of the question."""
        if self.text or not self.call:
            return self.text
        return json.dumps({"skill": self.call.skill, "args": dict(self.call.args)})

    async def tell(self, event: TurnEvent) -> None:
        """Tell the listener, where there is one."""
        if self.listener:
            await self.listener(event)


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What a turn came to."""

    kind: Literal["answer", "refusal", "question", "credential"]
    """A `question` needs the caller's answer before the turn can go on, a `credential` a sign-in."""
    text: str
    url: str = ""
    """Where the credential is given."""
    results: tuple[ToolResult, ...] = ()
    refusal: Refusal | None = None
    uncited: tuple[str, ...] = ()
    """Numbers in the text that neither a tool returned nor the caller said."""
