"""Whether git keeps a file with secrets out of every commit."""

from __future__ import annotations

import shutil
from pathlib import Path

from .errors import AgentNewError
from .host import git


def why_not_kept_out(project: Path, name: str) -> str | None:
    """What lets the file into a commit, and the way out; None where it is kept out."""
    if not _in_repository(project):
        return None
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


def _in_repository(project: Path) -> bool:
    if shutil.which("git") is None:
        return False
    said = git(project, "rev-parse", "--is-inside-work-tree")
    if said.returncode == 0:
        return said.stdout.strip() == "true"
    # a repository that git refuses to read, such as that of another owner, is still one
    if any((folder / ".git").exists() for folder in (project, *project.parents)):
        reason = " ".join(said.stderr.split())
        raise AgentNewError(f"git cannot tell whether it ignores `.env`: {reason}")
    return False
