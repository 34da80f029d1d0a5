"""Which modules of the example the person's own files import, straight or through others."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from .retemplate import Sides

Needed = dict[str, str]
"""A file of the example, and the file that needs it."""


class Packages(NamedTuple):
    """Where the two packages of a project lie."""

    agent: str
    domain: str

    @property
    def domain_init(self) -> str:
        return f"packages/{self.domain}/src/{self.domain}/__init__.py"

    @property
    def catalog(self) -> str:
        return f"src/{self.agent}/tools/__init__.py"

    def module_of(self, path: str) -> str | None:
        """`src/demo/tools/a.py` is `demo.tools.a`."""
        for root, package in (("src", self.agent), (f"packages/{self.domain}/src", self.domain)):
            if path.startswith(f"{root}/{package}/"):
                inner = path.removeprefix(f"{root}/").removesuffix(".py").removesuffix("/__init__")
                return inner.replace("/", ".")
        return None

    def files_of(self, module: str) -> Iterator[str]:
        """Where a module of that name may be."""
        root = {self.agent: "src", self.domain: f"packages/{self.domain}/src"}.get(
            module.split(".", maxsplit=1)[0]
        )
        if root:
            path = f"{root}/{module.replace('.', '/')}"
            yield f"{path}.py"
            yield f"{path}/__init__.py"


def needed_by(roots: Iterable[str], sides: Sides, packages: Packages) -> Needed:
    """Files that the new render drops, or empties of a name, although `roots` import it."""
    needed: Needed = {}
    todo = list(roots)
    while todo:
        file = todo.pop()
        targets = [
            target
            for module, name in _imports(file, sides, packages)
            for target in _dropped(module, name, sides, packages)
        ]
        for target in (*targets, *_read_by(file, sides)):
            if target != file and target not in needed:
                needed[target] = file
                todo += [target] if target.endswith(".py") else []
    return needed


def _read_by(file: str, sides: Sides) -> Iterator[str]:
    """Data beside a module that names them, and what is said of those data."""
    folder = (sides.base / file).parent
    data = [
        path
        for path in (folder.iterdir() if folder.is_dir() else ())
        if path.suffix != ".py"
        and path.is_file()
        and not (sides.theirs / path.relative_to(sides.base)).exists()
    ]
    named = {n.value for n in ast.walk(_parsed(_path(file, sides))) if isinstance(n, ast.Constant)}
    if any(path.name in named for path in data):
        yield from (path.relative_to(sides.base).as_posix() for path in sorted(data))


def _dropped(module: str, name: str, sides: Sides, packages: Packages) -> Iterator[str]:
    for file in (*packages.files_of(f"{module}.{name}"), *packages.files_of(module)):
        if file == packages.catalog or not (sides.base / file).is_file():
            continue
        if not (sides.theirs / file).is_file():
            yield file
        elif name in _defined(sides.base / file) and name not in _defined(sides.theirs / file):
            if file == packages.domain_init:
                yield from _behind(name, sides.base / file, sides, packages)
            else:
                yield file


def _behind(name: str, init: Path, sides: Sides, packages: Packages) -> Iterator[str]:
    """The module from which the domain's `__init__` has the name."""
    for node in ast.walk(_parsed(init)):
        if isinstance(node, ast.ImportFrom) and any(
            name in (alias.asname, alias.name) for alias in node.names
        ):
            for file in packages.files_of(f"{packages.domain}.{node.module}"):
                if (sides.base / file).is_file() and not (sides.theirs / file).is_file():
                    yield file


def _imports(file: str, sides: Sides, packages: Packages) -> Iterator[tuple[str, str]]:
    """Module and name of everything that a file imports; an empty name is the module itself."""
    tree = _parsed(_path(file, sides))
    here = packages.module_of(file)
    modules = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                modules[alias.asname or alias.name] = alias.name
                yield alias.name, ""
        elif isinstance(node, ast.ImportFrom):
            module = _absolute(node, here, is_package=file.endswith("/__init__.py"))
            for alias in node.names:
                yield module, alias.name
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in modules:
            yield modules[ast.unparse(node.value)], node.attr


def _path(file: str, sides: Sides) -> Path:
    yours = sides.yours / file
    return yours if yours.is_file() else sides.base / file


def _absolute(node: ast.ImportFrom, here: str | None, *, is_package: bool) -> str:
    if not node.level or here is None:
        return node.module or ""
    steps = here.split(".")
    kept = steps[: len(steps) - node.level + is_package]
    return ".".join([*kept, *([node.module] if node.module else [])])


def _defined(path: Path) -> set[str]:
    """The names at the top level of a module."""
    names: set[str] = set()
    for node in _parsed(path).body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                names.add(node.name)
            case ast.Import() | ast.ImportFrom():
                names |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
            case ast.Assign() | ast.AnnAssign():
                names |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    return names


def _parsed(path: Path) -> ast.Module:
    try:
        return ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return ast.Module([], [])  # what it needs cannot be known
