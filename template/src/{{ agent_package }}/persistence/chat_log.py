"""Every turn and every tool call as rows: four writers, one reader.

Writers are best effort: a dead database never breaks an answer, and delays none but the first. What
was lost is counted, and said once on stderr.
"""

import asyncio
import sys
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import (
    Connection,
    Executable,
    RowMapping,
    bindparam,
    desc,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncEngine

from ..contracts import Turn
from .engine import transaction
from .storable import storable
from .tables import chat_messages, conversations

QUEUE_SIZE = 1000
WRITE_LIMIT_SECONDS = 5.0
REST_SECONDS = 10.0
"""After a write that took too long, nothing is tried for this long."""

GATHER_SECONDS = 0.05
"""A crash loses the tool calls of this time that belong to no ended turn."""
SKEW = timedelta(seconds=5)
TICK = timedelta(microseconds=1)


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
        self._pending: list[dict[str, Any]] = []
        self._wanted = asyncio.Event()
        self._writing: set[asyncio.Task[bool | None]] = set()
        self._resting_until = 0.0
        self._clock = datetime.min.replace(tzinfo=UTC)
        self._open, self._take = _opening(engine.dialect.name)
        self.lost = 0
        """How often something could not be written or read."""

    async def insert_user_message(self, turn: Turn, lease: Lease) -> bool:
        """Take the conversation for a turn and write what the caller said, before any model runs.

        False where another turn has it: nothing is written then.
        """
        row = self._row(turn, "user", text=turn.said)
        taken = {**_opened(row), "turn_id": lease.turn_id, "turn_until": self._until(lease)}

        def take(connection: Connection) -> bool:
            last = connection.execute(self._take, taken).scalars().all()
            if not last:
                return False
            # After what was said before, also by a machine whose clock is a little ahead of ours.
            if row["created_at"] <= last[0] < row["created_at"] + SKEW:
                row["created_at"] = last[0] + TICK
            connection.execute(INSERT, row)
            return True

        got = await self._write(take)
        self._clock = max(self._clock, row["created_at"])
        return got is not False

    async def keep_conversation(self, turn: Turn, lease: Lease) -> None:
        """Have it for longer; what was given back meanwhile is not taken again."""
        kept = {**_its(turn, lease), "its_until": self._until(lease)}
        await self._write(lambda connection: bool(connection.execute(KEEP, kept).rowcount))

    async def insert_assistant_text(
        self,
        turn: Turn,
        lease: Lease,
        text: str | None,
        *,
        refusal_rule: str | None = None,
        error: str | None = None,
    ) -> None:
        """What the agent said, or the error that ended the turn; the conversation is free again."""
        row = self._row(turn, "assistant", text=text, refusal_rule=refusal_rule, error=error)
        rows = [*self._taken_rows(), row]
        freed = {**_its(turn, lease), "its_end": row["created_at"]}

        def end(connection: Connection) -> bool:
            self._insert(connection, rows)
            connection.execute(FREE, freed)
            return True

        await self._write(end)

    def insert_tool_call(self, turn: Turn, call: ToolCallRow) -> None:
        """Queue one tool call; a full queue loses it rather than delays the answer."""
        if len(self._pending) >= QUEUE_SIZE:
            self.count_loss("the queue of tool calls is full")
            return
        row = self._row(
            turn,
            "tool",
            tool_name=call.tool,
            tool_args=call.args,
            tool_output=call.output,
            tool_citation=call.citation,
            refusal_rule=call.refusal_rule,
            error=call.error,
        )
        self._pending.append(row)
        self._wanted.set()

    async def list_recent_conversations(self, limit: int = 20) -> list[RowMapping]:
        """The newest conversations, newest first."""
        async with self._engine.connect() as connection:
            query = select(conversations).order_by(desc(conversations.c.last_at)).limit(limit)
            return list((await connection.execute(query)).mappings())

    async def run(self) -> None:
        """Write queued tool calls until cancelled, those of `GATHER_SECONDS` together."""
        while True:
            await self._wanted.wait()
            await asyncio.sleep(GATHER_SECONDS)
            await self._write_pending()

    async def drain(self) -> None:
        """Wait until everything is written, at most `WRITE_LIMIT_SECONDS`."""
        await self._write_pending()
        if self._writing:
            await asyncio.wait(self._writing, timeout=WRITE_LIMIT_SECONDS)

    async def _write_pending(self) -> None:
        if rows := self._taken_rows():
            await self._write(lambda connection: self._insert(connection, rows))

    def _taken_rows(self) -> list[dict[str, Any]]:
        rows, self._pending = self._pending, []
        self._wanted.clear()
        return rows

    async def _write(self, work: Callable[[Connection], bool]) -> bool | None:
        """What the work returned; None where it is not done by now.

        It is never cancelled half-way: its transaction would keep the database locked.
        """
        if self.resting:
            self.count_loss("the database does not answer")
            return None
        writing = asyncio.create_task(self._done(work))
        self._writing.add(writing)
        writing.add_done_callback(self._writing.discard)
        await asyncio.wait({writing}, timeout=WRITE_LIMIT_SECONDS)
        if writing.done():
            return writing.result()
        self._resting_until = time.monotonic() + REST_SECONDS
        return None

    @property
    def resting(self) -> bool:
        """The database was asked in vain a moment ago."""
        return time.monotonic() < self._resting_until

    async def _done(self, work: Callable[[Connection], bool]) -> bool | None:
        try:
            return await transaction(self._engine, work)
        except Exception as error:  # whatever the driver raises: the answer goes out all the same
            self.count_loss(type(error).__name__)
            return None

    def count_loss(self, why: str) -> None:
        """Count what could not be written or read, and say so the first time."""
        if not self.lost:
            print(f"The chat log loses rows: {why}. Answers go on.", file=sys.stderr)
        self.lost += 1

    def _insert(self, connection: Connection, rows: Sequence[dict[str, Any]]) -> bool:
        # Opened again where the first write of the turn was lost; else this touches nothing.
        connection.execute(self._open, [_opened(row) for row in rows])
        connection.execute(INSERT, rows)
        return True

    def _until(self, lease: Lease) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=lease.seconds)

    def _row(self, turn: Turn, role: str, **columns: Any) -> dict[str, Any]:
        said_by = {"user_id": turn.caller.user_id, "role": role, "surface": turn.surface}
        owned = {"owner": turn.caller.owner, "context_id": turn.context_id}
        return {
            **dict.fromkeys(chat_messages.c.keys()),
            **storable({"id": str(uuid.uuid4()), **owned, **said_by, **columns}),
            "created_at": self._now(),
        }

    def _now(self) -> datetime:
        # Rows of one process are in order, also where two fall into one tick of the clock.
        self._clock = max(datetime.now(UTC), self._clock + TICK)
        return self._clock


