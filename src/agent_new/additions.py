"""Files that a verb adds to a project: all of them, or none."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from .errors import AgentNewError
from .formatter import is_tidy, sorted_and_formatted


class Additions(NamedTuple):
    """Texts by their names in the project."""

    new: Mapping[str, str]
    edited: Mapping[str, str]
    """Files that are there, as they are to be."""


def written(root: Path, additions: Additions) -> None:
    """New files first; whatever goes wrong, the project is afterwards as it was before."""
    before = {name: (root / name).read_bytes() for name in additions.edited}
    made: list[Path] = []
    try:
        for name, text in additions.new.items():
            _write_new(root / name, text, made)
        for name, text in additions.edited.items():
            (root / name).write_bytes(text.encode("utf-8"))
    except BaseException as error:
        for path in made:
            path.unlink(missing_ok=True)
        for name, content in before.items():
            (root / name).write_bytes(content)
        if isinstance(error, OSError):
            raise AgentNewError(f"{error}. What was written in this run was removed.") from error
        raise


def _write_new(path: Path, text: str, made: list[Path]) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    made.append(path)
    with os.fdopen(descriptor, "wb") as file:
        file.write(text.encode("utf-8"))


def as_python(root: Path, texts: Mapping[str, str]) -> dict[str, str]:
    """New Python files as the project's formatter would leave them."""
    return {name: sorted_and_formatted(text, name, root) for name, text in texts.items()}


def as_tidy_as_before(root: Path, name: str, text: str) -> str:
    """The person's file is only formatted where it was before."""
    before = (root / name).read_text(encoding="utf-8")
    return sorted_and_formatted(text, name, root) if is_tidy(before, name, root) else text
