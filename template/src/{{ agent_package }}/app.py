"""Joins the parts to one ASGI app; the one file that knows them all."""

import asyncio
import logging
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from starlette.applications import Starlette
from starlette.responses import RedirectResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from .auth.access_log import without_query
from .auth.callers import Callers
from .auth.gate import Entry, Gate
from .auth.protected_resource import PREFIX, metadata_route
from .backend import Backend
from .contracts import Catalog
from .identity import IDENTITY
from .refusals import REFUSALS
from .settings import ConfigurationError, Settings, load_settings
from .surfaces import HOME, SURFACES, health
from .surfaces.a2a import card_routes
from .surfaces.surface import SurfaceRoute
from .tools import CATALOG

SURFACE_ROUTES = [route for surface in SURFACES for route in surface.routes]
DESCRIBED_PATHS = [route.path for route in SURFACE_ROUTES if route.described]

ENTRIES: dict[str, Entry] = {
    "/": "public",
    **dict.fromkeys(card_routes.PATHS, "public"),
    health.PATH: "public",
    **dict.fromkeys((PREFIX + path for path in DESCRIBED_PATHS), "public"),
    **{route.path: route.entry for route in SURFACE_ROUTES},
}
"""Every route and who may enter; a route that is not here cannot be built."""


def create_app(settings: Settings, catalog: Catalog = CATALOG) -> Starlette:
    """The whole agent as one app, for one process."""
    callers = Callers(settings, DESCRIBED_PATHS)
    backend = Backend(settings, IDENTITY, catalog, REFUSALS, callers=callers, surfaces=SURFACES)
    routes = [
        Route("/", RedirectResponse(HOME), methods=["GET"]),
        *card_routes.card_routes(IDENTITY, catalog, REFUSALS, settings),
        health.health_route(IDENTITY, backend.problem),
        *(metadata_route(path, settings) for path in DESCRIBED_PATHS),
        *(
            _route(route, endpoint)
            for surface, endpoint in backend.endpoints.items()
            for route in surface.routes
        ),
    ]
    for route in routes:
        route.app = Gate(route.app, settings, ENTRIES[route.path], callers)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        logging.getLogger("uvicorn.access").addFilter(without_query)
        _say_who_may_call(settings)
        running = asyncio.create_task(backend.run())
        yield
        backend.stop()
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running

    app = Starlette(routes=routes, lifespan=lifespan)
    app.router.redirect_slashes = False
    return app


def _route(route: SurfaceRoute, endpoint: ASGIApp) -> Route:
    built = Route(route.path, endpoint)
    built.methods = {*route.methods}  # no HEAD by itself: a GET may start a job
    return built


def _say_who_may_call(settings: Settings) -> None:
    if settings.open_to_loopback:
        _say("Development: open to every program on this machine, and to nobody else.")
    elif settings.development_tokens:
        _say(f"Development: callers need a token, `uv run {IDENTITY.name} token` makes one.")
    elif not settings.audience:
        _say("Only sessions are let in: AUTH_AUDIENCE and PUBLIC_BASE_URL are empty.")


def _say(words: str) -> None:
    print(words, file=sys.stderr)


def start() -> Starlette:
    """The app by the settings of this process, which ends with words where they do not allow it."""
    try:
        settings = load_settings()
        for surface in SURFACES:
            surface.check(settings)
        return create_app(settings)
    except ConfigurationError as error:
        sys.exit(str(error))
