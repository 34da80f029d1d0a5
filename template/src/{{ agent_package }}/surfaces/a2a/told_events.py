"""What happens in a turn, as artifacts of its task."""

import time

from a2a.server.tasks import TaskUpdater
from a2a.types import Part

from ...contracts import CallEnded, Identity, TextPiece, TurnEvent
from .adapter import to_artifact

PIECE_SECONDS = 0.25
"""Text goes out at most this often: each piece is a write of the whole task."""
REPLY = "reply"


class ToldEvents:
    """The listener of a turn: an artifact for each tool call, and one for the text while it grows.

    A text that is complete before the first piece is due is left to the final message.
    """

    def __init__(self, updater: TaskUpdater, identity: Identity, *, streaming: bool) -> None:
        self._updater = updater
        self._identity = identity
        self._streaming = streaming
        self._part = 0
        self._pending = ""
        self._sent = False
        self._due = 0.0

    async def tell(self, event: TurnEvent) -> None:
        """One event of the turn."""
        match event:
            case CallEnded(id=call_id, result=result):
                artifact = to_artifact(result, call_id, self._identity)
                await self._updater.add_artifact(
                    list(artifact.parts), artifact_id=artifact.artifact_id, name=artifact.name
                )
            case TextPiece() if self._streaming:
                await self._grow(event)

    async def end(self) -> None:
        """Send what is left of a text of which a piece was sent."""
        if self._sent:
            await self._send(last=True)

    async def _grow(self, piece: TextPiece) -> None:
        if piece.part != self._part:  # what was said before a tool call gives way to what follows
            self._part, self._pending, self._sent = piece.part, "", False
            self._due = time.monotonic() + PIECE_SECONDS
        self._pending += piece.text
        if time.monotonic() >= self._due:
            await self._send(last=False)

    async def _send(self, *, last: bool) -> None:
        await self._updater.add_artifact(
            [Part(text=self._pending, media_type="text/plain")],
            artifact_id=f"{REPLY}-{self._updater.task_id}",
            name=REPLY,
            append=self._sent,
            last_chunk=last,
        )
        self._pending, self._sent = "", True
        self._due = time.monotonic() + PIECE_SECONDS
