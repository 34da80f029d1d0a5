"""What a turn needs besides itself; made once, in `app.py`."""

from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncEngine

from ..contracts import Catalog, Refusals
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
