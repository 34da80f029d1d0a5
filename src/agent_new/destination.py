"""The folder that will hold the new project. Only `os`: this is asked before the first question."""

from __future__ import annotations

import os
import os.path

from .errors import UsageError


def refuse_taken(into: str, name: str) -> str:
    """The free place for the project; nothing that is there is ever written over."""
    parent = os.path.abspath(into)
    nearest = first_existing(parent)
    if not os.path.isdir(nearest):
        raise UsageError(
            f"{nearest} is a file, so nothing can be put into it. Give another --into."
        )
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise UsageError(f"{nearest} may not be written to. Give another folder with --into.")
    path = os.path.join(parent, name)
    if os.path.lexists(path) and not _is_empty_folder(path):
        raise UsageError(
            f"{path} is there already, and it is no empty folder. "
            "Give another NAME, or another --into."
        )
    return path


def first_existing(path: str) -> str:
    while not os.path.lexists(path):
        path = os.path.dirname(path)
    return path


def _is_empty_folder(path: str) -> bool:
    return os.path.isdir(path) and not os.path.islink(path) and not os.listdir(path)
