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

    async def answer(self, send: Send) -> None:
        """Send it, as a JSON-RPC error where there is a body."""
        error: dict[str, object] = {"code": -32600, "message": self.message}
        if self.reason:
            error["data"] = {"reason": self.reason}
        body = json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode()
        headers = (
            ("content-type", "application/json"),
            ("content-length", str(len(body))),
            *self.headers,
        )
        sent = [(name.encode(), value.encode("latin-1")) for name, value in headers]
        await send({"type": "http.response.start", "status": self.status, "headers": sent})
        await send({"type": "http.response.body", "body": body})


class UnverifiedError(Exception):
    """A token or its absence does not let anybody in; only the reason is told."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class NoKeysError(Exception):
    """Nobody can be verified now, since the keys of the issuer are not to be had."""
