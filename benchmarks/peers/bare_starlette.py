"""The least that answers with a card: one route."""

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route


async def card(request: Request) -> JSONResponse:
    return JSONResponse({"name": "bare", "version": "1"})


app = Starlette(routes=[Route("/.well-known/agent-card.json", card)])
