"""Python in the order and layout that a project's own settings ask for, by the ruff beside us."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

_SORT = ("check", "--select", "I", "--fix")
_LAY_OUT = ("format",)


def formatted(text: str, path: Path, project_root: Path) -> str:
    """The text as a file at `path`; as it was where ruff will not have it."""
    return _through(_LAY_OUT, _through(_SORT, text, path, project_root), path, project_root)


def formatted_as_before(before: str, after: str, path: Path, project_root: Path) -> str:
    """A file of the person, edited: sorted where it was sorted, laid out where it was laid out."""
    for how in (_SORT, _LAY_OUT):
        if _through(how, before, path, project_root) == before:
            after = _through(how, after, path, project_root)
    return after


def tidy(folder: Path, names: Iterable[str]) -> set[str]:
    """Which of these files a formatter would leave as they are."""
    names = list(names)
    if not names or _are_tidy(folder, names):
        return {*names}
    return {name for name in names if _are_tidy(folder, [name])}


def _are_tidy(folder: Path, names: list[str]) -> bool:
    """By the exit code: what ruff prints differs from version to version."""
    ruff = _ruff()
    commands = (("format", "--check"), ("check", "--select", "I"))
    return ruff is not None and all(
        subprocess.run(
            [ruff, *words, "--no-cache", *names], cwd=folder, capture_output=True, check=False
        ).returncode
        == 0
        for words in commands
    )


def format_files(folder: Path, names: Iterable[str]) -> None:
    names = list(names)
    ruff = _ruff()
    if ruff is not None and names:
        _run([ruff, *_SORT, "--quiet", *names], folder)
        _run([ruff, *_LAY_OUT, "--quiet", *names], folder)


def _through(how: tuple[str, ...], text: str, path: Path, folder: Path) -> str:
    ruff = _ruff()
    if ruff is None:
        return text
    command = [ruff, *how, "--quiet", "--stdin-filename", os.fspath(path), "-"]
    made = _run(command, folder, text)
    return made or text  # nothing comes back from what does not parse


def _run(command: list[str], folder: Path, text: str = "") -> str:
    # bytes, so that line ends stay as they are
    done = subprocess.run(
        [*command, "--no-cache"],
        cwd=folder,
        input=text.encode("utf-8"),
        capture_output=True,
        check=False,
    )
    return done.stdout.decode("utf-8", "replace")


def _ruff() -> str | None:
    """The one beside this Python first: it is there although it may not be on PATH."""
    try:
        from ruff import find_ruff_bin

        return str(find_ruff_bin())
    except (ImportError, FileNotFoundError):
        return shutil.which("ruff")
