"""What card and app know of a binding of A2A before its SDK is loaded."""

from collections.abc import Callable
from dataclasses import dataclass

from ...settings import Settings


@dataclass(frozen=True, kw_only=True)
class Binding:
    """A way besides JSON-RPC to call the same operations."""

    name: str
    """As the card says it."""
    url: Callable[[Settings, str], str | None]
    """Where clients find it, by the settings and our own address; None where they cannot."""
    path: str | None = None
    methods: tuple[str, ...] = ()
    """The route, where HTTP carries it."""
    check: Callable[[Settings], None] = lambda _: None
    """ConfigurationError where it cannot be served."""
