"""Tokens of this machine, so that the whole way of a caller can be walked without an account."""

import os
import time
import uuid
from collections.abc import Sequence
from pathlib import Path

from ..auth_settings import DEVELOPMENT_ISSUER
from ..contracts import Caller
from ..settings import Settings
from .provider import Provider, bearer_scheme
from .token import Token

KEY_FILE = "dev-key.pem"


def new_token(
    settings: Settings, *, subject: str, minutes: int, scopes: Sequence[str] | None
) -> str:
    """A token of a person, or, with scopes, of a machine."""
    import jwt

    now = int(time.time())
    claims: dict[str, object] = {
        "iss": DEVELOPMENT_ISSUER,
        "sub": subject,
        "iat": now,
        "exp": now + minutes * 60,
    }
    claims |= {"sid": str(uuid.uuid4())} if scopes is None else {"scope": " ".join(scopes)}
    return jwt.encode(claims, private_key(settings.data_folder), algorithm="RS256")


def private_key(folder: Path) -> bytes:
    """The key of this machine as PEM, made when it is first needed."""
    from filelock import FileLock

    file = folder / KEY_FILE
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{file}.lock", timeout=30):
        if not file.exists():
            new = file.with_suffix(".new")
            new.unlink(missing_ok=True)
            with os.fdopen(os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as out:
                out.write(_new_key())
            new.replace(file)
    return file.read_bytes()


def public_key(folder: Path) -> str:
    """The other half of it as PEM."""
    from cryptography.hazmat.primitives import serialization

    key = serialization.load_pem_private_key(private_key(folder), password=None)
    form = (serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    return key.public_key().public_bytes(*form).decode()


def _new_key() -> bytes:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    return rsa.generate_private_key(public_exponent=65537, key_size=2048).private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def _caller(token: Token, _: Settings) -> Caller:
    if token.text("sid"):
        return Caller(
            issuer=DEVELOPMENT_ISSUER,
            subject=token.subject,
            kind="session",
            user_id=token.subject,
        )
    token.need_header()
    return Caller(
        issuer=DEVELOPMENT_ISSUER, subject=token.subject, kind="machine", scopes=token.scopes
    )


PROVIDER = Provider(caller=_caller, document="", security_scheme=bearer_scheme)
