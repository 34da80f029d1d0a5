"""Whether the new project would lie in somebody's git repository."""

from __future__ import annotations

from pathlib import Path

from .host import git


def inside_repository(path: Path) -> bool:
    """An outer repository that ignores the project does not count."""
    folder = path if path.is_dir() else path.parent
    answer = git(folder, "rev-parse", "--is-inside-work-tree")
    # a repository of another owner is one too, although git refuses to look into it
    inside = answer.stdout.strip() == "true" or "dubious ownership" in answer.stderr
    return inside and git(folder, "check-ignore", "-q", str(path)).returncode != 0
