"""Every turn and every tool call as rows, written in as few transactions as can be.

Writers are best effort: a dead database never breaks an answer, and delays none but the first. What
was lost is counted, and said once on stderr.
"""

import asyncio
import sys
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, RowMapping, bindparam, desc, insert, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncEngine

from ..contracts import Caller
from .engine import transaction
from .storable import storable
from .tables import chat_messages, conversations

QUEUE_SIZE = 1000
WRITE_LIMIT_SECONDS = 5.0
TOGETHER_SECONDS = 0.05
"""A queued row waits this long for others, and for the end of its turn."""
REST_SECONDS = 10.0
"""After a write that took too long, nothing is tried for this long."""

# Statements are built once: building one takes as long as running it.
_MESSAGE = insert(chat_messages)
_EMPTY = dict.fromkeys(chat_messages.columns.keys())
_FREE = (
    update(conversations)
    .where(
        conversations.c.turn_id == bindparam("mine"),
        conversations.c.owner == bindparam("of"),
        conversations.c.context_id == bindparam("within"),
    )
    .values(turn_id=None, turn_until=None)
)

Statement = tuple[Any, Any]
"""What is executed, with its row or rows."""


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
        self._open, self._take = _upserts(engine.dialect.name)
        self._queued: list[Statement] = []
        self._wake = asyncio.Event()
        self._resting_until = 0.0
        self._clock = datetime.min.replace(tzinfo=UTC)
        self.lost = 0
        """How often something could not be written or read."""

    async def ensure_conversation(
        self, caller: Caller, context_id: str, surface: str, lease: Lease | None = None
    ) -> bool:
        """Open the conversation, or mark it as used; its first user stays.

        With a lease it is taken for one turn; False where another turn has it.
        """
        row = self._conversation(caller, context_id, surface)
        if lease is None:
            return await self._write((self._open, row)) != 0
        until = row["last_at"] + timedelta(seconds=lease.seconds)
        taken = {"turn_id": lease.turn_id, "turn_until": until}
        return await self._write((self._take, {**row, **taken})) != 0

    def queue_conversation(self, caller: Caller, context_id: str, surface: str) -> None:
        """Open a conversation that only this call knows of, together with its rows."""
        self._queue((self._open, self._conversation(caller, context_id, surface)))

    async def insert_user_message(self, caller: Caller, context_id: str, text: str) -> None:
        """What the caller said; written before any model runs."""
        await self._write((_MESSAGE, self._row(caller, context_id, "user", text=text)))

    def queue_user_message(self, caller: Caller, context_id: str, text: str) -> None:
        """What the caller said, where no model runs."""
        self._queue((_MESSAGE, self._row(caller, context_id, "user", text=text)))

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
        owned = row["owner"], row["context_id"]
        before = self._taken(lambda queued: (queued["owner"], queued["context_id"]) == owned)
        statements = [*before, (_MESSAGE, row)]
        if lease:
            mine = {"mine": lease.turn_id, "of": owned[0], "within": owned[1]}
            statements.append((_FREE, mine))
        await self._write(*_together(statements))

    def insert_tool_call(self, caller: Caller, context_id: str, call: ToolCallRow) -> None:
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
        self._queue((_MESSAGE, row))

    async def list_recent_conversations(self, limit: int = 20) -> list[RowMapping]:
        """The newest conversations, newest first."""
        async with self._engine.connect() as connection:
            query = select(conversations).order_by(desc(conversations.c.last_at)).limit(limit)
            return list((await connection.execute(query)).mappings())

    async def run(self) -> None:
        """Write what is queued until cancelled."""
        while True:
            await self._wake.wait()
            await asyncio.sleep(TOGETHER_SECONDS)
            await self._write_queued()

    async def drain(self) -> None:
        """Write what is queued now."""
        await self._write_queued()

    def _queue(self, statement: Statement) -> None:
        if len(self._queued) < QUEUE_SIZE:
            self._queued.append(statement)
            self._wake.set()
        else:
            self.count_loss("the queue of rows is full")

    def _taken(self, is_wanted: Callable[[dict[str, Any]], bool]) -> list[Statement]:
        taken = [statement for statement in self._queued if is_wanted(statement[1])]
        self._queued = [statement for statement in self._queued if not is_wanted(statement[1])]
        if not self._queued:
            self._wake.clear()
        return taken

    async def _write_queued(self) -> None:
        statements = self._taken(lambda _: True)
        if not statements or await self._write(*_together(statements)) is not None:
            return
        for statement in statements:  # one of them may have kept the others from being written
            await self._write(statement)

    async def _write(self, *statements: Statement) -> int | None:
        """The rows that the last statement touched; None where nothing could be written."""
        if time.monotonic() < self._resting_until:
            self.count_loss("the database does not answer")
            return None
        try:
            async with asyncio.timeout(WRITE_LIMIT_SECONDS):
                return await transaction(self._engine, lambda c: _executed(c, statements))
        except Exception as error:  # whatever the driver raises: the answer goes out all the same
            if isinstance(error, TimeoutError):
                self._resting_until = time.monotonic() + REST_SECONDS
            self.count_loss(type(error).__name__)
            return None

    def count_loss(self, why: str) -> None:
        """Count what could not be written or read, and say so the first time."""
        if not self.lost:
            print(f"The chat log loses rows: {why}. Answers go on.", file=sys.stderr)
        self.lost += 1

    def _row(self, caller: Caller, context_id: str, role: str, **columns: Any) -> dict[str, Any]:
        return {
            **_EMPTY,
            "id": str(uuid.uuid4()),
            **_owned(caller, context_id),
            "role": role,
            "created_at": self._now(),
            **storable(columns),
        }

    def _conversation(self, caller: Caller, context_id: str, surface: str) -> dict[str, Any]:
        now = self._now()
        owned = _owned(caller, context_id)
        return {**owned, "surface": surface, "started_at": now, "last_at": now}

    def _now(self) -> datetime:
        # Rows of one process are in order, also where two fall into one tick of the clock.
        self._clock = max(datetime.now(UTC), self._clock + timedelta(microseconds=1))
        return self._clock


def _executed(connection: Connection, statements: tuple[Statement, ...]) -> int:
    for statement, rows in statements:
        result = connection.execute(statement, rows)
    return len(result.all()) if result.returns_rows else int(result.rowcount)


def _together(statements: list[Statement]) -> list[Statement]:
    """Each statement once, with all its rows; a conversation comes before its messages."""
    rows: dict[int, Statement] = {}
    for statement, row in statements:
        rows.setdefault(id(statement), (statement, []))[1].append(row)
    return sorted(rows.values(), key=lambda both: (both[0] is _FREE, both[0] is _MESSAGE))


def _upserts(dialect: str) -> tuple[Any, Any]:
    """Open a conversation or mark it as used; the same, and take it where it is free."""
    opened = (postgresql if dialect == "postgresql" else sqlite).insert(conversations)
    key, new = ["owner", "context_id"], opened.excluded
    free = or_(conversations.c.turn_until.is_(None), conversations.c.turn_until < new.last_at)
    taken = {"last_at": new.last_at, "turn_id": new.turn_id, "turn_until": new.turn_until}
    return (
        opened.on_conflict_do_update(index_elements=key, set_={"last_at": new.last_at}),
        opened.on_conflict_do_update(index_elements=key, set_=taken, where=free).returning(
            conversations.c.owner
        ),
    )


def _owned(caller: Caller, context_id: str) -> dict[str, Any]:
    owned = {"owner": caller.owner, "context_id": context_id, "user_id": caller.user_id}
    return {name: storable(value) for name, value in owned.items()}
