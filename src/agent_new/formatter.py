"""Format Python by the settings of the project that it is for, with the ruff beside this Python."""

from __future__ import annotations

import subprocess
from collections.abc import Collection
from pathlib import Path

from .errors import AgentNewError

_IMPORTS = ("check", "--select", "I")


def formatted(text: str, name: str, folder: Path) -> str:
    """`text` as the file `name` of the project in `folder`; ruff need not find the file there."""
    file = ("--stdin-filename", name, "-")
    return _ruff(folder, text, "format", *file).stdout if text.strip() else text


def sorted_and_formatted(text: str, name: str, folder: Path) -> str:
    """With its imports sorted, too."""
    file = ("--stdin-filename", name, "-")
    return formatted(_ruff(folder, text, *_IMPORTS, "--fix", *file).stdout, name, folder)


def is_tidy(text: str, name: str, folder: Path) -> bool:
    """Whether the formatter would leave it as it is."""
    try:
        return sorted_and_formatted(text, name, folder) == text
    except AgentNewError:
        return False  # it does not parse


def tidy_files(names: Collection[str], folder: Path) -> set[str]:
    """Which of these files the formatter would leave as they are."""
    if not names:
        return set()
    untidy = set()
    for line in _ruff(
        folder, "", "format", "--check", *names, accept=(0, 1, 2)
    ).stdout.splitlines():
        untidy.add(line.removeprefix("Would reformat: ").strip())
    concise = ("--output-format", "concise")
    for line in _ruff(
        folder, "", *_IMPORTS, *concise, *names, accept=(0, 1, 2)
    ).stdout.splitlines():
        untidy.add(line.split(":", 1)[0])
    return {*names} - untidy


def format_files(names: Collection[str], folder: Path) -> None:
    if names:
        _ruff(folder, "", *_IMPORTS, "--fix", *names, accept=(0, 1, 2))
        _ruff(folder, "", "format", *names, accept=(0, 1, 2))


def _ruff(
    folder: Path, text: str, verb: str, *words: str, accept: tuple[int, ...] = (0, 1)
) -> subprocess.CompletedProcess[str]:
    from ruff import find_ruff_bin

    done = subprocess.run(
        [find_ruff_bin(), verb, "--no-cache", "--quiet", *words]
        if "--check" not in words
        else [find_ruff_bin(), verb, "--no-cache", *words],
        cwd=folder,
        input=text,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode not in accept:
        raise AgentNewError(f"ruff could not format {folder}: {' '.join(done.stderr.split())}")
    return done
