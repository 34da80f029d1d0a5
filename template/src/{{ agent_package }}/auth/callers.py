"""Finds out who calls, and says what is missing where nobody can be told."""

import asyncio
from collections.abc import Collection
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode, urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

from ..contracts.caller import LOCAL_CALLER, Caller
from ..settings import Settings
from .address import own_url
from .credentials import credentials
from .no_token_page import HEADERS, no_token_page
from .protected_resource import PREFIX
from .providers import provider_of
from .refused import NoKeysError, Refused, UnverifiedError

if TYPE_CHECKING:  # PyJWT and httpx are loaded with the first token
    from .verifier import Verifier

RETRY_SECONDS = 10
MISSING = "missing"
CURED_BY_SIGNING_IN = (MISSING, "expired")
LOOPBACK_PEERS = ("127.0.0.1", "::1", "::ffff:127.0.0.1")
FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")


class Callers:
    """One for the whole app, since the keys of the issuer are kept in it."""

    def __init__(self, settings: Settings, described_paths: Collection[str]) -> None:
        """The 401 of a described path says where its description stands."""
        self._settings = settings
        self._described_paths = described_paths
        self._verifier: Verifier | None = None
        if settings.auth_key or settings.auth_jwks:
            self._verifier = _verifier_class()(
                settings
            )  # keys that are no keys are told at the start

    async def of(self, scope: Scope, headers: Headers, *, people_only: bool) -> Caller | Refused:
        """The caller of a request, or the answer that it gets."""
        if self._settings.open_to_loopback:
            return _stranger(scope, headers) or LOCAL_CALLER
        try:
            caller = await self._verified(scope, headers)
            if people_only and caller.kind != "session":
                raise UnverifiedError("category")
        except UnverifiedError as error:
            sign_in = people_only and error.reason in CURED_BY_SIGNING_IN
            to = self._sign_in_url(scope, headers) if sign_in else None
            if to:
                return _redirect(to)
            challenge = self._challenge(scope, error.reason)
            at_a_page = people_only and _at_a_browser(scope, headers)
            return self._as_page(challenge, error.reason) if at_a_page else challenge
        except NoKeysError:
            message = "Tokens cannot be verified now: the keys of the issuer are not to be had."
            return Refused(503, message, (("retry-after", str(RETRY_SECONDS)),), "no_keys")
        return self._without_scope(caller) or caller

    async def _verified(self, scope: Scope, headers: Headers) -> Caller:
        found = credentials(scope["method"], headers)
        if found is None:
            raise UnverifiedError(MISSING)
        if self._verifier is None:
            await asyncio.to_thread(_verifier_class)
            # Nothing waits here, so however many come first, there is one verifier.
            self._verifier = self._verifier or _verifier_class()(self._settings)
        resource = own_url(self._settings, scope) + scope["path"]
        return await self._verifier.caller(found.token, found.source, resource)

    def _sign_in_url(self, scope: Scope, headers: Headers) -> str | None:
        settings = self._settings
        url = settings.auth_sign_in_url or provider_of(settings).sign_in_url(settings.auth_issuer)
        if not _at_a_browser(scope, headers) or not url:
            return None
        # By the host that was asked, which the gate knows to be ours: a preview is not production.
        here = urlsplit(own_url(settings, scope))._replace(netloc=headers["host"]).geturl()
        query = scope["query_string"].decode("latin-1")
        back = here + quote(scope["path"]) + (f"?{query}" if query else "")
        return f"{url}{'&' if '?' in url else '?'}{urlencode({'redirect_url': back})}"

    def _challenge(self, scope: Scope, reason: str) -> Refused:
        parameters = {"realm": "agent"}
        if reason != MISSING:
            parameters["error"] = "invalid_token"
        if self._settings.tokens_are_issued and scope["path"] in self._described_paths:
            url = own_url(self._settings, scope) + PREFIX + scope["path"]
            parameters["resource_metadata"] = url
        message = f"No valid token ({reason}). Send one: Authorization: Bearer <token>"
        return Refused(401, message, (_header(parameters),), reason)

    def _as_page(self, challenge: Refused, reason: str) -> Refused:
        page = no_token_page(self._settings, reason)
        return challenge._replace(page=page, headers=(*challenge.headers, *HEADERS))

    def _without_scope(self, caller: Caller) -> Refused | None:
        scope = self._settings.auth_scope
        if caller.may(scope):
            return None
        parameters = {"realm": "agent", "error": "insufficient_scope", "scope": scope}
        message = f"The token lacks the scope {scope}."
        return Refused(403, message, (_header(parameters),), "scope")


def _stranger(scope: Scope, headers: Headers) -> Refused | None:
    peer = (scope.get("client") or ("",))[0]
    if peer in LOOPBACK_PEERS and not any(name in headers for name in FORWARDED):
        return None
    return Refused(403, "In development only programs on this machine may call.")


def _at_a_browser(scope: Scope, headers: Headers) -> bool:
    return scope["method"] == "GET" and "text/html" in headers.get("accept", "")


def _verifier_class() -> "type[Verifier]":
    from .verifier import Verifier

    return Verifier


def _redirect(url: str) -> Refused:
    return Refused(302, "Sign in.", (("location", url), ("cache-control", "no-store")))


def _header(parameters: dict[str, str]) -> tuple[str, str]:
    return "www-authenticate", "Bearer " + ", ".join(f'{n}="{v}"' for n, v in parameters.items())
