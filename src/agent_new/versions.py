"""Which version of the template a project has, and which ones there are."""

from __future__ import annotations

import re
from typing import NamedTuple

from .errors import AgentNewError, UsageError
from .host import git
from .project import Project
from .source import TEMPLATE_PARTS, Source

Number = tuple[int, ...]
"""A version such as 0.3.0, in parts, so that versions compare."""


class Version(NamedTuple):
    """A state of the template."""

    ref: str
    commit: str
    number: Number

    @property
    def is_released(self) -> bool:
        return self.ref == f"v{'.'.join(map(str, self.number))}"


def version_of(project: Project, source: Source) -> Version:
    """The version that the project was made from, as the source knows it."""
    if not _is_ours(project.source, source.address):
        raise AgentNewError(
            f"This project was made from {project.source}, which is another template than that of "
            f"agent-new ({source.address}). Use `copier update` for it. Nothing was changed."
        )
    version = _version(source, project.ref)
    if version is None:
        raise AgentNewError(
            f"This project was made from {project.ref} of the template, which this agent-new does not "
            "know. Upgrade agent-new, or use `copier update`. Nothing was changed."
        )
    return version


def wanted_version(source: Source, tag: str | None) -> Version:
    """The one of `--to`, or that of this agent-new."""
    version = _version(source, tag or source.ref)
    if version is None:
        known = git(source.base, "tag", "--list", "v*", "--sort=version:refname").stdout.split()
        raise UsageError(
            f"There is no version {tag!r} of the template in this agent-new; it has "
            f"{', '.join(known)}. For a newer one, upgrade agent-new."
        )
    return version


def is_same(one: Version, other: Version, source: Source) -> bool:
    """Whether both render the same."""
    parts = ("diff", "--quiet", one.commit, other.commit, "--", *TEMPLATE_PARTS)
    return one.commit == other.commit or git(source.base, *parts).returncode == 0


def refuse_older(wanted: Version, present: Version, source: Source) -> None:
    ancestor = ("merge-base", "--is-ancestor", wanted.commit, present.commit)
    goes_back = git(source.base, *ancestor).returncode == 0
    if wanted.number < present.number or (goes_back and not is_same(wanted, present, source)):
        raise AgentNewError(
            f"This project is at {present.ref}, and {wanted.ref} is older. To go back, use the "
            "history of your repository; for a newer version, upgrade agent-new. Nothing was changed."
        )


def refuse_unrecordable(source: Source) -> None:
    if source.dirty:
        raise AgentNewError(
            f"{source.base} has changes that are in no commit, and a project can only be brought to "
            "a commit. Commit them first. Nothing was changed."
        )


def _version(source: Source, ref: str) -> Version | None:
    if ref.startswith("-"):
        return None
    for name in (ref, f"v{ref}"):
        commit = git(source.base, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
        if commit.returncode == 0:
            return Version(name, commit.stdout.strip(), _number(source, commit.stdout.strip()))
    return None


def _number(source: Source, commit: str) -> Number:
    questions = git(source.base, "show", f"{commit}:copier.yml").stdout
    found = re.search(
        r'^template_version:.*?default: "([0-9.]+)"', questions, re.DOTALL | re.MULTILINE
    )
    return number_of(found[1] if found else "")


def number_of(version: str) -> Number:
    return tuple(int(part) for part in version.split(".") if part)


_REMOTE = re.compile(r"(?!file:)(?:[a-z][a-z0-9+.-]+://|[\w.-]+@[\w.-]+:|gh:|gl:)", re.IGNORECASE)


def _is_ours(address: str, ours: str) -> bool:
    """Another spelling of the public address, or a folder: what it is, its commit will tell."""
    return _plain(address) == _plain(ours) or not _REMOTE.match(address)


def _plain(address: str) -> str:
    short = re.sub(
        r"\A(?:gh:|(?:https?|ssh|git)://(?:[^/@]*@)?github\.com/|git@github\.com:)", "", address
    )
    return short.removesuffix("/").removesuffix(".git").lower()
