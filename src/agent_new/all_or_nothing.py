"""Keep what is made only when all of it is made."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .errors import AgentNewError
from .host import undisturbed


class Making:
    """Tells our folder from one that another program may put in the same place meanwhile."""

    def __init__(self) -> None:
        self._ours: tuple[int, int] | None = None

    def claim(self, folder: Path) -> None:
        """Call it before the folder is moved to its place: the identity moves with it."""
        self._ours = _identity(folder)

    def is_ours(self, folder: Path) -> bool:
        return folder.is_dir() and _identity(folder) == self._ours


@contextmanager
def all_or_nothing(path: Path) -> Iterator[Making]:
    """Whatever stops the making, the disk is afterwards as it was before."""
    was_there = path.is_dir()
    missing = [folder for folder in path.parents if not folder.exists()]
    making = Making()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield making
    except BaseException as error:
        with undisturbed():
            if making.is_ours(path):
                shutil.rmtree(path, ignore_errors=True)
            if was_there:
                path.mkdir(exist_ok=True)
            _remove_empty(missing)
        if isinstance(error, OSError):
            raise AgentNewError(f"{error}. What was made in this run was removed.") from error
        raise


def _identity(folder: Path) -> tuple[int, int]:
    status = folder.stat()
    return status.st_dev, status.st_ino


def _remove_empty(folders: list[Path]) -> None:
    for folder in folders:
        try:
            folder.rmdir()
        except FileNotFoundError:
            continue
        except OSError:
            return  # another program has put something into it
