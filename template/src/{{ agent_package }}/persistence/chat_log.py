"""Every turn and every tool call as rows: four writers, one reader.

Writers are best effort: a dead database never breaks or delays an answer. What was lost is
counted, and said once on stderr.
"""

import asyncio
import re
import sys
import uuid
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import RowMapping, desc, insert, select
from sqlalchemy.dialects.sqlite import insert as upsert
from sqlalchemy.ext.asyncio import AsyncEngine

from ..contracts import Caller
from .tables import chat_messages, conversations

QUEUE_SIZE = 1000
WRITE_LIMIT_SECONDS = 5.0


@dataclass(frozen=True, kw_only=True)
class ToolCallRow:
    """One tool call as it is logged."""

    tool: str
    args: Mapping[str, Any]
    output: Mapping[str, Any] | None = None
    citation: Mapping[str, Any] | None = None
    refusal_rule: str | None = None
    error: str | None = None
    """Error class and correlation id, never the error's text."""


class ChatLog:
    """The chat log of one process; `run()` it in a task to have tool calls written."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._tool_rows: asyncio.Queue[dict[str, Any]] = asyncio.Queue(QUEUE_SIZE)
        self.lost = 0
        """How often something could not be written or read."""

    async def ensure_conversation(self, caller: Caller, context_id: str, surface: str) -> None:
        """Open the conversation, or mark it as used; its first user stays."""
        now = datetime.now(UTC)
        row = upsert(conversations).values(
            owner=_text(caller.owner),
            context_id=_text(context_id),
            surface=surface,
            user_id=_text(caller.user_id),
            started_at=now,
            last_at=now,
        )
        await self._write(
            row.on_conflict_do_update(index_elements=["owner", "context_id"], set_={"last_at": now})
        )

    async def insert_user_message(self, caller: Caller, context_id: str, text: str) -> None:
        """What the caller said; written before any model runs."""
        await self._write(insert(chat_messages).values(_row(caller, context_id, "user", text=text)))

    async def insert_assistant_text(
        self,
        caller: Caller,
        context_id: str,
        text: str | None,
        *,
        refusal_rule: str | None = None,
        error: str | None = None,
    ) -> None:
        """What the agent said, or the error that ended the turn."""
        row = _row(
            caller, context_id, "assistant", text=text, refusal_rule=refusal_rule, error=error
        )
        await self._write(insert(chat_messages).values(row))

    def insert_tool_call(self, caller: Caller, context_id: str, call: ToolCallRow) -> None:
        """Queue one tool call; a full queue loses it rather than delays the answer."""
        row = _row(
            caller,
            context_id,
            "tool",
            tool_name=call.tool,
            tool_args=_json(call.args),
            tool_output=_json(call.output),
            tool_citation=_json(call.citation),
            refusal_rule=call.refusal_rule,
            error=call.error,
        )
        try:
            self._tool_rows.put_nowait(row)
        except asyncio.QueueFull:
            self.count_loss("the queue of tool calls is full")

    async def list_recent_conversations(self, limit: int = 20) -> list[RowMapping]:
        """The newest conversations, newest first."""
        async with self._engine.connect() as connection:
            query = select(conversations).order_by(desc(conversations.c.last_at)).limit(limit)
            return list((await connection.execute(query)).mappings())

    async def run(self) -> None:
        """Write queued tool calls until cancelled."""
        while True:
            row = await self._tool_rows.get()
            try:
                await self._write(insert(chat_messages).values(row))
            finally:
                self._tool_rows.task_done()

    async def drain(self) -> None:
        """Wait until every queued tool call is written, at most `WRITE_LIMIT_SECONDS`."""
        with suppress(TimeoutError):
            async with asyncio.timeout(WRITE_LIMIT_SECONDS):
                await self._tool_rows.join()

    async def _write(self, statement: Any) -> None:
        try:
            async with asyncio.timeout(WRITE_LIMIT_SECONDS), self._engine.begin() as connection:
                await connection.execute(statement)
        except Exception as error:  # whatever the driver raises: the answer goes out all the same
            self.count_loss(type(error).__name__)

    def count_loss(self, why: str) -> None:
        """Count what could not be written or read, and say so the first time."""
        if not self.lost:
            print(f"The chat log loses rows: {why}. Answers go on.", file=sys.stderr)
        self.lost += 1


def _row(caller: Caller, context_id: str, role: str, **columns: Any) -> dict[str, Any]:
    return {
        "id": str(uuid.uuid4()),
        "owner": _text(caller.owner),
        "context_id": _text(context_id),
        "role": role,
        "user_id": _text(caller.user_id),
        "created_at": datetime.now(UTC),
        **{name: _text(v) if isinstance(v, str) else v for name, v in columns.items()},
    }


_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def _text(value: str | None) -> str | None:
    # No database takes every NUL and half of a surrogate pair: show where one was.
    return None if value is None else _UNSTORABLE.sub("�", value)


def _json(value: Any) -> Any:
    match value:
        case str():
            return _text(value)
        case Mapping():
            return {str(_text(str(key))): _json(item) for key, item in value.items()}
        case list() | tuple():
            return [_json(item) for item in value]
        case _:
            return value
