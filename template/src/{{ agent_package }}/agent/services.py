"""What a turn needs besides itself; made once, in `backend.py`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..contracts import Catalog, Refusals

if TYPE_CHECKING:  # so that who only passes it on does not load SQLAlchemy
    from sqlalchemy.ext.asyncio import AsyncEngine

    from ..persistence.chat_log import ChatLog


@dataclass(frozen=True, kw_only=True, eq=False)  # one object, so caches can go by it
class Services:
    """The parts that all turns share."""

    catalog: Catalog
    refusals: Refusals
    engine: AsyncEngine
    chat_log: ChatLog
    model: str = ""
    """The pydantic-ai name of the model; empty means the offline model."""
    time_limit_seconds: float = 60
