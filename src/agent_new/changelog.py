"""What changed in the template between two versions, from its changelog."""

from __future__ import annotations

import re

from .host import git
from .source import Source
from .versions import Version, number_of

_HEADING = re.compile(r"^## (?:v?(\d+(?:\.\d+)+).*|Unreleased.*)$", re.MULTILINE)


def changes_between(source: Source, present: Version, wanted: Version) -> str:
    """The sections above `present`, up to `wanted`; empty when there are none."""
    text = git(source.base, "show", f"{wanted.commit}:CHANGELOG.md").stdout
    sections = []
    for heading, section in _sections(text):
        unreleased = heading[1] is None
        number = number_of(heading[1] or "")
        if wanted.is_released and unreleased:
            continue
        if unreleased or present.number < number <= wanted.number:
            sections.append(section)
    return "\n\n".join(sections)


def _sections(text: str) -> list[tuple[re.Match[str], str]]:
    starts = list(_HEADING.finditer(text))
    ends = [start.start() for start in starts[1:]] + [len(text)]
    return [
        (start, text[start.start() : end].strip()) for start, end in zip(starts, ends, strict=True)
    ]
