"""Chat as the app knows it."""

from contextlib import AbstractAsyncContextManager

from starlette.types import ASGIApp

from ...agent.services import Services
from ...contracts import Identity
from ...settings import Settings
from ..surface import Surface, SurfaceRoute

PAGE_PATH, STREAM_PATH = "/chat", "/api/chat"


def _load(
    services: Services, identity: Identity, settings: Settings
) -> AbstractAsyncContextManager[ASGIApp]:
    from .endpoint import chat_endpoint

    return chat_endpoint(services, identity)


CHAT = Surface(
    routes=(
        SurfaceRoute(path=PAGE_PATH, methods=("GET",), entry="session"),
        SurfaceRoute(path=STREAM_PATH, entry="session"),
    ),
    load=_load,
)
