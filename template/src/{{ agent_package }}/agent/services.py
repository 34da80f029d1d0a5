"""What a turn needs besides itself; made once, in `backend.py`."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from ..contracts import Caller, Catalog, Refusals

if TYPE_CHECKING:  # so that who only passes it on does not load SQLAlchemy
    from sqlalchemy.ext.asyncio import AsyncEngine

    from ..persistence.chat_log import ChatLog


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What one turn may use."""

    seconds: float = 60
    model_requests: int = 20
    model_tokens: int = 200_000
    """Read and written, in all requests of the turn."""
    history_tokens: int = 8_000
    """Of earlier turns, about."""


@dataclass(frozen=True, kw_only=True, eq=False)  # one object, so caches can go by it
class Services:
    """The parts that all turns share."""

    catalog: Catalog
    refusals: Refusals
    engine: AsyncEngine
    chat_log: ChatLog
    model: str = ""
    """The pydantic-ai name of the model; empty means the offline model."""
    tool_model: str = ""
    """The model that tools may ask; empty means `model`."""
    limits: Limits = Limits()
    running: MutableMapping[tuple[str, str], asyncio.Lock] = field(
        default_factory=WeakValueDictionary
    )
    """Conversations in which this process has a turn."""
    _narrowed: dict[tuple[str, ...], Services] = field(default_factory=dict)

    def of(self, caller: Caller) -> Services:
        """The same with the tools of a caller; one object for each choice of tools."""
        catalog = self.catalog.of(caller)
        if len(catalog) == len(self.catalog):
            return self
        return self._narrowed.setdefault(tuple(catalog), replace(self, catalog=catalog))
