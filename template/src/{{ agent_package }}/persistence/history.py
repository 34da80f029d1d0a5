"""What was said before in a conversation."""

from dataclasses import dataclass
from typing import Literal

from sqlalchemy import desc, select
from sqlalchemy.ext.asyncio import AsyncEngine

from .tables import chat_messages


@dataclass(frozen=True)
class Said:
    """One message of a conversation."""

    role: Literal["user", "assistant"]
    text: str


async def recent_messages(
    engine: AsyncEngine, owner: str, context_id: str, limit: int = 20
) -> list[Said]:
    """The newest messages of one owner's conversation, oldest first."""
    query = (
        select(chat_messages.c.role, chat_messages.c.text)
        .where(
            chat_messages.c.owner == owner,
            chat_messages.c.context_id == context_id,
            chat_messages.c.role.in_(["user", "assistant"]),
            chat_messages.c.text.is_not(None),
        )
        .order_by(desc(chat_messages.c.created_at))
        .limit(limit)
    )
    async with engine.connect() as connection:
        rows = (await connection.execute(query)).all()
    return [Said(row.role, row.text) for row in reversed(rows)]
