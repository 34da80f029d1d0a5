"""The public keys of the issuer: given, or fetched and kept."""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import httpx
from jwt import PyJWK, PyJWTError

from .refused import NoKeysError

FRESH_SECONDS = 600.0
KEPT_SECONDS = 24 * 3600.0
"""Keys that cannot be fetched anew serve this long."""
PAUSE_SECONDS = 30.0
"""Between two fetches, whatever key a token names."""
FIRST_PAUSE_SECONDS = 5.0
"""The same while there are no keys at all."""
PATIENCE_SECONDS = 1.0
"""So long a caller with a known key waits for fresh ones."""
TIMEOUT_SECONDS = 5.0
MOST_BYTES = 256 * 1024
SHORTEST_RSA = 2048
KEY_TYPES = {"RS": "RSA", "PS": "RSA", "ES": "EC", "Ed": "OKP"}

logger = logging.getLogger(__name__)


class Keys(Protocol):
    """Where the verifier looks for keys."""

    async def find(self, kid: str | None) -> Any:
        """The key of that id or None; NoKeysError where nobody can tell."""


class OneKey:
    """The one key that there is, whatever a token calls it."""

    def __init__(self, key: Any) -> None:
        self._key = key

    async def find(self, kid: str | None) -> Any:
        """That key."""
        return self._key


class KeySet:
    """A key set that was given."""

    def __init__(self, keys: Mapping[str, PyJWK]) -> None:
        self._keys = keys

    async def find(self, kid: str | None) -> Any:
        """The key of that id."""
        return by_id(self._keys, kid)


class FetchedKeys:
    """Fetches a key set when it is needed: one fetch at a time, and never one for each token."""

    def __init__(
        self,
        url: str,
        algorithm: str,
        *,
        discovery_of: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """With `discovery_of` an issuer, `url` leads to its document, which names the key set."""
        self._url = url
        self._algorithm = algorithm
        self._issuer = discovery_of
        self._clock = clock
        self._keys: Mapping[str, PyJWK] = {}
        self._fetched_at = self._tried_at = float("-inf")
        self._fetching: asyncio.Task[None] | None = None
        self._failed = False

    async def find(self, kid: str | None) -> Any:
        """The key of that id; a new id and old keys are reasons to fetch."""
        if by_id(self._keys, kid) is None or self._age > KEPT_SECONDS:
            await self._refresh()
        elif self._age > FRESH_SECONDS:
            await self._refresh(PATIENCE_SECONDS)
        if self._age > KEPT_SECONDS:
            raise NoKeysError
        return by_id(self._keys, kid)

    @property
    def _age(self) -> float:
        return self._clock() - self._fetched_at

    async def _refresh(self, patience: float | None = None) -> None:
        if self._fetching is None:
            pause = PAUSE_SECONDS if self._keys else FIRST_PAUSE_SECONDS
            if self._clock() - self._tried_at < pause:
                return
            self._tried_at = self._clock()
            self._fetching = asyncio.create_task(self._fetch())
        await asyncio.wait([self._fetching], timeout=patience)

    async def _fetch(self) -> None:
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                keys = usable_keys(await self._key_set(), self._algorithm)
            if not keys:
                raise ValueError(f"no key in it is for {self._algorithm}")
            self._keys, self._fetched_at, self._failed = keys, self._clock(), False
        except Exception as error:  # network, JSON, keys: whatever it is, there are no new keys
            if not self._failed:
                self._failed = True
                said = str(error) if type(error) is ValueError else type(error).__name__
                logger.warning("The keys at %s are not to be had: %s", self._url, said)
        finally:
            self._fetching = None

    async def _key_set(self) -> object:
        async with httpx.AsyncClient(timeout=TIMEOUT_SECONDS, follow_redirects=False) as client:
            found = await _fetch_json(client, self._url)
            if not self._issuer:
                return found
            if not isinstance(found, dict) or found.get("issuer") != self._issuer:
                raise ValueError(f"it does not say that its issuer is {self._issuer}")
            url = found.get("jwks_uri")
            # No less safe than the address that names it.
            if not isinstance(url, str) or not url.startswith(("https:", self._url[:6])):
                raise ValueError("it names no key set")
            return await _fetch_json(client, url)


def by_id(keys: Mapping[str, PyJWK], kid: str | None) -> PyJWK | None:
    """The key of that id; without one, the only key that there is."""
    if kid is None:
        return next(iter(keys.values())) if len(keys) == 1 else None
    return keys.get(kid)


def usable_keys(key_set: object, algorithm: str) -> dict[str, PyJWK]:
    """Those keys of a set that verify signatures of `algorithm`, by their ids."""
    listed = key_set.get("keys") if isinstance(key_set, dict) else None
    if not isinstance(listed, list):
        raise ValueError("it is not a JSON Web Key Set")
    keys = (_usable(entry, algorithm) for entry in listed)
    return {key.key_id or "": key for key in keys if key}


def _usable(entry: Any, algorithm: str) -> PyJWK | None:
    try:
        key = PyJWK(entry, algorithm) if _fits(entry, algorithm) else None
    except (PyJWTError, ValueError, TypeError):
        return None
    too_short = key and entry["kty"] == "RSA" and key.key.key_size < SHORTEST_RSA
    return None if too_short else key


def _fits(entry: Any, algorithm: str) -> bool:
    return (
        isinstance(entry, dict)
        and entry.get("kty") == KEY_TYPES[algorithm[:2]]
        and entry.get("use", "sig") == "sig"
        and entry.get("alg", algorithm) == algorithm
        and "verify" in entry.get("key_ops", ["verify"])
        and isinstance(entry.get("kid", ""), str)
        and "d" not in entry  # a private key that was published proves nothing
    )


async def _fetch_json(client: httpx.AsyncClient, url: str) -> object:
    async with client.stream("GET", url, headers={"Accept-Encoding": "identity"}) as response:
        if response.status_code != httpx.codes.OK:
            raise ValueError(f"the answer has status {response.status_code}")
        body = bytearray()
        async for chunk in response.aiter_bytes():
            body += chunk
            if len(body) > MOST_BYTES:
                raise ValueError(f"the answer is larger than {MOST_BYTES} bytes")
    content: object = httpx.Response(200, content=bytes(body)).json()
    return content
