"""The verb `update`: bring a project to a newer template, or change an answer of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from .carry_out import DONE, Deed, carry_out
from .changelog import changes_between
from .errors import UsageError
from .project import Project, find_project
from .questions import Answer
from .repository import open_repository
from .retemplate import Plan, retemplate
from .scratch import scratch_folder
from .source import Source, find_source
from .terminal import step
from .versions import (
    Version,
    is_same,
    refuse_older,
    refuse_unrecordable,
    version_of,
    wanted_version,
)

THERE_IS_ONE = 4


class Wanted(NamedTuple):
    """The command as it was typed."""

    given: Mapping[str, Answer]
    to: str | None = None
    check: bool = False
    test: bool = True


def update(wanted: Wanted) -> int:
    """The exit code."""
    project = find_project()
    answers = _answers(project, wanted.given)
    with scratch_folder() as scratch:
        source = find_source(scratch)
        refuse_unrecordable(source)
        present = version_of(project, source)
        newer = wanted_version(source, wanted.to)
        refuse_older(newer, present, source)
        is_new = not is_same(newer, present, source)
        if wanted.check:
            return _tell_check(source, present, newer, is_new)
        repository = open_repository(project.root)
        is_recorded = project.source == source.address
        if not is_new and answers == project.answers and is_recorded:
            print(f"Up to date: {project.root} is at {present.ref}.")
            return DONE
        with step("Rendering the old and the new version"):
            plan = retemplate(project, repository, source, scratch, answers, ref=newer.ref)
        if changes := changes_between(source, present, newer):
            print(f"{changes}\n")
        return carry_out(plan, _deed(plan, project, answers, is_new, wanted.test))


def _deed(
    plan: Plan, project: Project, answers: Mapping[str, Answer], is_new: bool, test: bool
) -> Deed:
    if is_new:
        return Deed(f"Updated to {plan.ref}", f"Update to agent-new {plan.ref}", test)
    said = _said(answers, project) or "the public address of the template"
    return Deed(f"Set {said}", f"Set {said}", test)


def _answers(project: Project, given: Mapping[str, Answer]) -> dict[str, Answer]:
    for key, way in (
        ("agent_name", "It is the identity of the agent; make a new project for another name."),
        ("domain_package", "Use `agent-new rename PACKAGE`, which changes your files too."),
    ):
        if given.get(key, project.answers[key]) != project.answers[key]:
            raise UsageError(
                f"`{key}` is {project.answers[key]!r}, and an update does not change it. {way}"
            )
    return {**project.answers, **given}


def _said(answers: Mapping[str, Answer], project: Project) -> str:
    return ", ".join(
        f"{key}={_plain(value)}"
        for key, value in answers.items()
        if project.answers.get(key) != value
    )


def _plain(value: Answer) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case list():
            return ",".join(value) or "none"
    return value


def _tell_check(source: Source, present: Version, newer: Version, is_new: bool) -> int:
    if not is_new:
        print(f"Up to date with {present.ref}.")
        return DONE
    print(f"There is an update: {present.ref} -> {newer.ref}. Run `agent-new update`.")
    if changes := changes_between(source, present, newer):
        print(f"\n{changes}")
    return THERE_IS_ONE
