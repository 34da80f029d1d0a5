"""An endpoint that is there before its SDK is, so that card and health answer at once."""

import asyncio

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send


class LazyEndpoint:
    """Holds requests until `ready()` names the app that serves them, or `unavailable()` says why not.

    `wanted` is set by the first of them.
    """

    def __init__(self, wanted: asyncio.Event) -> None:
        self._wanted = wanted
        self._decided = asyncio.Event()
        self._app: ASGIApp = _unavailable("The agent is starting.")

    def ready(self, app: ASGIApp) -> None:
        """Serve from now on with `app`."""
        self._app = app
        self._decided.set()

    def unavailable(self, why: str) -> None:
        """Answer 503 from now on, also where an app served before."""
        self._app = _unavailable(why)
        self._decided.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        self._wanted.set()
        await self._decided.wait()
        await self._app(scope, receive, send)


def _unavailable(why: str) -> JSONResponse:
    error = {"jsonrpc": "2.0", "id": None, "error": {"code": -32603, "message": why}}
    return JSONResponse(error, 503, {"Retry-After": "5"})
