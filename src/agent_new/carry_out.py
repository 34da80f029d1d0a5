"""Carry out a planned merge: test, apply, lock, test again; then say what happened."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from .environment import install_again, is_installed
from .errors import StoppedError
from .own_tests import Tested, own_tests
from .retemplate import Plan
from .terminal import say, step

LOCK = "uv.lock"
DONE, BROKEN, CONFLICTS = 0, 1, 3
_SHOWN = 20


class Deed(NamedTuple):
    """What the person is told of a verb."""

    did: str
    """For example `Updated to v0.3.0`."""
    commit: str
    """The message of the commit that would record it."""
    test: bool = True
    then: tuple[str, ...] = ()
    """More for the person to do or to know."""


def carry_out(plan: Plan, deed: Deed, finish: Callable[[], None] | None = None) -> int:
    """The exit code; `finish` makes files again that follow from others."""
    if plan.merged.conflicts:
        _tell(plan, deed, plan.apply())
        _tell_conflicts(plan)
        return CONFLICTS
    tests = deed.test and is_installed(plan.repository.project)
    before = _test(plan, "before") if tests else None
    changed = plan.apply()
    with _telling_the_way_back(plan):
        trouble = _lock(plan)
        if finish:
            finish()
        after = _test(plan, "after") if tests and not trouble else None
    _tell(plan, deed, changed)
    return _tell_end(plan, deed, trouble, before, after)


@contextmanager
def _telling_the_way_back(plan: Plan) -> Iterator[None]:
    """For whoever stops us from here on: the changes are in their files by now."""
    try:
        yield
    except KeyboardInterrupt as stopped:
        raise StoppedError(
            f"Stopped. The changes are staged, and nothing is committed. Undo: {undo(plan)}"
        ) from stopped


def _test(plan: Plan, when: str) -> Tested:
    with step(f"Running the project's own tests, {when}"):
        return own_tests(plan.repository.project)


def _lock(plan: Plan) -> str:
    repository = plan.repository
    if not (repository.project / LOCK).is_file():
        return ""
    with step("Locking"):
        trouble = install_again(repository.project)
    if repository.listed("ls-files", "-z", "--", f"{repository.prefix}{LOCK}"):
        repository.git("add", "--", f"{repository.prefix}{LOCK}")
    return trouble


def _tell(plan: Plan, deed: Deed, changed: list[str]) -> None:
    merged = plan.merged
    print(f"{deed.did}: {_files(len(changed))} changed, staged, nothing committed.")
    for path in merged.kept:
        print(f"  kept  {path}: you changed it, and the template has dropped it")
    for path in merged.left_out:
        print(f"  left out  {path}: you deleted it, and the template has changed it")
    for line in deed.then:
        print(line)


def _tell_conflicts(plan: Plan) -> None:
    paths = list(plan.merged.conflicts)
    print(f"\n{_files(len(paths))} {'has' if len(paths) == 1 else 'have'} conflicts:")
    for path in paths:
        print(f"  conflict  {path}")
    lock = "uv lock && " if (plan.repository.project / LOCK).is_file() else ""
    print(
        f"\nNext: edit each of them and `git add` it; then `{lock}uv run pytest`, and commit.\n"
        f"Undo: {undo(plan)}"
    )


def _tell_end(
    plan: Plan, deed: Deed, trouble: str, before: Tested | None, after: Tested | None
) -> int:
    print()
    code = DONE
    todo = []
    if trouble:
        say(trouble)
        print("The lock file could not be brought up to date; the reason stands above.")
        todo.append("uv sync")
    if before and after:
        code = _tell_tests(before, after)
    elif deed.test:
        todo.append("uv run pytest")
    todo += ["git diff --staged", f"git commit -m {shlex.quote(deed.commit)}"]
    print("Next:\n" + "\n".join(f"  {command}" for command in todo))
    print(f"Undo: {undo(plan)}")
    return code


def _tell_tests(before: Tested, after: Tested) -> int:
    if after.green:
        print(f"Its own tests are green: {after.passed} passed; before, {before.passed}.")
        return DONE
    if after.trouble:
        ran = "did not run before, and do not run now" if before.trouble else "do not run any more"
        print(f"Its own tests {ran}:\n{after.trouble}")
        return DONE if before.trouble else BROKEN
    broke = sorted(after.failed - before.failed)
    if not broke:
        print(f"{len(after.failed)} of its own tests fail, and all of them failed before.")
        return DONE
    print(f"This broke {len(broke)} of its own tests, which passed before or were not there:")
    for name in broke[:_SHOWN]:
        print(f"  {name}")
    if len(broke) > _SHOWN:
        print(f"  and {len(broke) - _SHOWN} more")
    return BROKEN


def undo(plan: Plan) -> str:
    """The command that brings everything back as it was."""
    if plan.repository.prefix:
        return "git restore --source=HEAD --staged --worktree ."
    return "git reset --hard"


def _files(number: int) -> str:
    return "1 file" if number == 1 else f"{number} files"
