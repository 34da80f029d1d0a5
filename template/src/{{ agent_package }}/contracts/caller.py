"""Who is asking."""

from dataclasses import dataclass
from typing import Literal

CallerKind = Literal["session", "oauth", "machine", "local"]
"""A person at a browser, a program for a person, a program for itself, or this process."""

UNLIMITED: tuple[CallerKind, ...] = ("session", "local")
"""People and this process are not limited by scopes."""


@dataclass(frozen=True, kw_only=True)
class Caller:
    """One authenticated party; `issuer` and `subject` together are unique, a display name is not."""

    issuer: str
    subject: str
    kind: CallerKind
    user_id: str | None = None
    """The person behind the call, where there is one."""
    scopes: frozenset[str] = frozenset()
    """What a program may do."""

    def may(self, scope: str) -> bool:
        """Whether it is allowed what needs `scope`; an empty one is needed for nothing."""
        return not scope or self.kind in UNLIMITED or scope in self.scopes

    @property
    def owner(self) -> str:
        """The key under which everything of this caller is stored."""
        return f"{self.issuer}|{self.subject}"


LOCAL_CALLER = Caller(issuer="local", subject="anonymous", kind="local")
"""Everybody, while development is open to loopback peers."""

SCHEDULER = Caller(issuer="local", subject="scheduler", kind="local")
"""What starts jobs."""
