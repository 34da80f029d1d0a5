"""Write files all together: when one of them fails, none was written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from .errors import AgentNewError
from .host import undisturbed


def write_files(new: Mapping[Path, bytes], edited: Mapping[Path, tuple[bytes, bytes]]) -> None:
    """New files, never over one that is there; and edited ones, by what they held and will hold."""
    written: list[Path] = []
    rewritten: list[Path] = []
    try:
        for path, content in new.items():
            with path.open("xb") as file:
                written.append(path)
                file.write(content)
        for path, (before, after) in edited.items():
            if path.read_bytes() != before:
                raise AgentNewError(
                    f"{path} was changed meanwhile. Try again. Nothing was written."
                )
            rewritten.append(path)
            path.write_bytes(after)
    except BaseException as error:
        with undisturbed():
            for path in written:
                path.unlink(missing_ok=True)
            for path in rewritten:
                _restore(path, edited[path][0])
        if isinstance(error, OSError):
            raise AgentNewError(f"{error}. Nothing was written.") from error
        raise


def _restore(path: Path, content: bytes) -> None:
    try:
        if path.read_bytes() != content:
            path.write_bytes(content)
    except OSError as error:
        raise AgentNewError(
            f"{path} could not be brought back: {error}. `git diff` shows what it lost."
        ) from error
