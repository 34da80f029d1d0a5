"""Chat as the app knows it."""

from ..surface import Endpoint, Opening, Surface, SurfaceRoute

PAGE_PATH, STREAM_PATH = "/chat", "/api/chat"


def _load(opening: Opening) -> Endpoint:
    from .endpoint import chat_endpoint

    return chat_endpoint(opening.services, opening.identity)


CHAT = Surface(
    routes=(
        SurfaceRoute(path=PAGE_PATH, methods=("GET",), entry="session"),
        SurfaceRoute(path=STREAM_PATH, entry="session"),
    ),
    load=_load,
)
