"""Where a client learns who signs tokens for a route (RFC 9728), as MCP clients do."""

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from ..settings import Settings
from .address import own_url

PREFIX = "/.well-known/oauth-protected-resource"
"""The description of the route at a path stands below this, at the same path."""


def metadata_route(path: str, settings: Settings) -> Route:
    """The public description of the route at `path`."""

    async def metadata(request: Request) -> JSONResponse:
        if not settings.tokens_are_issued:
            return JSONResponse({"error": "No issuer of tokens is set."}, 404)
        return JSONResponse(
            {
                "resource": own_url(settings, request.scope) + path,
                "authorization_servers": [settings.auth_issuer],
                "scopes_supported": [settings.auth_scope] if settings.auth_scope else [],
                "bearer_methods_supported": ["header"],
            }
        )

    return Route(PREFIX + path, metadata, methods=["GET"])
