"""Who is asking."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Caller:
    """One authenticated party; `issuer` and `subject` together are unique, a display name is not."""

    issuer: str
    subject: str
    user_id: str | None = None
    """The person behind the call, where there is one."""

    @property
    def owner(self) -> str:
        """The key under which everything of this caller is stored."""
        return f"{self.issuer}|{self.subject}"


LOCAL_CALLER = Caller(issuer="local", subject="anonymous")
"""Everybody, while development is open to loopback peers."""
