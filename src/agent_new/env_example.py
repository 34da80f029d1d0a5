"""What `.env.example` says of the settings: which there are, and which are required when."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from .errors import AgentNewError

EXAMPLE = ".env.example"

_SETTING = re.compile(r"\s*(?:#\s*)?(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=")
_MARK = re.compile(r"\s*#\s*required( in production)?\.?\s*", re.IGNORECASE)


class Example(NamedTuple):
    """The names that `.env.example` has, and its marks."""

    names: frozenset[str]
    required: tuple[str, ...]
    """Without these the agent never does its work."""
    required_in_production: tuple[str, ...]
    problems: tuple[str, ...]
    """Marks that no setting follows, so that nobody would be told of it."""


def need_example(project: Path) -> Path:
    example = project / EXAMPLE
    if not example.is_file():
        raise AgentNewError(
            f"There is no {EXAMPLE} in {project}, and it says which settings there are. "
            f"Bring it back: `git checkout HEAD -- {EXAMPLE}`."
        )
    return example


def read_example(project: Path) -> Example:
    lines = need_example(project).read_text(encoding="utf-8", errors="replace").splitlines()
    marked = tuple(_marked(lines))
    return Example(
        names=frozenset(found[1] for line in lines if (found := _SETTING.match(line))),
        required=_unique(m.name for m in marked if not m.in_production),
        required_in_production=_unique(m.name for m in marked if m.in_production),
        problems=tuple(_lost_marks(lines)),
    )


class _Marked(NamedTuple):
    name: str
    in_production: bool


def _marked(lines: list[str]) -> Iterator[_Marked]:
    for above, line in pairwise(lines):
        if (mark := _MARK.fullmatch(above)) and (setting := _SETTING.match(line)):
            yield _Marked(setting[1], in_production=mark[1] is not None)


def _lost_marks(lines: list[str]) -> Iterator[str]:
    for number, (line, below) in enumerate(pairwise([*lines, ""]), start=1):
        if _MARK.fullmatch(line) and not _SETTING.match(below):
            yield (
                f"line {number} of {EXAMPLE} says that something is required, and there is no "
                "setting in the line below it: put it directly above one"
            )


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
