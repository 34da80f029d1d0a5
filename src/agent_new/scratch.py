"""Folders that are gone again when the work is done or was stopped."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

from .host import undisturbed


@contextmanager
def scratch_folder(
    prefix: str = "agent-new-", suffix: str = "", parent: Path | None = None
) -> Iterator[Path]:
    """A new folder in `parent`; by default where the system keeps temporary files."""
    # named before it is made: a signal between the two finds the way to remove it
    folder = (parent or Path(tempfile.gettempdir())) / f"{prefix}{token_hex(8)}{suffix}"
    try:
        folder.mkdir(mode=0o700)
        yield folder
    finally:
        with undisturbed():
            shutil.rmtree(folder, ignore_errors=True)
