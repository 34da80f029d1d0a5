"""What was said before in a conversation."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import RowMapping, desc, select
from sqlalchemy.ext.asyncio import AsyncEngine

from .storable import storable
from .tables import chat_messages

MOST_ROWS = 400
CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True)
class ToolCalled:
    """One tool call of a turn, with what came of it."""

    id: str
    tool: str
    args: dict[str, Any]
    result: dict[str, Any]


@dataclass(frozen=True)
class PastTurn:
    """One finished turn: a question, the tool calls it led to, and what the agent said."""

    asked: str
    calls: tuple[ToolCalled, ...]
    said: str

    @property
    def tokens(self) -> int:
        """About how many tokens a model reads for it."""
        return len(f"{self.asked}{self.calls}{self.said}") // CHARACTERS_PER_TOKEN


async def recent_turns(
    engine: AsyncEngine, owner: str, context_id: str, max_tokens: int
) -> list[PastTurn]:
    """The newest finished turns of one owner's conversation that fit, oldest first.

    A turn is kept whole or left out, so no tool call stands without its result.
    """
    query = (
        select(chat_messages)
        .where(
            chat_messages.c.owner == storable(owner),
            chat_messages.c.context_id == storable(context_id),
        )
        .order_by(desc(chat_messages.c.created_at))
        .limit(MOST_ROWS)
    )
    async with engine.connect() as connection:
        rows = (await connection.execute(query)).mappings().all()
    kept: list[PastTurn] = []
    for turn in reversed(list(_turns(rows[::-1]))):
        max_tokens -= turn.tokens
        if max_tokens < 0:
            break
        kept.insert(0, turn)
    return kept


def _turns(rows: Sequence[RowMapping]) -> Iterator[PastTurn]:
    asked: str | None = None
    calls: list[ToolCalled] = []
    for row in rows:
        if row["role"] == "user":
            asked, calls = row["text"], []
        elif row["role"] == "tool":
            calls.append(_called(row))
        elif asked is not None and row["text"] is not None:
            yield PastTurn(asked, tuple(calls), row["text"])
            asked = None


def _called(row: RowMapping) -> ToolCalled:
    result = {"data": row["tool_output"], "citation": row["tool_citation"], "error": row["error"]}
    return ToolCalled(
        id=row["id"],
        tool=row["tool_name"],
        args=row["tool_args"] or {},
        result={name: value for name, value in result.items() if value is not None},
    )
