"""What the scheduler starts."""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .tool_spec import Catalog
from .turn import Reply

_FIELD = r"(\*|[\d,/*-]+)"
_SCHEDULE = re.compile(rf"{_FIELD}( {_FIELD}){{4}}")


@dataclass(frozen=True, kw_only=True)
class JobContext:
    """What a job may use; whatever it asks and calls is logged under one context id."""

    skills: Catalog
    ask: Callable[[str], Awaitable[Reply]]
    """Ask the agent in words."""
    call: Callable[[str, Mapping[str, Any]], Awaitable[Reply]]
    """Call a skill by its name, without a model."""


@dataclass(frozen=True, kw_only=True)
class Job:
    """A job: its file, its function and the last part of its path bear one name."""

    function: Callable[[JobContext], Awaitable[str]]
    """Does the work and says in one line what was done; it raises where that failed."""
    schedule: str
    """Five fields as cron has them, in UTC: minute, hour, day, month, weekday."""

    def __post_init__(self) -> None:
        if not _SCHEDULE.fullmatch(self.schedule):
            raise ValueError(f"{self.name}: {self.schedule!r} is no schedule such as '0 6 * * *'")

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.function.__name__
