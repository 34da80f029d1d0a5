"""Folders as trees of git, and trees as folders; the person's index and files are not touched."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from .repository import Repository
from .scratch import scratch_folder


def tree_of(repository: Repository, folder: Path) -> str:
    """Every file of `folder`, ignored ones too: a render holds nothing but the template's."""
    with _index(repository, folder) as environ:
        repository.git(
            "add", "--all", "--force", "--sparse", "--", ".", environ=environ, folder=folder
        )
        return repository.git("write-tree", environ=environ).strip()


def write_tree_to(repository: Repository, tree: str, folder: Path) -> list[str]:
    """The files of `tree` in `folder`, as a checkout would write them; their names."""
    folder.mkdir(parents=True)
    with _index(repository, folder) as environ:
        repository.git("read-tree", tree, environ=environ)
        repository.git("checkout-index", "--all", "--quiet", environ=environ, folder=folder)
    return repository.listed("ls-tree", "-r", "-z", "--name-only", "--full-tree", tree)


def tree_with(repository: Repository, tree: str, folder: Path, touched: Iterable[str]) -> str:
    """`tree`, but with the files of these names as they are in `folder` now, or gone."""
    names = list(touched)
    if not names:
        return tree
    with _index(repository, folder) as environ:
        repository.git("read-tree", tree, environ=environ)
        there = [name for name in names if _is_file(folder / name)]
        _update_index(repository, environ, sorted({*names} - {*there}), "--force-remove")
        _update_index(repository, environ, there, "--add", "--replace")
        return repository.git("write-tree", environ=environ).strip()


def tree_but(
    repository: Repository, tree: str, entries: Mapping[str, tuple[str, str] | None]
) -> str:
    """`tree`, but with these entries (mode and object), and without those that are None."""
    if not entries:
        return tree
    with _index(repository, repository.top) as environ:
        repository.git("read-tree", tree, environ=environ)
        repository.index_info(
            (
                gone(path, tree) if entry is None else f"{entry[0]} {entry[1]} 0\t{path}"
                for path, entry in entries.items()
            ),
            environ,
        )
        return repository.git("write-tree", environ=environ).strip()


def tree_in(repository: Repository, outer: str, tree: str) -> str:
    """The tree `outer` of the whole repository, with the project's part replaced by `tree`."""
    if not repository.prefix:
        return tree
    with _index(repository, repository.top) as environ:
        repository.git("read-tree", outer, environ=environ)
        old = repository.listed("ls-files", "-z", "--", repository.prefix, environ=environ)
        repository.index_info((gone(path, tree) for path in old), environ)
        repository.git("read-tree", f"--prefix={repository.prefix}", tree, environ=environ)
        return repository.git("write-tree", environ=environ).strip()


def entries_of(repository: Repository, tree: str) -> dict[str, tuple[str, str]]:
    """Mode and object of every file in `tree`."""
    entries = {}
    for line in repository.listed("ls-tree", "-r", "-z", "--full-tree", tree):
        facts, path = line.split("\t", 1)
        mode, _, thing = facts.split(" ")
        entries[path] = (mode, thing)
    return entries


@contextmanager
def _index(repository: Repository, folder: Path) -> Iterator[Mapping[str, str]]:
    """An index of its own, with `folder` as the working tree."""
    with scratch_folder() as scratch:
        yield {
            "GIT_DIR": repository.git_folder,
            "GIT_WORK_TREE": str(folder),
            "GIT_INDEX_FILE": str(scratch / "index"),
        }


def _is_file(path: Path) -> bool:
    return path.is_symlink() or path.is_file()


def _update_index(
    repository: Repository, environ: Mapping[str, str], names: list[str], *how: str
) -> None:
    stdin = "".join(f"{name}\0" for name in names)
    command = ("update-index", *how, "-z", "--stdin")
    repository.git(*command, environ=environ, stdin=stdin, folder=Path(environ["GIT_WORK_TREE"]))


def gone(path: str, tree: str) -> str:
    """The line of `git update-index --index-info` that takes a path away."""
    return f"0 {'0' * len(tree)}\t{path}"
