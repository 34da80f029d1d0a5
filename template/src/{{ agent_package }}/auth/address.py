"""The address of this agent, as far as it is known."""

from starlette.types import Scope

from ..settings import Settings


def own_url(settings: Settings, scope: Scope) -> str:
    """The public address, or that of the socket; never what the Host header says."""
    if settings.base_url:
        return settings.base_url
    host, port = scope.get("server") or ("127.0.0.1", 8000)
    if port is None:  # a Unix socket has no address to tell
        host, port = "127.0.0.1", 8000
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"
