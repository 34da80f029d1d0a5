"""Folders that are gone again when the work is done or was stopped."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .host import undisturbed


@contextmanager
def scratch_folder(
    prefix: str = "agent-new-", suffix: str = "", parent: Path | None = None
) -> Iterator[Path]:
    """A new folder in `parent`; by default where the system keeps temporary files."""
    folder = Path(tempfile.mkdtemp(prefix=prefix, suffix=suffix, dir=parent))
    try:
        yield folder
    finally:
        with undisturbed():
            shutil.rmtree(folder, ignore_errors=True)
