"""The merge on generated work of both sides: what a person wrote stays, what they deleted is gone."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from hypothesis import event, given
from hypothesis import strategies as st

from agent_new.apply import apply
from agent_new.merge import Merged, merge
from agent_new.render import ANSWERS_FILE
from agent_new.repository import open_repository
from agent_new.trees import tree_of
from support import git

Lines = list[str]
Tree = dict[str, Lines]

NAMES = ("README.md", "src/a.py", "src/b.py", "src/deep/c.py", "docs/guide.md")
NEW_NAMES = ("own.py", "src/own.py", "docs/own/notes.md", "zebra.txt")
UNTRACKED = {"scratch.txt": "mine, in no commit\n", ".env": "TOKEN=secret\n"}

BASE: Tree = {
    ANSWERS_FILE: ["answer: 1"],
    ".gitignore": [".env"],
    **{name: [f"{name} line {n}" for n in range(12)] for name in NAMES},
}


class Edit(NamedTuple):
    """What one side does to one file; `at` counts lines of the base."""

    kind: str
    name: str
    at: int = 0
    to: str = ""


def edits(side: str) -> st.SearchStrategy[list[Edit]]:
    some = st.sampled_from(NAMES)
    lines = st.integers(0, 11)
    one = st.one_of(
        st.builds(Edit, st.sampled_from(["insert", "replace", "remove"]), some, lines),
        st.builds(Edit, st.just("delete"), some),
        st.builds(Edit, st.just("move"), some, st.just(0), st.sampled_from([f"{side}/moved.py"])),
        st.builds(Edit, st.just("add"), st.sampled_from(NEW_NAMES)),
    )
    return st.lists(one, max_size=6)


class Side(NamedTuple):
    """The base as one side has it, and which of its lines that side wrote or took out."""

    tree: Tree
    wrote: set[str]
    removed: set[str]
    deleted: set[str]


def changed(side: str, done: list[Edit]) -> Side:
    tree: Tree = {name: list(lines) for name, lines in BASE.items()}
    tree[ANSWERS_FILE] = [f"answer: {side}"] if side == "theirs" else tree[ANSWERS_FILE]
    where = {name: name for name in NAMES}
    wrote: set[str] = set()
    removed: set[str] = set()
    for number, edit in enumerate(done):
        name = where.get(edit.name, edit.name)
        word = f"{side} wrote {number}"
        if edit.kind == "add":
            tree[edit.name] = [word, *[f"{side} {number} filler {n}" for n in range(3)]]
        elif name not in tree:
            continue
        elif edit.kind == "delete":
            del tree[name]
        elif edit.kind == "move" and edit.to not in tree:
            tree[edit.to] = tree.pop(name)
            where[edit.name] = edit.to
        elif (line := f"{edit.name} line {edit.at}") in tree[name]:
            at = tree[name].index(line)
            if edit.kind == "insert":
                tree[name].insert(at, word)
            elif edit.kind == "replace":
                tree[name][at] = word
                removed.add(line)
            else:
                del tree[name][at]
                removed.add(line)
    for lines in tree.values():
        wrote |= {line for line in lines if line.startswith(f"{side} wrote")}
    return Side(tree, wrote, removed, {*NAMES} - {*tree})


def write(tree: Mapping[str, Lines], folder: Path) -> Path:
    for name, lines in tree.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("".join(f"{line}\n" for line in lines))
    return folder


class Outcome(NamedTuple):
    """The person's folder after it, and what was told."""

    files: dict[str, str]
    merged: Merged
    again: Merged | None
    """The same update once more, after it was committed; None where conflicts are open."""


def merged(yours: Tree, theirs: Tree) -> Outcome:
    scratch = Path(tempfile.mkdtemp())
    try:
        project = write(yours, scratch / "project")
        git(project, "init", "--quiet", "-b", "main")
        git(project, "add", "--all")
        git(project, "commit", "--quiet", "-m", "yours")
        for name, text in UNTRACKED.items():
            (project / name).write_text(text)
        repository = open_repository(project)
        base = tree_of(repository, write(BASE, scratch / "base"))
        new = tree_of(repository, write(theirs, scratch / "theirs"))
        outcome = merge(repository, base, repository.head_tree, new, "v2")
        apply(repository, outcome)
        again = None
        if not outcome.conflicts:
            git(project, "commit", "--quiet", "--allow-empty", "-m", "updated")
            again = merge(repository, new, repository.head_tree, new, "v2")
            assert again.tree == repository.head_tree
        files = {
            path.relative_to(project).as_posix(): path.read_text()
            for path in project.rglob("*")
            if path.is_file() and ".git" not in path.parts
        }
        assert git(project, "for-each-ref", "refs/agent-new") == ""
        return Outcome(files, outcome, again)
    finally:
        shutil.rmtree(scratch)


@given(mine=edits("yours"), its=edits("theirs"))
def test_whatever_both_sides_did_nothing_of_the_persons_is_lost(
    mine: list[Edit], its: list[Edit]
) -> None:
    yours, theirs = changed("yours", mine), changed("theirs", its)

    after = merged(yours.tree, theirs.tree)

    everything = "".join(after.files.values())
    event(f"conflicts: {bool(after.merged.conflicts)}")
    assert {line for line in yours.wrote if f"{line}\n" not in everything} == set()
    for name, text in UNTRACKED.items():
        assert after.files[name] == text
    for name in NEW_NAMES:
        if name in yours.tree and name not in theirs.tree:
            assert after.files[name].splitlines() == yours.tree[name]
    for name in yours.deleted - {*NEW_NAMES}:
        assert name not in after.files
    assert after.files[ANSWERS_FILE] == "answer: theirs\n"


@given(mine=edits("yours"), its=edits("theirs"))
def test_lines_that_the_person_took_out_stay_out_unless_a_conflict_shows_them(
    mine: list[Edit], its: list[Edit]
) -> None:
    yours, theirs = changed("yours", mine), changed("theirs", its)

    after = merged(yours.tree, theirs.tree)

    untold = "".join(
        text for name, text in after.files.items() if name not in after.merged.conflicts
    )
    assert {line for line in yours.removed if f"{line}\n" in untold} == set()


@given(its=edits("theirs"))
def test_without_work_of_the_person_it_is_the_new_render(its: list[Edit]) -> None:
    theirs = changed("theirs", its)

    after = merged(BASE, theirs.tree)

    expected = {name: "".join(f"{line}\n" for line in lines) for name, lines in theirs.tree.items()}
    assert after.files == expected | UNTRACKED
    assert not after.merged.conflicts
    assert not after.merged.kept
    assert not after.merged.left_out


@given(mine=edits("yours"))
def test_without_work_of_the_template_it_is_the_persons(mine: list[Edit]) -> None:
    yours = changed("yours", mine)

    after = merged(yours.tree, {**BASE, ANSWERS_FILE: ["answer: theirs"]})

    expected = {name: "".join(f"{line}\n" for line in lines) for name, lines in yours.tree.items()}
    assert after.files == expected | UNTRACKED | {ANSWERS_FILE: "answer: theirs\n"}
