"""MCP as the app knows it."""

from contextlib import AbstractAsyncContextManager

from starlette.types import ASGIApp

from ...agent.services import Services
from ...contracts import Identity
from ...settings import Settings
from ..surface import Surface, SurfaceRoute


def _load(
    services: Services, identity: Identity, settings: Settings
) -> AbstractAsyncContextManager[ASGIApp]:
    from .endpoint import mcp_endpoint

    return mcp_endpoint(services, identity, settings.max_body_bytes)


MCP = Surface(routes=(SurfaceRoute(path="/api/mcp", described=True),), load=_load)
