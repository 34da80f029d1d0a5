"""What every request passes before its route: who may enter, from where, and with what.

While development is open, only peers on this machine enter, and only by addresses that a web page
from elsewhere cannot use: that is what the Host and Origin checks are for.
"""

import re
import secrets
from collections.abc import Mapping
from typing import Literal

from starlette.datastructures import Headers, QueryParams
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..contracts.caller import SCHEDULER, Caller
from ..settings import Settings
from .callers import Callers
from .credentials import CARRIERS, bearer
from .refused import Refused, UnverifiedError

Entry = Literal["public", "caller", "session", "cron"]
"""`public`: anyone may GET. `caller`: who is known. `session`: a person. `cron`: the scheduler."""

HOST = re.compile(r"(?P<name>[a-z0-9._-]+|\[[0-9a-f:]+\])(:\d{1,5})?")
JSON_TYPES = ("application/json", "application/a2a+json")
"""No page of another origin can send one without asking first."""
DRAIN_FACTOR = 8
"""A body up to this many times the limit is read and dropped, so that its sender hears why."""


class Gate:
    """Stands before one route and lets in whom `entry` says."""

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        entry: Entry,
        callers: Callers,
    ) -> None:
        self._app = app
        self._settings = settings
        self._entry = entry
        self._callers = callers
        self._own_hosts = settings.own_hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request through with its caller and its whole body, or answer why not."""
        if scope["type"] != "http" or self._is_open(scope):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        entered = self._wrong_address(headers) or await self._entered(scope, headers)
        refused = entered if isinstance(entered, Refused) else None
        if scope["method"] == "POST":
            refused = refused or _wrong_content(headers)
            body = await _read(receive, self._settings.max_body_bytes, keep=not refused)
            if body is None:
                limit = self._settings.max_body_bytes
                refused = refused or Refused(413, f"The body is larger than {limit} bytes.")
            else:
                receive = replayed(body, receive)
        if refused:
            await refused.answer(send)
            return
        await self._app(_with_caller(scope, entered), receive, send)

    def _is_open(self, scope: Scope) -> bool:
        public_get = self._entry == "public" and scope["method"] in {"GET", "HEAD"}
        return public_get and "deep" not in QueryParams(scope["query_string"])

    def _wrong_address(self, headers: Headers) -> Refused | None:
        if not self._is_ours(headers.get("host", "")):
            return Refused(421, "This agent does not answer to that Host. Set PUBLIC_BASE_URL.")
        origin = headers.get("origin")
        if origin is not None and not self._is_ours(origin.partition("://")[2]):
            return Refused(403, "Pages of that Origin may not call this agent.")
        return None

    def _is_ours(self, host: str) -> bool:
        found = HOST.fullmatch(host.lower())
        return found is not None and found["name"].strip("[]") in self._own_hosts

    async def _entered(self, scope: Scope, headers: Headers) -> Caller | Refused:
        if self._entry == "cron":
            return self._not_the_scheduler(headers) or SCHEDULER
        return await self._callers.of(scope, headers, people_only=self._entry == "session")

    def _not_the_scheduler(self, headers: Headers) -> Refused | None:
        secret = self._settings.cron_secret.get_secret_value()
        try:
            sent = bearer(headers.getlist("authorization"))
        except UnverifiedError:
            sent = ""
        if secret and secrets.compare_digest(sent.encode("latin-1"), secret.encode()):
            return None
        challenge = ("www-authenticate", 'Bearer realm="cron"')
        return Refused(401, "Only the scheduler enters here.", (challenge,), "cron_secret")


def _with_caller(scope: Scope, caller: Caller | Refused) -> Scope:
    # What proves who somebody is goes no further, and so into no log of a library.
    carriers = {name.encode() for name in CARRIERS}
    headers = [(name, value) for name, value in scope["headers"] if name not in carriers]
    return {**scope, "headers": headers, "state": {**scope.get("state", {}), "caller": caller}}


def _wrong_content(headers: Mapping[str, str]) -> Refused | None:
    content_type = headers.get("content-type", "").split(";")[0].strip().lower()
    if content_type in JSON_TYPES or (not content_type and _is_empty(headers)):
        return None
    return Refused(415, "Send JSON, with Content-Type: application/json.")


def _is_empty(headers: Mapping[str, str]) -> bool:
    return headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers


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
