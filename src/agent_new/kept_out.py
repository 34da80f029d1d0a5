"""Whether git keeps a file with secrets out of every commit."""

from __future__ import annotations

import shutil
from pathlib import Path

from .host import git


def why_not_kept_out(project: Path, name: str) -> str | None:
    """What lets the file into a commit, and the way out; None where it is kept out."""
    if shutil.which("git") is None:
        return None
    said = git(project, "rev-parse", "--is-inside-work-tree")
    if said.returncode != 0:
        if not _has_repository(project):
            return None
        # one that git refuses to read, such as that of another owner, is a repository too
        return f"git does not tell whether it ignores `{name}`: {' '.join(said.stderr.split())}"
    if git(project, "ls-files", "--error-unmatch", "--", name).returncode == 0:
        return (
            f"git tracks `{name}`: run `git rm --cached {name}` and commit that; then replace "
            "every secret that stood in it, because the history keeps them"
        )
    if git(project, "check-ignore", "--quiet", "--", name).returncode != 0:
        return (
            f"git does not ignore `{name}`, so the next commit could hold it: add the line "
            f"`{name}` at the end of .gitignore"
        )
    return None


def _has_repository(project: Path) -> bool:
    return any((folder / ".git").exists() for folder in (project, *project.parents))
