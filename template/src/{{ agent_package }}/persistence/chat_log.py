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

from ..contracts import Caller
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

    async def ensure_conversation(
        self, caller: Caller, context_id: str, surface: str, lease: Lease | None = None
    ) -> bool:
        """Open the conversation, or mark it as used; its first user stays.

        With a lease it is taken for that turn, or kept; False where another turn has it.
        """
        opened = self._opened(caller, context_id, surface, lease)

        def open_it(connection: Connection) -> bool:
            if lease:
                return bool(connection.execute(self._take, opened).all())
            connection.execute(self._open, opened)
            return True

        return await self._write(open_it) is not False

    async def insert_user_message(
        self, caller: Caller, context_id: str, surface: str, text: str, lease: Lease
    ) -> bool:
        """Take the conversation for a turn and write what the caller said, before any model runs.

        False where another turn has it: nothing is written then.
        """

        def take(connection: Connection) -> bool:
            opened = self._opened(caller, context_id, surface, lease)
            last = connection.execute(self._take, opened).scalars().all()
            if not last:
                return False
            # After what was said before, also by a machine whose clock is a little ahead of ours.
            self._clock = max(self._clock, min(last[0], datetime.now(UTC) + SKEW))
            connection.execute(INSERT, self._row(caller, context_id, "user", text=text))
            return True

        return await self._write(take) is not False

    async def insert_assistant_text(
        self,
        caller: Caller,
        context_id: str,
        text: str | None,
        *,
        refusal_rule: str | None = None,
        error: str | None = None,
        lease: Lease,
    ) -> None:
        """What the agent said, or the error that ended the turn; the conversation is free again."""
        row = self._row(
            caller, context_id, "assistant", text=text, refusal_rule=refusal_rule, error=error
        )
        rows = [*self._taken_rows(), row]
        freed = {f"its_{name}": row[name] for name in ("owner", "context_id", "created_at")}

        def end(connection: Connection) -> bool:
            _insert(connection, self._open, rows)
            connection.execute(FREE, {**freed, "its_turn": lease.turn_id})
            return True

        await self._write(end)

    def insert_tool_call(
        self, caller: Caller, context_id: str, surface: str, call: ToolCallRow
    ) -> None:
        """Queue one tool call; a full queue loses it rather than delays the answer."""
        if len(self._pending) >= QUEUE_SIZE:
            self.count_loss("the queue of tool calls is full")
            return
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
        self._pending.append(row | {"surface": surface})
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
            await self._write(lambda connection: _insert(connection, self._open, rows))

    def _taken_rows(self) -> list[dict[str, Any]]:
        rows, self._pending = self._pending, []
        self._wanted.clear()
        return rows

    async def _write(self, work: Callable[[Connection], bool]) -> bool | None:
        """What the work returned; None where it is not done by now.

        It is never cancelled half-way: its transaction would keep the database locked.
        """
        if time.monotonic() < self._resting_until:
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

    def _opened(
        self, caller: Caller, context_id: str, surface: str, lease: Lease | None
    ) -> dict[str, Any]:
        now = self._now()
        opened = {**_owned(caller, context_id), "surface": surface, "started_at": now}
        until = now + timedelta(seconds=lease.seconds) if lease else None
        turn_id = lease.turn_id if lease else None
        return {**opened, "last_at": now, "turn_id": turn_id, "turn_until": until}

    def _row(self, caller: Caller, context_id: str, role: str, **columns: Any) -> dict[str, Any]:
        return {
            **dict.fromkeys(chat_messages.c.keys()),
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


def _insert(connection: Connection, opening: Executable, rows: Sequence[Mapping[str, Any]]) -> bool:
    """Rows of messages, and the conversations of those that say their surface."""
    messages = [{**row} for row in rows]
    opened = [
        {
            **{name: row[name] for name in ("owner", "context_id", "user_id")},
            **dict.fromkeys(("started_at", "last_at"), row["created_at"]),
            **{"surface": row.pop("surface"), "turn_id": None, "turn_until": None},
        }
        for row in messages
        if "surface" in row
    ]
    if opened:
        connection.execute(opening, opened)
    connection.execute(INSERT, messages)
    return True


def _opening(dialect: str) -> tuple[Executable, Executable]:
    """Open a conversation, and take one for a turn; built once, as building is half the work."""
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
    return (
        opened.on_conflict_do_update(index_elements=key, set_={"last_at": last_at}),
        take.returning(columns.last_at),
    )


def _owned(caller: Caller, context_id: str) -> dict[str, Any]:
    owned = {"owner": caller.owner, "context_id": context_id, "user_id": caller.user_id}
    return {name: storable(value) for name, value in owned.items()}


_CONVERSATION = conversations.c
INSERT = insert(chat_messages)
FREE = (
    update(conversations)
    .where(
        _CONVERSATION.owner == bindparam("its_owner"),
        _CONVERSATION.context_id == bindparam("its_context_id"),
        _CONVERSATION.turn_id == bindparam("its_turn"),
    )
    .values(turn_id=None, turn_until=None, last_at=bindparam("its_created_at"))
)
