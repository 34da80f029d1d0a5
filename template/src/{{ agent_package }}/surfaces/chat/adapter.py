"""Translates between the AI SDK's UI messages and turns; no I/O, so a test of it is one line.

The chunks are those of the UI message stream, version 1: https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol
"""

import uuid
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, StringConstraints

from ...contracts import (
    Answer,
    CallEnded,
    Caller,
    CallStarted,
    Outcome,
    Refusal,
    Reply,
    TextPiece,
    Turn,
    TurnEvent,
)
from ...persistence.storable import storable

Chunk = dict[str, Any]


class UiPart(BaseModel):
    """One part of a message; only text is read of it."""

    type: str
    text: Annotated[str, StringConstraints(max_length=128 * 1024)] = ""


class UiMessage(BaseModel):
    """One message of the person, the agent or the system."""

    role: Literal["user", "assistant", "system"]
    parts: list[UiPart] = Field(max_length=1000)


class ChatRequest(BaseModel):
    """What `useChat` posts. The agent remembers by `id`, so only the last message counts."""

    id: Annotated[str, StringConstraints(min_length=1, max_length=256, pattern=r"^[!-~]+$")]
    messages: list[UiMessage] = Field(min_length=1)


def to_turn(request: ChatRequest, caller: Caller) -> Turn:
    """The last message as a turn; ValueError where it holds no words of the person."""
    last = request.messages[-1]
    text = "\n".join(part.text for part in last.parts if part.type == "text").strip()
    if last.role != "user" or not text:
        raise ValueError("messages: the last one must be a user's, with text.")
    return Turn(surface="chat", caller=caller, context_id=request.id, text=text)


class UiMessageStream:
    """The chunks of one reply, made from what happens in its turn."""

    def __init__(self) -> None:
        self._texts = 0
        self._open: int | None = None
        self._said = ""

    def begin(self) -> Iterator[Chunk]:
        """The head of the message."""
        yield {"type": "start", "messageId": str(uuid.uuid4())}
        yield {"type": "start-step"}

    def told(self, event: TurnEvent) -> Iterator[Chunk]:
        """One event of the turn."""
        match event:
            case TextPiece():
                if event.part != self._open:
                    yield from self._text_start(event.part)
                self._said += event.text
                yield {"type": "text-delta", "id": self._text_id, "delta": event.text}
            case CallStarted():
                yield from self._text_end()
                yield {
                    "type": "tool-input-available",
                    "toolCallId": event.id,
                    "toolName": event.tool,
                    "input": dict(event.args),
                }
            case CallEnded():
                output = storable(_output(event.result.outcome))
                yield {"type": "tool-output-available", "toolCallId": event.id, "output": output}

    def end(self, reply: Reply) -> Iterator[Chunk]:
        """What the reply adds to what was streamed, and the end of the message."""
        if self._said != reply.text:
            yield from self._text_start(-1)
            yield {"type": "text-delta", "id": self._text_id, "delta": reply.text}
        yield from self._text_end()
        cited = [r.outcome.citation for r in reply.results if isinstance(r.outcome, Answer)]
        if cited:
            evidence = [citation.model_dump(mode="json") for citation in cited]
            yield {"type": "data-citations", "data": {"citations": evidence}}
        if reply.refusal:
            yield {"type": "data-refusal", "data": _refusal(reply.refusal)}
        yield {"type": "finish-step"}
        yield {"type": "finish"}

    @property
    def _text_id(self) -> str:
        return f"text-{self._texts}"

    def _text_start(self, part: int) -> Iterator[Chunk]:
        yield from self._text_end()
        self._open, self._said = part, ""
        self._texts += 1
        yield {"type": "text-start", "id": self._text_id}

    def _text_end(self) -> Iterator[Chunk]:
        if self._open is not None:
            yield {"type": "text-end", "id": self._text_id}
        self._open = None


def _output(outcome: Outcome) -> dict[str, Any]:
    if isinstance(outcome, Refusal):
        return {"text": outcome.as_text(), "refusal": _refusal(outcome)}
    shown = {"text": outcome.text, "data": outcome.data.model_dump(mode="json")}
    if isinstance(outcome, Answer):
        shown |= {"citation": outcome.citation.model_dump(mode="json"), "view": outcome.ui}
    return shown


def _refusal(refusal: Refusal) -> dict[str, Any]:
    return refusal.model_dump(mode="json", exclude_none=True)
