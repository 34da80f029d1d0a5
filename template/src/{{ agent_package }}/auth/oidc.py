"""The tokens of an OpenID provider: access tokens of people and programs, and sessions."""

from ..contracts import Caller
from ..settings import Settings
from .provider import Provider
from .refused import UnverifiedError
from .token import Token

DISCOVERY = "/.well-known/openid-configuration"
OF_ID_TOKENS = ("nonce", "at_hash", "c_hash")
OF_ACCESS_TOKENS = ("client_id", "scope", "scp")
OF_OTHERS = ("events", "cnf")
"""Logout and event tokens, and those that only count with a proof which this agent cannot check."""


def _caller(token: Token, settings: Settings) -> Caller:
    if token.type not in {"jwt", "at+jwt"} or any(name in token.claims for name in OF_OTHERS):
        raise UnverifiedError("category")
    return _session(token, settings) if token.source == "cookie" else _access(token, settings)


def _access(token: Token, settings: Settings) -> Caller:
    if any(name in token.claims for name in OF_ID_TOKENS):
        raise UnverifiedError("category")
    token.need_audience()
    client = token.text("client_id")
    machines = settings.auth_machines
    scopes = machines.get(token.subject, machines.get(client or ""))
    of_itself = token.subject in machines or token.subject == client
    return Caller(
        issuer=settings.auth_issuer,
        subject=token.subject,
        kind="machine" if of_itself else "oauth",
        user_id=None if of_itself else token.subject,
        scopes=token.scopes if scopes is None else scopes,
    )


def _session(token: Token, settings: Settings) -> Caller:
    is_access = token.type == "at+jwt" or any(name in token.claims for name in OF_ACCESS_TOKENS)
    if is_access or token.subject in settings.auth_machines or not token.text("sid"):
        raise UnverifiedError("category")
    if not token.is_for_us and token.text("azp") not in settings.auth_authorized_parties:
        raise UnverifiedError("authorized_party")
    return Caller(
        issuer=settings.auth_issuer,
        subject=token.subject,
        kind="session",
        user_id=token.subject,
    )


def _security_scheme(issuer: str) -> dict[str, str]:
    return {"type": "openIdConnect", "openIdConnectUrl": issuer.rstrip("/") + DISCOVERY}


PROVIDER = Provider(
    caller=_caller, document=DISCOVERY, discovers=True, security_scheme=_security_scheme
)
