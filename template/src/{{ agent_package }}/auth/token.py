"""What a verified token says, and where it came from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from .refused import UnverifiedError

Source = Literal["header", "cookie"]


@dataclass(frozen=True, kw_only=True)
class Token:
    """A token whose signature, issuer and times are right; its kind is not known yet."""

    header: Mapping[str, Any]
    claims: Mapping[str, Any]
    source: Source
    audiences: frozenset[str]
    """The names of this agent, one of which `aud` must hold where it counts."""

    @property
    def subject(self) -> str:
        """Who it is about; never empty."""
        return str(self.claims["sub"])

    @property
    def type(self) -> str:
        """`jwt`, or `at+jwt` for OAuth access tokens."""
        return str(self.header.get("typ") or "JWT").lower().removeprefix("application/")

    @property
    def is_for_us(self) -> bool:
        """Whether `aud` names this agent."""
        audience = self.claims.get("aud")
        named = [audience] if isinstance(audience, str) else audience
        return isinstance(named, list) and any(
            isinstance(name, str) and name in self.audiences for name in named
        )

    @property
    def scopes(self) -> frozenset[str]:
        """What the issuer lets the bearer do."""
        claimed = self.claims.get("scp") or self.claims.get("scope") or ""
        scopes = claimed.split() if isinstance(claimed, str) else claimed
        if not isinstance(scopes, list) or not all(isinstance(scope, str) for scope in scopes):
            raise UnverifiedError("claims")
        return frozenset(scopes)

    def text(self, claim: str) -> str | None:
        """A claim that is a text with something in it."""
        value = self.claims.get(claim)
        return value if isinstance(value, str) and value else None

    def need_header(self) -> None:
        """A cookie holds the session of a person and nothing else."""
        if self.source != "header":
            raise UnverifiedError("category")

    def need_audience(self) -> None:
        """Refuse what was issued for somebody else."""
        if not self.is_for_us:
            raise UnverifiedError("audience")
