"""What may be the name of an agent or of a domain package. `includes/names.jinja` says the same."""

from __future__ import annotations

import re
from collections.abc import Callable

from .reserved import AGENT_PREFIXES, AGENT_REASONS, REASONS

SHORTEST, LONGEST = 2, 32  # an agent's name is a URN namespace: RFC 8141 allows 2 to 32 characters
LONGEST_PIECE = 48
"""Of the name of a tool or a job: it is a file, a function and a class."""

_AGENT = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_PACKAGE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")

PACKAGE_SHAPE = "Use small letters, digits and single underscores, and start with a letter."

_Verdict = Callable[[str], str | None]


def package_of(agent_name: str) -> str:
    return agent_name.replace("-", "_")


def distribution_of(package: str) -> str:
    return package.replace("_", "-")


def agent_name_problem(name: str) -> str | None:
    if limit := _agent_limit(name):
        return f"{limit} Try {_agent_name_like(name)}."
    return None


def domain_package_problem(name: str) -> str | None:
    if limit := _package_limit(name):
        return f"{limit} Try {_package_like(name, _package_limit)}."
    return None


def clash_problem(domain_package: str, agent_name: str) -> str | None:
    def limit(name: str) -> str | None:
        if name == package_of(agent_name):
            return f"It is also the package of the agent {agent_name}."
        return _package_limit(name)

    if domain_package != package_of(agent_name):
        return None
    return f"{limit(domain_package)} Try {_package_like(domain_package, limit)}."


def piece_name_problem(name: str, kind: str, taken: _Verdict) -> str | None:
    """What is wrong with the name of a new tool or job, all of it; `taken` tells what it clashes with."""

    def limits(name: str) -> list[str]:
        shape = None if _PACKAGE.fullmatch(name) else PACKAGE_SHAPE
        reserved = f"It is {REASONS[name]}." if name in REASONS else None
        length = _length_limit(name, LONGEST_PIECE)
        return [limit for limit in (shape, length, reserved, taken(name)) if limit]

    found = limits(name)
    if not found:
        return None

    def first(name: str) -> str | None:
        return next(iter(limits(name)), None)

    numbered = (f"my_{kind}_{n}" for n in range(1, 1000))
    near = _suggestion(name, "_", kind, first, LONGEST_PIECE) or next(
        other for other in (f"my_{kind}", *numbered) if not limits(other)
    )
    return f"{' '.join(found)} Try {near}."


def _agent_limit(name: str) -> str | None:
    if not _AGENT.fullmatch(name):
        return "Use small letters, digits and single hyphens, and start with a letter."
    if limit := _length_limit(name):
        return limit
    package = package_of(name)
    if reason := AGENT_REASONS.get(package):
        return f"It is {reason}."
    for prefix, reason in AGENT_PREFIXES.items():
        if package.startswith(prefix):
            return f"{reason}."
    return None


def _package_limit(name: str) -> str | None:
    if not _PACKAGE.fullmatch(name):
        return PACKAGE_SHAPE
    if limit := _length_limit(name):
        return limit
    if reason := REASONS.get(name):
        return f"It is {reason}."
    return None


def _length_limit(name: str, longest: int = LONGEST) -> str | None:
    if SHORTEST <= len(name) <= longest:
        return None
    return f"Use {SHORTEST} to {longest} characters; this has {len(name)}."


def _agent_name_like(name: str) -> str:
    return _suggestion(name, "-", "agent", _agent_limit) or "my-agent"


def _package_like(name: str, limit: _Verdict) -> str:
    return _suggestion(name, "_", "data", limit) or "my_data"


def _suggestion(
    name: str, joiner: str, ending: str, limit: _Verdict, longest: int = LONGEST
) -> str | None:
    """A name that would do, made from the one that will not."""
    words = re.findall(r"[a-z0-9]+", name.lower()) if name.isascii() else []
    near = joiner.join(words).lstrip(f"0123456789{joiner}")
    shorter = near[: longest - len(joiner + ending)].rstrip(joiner)
    candidates = (near, f"{shorter}{joiner}{ending}", f"my{joiner}{shorter}") if near else ()
    return next((candidate for candidate in candidates if limit(candidate) is None), None)
