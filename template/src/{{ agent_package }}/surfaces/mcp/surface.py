"""MCP as the app knows it."""

from ..surface import Endpoint, Opening, Surface, SurfaceRoute


def _load(opening: Opening) -> Endpoint:
    from .endpoint import mcp_endpoint

    return mcp_endpoint(opening.services, opening.identity, opening.settings.max_body_bytes)


MCP = Surface(routes=(SurfaceRoute(path="/api/mcp", described=True),), load=_load)
