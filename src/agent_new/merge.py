"""The merge of what the template changed with what the person changed; git does it, on trees."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from .render import ANSWERS_FILE
from .repository import YOURS, Repository
from .trees import entries_of, tree_but

# A file of the person stays where it is also when the template moves all of its own beside it.
_HOW = (
    *("-c", "merge.renames=true"),
    *("-c", "merge.directoryRenames=false"),
    *("-c", "merge.renameLimit=10000"),
)

BASE, OURS, THEIRS = "1", "2", "3"

Stage = tuple[str, str, str]
"""Mode, object and stage number of one side of a conflict."""


class Merged(NamedTuple):
    """What comes of it; paths are relative to the project."""

    tree: str
    conflicts: dict[str, list[Stage]]
    """Files with marks, or two versions of a file that cannot hold marks."""
    kept: list[str]
    """The template dropped them; the person had changed them, so they stay."""
    left_out: list[str]
    """The template changed them; the person had deleted them, so they stay away."""


def merge(repository: Repository, base: str, yours: str, theirs: str, label: str) -> Merged:
    """Three trees of the project; `label` names the template's side in conflict marks."""
    with _commits(repository, base, yours, theirs, label) as (ours_name, theirs_name):
        command = ("merge-tree", "--write-tree", "-z", "--no-messages", ours_name, theirs_name)
        output = repository.git(*_HOW, *command, accept=(0, 1))
    tree, *lines = output.split("\0")
    stages: dict[str, list[Stage]] = {}
    for line in lines:
        if line:
            facts, path = line.split("\t", 1)
            mode, thing, stage = facts.split(" ")
            stages.setdefault(path, []).append((mode, thing, stage))
    return _decided(repository, tree, yours, theirs, stages)


def _decided(
    repository: Repository, tree: str, yours: str, theirs: str, stages: dict[str, list[Stage]]
) -> Merged:
    merged = Merged(tree, {}, [], [])
    mine = entries_of(repository, yours)
    entries: dict[str, tuple[str, str] | None] = {
        ANSWERS_FILE: entries_of(repository, theirs)[ANSWERS_FILE]
    }
    for path, sides in sorted(stages.items()):
        numbers = {stage for _, _, stage in sides}
        if path == ANSWERS_FILE:
            continue
        if OURS in numbers and THEIRS in numbers:
            merged.conflicts[path] = sides
        elif OURS in numbers:
            merged.kept.append(path)
            entries[path] = mine.get(path) or next(
                (mode, thing) for mode, thing, stage in sides if stage == OURS
            )
        elif path in mine:
            merged.conflicts[path] = sides  # a folder of one side where the other has a file
        else:
            entries[path] = None
            merged.left_out.append(
                path.split("~agent-new_")[0]
            )  # git's name where yours is a folder
    return merged._replace(tree=tree_but(repository, tree, entries))


@contextmanager
def _commits(
    repository: Repository, base: str, yours: str, theirs: str, label: str
) -> Iterator[tuple[str, str]]:
    """Two commits on one base, under the names that the conflict marks will show."""
    start = _commit(repository, base)
    names = (YOURS, f"agent-new/{label}")
    for name, tree in zip(names, (yours, theirs), strict=True):
        commit = _commit(repository, tree, "-p", start)
        repository.git("update-ref", f"refs/{name}", commit)
    try:
        yield names
    finally:
        for name in names:
            repository.git("update-ref", "-d", f"refs/{name}")


def _commit(repository: Repository, tree: str, *parents: str) -> str:
    words = ("commit-tree", "--no-gpg-sign", tree, *parents, "-m", "agent-new")
    return repository.git(*words).strip()
