"""What every binding is made from."""

from dataclasses import dataclass

from a2a.types import AgentCard

from ...auth.callers import Callers
from ...settings import Settings
from .handler import RequestHandler


@dataclass(frozen=True, kw_only=True)
class Parts:
    """One of each, whatever the number of bindings."""

    handler: RequestHandler
    card: AgentCard
    callers: Callers
    settings: Settings
    streams_end: float
    """Seconds that streams may go on on shutdown."""
