"""Make the tags of all releases from `releases.toml`: `python releases.py`.

A clone may come without tags, and a history may be written anew: a release is found by its commit,
else by the tree that this commit had. `--record` adds a release: the version in `pyproject.toml`,
at HEAD. Only the standard library: the build of a wheel runs this where nothing else is installed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent
RECORD = ROOT / "releases.toml"

# For a release whose commit is gone: always the same ones, so that everybody gets the same commit.
_MADE_AGAIN = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (
        ("NAME", "agent-new"),
        ("EMAIL", "agent-new@localhost"),
        ("DATE", "2000-01-01T00:00:00+00:00"),
    )
}

# Hooks and signing of whoever runs this are for their own work.
_NEUTRAL = ("-c", f"core.hooksPath={os.devnull}", "-c", "tag.gpgSign=false")


class Release(NamedTuple):
    """One released version of the template."""

    version: str
    commit: str
    tree: str
    """Hash of the commit's whole tree."""

    @property
    def tag(self) -> str:
        return f"v{self.version}"


class ReleaseError(Exception):
    pass


def recorded() -> list[Release]:
    """In the order in which they were made."""
    with RECORD.open("rb") as file:
        return [Release(**release) for release in tomllib.load(file).get("release", [])]


def make_tags(repository: Path) -> list[str]:
    """The tags that were missing in `repository`, which has the objects of this one."""
    there = set(_git(repository, "tag", "--list").split())
    missing = [release for release in recorded() if release.tag not in there]
    for release in missing:
        _git(repository, "tag", release.tag, _commit_of(release, repository))
    return [release.tag for release in missing]


def _commit_of(release: Release, repository: Path) -> str:
    if _tree_of(release.commit, repository) == release.tree:
        return release.commit
    for commit, tree in _history(repository):
        if tree == release.tree:
            return commit
    if not _is_there(release.tree, repository):
        raise ReleaseError(
            f"{release.tag} is not in this clone: neither the commit {release.commit} nor its tree. "
            "Fetch all of the history: `git fetch --unshallow`, in CI `fetch-depth: 0`."
        )
    words = ("commit-tree", release.tree, "-m", f"agent-new {release.version}")
    return _git(repository, *words, environ=_MADE_AGAIN)


def _history(repository: Path) -> Iterator[tuple[str, str]]:
    for line in _git(repository, "log", "--all", "--format=%H %T").splitlines():
        commit, tree = line.split()
        yield commit, tree


def _tree_of(commit: str, repository: Path) -> str | None:
    try:
        return _git(repository, "rev-parse", "--verify", "--quiet", f"{commit}^{{tree}}")
    except ReleaseError:
        return None


def _is_there(thing: str, repository: Path) -> bool:
    try:
        _git(repository, "cat-file", "-e", thing)
    except ReleaseError:
        return False
    return True


def record() -> Release:
    """Add HEAD as the release of the version that `pyproject.toml` names."""
    if _git(ROOT, "status", "--porcelain"):
        raise ReleaseError("There are changes that are in no commit. Commit them first.")
    with (ROOT / "pyproject.toml").open("rb") as file:
        version = tomllib.load(file)["project"]["version"]
    if version in {release.version for release in recorded()}:
        raise ReleaseError(f"{version} is recorded already. Raise the version first.")
    release = Release(
        version, _git(ROOT, "rev-parse", "HEAD"), _git(ROOT, "rev-parse", "HEAD^{tree}")
    )
    lines = "".join(f'{name} = "{value}"\n' for name, value in release._asdict().items())
    with RECORD.open("a", encoding="utf-8", newline="\n") as file:
        file.write(f"\n[[release]]\n{lines}")
    return release


def _git(repository: Path, *arguments: str, environ: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        ["git", *_NEUTRAL, "-C", str(repository), *arguments],
        env={**os.environ, **(environ or {})},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode != 0:
        raise ReleaseError(done.stderr.strip() or f"git {arguments[0]} ended with an error")
    return done.stdout.strip()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--record", action="store_true", help="add HEAD as a release first")
    parser.add_argument(
        "--repository", type=Path, default=ROOT, help="where the tags go; default: this repository"
    )
    wanted = parser.parse_args()
    try:
        if wanted.record:
            print(f"Recorded {record().tag} in {RECORD.name}; commit it.")
        made = make_tags(wanted.repository)
    except ReleaseError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"Made {', '.join(made)}." if made else "All tags are there.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
