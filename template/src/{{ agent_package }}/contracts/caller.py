"""Who is asking."""

from dataclasses import dataclass
from typing import Literal

CallerKind = Literal["session", "oauth", "machine", "local"]
"""A person at a browser, a program for a person, a program for itself, or this process."""


@dataclass(frozen=True, kw_only=True)
class Caller:
    """One authenticated party; `issuer` and `subject` together are unique, a display name is not."""

    issuer: str
    subject: str
    kind: CallerKind
    user_id: str | None = None
    """The person behind the call, where there is one."""
    scopes: frozenset[str] = frozenset()
    """What a program may do; people are not limited by scopes."""

    @property
    def owner(self) -> str:
        """The key under which everything of this caller is stored."""
        return f"{self.issuer}|{self.subject}"


LOCAL_CALLER = Caller(issuer="local", subject="anonymous", kind="local")
"""Everybody, while development is open to loopback peers."""

SCHEDULER = Caller(issuer="local", subject="scheduler", kind="local")
"""What starts jobs."""
