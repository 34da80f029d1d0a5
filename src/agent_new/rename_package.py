"""Rename the domain package in a folder: paths, Python by scope, and all other text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from .errors import AgentNewError
from .spelling import Spelling

PYTHON = (".py", ".pyi")
PROSE = (".md", ".rst", ".txt")
UNTOUCHED = ("uv.lock", ".copier-answers.yml")
"""Written again by others."""


class Renamed(NamedTuple):
    """What was done; names are relative to the folder."""

    touched: set[str]
    """Every name that was written, moved from or moved to."""
    rewritten: list[str]
    """Files, by their new names, whose text has changed."""
    unparsed: list[str]
    """Python that does not parse: moved where its folder moved, its text as it was."""


class Leftover(NamedTuple):
    """A line that still seems to name the package."""

    name: str
    number: int
    line: str


def rename_package(root: Path, names: Iterable[str], spelling: Spelling) -> Renamed:
    """Everything that is certain; nothing at all where a new name is taken."""
    there = [name for name in names if name not in UNTOUCHED and _is_file(root / name)]
    moves = {name: spelling.renamed_path(name) for name in there}
    _refuse_taken(root, moves)
    done = Renamed(set(), [], [])
    for name, new_name in moves.items():
        if name != new_name:
            (root / new_name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).rename(root / new_name)
            done.touched.update((name, new_name))
        _rewrite(root, new_name, spelling, done)
    _remove_empty_folders(root, (name for name, new in moves.items() if name != new))
    return done


def _refuse_taken(root: Path, moves: dict[str, str]) -> None:
    taken = sorted(
        new
        for name, new in moves.items()
        if name != new and (root / new).exists() and new not in moves
    ) + sorted(new for name, new in moves.items() if name != new and moves.get(new) == new)
    if taken:
        raise AgentNewError(
            f"These are there already, under the new name: {', '.join(dict.fromkeys(taken))}. Move "
            "them away, or choose another name. Nothing was changed."
        )


def _rewrite(root: Path, name: str, spelling: Spelling, done: Renamed) -> None:
    path = root / name
    if path.is_symlink():
        return
    before = path.read_bytes()
    try:
        after = _rewritten(name, before, spelling)
    except SyntaxError:
        done.unparsed.append(name)
        return
    if after != before:
        path.write_bytes(after)
        done.touched.add(name)
        done.rewritten.append(name)


def _rewritten(name: str, content: bytes, spelling: Spelling) -> bytes:
    mentions = any(old.encode() in content for old, _ in spelling.pairs)
    if not mentions or b"\0" in content:
        return content
    if name.endswith(PYTHON):
        return _python(content, spelling)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return content
    if name.rsplit("/", 1)[-1] == "pyproject.toml":
        return spelling.in_project_file(text).encode("utf-8")
    return spelling.in_prose(text).encode("utf-8")


def _python(content: bytes, spelling: Spelling) -> bytes:
    import libcst

    from .python_names import rename_in_python

    try:
        return rename_in_python(content, spelling)
    except (libcst.ParserSyntaxError, UnicodeDecodeError, RecursionError) as error:
        raise SyntaxError(str(error)) from error


def leftovers(root: Path, names: Iterable[str], spelling: Spelling) -> Iterator[Leftover]:
    """Lines that nobody can be sure of; the person looks at them."""
    for name in names:
        path = root / name
        if name.rsplit("/", 1)[-1] in UNTOUCHED or path.is_symlink() or not path.is_file():
            continue
        content = path.read_bytes()
        if b"\0" in content:
            continue
        for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), 1):
            if spelling.is_left_in(line, prose=name.endswith(PROSE)):
                yield Leftover(name, number, line.strip())


def members_of(package: Path) -> set[str]:
    """Modules of a package, and the names that its `__init__.py` offers."""
    import ast

    modules = {path.stem for path in package.glob("*.py")} | {
        path.name for path in package.glob("[a-z]*/") if (path / "__init__.py").is_file()
    }
    try:
        tree = ast.parse((package / "__init__.py").read_bytes())
    except (OSError, SyntaxError, ValueError):
        return modules - {"__init__"}
    names = {
        alias.asname or alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    } | {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    }
    return (modules | names) - {"__init__", "*"}


def _is_file(path: Path) -> bool:
    return path.is_symlink() or path.is_file()


def _remove_empty_folders(root: Path, names: Iterable[str]) -> None:
    above = {root / parent for name in names for parent in PurePosixPath(name).parents} - {root}
    for folder in sorted(above, reverse=True):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
