"""What the app knows of a surface before its SDK is loaded."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from starlette.types import ASGIApp

from ..agent.services import Services
from ..auth.callers import Callers
from ..auth.gate import Entry
from ..contracts import Identity
from ..settings import Settings


@dataclass(frozen=True, kw_only=True)
class SurfaceRoute:
    """One path of a surface, and who may enter by it."""

    path: str
    methods: tuple[str, ...] = ("POST",)
    entry: Entry = "caller"
    described: bool = False
    """Whether clients look up who signs tokens for it (RFC 9728)."""


@dataclass(frozen=True, kw_only=True)
class Opening:
    """What an endpoint is made from."""

    services: Services
    identity: Identity
    settings: Settings
    callers: Callers
    """Who may enter where no gate of HTTP stands."""


Endpoint = AbstractAsyncContextManager[ASGIApp]
"""Serves while it is open."""


@dataclass(frozen=True, kw_only=True)
class Surface:
    """A way in for callers."""

    routes: tuple[SurfaceRoute, ...]
    load: Callable[[Opening], Endpoint]
    """Imports the SDK, so it is called off the event loop."""
    check: Callable[[Settings], None] = lambda _: None
    """ConfigurationError where the surface cannot be served; asked at the start of the process."""
