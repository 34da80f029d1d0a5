"""Signatures of the card (A2A 1.0, section 8.4), and the keys that verify them."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...settings import ConfigurationError, Settings

KEYS_PATH = "/.well-known/jwks.json"
SHORTEST_RSA = 2048
"""Bits."""
PEM = re.compile(r"-----BEGIN ([A-Z ]+)-----.+?-----END \1-----", re.DOTALL)
WRITE = (
    "Write private keys as PEM without a password, one after the other: "
    f"EC P-256, RSA of at least {SHORTEST_RSA} bits, or Ed25519."
)
THUMBPRINT_OF = {
    "EC": ("crv", "kty", "x", "y"),
    "RSA": ("e", "kty", "n"),
    "OKP": ("crv", "kty", "x"),
}
"""What makes a key the one that it is (RFC 7638), all of it public."""


@dataclass(frozen=True)
class SigningKey:
    """A private key, how it signs, and its public half as the key set shows it."""

    private: Any
    algorithm: str
    public: Mapping[str, str]


def signing_keys(settings: Settings) -> Sequence[SigningKey]:
    """The keys of CARD_SIGNING_KEYS; ConfigurationError where one cannot sign."""
    text = settings.card_signing_keys.get_secret_value().replace("\\n", "\n")
    if PEM.sub("", text).strip():
        raise ConfigurationError(f"CARD_SIGNING_KEYS: something in it is no key. {WRITE}")
    return [_key(found.group(), n) for n, found in enumerate(PEM.finditer(text), start=1)]


def key_set(keys: Sequence[SigningKey]) -> dict[str, Any]:
    """All keys in public: those that signed before, and those that will."""
    return {"keys": [dict(key.public) for key in keys]}


def signed(
    document: dict[str, Any],
    in_v1: Mapping[str, Any],
    keys: Sequence[SigningKey],
    settings: Settings,
) -> dict[str, Any]:
    """The card with its signatures by the first key; as it is where there is none.

    One is over the canonical form of A2A 1.0, the other over the document as it stands, for
    verifiers that know no form of their own.
    """
    if not keys:
        return document
    payloads = dict.fromkeys((_canonical(_without_empty(in_v1)), _canonical(document)))
    return {**document, "signatures": [_signature(keys[0], p, settings) for p in payloads]}


def _key(pem: str, number: int) -> SigningKey:
    # Loaded here, because few agents sign and all must start fast.
    from jwt import get_algorithm_by_name

    private = _loaded(pem)
    algorithm = _algorithm(private)
    if algorithm is None:
        raise ConfigurationError(f"CARD_SIGNING_KEYS: key {number} cannot be used. {WRITE}")
    jwk: Any = get_algorithm_by_name(algorithm).to_jwk(private.public_key(), as_dict=True)
    public = {name: jwk[name] for name in THUMBPRINT_OF[jwk["kty"]]}
    kid = _base64url(hashlib.sha256(_compact(public)).digest())
    return SigningKey(private, algorithm, {**public, "kid": kid, "use": "sig", "alg": algorithm})


def _loaded(pem: str) -> Any:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        return load_pem_private_key(pem.encode(), password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return None


def _algorithm(private: Any) -> str | None:
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

    match private:
        case ec.EllipticCurvePrivateKey(curve=ec.SECP256R1()):
            return "ES256"
        case rsa.RSAPrivateKey(key_size=bits) if bits >= SHORTEST_RSA:
            return "RS256"
        case ed25519.Ed25519PrivateKey():
            return "EdDSA"
        case _:
            return None


def _signature(key: SigningKey, payload: bytes, settings: Settings) -> dict[str, str]:
    header = {"alg": key.algorithm, "typ": "JOSE", "kid": key.public["kid"]}
    if settings.base_url.startswith("https:"):
        header["jku"] = settings.base_url + KEYS_PATH
    protected = _base64url(_compact(header))
    raw = _raw_signature(key, f"{protected}.{_base64url(payload)}".encode())
    return {"protected": protected, "signature": _base64url(raw)}


def _raw_signature(key: SigningKey, signed: bytes) -> bytes:
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.hashes import SHA256
    from jwt import get_algorithm_by_name
    from jwt.utils import der_to_raw_signature

    if key.algorithm != "ES256":
        return get_algorithm_by_name(key.algorithm).sign(signed, key.private)
    # Not by PyJWT, which draws a number for it: all instances shall agree on card and ETag.
    scheme = ec.ECDSA(SHA256(), deterministic_signing=True)
    return der_to_raw_signature(key.private.sign(signed, scheme), key.private.curve)


def _canonical(document: Any) -> bytes:
    import rfc8785

    # Every number as JSON knows it, so that an integer of any size has a form.
    return rfc8785.dumps(json.loads(json.dumps(document), parse_int=float))


def _without_empty(value: Any) -> Any:
    """Without what A2A takes for not there; None where nothing is left."""
    match value:
        case dict():
            kept = {name: _without_empty(item) for name, item in value.items()}
            return {name: item for name, item in kept.items() if item is not None} or None
        case list():
            return [item for item in map(_without_empty, value) if item is not None] or None
        case "":
            return None
        case _:
            return value


def _compact(value: Mapping[str, str]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _base64url(raw: bytes) -> str:
    from jwt.utils import base64url_encode

    return base64url_encode(raw).decode()
