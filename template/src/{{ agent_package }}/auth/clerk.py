"""The tokens of Clerk: sessions of people, OAuth access tokens, and machines."""

import re
from urllib.parse import urlsplit

from ..contracts import Caller
from ..settings import Settings
from .provider import Provider, bearer_scheme
from .refused import UnverifiedError
from .token import Token

UNMARKED = (None, "cl_I7d4PD111III")
SESSION = (*UNMARKED, "cl_B7d4PD111AAA")
MACHINE = (*UNMARKED, "cl_B7d4PD333AAA")
"""Values of the header `cat`; JWT templates and everything unknown have another one."""


def _caller(token: Token, settings: Settings) -> Caller:
    if token.subject.startswith("mch_"):
        return _machine(token, settings)
    if not token.subject.startswith("user_"):
        raise UnverifiedError("category")
    return _oauth(token, settings) if token.type == "at+jwt" else _session(token, settings)


def _machine(token: Token, settings: Settings) -> Caller:
    token.need_header()
    if token.header.get("cat") not in MACHINE or token.type != "jwt":
        raise UnverifiedError("category")
    token.need_audience()
    # The machine itself wrote the scopes in its token, so those of our table count.
    scopes = settings.auth_machines.get(token.subject)
    if scopes is None:
        raise UnverifiedError("machine")
    return Caller(issuer=settings.auth_issuer, subject=token.subject, kind="machine", scopes=scopes)


def _oauth(token: Token, settings: Settings) -> Caller:
    token.need_header()
    if token.header.get("cat") not in UNMARKED or not token.text("client_id"):
        raise UnverifiedError("category")
    token.need_audience()
    return Caller(
        issuer=settings.auth_issuer,
        subject=token.subject,
        kind="oauth",
        user_id=token.subject,
        scopes=token.scopes,
    )


def _session(token: Token, settings: Settings) -> Caller:
    marked = token.header.get("cat") in SESSION and token.type == "jwt"
    if not marked or not token.text("sid"):
        raise UnverifiedError("category")
    parties = settings.auth_authorized_parties
    if parties and token.text("azp") not in parties:
        raise UnverifiedError("authorized_party")
    if token.claims.get("sts", "active") != "active":
        raise UnverifiedError("pending")
    return Caller(
        issuer=settings.auth_issuer,
        subject=token.subject,
        kind="session",
        user_id=token.subject,
    )


def _sign_in_url(issuer: str) -> str:
    host = urlsplit(issuer).netloc
    if slug := re.fullmatch(r"([\w-]+)\.clerk\.accounts\.dev", host):
        return f"https://{slug[1]}.accounts.dev/sign-in"
    if host.startswith("clerk."):
        return f"https://accounts.{host.removeprefix('clerk.')}/sign-in"
    return ""


# Clerk has no client_credentials grant, so the scheme promises no more than a bearer token.
PROVIDER = Provider(
    caller=_caller,
    document="/.well-known/jwks.json",
    sign_in_url=_sign_in_url,
    security_scheme=bearer_scheme,
)
