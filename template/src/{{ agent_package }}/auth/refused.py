"""The answers of the gate: why nobody enters, as a status, words and a reason that programs read."""

import json
from typing import NamedTuple

from starlette.types import Send


class Refused(NamedTuple):
    """An answer of the gate."""

    status: int
    message: str
    headers: tuple[tuple[str, str], ...] = ()
    reason: str | None = None
    page: str | None = None
    """HTML instead, for a person at a browser."""

    async def answer(self, send: Send) -> None:
        """Send it, as a JSON-RPC error or as the page."""
        body = (self.page or self._json()).encode()
        kind = "text/html; charset=utf-8" if self.page else "application/json"
        headers = (
            ("content-type", kind),
            ("content-length", str(len(body))),
            *self.headers,
        )
        sent = [(name.encode(), value.encode("latin-1")) for name, value in headers]
        await send({"type": "http.response.start", "status": self.status, "headers": sent})
        await send({"type": "http.response.body", "body": body})

    def _json(self) -> str:
        error: dict[str, object] = {"code": -32600, "message": self.message}
        if self.reason:
            error["data"] = {"reason": self.reason}
        return json.dumps({"jsonrpc": "2.0", "id": None, "error": error})


class UnverifiedError(Exception):
    """A token or its absence does not let anybody in; only the reason is told."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class NoKeysError(Exception):
    """Nobody can be verified now, since the keys of the issuer are not to be had."""
