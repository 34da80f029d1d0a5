"""Alive, and on request ready."""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from ..contracts import Identity

PATH = "/api/health"


def health_route(identity: Identity, problem: Callable[[], Awaitable[str | None]]) -> Route:
    """`GET /api/health` does no I/O; `?deep=1` asks the database too, and answers 503 if it fails."""

    async def health(request: Request) -> JSONResponse:
        alive = {"status": "ok", "name": identity.name, "version": identity.version}
        if "deep" not in request.query_params:
            return JSONResponse(alive)
        if why := await problem():
            return JSONResponse({**alive, "status": "not ready", "problem": why}, 503)
        return JSONResponse({**alive, "database": "ready"})

    return Route(PATH, health, methods=["GET"])
