"""What a request brings along to say who sends it."""

from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.datastructures import Headers

from .refused import UnverifiedError
from .token import Source

SESSION_COOKIE = "__session"
CARRIERS = ("authorization", "cookie")
"""Headers that nobody behind the gate needs to see."""


class Credentials(NamedTuple):
    """A token and the way it came."""

    token: str
    source: Source


def credentials(method: str, headers: Headers) -> Credentials | None:
    """The one token of a request; None where it brings none. The header wins over the cookie."""
    authorization = headers.getlist("authorization")
    if authorization:
        return Credentials(bearer(authorization), "header")
    sessions = list(_sessions(headers.getlist("cookie")))
    if not sessions:
        return None
    if len(sessions) > 1:
        raise UnverifiedError("malformed")
    if not _is_sent_by_our_page(method, headers):
        raise UnverifiedError("cross_site")
    return Credentials(sessions[0], "cookie")


def bearer(authorization: list[str]) -> str:
    """The token of the one Authorization header."""
    scheme, _, token = "".join(authorization[:1]).partition(" ")
    if len(authorization) != 1 or scheme.lower() != "bearer" or not token.strip():
        raise UnverifiedError("malformed")
    return token.strip()


def _sessions(cookies: Iterable[str]) -> Iterable[str]:
    for pair in (pair for cookie in cookies for pair in cookie.split(";")):
        name, _, value = pair.strip().partition("=")
        if name == SESSION_COOKIE and value:
            yield value.strip('"')


def _is_sent_by_our_page(method: str, headers: Headers) -> bool:
    """Browsers send cookies with what other sites ask for, too."""
    site = headers.get("sec-fetch-site", "")
    if method in {"GET", "HEAD"}:  # a person may come by a link from anywhere
        return site in {"", "same-origin", "none"} or headers.get("sec-fetch-mode") == "navigate"
    origin = urlsplit(headers.get("origin", ""))
    return site in {"", "same-origin"} and origin.netloc == headers.get("host")
