"""Refusals are results: typed, advertised and intended."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict


class Refusal(BaseModel):
    """The agent will not answer, by a rule that it advertises."""

    model_config = ConfigDict(frozen=True)

    rule: str
    reason: str
    """Why, and what to ask instead."""
    detail: str | None = None
    """What in this question met the rule."""

    def as_text(self) -> str:
        """The refusal in words."""
        return f"{self.reason} ({self.detail})" if self.detail else self.reason


@dataclass(frozen=True, kw_only=True)
class RefusalRule:
    """One thing that the agent never does."""

    reason: str
    """What the caller is told: why, and the way out."""
    when: str
    """What the model is told: in which case to refuse by this rule."""
    example: str
    """A question that meets it; a test asks it."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A request as a refusal rule sees it: before any tool ran."""

    text: str = ""
    """The question in words; empty for a direct call."""
    tool: str | None = None
    args: Mapping[str, Any] = field(default_factory=dict)


Detected = tuple[str, str]
"""A rule and the detail that met it."""


@dataclass(frozen=True)
class Refusals:
    """The table of rules and the function that detects them."""

    rules: Mapping[str, RefusalRule]
    detect: Callable[[Asked], Detected | None]

    def check(self, asked: Asked) -> Refusal | None:
        """The refusal that `asked` meets, if it meets one; ValueError where that is no rule."""
        found = self.detect(asked)
        if found and found[0] not in self.rules:
            raise ValueError(f"detect() names {found[0]!r}; there are {', '.join(self.rules)}")
        return self.refuse(*found) if found else None

    def refuse(self, rule: str, detail: str | None = None) -> Refusal:
        """A refusal by a rule of the table; an unknown rule is a KeyError."""
        return Refusal(rule=rule, reason=self.rules[rule].reason, detail=detail)
