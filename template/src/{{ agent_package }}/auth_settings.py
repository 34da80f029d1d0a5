"""The settings of the gate: whose tokens it takes, and what for."""

import re
from collections.abc import Mapping
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, NoDecode

DEVELOPMENT_ISSUER = "development"
"""Instead of an address: tokens are those of this machine, by `uv run <agent> token`."""

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "::1")
SCOPE = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]+")


class AuthSettings(BaseSettings):
    """`Settings` has all of these; the environment variable of each is its name in upper case."""

    auth_issuer: str = ""
    """Issuer of the tokens that callers bring, exactly as `iss` names it."""
    auth_audience: str = ""
    """What `aud` names in tokens that are for this agent; empty: its public address."""
    auth_authorized_parties: Annotated[tuple[str, ...], NoDecode] = ()
    """Web origins whose sessions are taken; empty: of all that the issuer signs for."""
    auth_machines: Annotated[Mapping[str, frozenset[str]], NoDecode] = Field(default_factory=dict)
    """Programs that may call, and the scopes of each: `mch_1=agent:call, mch_2=agent:call x:y`."""
    auth_scope: str = "agent:call"
    """What a program needs to call at all; `none` where nothing is needed."""
    auth_algorithm: Literal[
        "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"
    ] = "RS256"
    """The one algorithm that tokens are signed with."""
    auth_key: str = ""
    """Public key of the issuer as PEM, so that none is fetched; line breaks may be `\\n`."""
    auth_jwks: str = ""
    """Or its key set as JSON."""
    auth_jwks_url: str = ""
    """Or where its key set stands; empty: where issuers of this kind publish it."""
    auth_sign_in_url: str = ""
    """Where a person without a session is sent."""
    cron_secret: SecretStr = SecretStr("")
    """What the scheduler sends; without it, no job can be started from outside."""

    @field_validator("auth_issuer", "auth_jwks_url", "auth_sign_in_url")
    @classmethod
    def _an_address(cls, value: str, info: ValidationInfo) -> str:
        in_development = info.field_name == "auth_issuer" and value == DEVELOPMENT_ISSUER
        if not value or in_development or _is_https(value):
            return value
        raise ValueError("write an https address, for example https://issuer.example.com")

    @field_validator("auth_authorized_parties", mode="before")
    @classmethod
    def _origins(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        origins = tuple(origin.strip().rstrip("/") for origin in value.split(",") if origin.strip())
        if wrong := [origin for origin in origins if not re.fullmatch(r"\w+://[^/\s]+", origin)]:
            raise ValueError(f"{wrong[0]!r} is no origin; write https://app.example.com, https://…")
        return origins

    @field_validator("auth_machines", mode="before")
    @classmethod
    def _machines(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        machines: dict[str, frozenset[str]] = {}
        for entry in filter(None, (entry.strip() for entry in value.split(","))):
            name, _, scopes = (part.strip() for part in entry.rpartition("="))
            if not name or not all(SCOPE.fullmatch(scope) for scope in scopes.split()):
                raise ValueError(
                    f"{entry!r} is not a machine and its scopes, as in mch_1=agent:call"
                )
            if name in machines:
                raise ValueError(f"{name!r} is there twice")
            machines[name] = frozenset(scopes.split())
        return machines

    @field_validator("auth_scope")
    @classmethod
    def _one_scope(cls, value: str) -> str:
        if value in {"", "none"}:
            return ""
        if not SCOPE.fullmatch(value):
            raise ValueError("write one scope without spaces, or none")
        return value

    @field_validator("auth_key")
    @classmethod
    def _with_line_breaks(cls, value: str) -> str:
        pem = value.replace("\\n", "\n").strip()
        if pem and not pem.startswith("-----BEGIN PUBLIC KEY-----"):
            raise ValueError("write the public key as PEM: -----BEGIN PUBLIC KEY-----…")
        return pem

    @field_validator("cron_secret")
    @classmethod
    def _fit_for_a_header(cls, value: SecretStr) -> SecretStr:
        if not re.fullmatch(r"[\x21-\x7e]*", value.get_secret_value()):
            raise ValueError("use letters, digits and signs of ASCII only, without spaces")
        return value


def _is_https(value: str) -> bool:
    try:
        url = urlsplit(value)
        usable = bool(url.hostname) and url.port != 0 and not url.username and not url.fragment
    except ValueError:
        return False
    if re.search(r"[\s|]", value) or not usable:
        return False
    return url.scheme == "https" or (url.scheme == "http" and url.hostname in LOOPBACK_NAMES)
