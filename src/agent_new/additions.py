"""Files that a verb adds to a project: all of them, or none."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from .errors import AgentNewError
from .formatter import format_files, tidy_files


class Additions(NamedTuple):
    """Texts by their names in the project."""

    new: Mapping[str, str]
    edited: Mapping[str, str]
    """Files that are there, as they are to be."""


def edited(root: Path, name: str, change: Callable[[str], str]) -> str:
    """The text of a file of the person, with this change."""
    import libcst

    try:
        before = (root / name).read_bytes().decode("utf-8")
        return change(before)
    except (OSError, UnicodeDecodeError) as error:
        raise AgentNewError(f"{name} cannot be read: {error}. Nothing was written.") from error
    except libcst.ParserSyntaxError as error:
        raise AgentNewError(
            f"{name} is no Python that parses (line {error.raw_line}). Mend it first. "
            "Nothing was written."
        ) from error


def written(root: Path, additions: Additions) -> None:
    """Formatted as the project is; whatever goes wrong, it is afterwards as it was before."""
    tidy = tidy_files([name for name in additions.edited if name.endswith(".py")], root)
    before = {name: (root / name).read_bytes() for name in additions.edited}
    made: list[Path] = []
    try:
        for name, text in additions.new.items():
            _write_new(root / name, text, made)
        for name, text in additions.edited.items():
            (root / name).write_bytes(text.encode("utf-8"))
        # only now: whether an import is the project's own is told by the files that are there
        format_files([*tidy, *(name for name in additions.new if name.endswith(".py"))], root)
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
