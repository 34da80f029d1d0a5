"""The person's git repository around a project."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from .errors import AgentNewError
from .host import git, need_git
from .render import ANSWERS_FILE

OLDEST_GIT = (2, 38)
"""The first git that merges trees without a working tree (`git merge-tree --write-tree`)."""

YOURS = "agent-new/yours"
"""How conflict marks name the person's side."""

_NEUTRAL = (
    *("-c", "core.quotePath=off"),
    *("-c", f"core.hooksPath={os.devnull}"),
    # what the person ignores everywhere is still a file of the template
    *("-c", f"core.excludesFile={os.devnull}"),
    *("-c", "core.safecrlf=false"),
    *("-c", "gc.auto=0"),
    *("-c", "submodule.recurse=false"),
)
_AUTHOR = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "agent-new"), ("EMAIL", "agent-new@localhost"))
}


class Repository(NamedTuple):
    """A repository with at least one commit, and the project's place in it."""

    project: Path
    top: Path
    prefix: str
    """The project's path in the repository: empty, or with `/` at the end."""
    git_folder: str
    """That of this working tree, where several share one repository."""

    def git(
        self,
        *arguments: str,
        environ: Mapping[str, str] | None = None,
        stdin: str = "",
        accept: tuple[int, ...] = (0,),
        folder: Path | None = None,
    ) -> str:
        """What git prints; `accept` are the exit codes that are no failure."""
        done = subprocess.run(
            ["git", *_NEUTRAL, *arguments],
            cwd=folder or self.top,
            env={**os.environ, **_AUTHOR, **(environ or {})},
            input=stdin.encode("utf-8", "surrogateescape"),
            capture_output=True,
            check=False,
        )
        if done.returncode not in accept:
            said = " ".join((done.stderr or done.stdout).decode("utf-8", "replace").split())
            raise AgentNewError(f"git {arguments[0]} failed: {said}. Nothing was changed.")
        return done.stdout.decode("utf-8", "surrogateescape")

    def listed(self, *arguments: str, environ: Mapping[str, str] | None = None) -> list[str]:
        """What a git command prints with `-z`, as a list."""
        return [item for item in self.git(*arguments, environ=environ).split("\0") if item]

    def index_info(self, lines: Iterable[str], environ: Mapping[str, str] | None = None) -> None:
        """Write entries into the index, each as `git update-index --index-info` reads it."""
        stdin = "".join(f"{line}\0" for line in lines)
        self.git("update-index", "-z", "--index-info", environ=environ, stdin=stdin)

    @property
    def head_tree(self) -> str:
        """The project's tree in the last commit."""
        name = f"HEAD:{self.prefix}" if self.prefix else "HEAD^{tree}"
        return self.git("rev-parse", "--verify", name.rstrip("/")).strip()


def open_repository(project: Path) -> Repository:
    need_git()
    _need_new_git()
    said = git(project, "rev-parse", "--show-prefix", "--show-toplevel", "--absolute-git-dir")
    if said.returncode != 0:
        raise AgentNewError(
            f"{project} is in no git repository, and git does the merge. Make one first: "
            "`git init && git add --all && git commit -m Start`."
        )
    prefix, top, git_folder = said.stdout.splitlines()
    if git(project, "rev-parse", "--verify", "--quiet", "HEAD").returncode != 0:
        raise AgentNewError(
            f"{top} has no commit yet, so nothing could be undone. Make one first: "
            "`git add --all && git commit -m Start`."
        )
    repository = Repository(project, Path(top), prefix, git_folder)
    _refuse_unresolved(repository)
    return repository


def _need_new_git() -> None:
    said = git(Path.cwd(), "version").stdout
    found = re.search(r"(\d+)\.(\d+)", said)
    if found and (int(found[1]), int(found[2])) < OLDEST_GIT:
        wanted = ".".join(map(str, OLDEST_GIT))
        raise AgentNewError(
            f"This needs git {wanted} or newer; here is {said.strip()}. Upgrade git, then try again. "
            "Nothing was changed."
        )


def _refuse_unresolved(repository: Repository) -> None:
    if unresolved := _unresolved(repository):
        raise AgentNewError(
            f"These files have conflicts that nobody has resolved yet: {', '.join(unresolved)}. "
            "Resolve them, then `git add` and commit them. Nothing was changed."
        )


def refuse_changes(repository: Repository) -> None:
    """Only a clean state can be told from what a command changes, and brought back."""
    here = repository.prefix or "."
    status = ("status", "--porcelain", "-z", "--untracked-files=no", "--no-renames")
    if changed := sorted({line[3:] for line in repository.listed(*status, "--", here)}):
        more = f" and {len(changed) - 5} more" if len(changed) > 5 else ""
        raise AgentNewError(
            f"There are changes that are in no commit: {', '.join(changed[:5])}{more}. Commit or "
            "stash them first, so that this can be undone. Nothing was changed."
        )
    answers = f"HEAD:{repository.prefix}{ANSWERS_FILE}"
    if git(repository.top, "cat-file", "-e", answers).returncode != 0:
        raise AgentNewError(
            f"{repository.project / ANSWERS_FILE} is in no commit. Commit the project first: "
            "`git add --all . && git commit`. Nothing was changed."
        )


def _unresolved(repository: Repository) -> list[str]:
    """In the index, or committed with our marks, or those of copier, still in them."""
    here = repository.prefix or "."
    unmerged = {line.split("\t", 1)[1] for line in repository.listed("ls-files", "-u", "-z")}
    marks = f"^<<<<<<< ({YOURS}|before updating)"
    search = ("grep", "--cached", "-l", "-z", "-I", "-E", marks, "--", here)
    found = repository.git(*search, accept=(0, 1)).split("\0")
    return sorted(unmerged | {name for name in found if name})
