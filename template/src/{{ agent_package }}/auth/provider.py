"""What differs from one provider of tokens to the next."""

from collections.abc import Callable
from dataclasses import dataclass

from ..contracts import Caller
from ..settings import Settings
from .token import Token


@dataclass(frozen=True, kw_only=True)
class Provider:
    """The tokens that issuers of one provider sign, and where things stand with them."""

    caller: Callable[[Token, Settings], Caller]
    """Who brings a verified token; raises UnverifiedError for kinds of tokens that do not count here."""
    document: str
    """Path below the issuer: its key set, or, where it `discovers`, what says where that stands."""
    discovers: bool = False
    sign_in_url: Callable[[str], str] = lambda _: ""
    """Where people sign in, from the issuer."""
    security_scheme: Callable[[str], dict[str, str]]
    """How to authenticate, from the issuer, as OpenAPI writes it."""


def bearer_scheme(_: str) -> dict[str, str]:
    """A signed token in the Authorization header, however it was obtained."""
    return {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}
