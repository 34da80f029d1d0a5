"""Format Python by the settings of the project that it is for, with the ruff beside this Python."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from .errors import AgentNewError
from .host import run

_IMPORTS = ("check", "--select", "I")


def tidy_files(names: Collection[str], folder: Path) -> set[str]:
    """Which of these files the formatter would leave as they are."""
    if not names or _are_tidy(names, folder):
        return {*names}
    return {name for name in names if _are_tidy([name], folder)}


def format_files(names: Collection[str], folder: Path) -> None:
    """One that does not parse stays as it is."""
    if names:
        _ruff(folder, *_IMPORTS, "--fix", *names)
        _ruff(folder, "format", *names)


def _are_tidy(names: Collection[str], folder: Path) -> bool:
    return not (_ruff(folder, "format", "--check", *names) or _ruff(folder, *_IMPORTS, *names))


def _ruff(folder: Path, verb: str, *words: str) -> int:
    """The exit code: its words differ from version to version."""
    from ruff import find_ruff_bin

    done = run([find_ruff_bin(), verb, "--no-cache", *words], folder=folder)
    if done.returncode not in (0, 1, 2):
        raise AgentNewError(
            f"ruff could not format {folder}: {' '.join(done.stderr.split())} "
            "Install agent-new again. Nothing was changed."
        )
    return done.returncode
