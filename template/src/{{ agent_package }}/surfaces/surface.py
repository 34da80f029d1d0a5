"""What the app knows of a surface before its SDK is loaded."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from starlette.types import ASGIApp

from ..agent.services import Services
from ..contracts import Identity
from ..settings import Settings


@dataclass(frozen=True, kw_only=True)
class Surface:
    """A way in for callers: POST to one of its paths."""

    paths: tuple[str, ...]
    load: Callable[[Services, Identity, Settings], AbstractAsyncContextManager[ASGIApp]]
    """Imports the SDK, so it is called off the event loop; what it returns serves while open."""
