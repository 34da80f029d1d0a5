"""An issuer of tokens, and an agent in production that takes them."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx
import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from starlette.testclient import TestClient

ISSUER = "https://issuer.example.com"
PUBLIC = "https://agent.example.com"


@dataclass(frozen=True)
class Issuer:
    """An issuer of tokens with one key, whose tokens are right unless a test changes them."""

    key: rsa.RSAPrivateKey
    kid: str = "k1"

    @property
    def jwk(self) -> dict[str, Any]:
        public: dict[str, Any] = json.loads(
            jwt.algorithms.RSAAlgorithm.to_jwk(self.key.public_key())
        )
        return {**public, "kid": self.kid, "use": "sig", "alg": "RS256"}

    @property
    def key_set(self) -> str:
        return json.dumps({"keys": [self.jwk]})

    def sign(
        self,
        claims: dict[str, Any],
        header: dict[str, Any] | None = None,
        *,
        algorithm: str = "RS256",
    ) -> str:
        """A token with these claims beside the usual ones; a claim of None is left out."""
        now = int(time.time())
        usual = {"iss": ISSUER, "iat": now, "exp": now + 60}
        present = {name: v for name, v in {**usual, **claims}.items() if v is not None}
        return jwt.encode(
            present,
            self.key,
            algorithm=algorithm,
            headers={"kid": self.kid, **(header or {})},
        )

    def machine(self, header: dict[str, Any] | None = None, **claims: Any) -> str:
        """A program of its own, which may call."""
        return self.sign({"sub": "mch_1", "aud": PUBLIC, **claims}, header)

    def session(self, header: dict[str, Any] | None = None, **claims: Any) -> str:
        """A person at a browser."""
        return self.sign({"sub": "user_1", "sid": "sess_1", "azp": PUBLIC, **claims}, header)


@dataclass(frozen=True)
class Door:
    """An agent in production, which takes the tokens of `issuer`."""

    client: TestClient

    def post(self, token: str | None, path: str = "/api/a2a/jsonrpc", **headers: str) -> Any:
        """A small call with a token; without one where it is None."""
        sent = {"Authorization": f"Bearer {token}"} if token is not None else {}
        call = {"jsonrpc": "2.0", "id": 1, "method": "GetTask", "params": {"id": "none"}}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.post(path, json=call, headers={"A2A-Version": "1.0", **sent})

    def rpc(
        self, token: str, method: str, params: dict[str, Any], version: str = "1.0"
    ) -> dict[str, Any]:
        """One A2A call; the whole JSON-RPC response."""
        call = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        headers = {"Authorization": f"Bearer {token}", "A2A-Version": version}
        answer: dict[str, Any] = self.client.post(
            "/api/a2a/jsonrpc", json=call, headers=headers
        ).json()
        return answer

    def reason(self, token: str | None, path: str = "/api/a2a/jsonrpc", **headers: str) -> str:
        """Why a request is turned away; empty where it is let in."""
        response = self.post(token, path, **headers)
        if response.status_code == httpx.codes.OK:
            return ""
        reason: str = response.json()["error"]["data"]["reason"]
        return reason


OpenDoor = Callable[..., Door]
