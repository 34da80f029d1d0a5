"""One REST request: checked before the SDK answers it, and its answer repaired."""

from collections.abc import Iterator

# The order matters: the adapter imported first is a circular import.
from a2a.server.routes import create_rest_routes  # isort: skip
from a2a.compat.v0_3.rest_adapter import REST03Adapter
from a2a.utils.errors import A2AError, MethodNotFoundError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from ..caller_user import CallerContextBuilder
from ..extensions import activated
from ..parts import Parts
from ..repairs.v03_protobuf import RepairedHandler03
from ..repairs.version_header import with_version_header
from .answers import error_response, repaired
from .binding import PREFIX
from .checks import check


def with_rest(jsonrpc: ASGIApp, parts: Parts) -> ASGIApp:
    """Both bindings of HTTP as one app."""
    rest = rest_app(parts)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        by_resource = scope["path"].startswith(f"{PREFIX}/")
        await (rest if by_resource else jsonrpc)(scope, receive, send)

    return app


def rest_app(parts: Parts) -> ASGIApp:
    """Both dialects as an ASGI app, behind the checks and the repairs."""
    routes = list(_routes(parts))

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"].rstrip("/")
        request = Request({**with_version_header(scope), "path": path}, receive)
        response = await _answer(request, routes)
        response.headers.update(activated(request.headers, parts.card))
        await response(scope, receive, send)

    return app


def _routes(parts: Parts) -> Iterator[Route]:
    builder, seconds = CallerContextBuilder(), parts.streams_end
    old = REST03Adapter(parts.handler, builder, shutdown_grace_period=seconds)
    old.handler.handler03 = RepairedHandler03(parts.handler)
    for (path, method), endpoint in old.routes().items():
        yield Route(PREFIX + path, endpoint, methods=[method])
    new = create_rest_routes(
        parts.handler, builder, path_prefix=PREFIX, shutdown_grace_period=seconds
    )
    # The SDK adds a mount by tenant, which is a name that the client chose.
    yield from (route for route in new if isinstance(route, Route))


async def _answer(request: Request, routes: list[Route]) -> Response:
    allowed: set[str] = set()
    for route in routes:
        match, found = route.matches(request.scope)
        if match == Match.FULL:
            request.scope.update(found)
            return await _checked(request, route)
        if match == Match.PARTIAL:
            allowed |= route.methods or set()
    if allowed:
        return _wrong_method(allowed)
    return error_response(MethodNotFoundError("There is nothing at that path."))


async def _checked(request: Request, route: Route) -> Response:
    try:
        check(request, route.path.removeprefix(PREFIX), await request.body())
    except A2AError as error:
        return error_response(error)
    return await repaired(await route.endpoint(request))


def _wrong_method(allowed: set[str]) -> JSONResponse:
    allow = ", ".join(sorted(allowed - {"HEAD"}))
    message = f"That path takes {allow} only."
    error = {"code": 405, "status": "UNIMPLEMENTED", "message": message}
    return JSONResponse({"error": error}, 405, {"Allow": allow})
