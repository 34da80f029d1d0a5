"""From a token to a Caller. Nothing in a token chooses how it is verified."""

import base64
import binascii
import json
import re
from collections.abc import Mapping
from typing import Any

import jwt

from ..contracts import Caller
from ..settings import ConfigurationError, Settings
from .development import public_key
from .keys import FetchedKeys, Keys, KeySet, OneKey, usable_keys
from .providers import provider_of
from .refused import UnverifiedError
from .token import Source, Token

LONGEST_TOKEN = 8 * 1024
LONGEST_SUBJECT = 256
LEEWAY_SECONDS = 5
THREE_SEGMENTS = re.compile(r"[\w-]+\.[\w-]+\.[\w-]+", re.ASCII)
TIMES = ("exp", "iat", "nbf")
CHANGES_OF_MEANING = ("crit", "b64", "enc", "zip")
"""Header fields after which a token is no longer what it looks like."""

# The order counts: the first class that fits gives the reason.
REASONS: Mapping[type[jwt.PyJWTError], str] = {
    jwt.ExpiredSignatureError: "expired",
    jwt.ImmatureSignatureError: "not_yet",
    jwt.InvalidIssuedAtError: "claims",
    jwt.InvalidIssuerError: "issuer",
    jwt.InvalidSignatureError: "signature",
    jwt.MissingRequiredClaimError: "claims",
}


class Verifier:
    """Knows one issuer and its keys."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._provider = provider_of(settings)
        self._keys = keys_of(settings)

    async def caller(self, token: str, source: Source, resource: str) -> Caller:
        """Who brings the token to `resource`; UnverifiedError where nobody does."""
        header, claims = parsed(token)
        if header.get("alg") != self._settings.auth_algorithm:
            raise UnverifiedError("algorithm")
        if any(name in header for name in CHANGES_OF_MEANING):
            raise UnverifiedError("header")
        key = await self._keys.find(_kid(header))
        if key is None:
            raise UnverifiedError("unknown_key")
        self._check_signature_and_times(token, key)
        _check_shape(claims)
        ours = frozenset(filter(None, (self._settings.audience, resource)))
        verified = Token(header=header, claims=claims, source=source, audiences=ours)
        return self._provider.caller(verified, self._settings)

    def _check_signature_and_times(self, token: str, key: Any) -> None:
        try:
            jwt.decode(
                token,
                key,
                algorithms=[self._settings.auth_algorithm],
                issuer=self._settings.auth_issuer,
                leeway=LEEWAY_SECONDS,
                # Who it is for depends on its kind, so `aud` is looked at after this.
                options={"require": ["exp", "iat", "iss", "sub"], "verify_aud": False},
            )
        except jwt.PyJWTError as error:
            reasons = (reason for kind, reason in REASONS.items() if isinstance(error, kind))
            raise UnverifiedError(next(reasons, "malformed")) from None
        except (TypeError, ValueError, OverflowError):  # of a claim that is no time at all
            raise UnverifiedError("claims") from None


def keys_of(settings: Settings) -> Keys:
    """Where the keys of the issuer come from; ConfigurationError where given ones are useless."""
    if settings.development_tokens:
        return OneKey(_pem_key(public_key(settings.data_folder), "RS256"))
    algorithm = settings.auth_algorithm
    if settings.auth_key:
        return OneKey(_pem_key(settings.auth_key, algorithm))
    if settings.auth_jwks:
        return KeySet(_given_key_set(settings.auth_jwks, algorithm))
    if settings.auth_jwks_url:
        return FetchedKeys(settings.auth_jwks_url, algorithm)
    issuer, provider = settings.auth_issuer, provider_of(settings)
    url = issuer.rstrip("/") + provider.document
    return FetchedKeys(url, algorithm, discovery_of=issuer if provider.discovers else "")


def _pem_key(pem: str, algorithm: str) -> Any:
    try:
        return jwt.get_algorithm_by_name(algorithm).prepare_key(pem)
    except (jwt.PyJWTError, ValueError, TypeError):
        raise ConfigurationError(
            f"AUTH_KEY is not a public key for {algorithm} (AUTH_ALGORITHM) as PEM."
        ) from None


def _given_key_set(text: str, algorithm: str) -> Mapping[str, jwt.PyJWK]:
    try:
        keys = usable_keys(json.loads(text), algorithm)
    except ValueError:
        keys = {}
    if not keys:
        raise ConfigurationError(
            f'AUTH_JWKS holds no key for {algorithm} (AUTH_ALGORITHM); it looks like {{"keys": […]}}.'
        )
    return keys


def parsed(token: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Header and claims of what looks like a token in every byte; nothing is verified yet."""
    if len(token) > LONGEST_TOKEN or not THREE_SEGMENTS.fullmatch(token):
        raise UnverifiedError("malformed")
    try:
        header, claims, _ = (_decoded(segment) for segment in token.split("."))
        return _object(header), _object(claims)
    except (ValueError, RecursionError):
        raise UnverifiedError("malformed") from None


def _decoded(segment: str) -> bytes:
    raw = base64.urlsafe_b64decode(segment + "=" * (-len(segment) % 4))
    if base64.urlsafe_b64encode(raw).rstrip(b"=").decode() != segment:
        raise binascii.Error("there is a second way to write it")
    return raw


def _object(raw: bytes) -> dict[str, Any]:
    value = json.loads(
        raw.decode("utf-8"), object_pairs_hook=_without_duplicates, parse_constant=_no_constant
    )
    if not isinstance(value, dict):
        raise ValueError("no object")
    return value


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a name is there twice")
    return value


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _kid(header: Mapping[str, Any]) -> str | None:
    kid = header.get("kid")
    if kid is not None and not isinstance(kid, str):
        raise UnverifiedError("header")
    return kid


def _check_shape(claims: Mapping[str, Any]) -> None:
    times = [claims[name] for name in TIMES if name in claims]
    subject = claims["sub"]
    if not all(isinstance(t, int | float) and not isinstance(t, bool) for t in times):
        raise UnverifiedError("claims")
    if not subject or len(subject) > LONGEST_SUBJECT or not subject.isprintable():
        raise UnverifiedError("claims")
