"""Every turn and every tool call as rows: four writers, one reader.

Writers are best effort: a dead database never breaks an answer, and delays none but the first. What
was lost is counted, and said once on stderr.
"""

import asyncio
import sys
import time
import uuid
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import RowMapping, desc, insert, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from ..contracts import Caller
from .storable import storable
from .tables import chat_messages, conversations

QUEUE_SIZE = 1000
WRITE_LIMIT_SECONDS = 5.0
REST_SECONDS = 10.0
"""After a write that took too long, nothing is tried for this long."""


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


@dataclass(frozen=True, kw_only=True)
class Lease:
    """The right to be the one turn of a conversation, for at most `seconds`."""

    turn_id: str
    seconds: float


class ChatLog:
    """The chat log of one process; `run()` it in a task to have tool calls written."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._queue: asyncio.Queue[tuple[Any, ...]] = asyncio.Queue(QUEUE_SIZE)
        self._writing: set[asyncio.Task[int | None]] = set()
        self._resting_until = 0.0
        self._clock = datetime.min.replace(tzinfo=UTC)
        self.lost = 0
        """How often something could not be written or read."""

    async def ensure_conversation(
        self, caller: Caller, context_id: str, surface: str, lease: Lease | None = None
    ) -> bool:
        """Open the conversation, or mark it as used; its first user stays.

        With a lease it is taken for that turn, or kept; False where another turn has it.
        """
        return await self._write(self._opened(caller, context_id, surface, lease)) != 0

    async def insert_user_message(
        self, caller: Caller, context_id: str, surface: str, text: str, lease: Lease
    ) -> bool:
        """Take the conversation for a turn and write what the caller said, before any model runs.

        False where another turn has it: nothing is written then.
        """
        row = self._row(caller, context_id, "user", text=text)
        opened = self._opened(caller, context_id, surface, lease)
        return await self._write(opened, insert(chat_messages).values(row)) != 0

    async def insert_assistant_text(
        self,
        caller: Caller,
        context_id: str,
        text: str | None,
        *,
        refusal_rule: str | None = None,
        error: str | None = None,
        lease: Lease | None = None,
    ) -> None:
        """What the agent said, or the error that ended the turn; the conversation is free again."""
        row = self._row(
            caller, context_id, "assistant", text=text, refusal_rule=refusal_rule, error=error
        )
        statements: list[Any] = [insert(chat_messages).values(row)]
        if lease:
            mine = conversations.c.turn_id == lease.turn_id
            freed = update(conversations).where(mine, *_is(caller, context_id))
            statements.append(freed.values(turn_id=None, turn_until=None))
        await self._write(*statements)

    def insert_tool_call(
        self, caller: Caller, context_id: str, surface: str, call: ToolCallRow
    ) -> None:
        """Queue one tool call; a full queue loses it rather than delays the answer."""
        row = self._row(
            caller,
            context_id,
            "tool",
            tool_name=call.tool,
            tool_args=call.args,
            tool_output=call.output,
            tool_citation=call.citation,
            refusal_rule=call.refusal_rule,
            error=call.error,
        )
        opened = self._opened(caller, context_id, surface, None)
        try:
            self._queue.put_nowait((opened, insert(chat_messages).values(row)))
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
            statements = await self._queue.get()
            try:
                await self._write(*statements)
            finally:
                self._queue.task_done()

    async def drain(self) -> None:
        """Wait until everything is written, at most `WRITE_LIMIT_SECONDS`."""
        with suppress(TimeoutError):
            async with asyncio.timeout(WRITE_LIMIT_SECONDS):
                await self._queue.join()
                await asyncio.gather(*self._writing)

    async def _write(self, *statements: Any) -> int | None:
        """How many rows the last statement touched; None where nothing is written by now.

        A write is never cancelled half-way: its transaction would keep the database locked.
        """
        if time.monotonic() < self._resting_until:
            self.count_loss("the database does not answer")
            return None
        writing = asyncio.create_task(self._written(statements))
        self._writing.add(writing)
        writing.add_done_callback(self._writing.discard)
        await asyncio.wait({writing}, timeout=WRITE_LIMIT_SECONDS)
        if writing.done():
            return writing.result()
        self._resting_until = time.monotonic() + REST_SECONDS
        return None

    async def _written(self, statements: tuple[Any, ...]) -> int | None:
        try:
            async with self._engine.begin() as connection:
                return await _executed(connection, statements)
        except Exception as error:  # whatever the driver raises: the answer goes out all the same
            self.count_loss(type(error).__name__)
            return None

    def count_loss(self, why: str) -> None:
        """Count what could not be written or read, and say so the first time."""
        if not self.lost:
            print(f"The chat log loses rows: {why}. Answers go on.", file=sys.stderr)
        self.lost += 1

    def _opened(self, caller: Caller, context_id: str, surface: str, lease: Lease | None) -> Any:
        now = self._now()
        until = now + timedelta(seconds=lease.seconds) if lease else None
        taken = {"turn_id": lease.turn_id, "turn_until": until} if lease else {}
        dialect = postgresql if self._engine.dialect.name == "postgresql" else sqlite
        opened = dialect.insert(conversations).values(
            **_owned(caller, context_id), surface=surface, started_at=now, last_at=now, **taken
        )
        columns = conversations.c
        free = [columns.turn_until.is_(None), columns.turn_until < now]
        return opened.on_conflict_do_update(
            index_elements=["owner", "context_id"],
            set_={"last_at": now, **taken},
            where=or_(*free, columns.turn_id == lease.turn_id) if lease else None,
        ).returning(columns.owner)

    def _row(self, caller: Caller, context_id: str, role: str, **columns: Any) -> dict[str, Any]:
        return {
            "id": str(uuid.uuid4()),
            **_owned(caller, context_id),
            "role": role,
            "created_at": self._now(),
            **storable(columns),
        }

    def _now(self) -> datetime:
        # Rows of one process are in order, also where two fall into one tick of the clock.
        self._clock = max(datetime.now(UTC), self._clock + timedelta(microseconds=1))
        return self._clock


async def _executed(connection: AsyncConnection, statements: tuple[Any, ...]) -> int:
    """How many rows the last statement touched; one that touches none is the last."""
    touched = 0
    for statement in statements:
        result = await connection.execute(statement)
        touched = len(result.all()) if result.returns_rows else int(result.rowcount)
        if not touched:
            break
    return touched


def _owned(caller: Caller, context_id: str) -> dict[str, Any]:
    owned = {"owner": caller.owner, "context_id": context_id, "user_id": caller.user_id}
    return {name: storable(value) for name, value in owned.items()}


def _is(caller: Caller, context_id: str) -> tuple[Any, Any]:
    columns = conversations.c
    return columns.owner == storable(caller.owner), columns.context_id == storable(context_id)
