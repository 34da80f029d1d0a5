"""Put the outcome of a merge into the person's files and index; staged, never committed."""

from __future__ import annotations

import os
from collections.abc import Iterable

from .errors import AgentNewError
from .host import undisturbed
from .merge import Merged
from .repository import Repository
from .trees import gone, tree_in


def apply(repository: Repository, merged: Merged) -> list[str]:
    """What changed, as `git diff --name-status` says it, with paths from the project's folder."""
    head = repository.git("rev-parse", "HEAD^{tree}").strip()
    wanted = tree_in(repository, head, merged.tree)
    _refuse_to_overwrite(repository, head, wanted)
    with undisturbed():
        repository.git("read-tree", "-m", "-u", head, wanted)
        _mark_conflicts(repository, merged)
    return _changes(repository)


def _refuse_to_overwrite(repository: Repository, head: str, wanted: str) -> None:
    """git itself would write over an ignored file without a word."""
    diff = ("diff-tree", "-r", "-z", "--no-renames", "--name-only")
    added = repository.listed(*diff, "--diff-filter=A", head, wanted)
    leaving = set(repository.listed(*diff, "--diff-filter=D", head, wanted))
    if taken := sorted(_taken(repository, added, leaving)):
        raise AgentNewError(
            f"These files are in no commit, and the template brings its own: {', '.join(taken)}. "
            "Move them away, or commit them and run this again. Nothing was changed."
        )


def _taken(repository: Repository, added: Iterable[str], leaving: set[str]) -> set[str]:
    taken = set()
    for name in added:
        steps = name.split("/")
        for length in range(1, len(steps) + 1):
            step = "/".join(steps[:length])
            path = repository.top / step
            if not os.path.lexists(path):
                break
            if step in leaving or (path.is_dir() and not path.is_symlink() and length < len(steps)):
                continue
            taken.add(step)
            break
    return taken


def _mark_conflicts(repository: Repository, merged: Merged) -> None:
    lines = []
    for path, sides in merged.conflicts.items():
        name = f"{repository.prefix}{path}"
        lines.append(gone(name, merged.tree))
        lines += [f"{mode} {thing} {stage}\t{name}" for mode, thing, stage in sides]
    if lines:
        repository.index_info(lines)


def _changes(repository: Repository) -> list[str]:
    diff = (
        "diff",
        "--cached",
        "--name-status",
        "--find-renames",
        "--no-color",
        "--relative",
        "HEAD",
    )
    return repository.git(*diff, folder=repository.project).splitlines()
