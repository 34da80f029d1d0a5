"""Make a project's repository and first commit: `python hooks/git_init.py DEST`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

# The person's own hooks, ignore rules and signing are for their work, not for this first commit.
NEUTRAL = (
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", f"core.excludesFile={os.devnull}"),
    *("-c", "commit.gpgSign=false"),
    *("-c", "core.safecrlf=false"),
)
FALLBACK_NAME, FALLBACK_EMAIL = "agent-new", "agent-new@localhost"


class GitError(Exception):
    pass


def main() -> int:
    project = Path(sys.argv[1])
    if (project / ".git").exists():
        print("It is a git repository already; nothing was committed.")
        return 0
    try:
        print(first_commit(project))
    except (GitError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def first_commit(project: Path) -> str:
    git(project, "init", "--quiet", "--template=", "-b", "main")
    git(project, *NEUTRAL, "add", "--all")
    known = has_identity(project)
    identity = {} if known else fallback_identity()
    commit = ("commit", "--quiet", "--no-verify", "--no-gpg-sign", "-m", message(project))
    git(project, *NEUTRAL, *commit, environ=identity)
    short = git(project, "rev-parse", "--short", "HEAD")
    if known:
        return f"First commit {short} on main."
    return (
        f"First commit {short} on main, by {FALLBACK_NAME} <{FALLBACK_EMAIL}>: "
        "git has no user.name and user.email of yours."
    )


def message(project: Path) -> str:
    """Names the template's version, as the answers file recorded it."""
    answers = project / ".copier-answers.yml"
    text = answers.read_text(encoding="utf-8") if answers.is_file() else ""
    # YAML puts quotes around a commit that reads as a number.
    found = re.search(r"^_commit: '?([^'\s]+)'?$", text, flags=re.MULTILINE)
    version = re.sub(r"\Av(?=\d)", "", found[1]) if found else ""
    return f"Start from agent-new {version}".rstrip()


def has_identity(project: Path) -> bool:
    """Whether the person told git who they are; a name guessed from the host does not count."""
    try:
        for role in ("GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"):
            git(project, "-c", "user.useConfigOnly=true", "var", role)
    except GitError:
        return False
    return True


def fallback_identity() -> dict[str, str]:
    roles = ("AUTHOR", "COMMITTER")
    names = {f"GIT_{role}_NAME": FALLBACK_NAME for role in roles}
    return names | {f"GIT_{role}_EMAIL": FALLBACK_EMAIL for role in roles}


def git(project: Path, *arguments: str, environ: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        ["git", *arguments],
        cwd=project,
        env={**os.environ, **(environ or {})},
        text=True,
        encoding="utf-8",
        errors="replace",
        capture_output=True,
        check=False,
    )
    if done.returncode != 0:
        raise GitError(done.stderr.strip() or f"git {arguments[0]} ended with {done.returncode}")
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
