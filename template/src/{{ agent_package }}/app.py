"""Joins the parts to one ASGI app; the one file that knows them all."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from starlette.applications import Starlette
from starlette.routing import Route

from .auth.gate import Entry, Gate
from .backend import Backend
from .contracts import Catalog
from .identity import IDENTITY
from .refusals import REFUSALS
from .settings import ConfigurationError, Settings, load_settings
from .surfaces import SURFACES, health
from .surfaces.a2a import card
from .tools import CATALOG

ENTRIES: dict[str, Entry] = {
    "/": "public",
    **dict.fromkeys(card.PATHS, "public"),
    health.PATH: "public",
    **{path: "caller" for surface in SURFACES for path in surface.paths},
}
"""Every route and who may enter; a route that is not here cannot be built."""


def create_app(settings: Settings, catalog: Catalog = CATALOG) -> Starlette:
    """The whole agent as one app, for one process."""
    backend = Backend(settings, IDENTITY, catalog, REFUSALS, SURFACES)
    routes = [
        *card.card_routes(IDENTITY, catalog, REFUSALS, settings),
        health.health_route(IDENTITY, backend.problem),
        *(
            Route(path, endpoint, methods=["POST"])
            for surface, endpoint in backend.endpoints.items()
            for path in surface.paths
        ),
    ]
    for route in routes:
        route.app = Gate(route.app, settings, ENTRIES[route.path])

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        _say_who_may_call(settings)
        running = asyncio.create_task(backend.run())
        yield
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running

    app = Starlette(routes=routes, lifespan=lifespan)
    app.router.redirect_slashes = False
    return app


def _say_who_may_call(settings: Settings) -> None:
    if settings.open_to_loopback:
        print(
            "Development: open to every program on this machine, and to nobody else.",
            file=sys.stderr,
        )


def start() -> Starlette:
    """The app by the settings of this process, which ends with words where they do not allow it."""
    try:
        return create_app(load_settings())
    except ConfigurationError as error:
        sys.exit(str(error))
