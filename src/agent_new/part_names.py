"""What may be the name of a tool or a job of a project."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from .errors import ProblemsError
from .project import Project
from .reserved import REASONS

LONGEST = 48
"""MCP clients cut longer names together with the name of the server."""

_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_VERBS = ("check", "compare", "count", "describe", "find", "get", "list", "read", "show")


def refuse_bad_name(name: str, project: Project, files: Iterable[str]) -> None:
    """All problems at once; `files` are those that would be written."""
    problems = [*_problems(name, project), *_taken(project.root, files)]
    if problems:
        raise ProblemsError([f"NAME is {name!r}. {problem}" for problem in problems])


def _problems(name: str, project: Project) -> Iterable[str]:
    if not _NAME.fullmatch(name):
        words = re.findall(r"[a-z0-9]+", name.lower())
        near = "_".join(words).lstrip("0123456789_")[:LONGEST].rstrip("_")
        yield (
            "Use small letters, digits and single underscores, and start with a letter, for example "
            f"{near if _NAME.fullmatch(near) and near not in REASONS else 'get_open_claims'}."
        )
    elif not 2 <= len(name) <= LONGEST:
        yield f"Use 2 to {LONGEST} characters; this has {len(name)}."
    if reason := REASONS.get(name):
        yield f"It is {reason}. Try get_{name}."
    if name in (project.agent_package, project.domain_package):
        yield f"It is the name of a package of this project. Try get_{name}."


def _taken(root: Path, files: Iterable[str]) -> Iterable[str]:
    for file in files:
        if (root / file).exists() or (root / file).is_symlink():
            yield f"{file} is there already. Choose another name."


def words_of(name: str) -> str:
    """`get_open_claims` is about `open_claims`."""
    verb, _, rest = name.partition("_")
    return rest if verb in _VERBS and rest else name


def title_of(name: str) -> str:
    return name.replace("_", " ").capitalize()


def camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))
