"""The page of errors has a heading for every message, and for nothing else."""

from __future__ import annotations

import re

from messages import messages
from support import ROOT

PAGE = (ROOT / "docs/reference/errors.md").read_text(encoding="utf-8")
HEADINGS = re.findall(r"^### (.+)$", PAGE, flags=re.MULTILINE)


def test_every_message_has_a_heading() -> None:
    missing = [m for m in messages() if not any(m[1].startswith(h) for h in HEADINGS)]

    assert missing == []


def test_every_heading_is_a_message_and_stands_there_once() -> None:
    texts = [text for _, text in messages()]

    assert [h for h in HEADINGS if not any(text.startswith(h) for text in texts)] == []
    assert len({*HEADINGS}) == len(HEADINGS)


def test_every_heading_says_what_to_do() -> None:
    parts = re.split(r"^###? .+$", PAGE, flags=re.MULTILINE)[1:]

    assert [part for part in parts if len(part.split()) < 3 and part.strip()] == []
