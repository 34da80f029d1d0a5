"""What may be the name of an agent or of a domain package. `includes/names.jinja` says the same."""

from __future__ import annotations

import re

from .reserved import COMMANDS, REASONS

SHORTEST, LONGEST = 2, 32  # an agent's name is a URN namespace: RFC 8141 allows 2 to 32 characters

_AGENT = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_PACKAGE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


def package_of(agent_name: str) -> str:
    return agent_name.replace("-", "_")


def distribution_of(package: str) -> str:
    return package.replace("_", "-")


def agent_name_problem(name: str) -> str | None:
    if not _AGENT.fullmatch(name):
        example = _nearest(name, "-") or "my-agent"
        return (
            f"Use small letters, digits and single hyphens, and start with a letter, "
            f"for example {example}."
        )
    if problem := _length_problem(name):
        return problem
    if name in COMMANDS:
        return f"It is a command of agent-new. Try {name}-agent."
    if reason := REASONS.get(package_of(name)):
        return f"It is {reason}. Try {name}-agent."
    return None


def domain_package_problem(name: str) -> str | None:
    if not _PACKAGE.fullmatch(name):
        example = _nearest(name, "_") or "palmer_penguins"
        return (
            f"Use small letters, digits and single underscores, and start with a letter, "
            f"for example {example}."
        )
    if problem := _length_problem(name):
        return problem
    if reason := REASONS.get(name):
        return f"It is {reason}. Try {name}_data."
    return None


def clash_problem(domain_package: str, agent_name: str) -> str | None:
    if domain_package != package_of(agent_name):
        return None
    return f"It is also the package of the agent {agent_name}. Try {domain_package}_data."


def _length_problem(name: str) -> str | None:
    if SHORTEST <= len(name) <= LONGEST:
        return None
    return f"Use {SHORTEST} to {LONGEST} characters; this has {len(name)}."


def _nearest(name: str, joiner: str) -> str | None:
    """A name that would do, made from the one that will not; only a suggestion."""
    words = re.findall(r"[a-z0-9]+", name.lower()) if name.isascii() else []
    near = joiner.join(words).lstrip(f"0123456789{joiner}")
    return near if SHORTEST <= len(near) <= LONGEST and package_of(near) not in REASONS else None