def _opened(row: Mapping[str, Any]) -> dict[str, Any]:
    """The conversation of a row of it."""
    names = ("owner", "context_id", "user_id", "surface")
    times = dict.fromkeys(("started_at", "last_at"), row["created_at"])
    return {**{name: row[name] for name in names}, **times}


def _its(turn: Turn, lease: Lease) -> dict[str, Any]:
    owned = {"its_owner": turn.caller.owner, "its_context_id": turn.context_id}
    return {**storable(owned), "its_turn": lease.turn_id}


def _opening(dialect: str) -> tuple[Executable, Executable]:
    """Open a conversation, and take one for a turn; built once, as building is half the work.

    Opening locks no row that is there: two batches would wait for each other.
    """
    postgres = dialect == "postgresql"
    opened = (postgresql if postgres else sqlite).insert(conversations)
    columns, new = conversations.c, opened.excluded
    last_at = (func.greatest if postgres else func.max)(columns.last_at, new.last_at)
    free = or_(
        columns.turn_until.is_(None),
        columns.turn_until < new.last_at,
        columns.turn_id == new.turn_id,
    )
    key = ["owner", "context_id"]
    taken = {"last_at": last_at, "turn_id": new.turn_id, "turn_until": new.turn_until}
    take = opened.on_conflict_do_update(index_elements=key, set_=taken, where=free)
    return opened.on_conflict_do_nothing(), take.returning(columns.last_at)


_CONVERSATION = conversations.c
_ITS = update(conversations).where(
    _CONVERSATION.owner == bindparam("its_owner"),
    _CONVERSATION.context_id == bindparam("its_context_id"),
    _CONVERSATION.turn_id == bindparam("its_turn"),
)
KEEP = _ITS.values(turn_until=bindparam("its_until"))
FREE = _ITS.values(turn_id=None, turn_until=None, last_at=bindparam("its_end"))
INSERT = insert(chat_messages)
