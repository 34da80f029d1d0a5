"""The engine of `update`, `strip` and `rename`: render the old, render the new, let git merge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from .apply import apply
from .merge import Merged, merge
from .project import Project
from .questions import Answer
from .render import recorded_commit, render_into
from .render_apart import render_apart
from .repository import Repository, refuse_changes
from .source import Source
from .trees import tree_of, tree_with, write_tree_to


class Sides(NamedTuple):
    """The three versions of the project, as folders that a verb may change before the merge."""

    base: Path
    """The old render."""
    theirs: Path
    """The new render."""
    yours: Path
    """The person's files, as they were committed last."""
    names: list[str]
    """All of `yours`, relative to it."""


Prepare = Callable[[Sides], set[str]]
"""Changes the sides; the names of what it changed in `yours`."""


class Plan(NamedTuple):
    """A merge that is ready to be applied; nothing of the person's has been touched."""

    repository: Repository
    merged: Merged
    ref: str
    """What the project records as its template from now on."""

    def apply(self) -> list[str]:
        return apply(self.repository, self.merged)


def retemplate(
    project: Project,
    repository: Repository,
    source: Source,
    scratch: Path,
    answers: Mapping[str, Answer],
    *,
    ref: str,
    prepare: Prepare | None = None,
) -> Plan:
    """From the project's version and answers to `ref` and `answers`."""
    refuse_changes(repository)
    base, theirs = scratch / "base", scratch / "theirs"
    with render_apart(base, source, project.answers, project.ref):
        render_into(theirs, source, answers, ref)
    yours_tree = repository.head_tree
    if prepare:
        yours = scratch / "yours"
        names = write_tree_to(repository, yours_tree, yours)
        touched = prepare(Sides(base, theirs, yours, names))
        yours_tree = tree_with(repository, yours_tree, yours, touched)
    label = recorded_commit(theirs) or ref
    trees = (tree_of(repository, base), yours_tree, tree_of(repository, theirs))
    return Plan(repository, merge(repository, *trees, label), label)
