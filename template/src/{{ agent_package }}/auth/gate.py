"""What every request passes before its route: who may enter, from where, and with what.

While development is open, only peers on this machine enter, and only by addresses that a web page
from elsewhere cannot use: that is what the Host and Origin checks are for.
"""

import json
from collections.abc import Mapping
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..contracts.caller import LOCAL_CALLER
from ..settings import Settings

Entry = Literal["public", "caller"]
"""`public`: anyone may GET. `caller`: only who is known."""

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "::1")
LOOPBACK_PEERS = ("127.0.0.1", "::1", "::ffff:127.0.0.1")
FORWARDED = (b"forwarded", b"x-forwarded-for", b"x-real-ip")
DRAIN_FACTOR = 8
"""A body up to this many times the limit is read and dropped, so that its sender hears why."""


class Refused(NamedTuple):
    """An answer of the gate: HTTP status, words, and headers."""

    status: int
    message: str
    headers: tuple[tuple[bytes, bytes], ...] = ()


class Gate:
    """Stands before one route and lets in whom `entry` says."""

    def __init__(self, app: ASGIApp, settings: Settings, entry: Entry) -> None:
        self._app = app
        self._settings = settings
        self._entry = entry

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request through with its caller and its whole body, or answer why not."""
        if scope["type"] != "http" or self._is_open(scope):
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        refused = self._wrong_address(headers) or self._stranger(scope, headers)
        if scope["method"] == "POST":
            refused = refused or _wrong_content(headers)
            body = await _read(receive, self._settings.max_body_bytes, keep=not refused)
            if body is None:
                limit = self._settings.max_body_bytes
                refused = refused or Refused(413, f"The body is larger than {limit} bytes.")
            else:
                receive = replayed(body, receive)
        if refused:
            await _answer(send, refused)
            return
        scope.setdefault("state", {})["caller"] = LOCAL_CALLER
        await self._app(scope, receive, send)

    def _is_open(self, scope: Scope) -> bool:
        public_get = self._entry == "public" and scope["method"] in {"GET", "HEAD"}
        return public_get and b"deep=" not in scope["query_string"]

    def _wrong_address(self, headers: Mapping[bytes, bytes]) -> Refused | None:
        if not self._is_ours(f"//{headers.get(b'host', b'').decode('latin-1')}"):
            return Refused(421, "This agent does not answer to that Host. Set PUBLIC_BASE_URL.")
        origin = headers.get(b"origin")
        if origin is not None and not self._is_ours(origin.decode("latin-1")):
            return Refused(403, "Pages of that Origin may not call this agent.")
        return None

    def _is_ours(self, url: str) -> bool:
        try:
            name = urlsplit(url).hostname
        except ValueError:
            return False
        ours = urlsplit(self._settings.base_url).hostname
        local = LOOPBACK_NAMES if self._settings.app_env == "development" else ()
        return name is not None and (name == ours or name in local)

    def _stranger(self, scope: Scope, headers: Mapping[bytes, bytes]) -> Refused | None:
        if not self._settings.open_to_loopback:
            return Refused(
                401,
                "AUTH_ISSUER is set, and this version cannot verify tokens yet: nobody may call.",
                ((b"www-authenticate", b"Bearer"),),
            )
        peer = (scope.get("client") or ("",))[0]
        if peer in LOOPBACK_PEERS and not any(name in headers for name in FORWARDED):
            return None
        return Refused(403, "In development only programs on this machine may call.")


def _wrong_content(headers: Mapping[bytes, bytes]) -> Refused | None:
    content_type = headers.get(b"content-type", b"").split(b";")[0].strip().lower()
    if content_type == b"application/json":
        return None
    return Refused(415, "Send JSON, with Content-Type: application/json.")


async def _read(receive: Receive, limit: int, *, keep: bool) -> bytes | None:
    """The whole body; None where it is above the limit or its sender has gone."""
    chunks: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        chunk = message.get("body", b"")
        size += len(chunk)
        if keep and size <= limit:
            chunks.append(chunk)
        if not message.get("more_body") or size > limit * DRAIN_FACTOR:
            return b"".join(chunks) if size <= limit else None


def replayed(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives a body that was read already, then what really comes."""
    unread: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return unread.pop() if unread else await receive()

    return receive_again


async def _answer(send: Send, refused: Refused) -> None:
    error = {"code": -32600, "message": refused.message}
    body = json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        *refused.headers,
    ]
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
