"""What `strip` keeps of the example: what the person has changed, and what their files build on."""

from __future__ import annotations

import ast
import shutil
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from .errors import AgentNewError
from .formatter import formatted_as_before
from .needed import Packages, needed_by
from .retemplate import Sides

CHANGED = "you changed it"
SNAPSHOT = "tests/snapshots/system_prompt.md"


class WithoutExample:
    """Takes out of the new render's changes what is the person's by now."""

    def __init__(self, packages: Packages) -> None:
        self._packages = packages
        package = f"src/{packages.agent}"
        # parts of the example and parts of the person in one file: it goes whole, or stays whole
        self._whole = (f"{package}/refusals.py", f"{package}/prompt/system.md")
        self.kept: Mapping[str, str] = {}
        """What stays of the example, and why."""
        self.stale_snapshot = False
        """The prompt is neither that of the old render nor that of the new one."""

    def prepare(self, sides: Sides) -> set[str]:
        own = [name for name in sides.names if _is_changed(name, sides)]
        roots = [name for name in own if name.endswith(".py") and name not in self._entries]
        needed = needed_by(roots, sides, self._packages)
        self.kept = {
            **{name: f"{file} needs it" for name, file in needed.items()},
            **{name: CHANGED for name in own if self._is_example(name, sides)},
        }
        self.stale_snapshot = not {SNAPSHOT, *self._whole}.isdisjoint((*self.kept, *own))
        for name in (*self.kept, *([SNAPSHOT] if self.stale_snapshot else [])):
            _leave(name, sides)
        return {name for name in self._entries if self._take_out_entries(name, name in own, sides)}

    @property
    def _entries(self) -> tuple[str, str]:
        """Files that lose the example entry by entry."""
        return (self._packages.catalog, self._packages.domain_init)

    def _is_example(self, name: str, sides: Sides) -> bool:
        if name in self._whole:
            return _content(sides.base / name) != _content(sides.theirs / name)
        is_code = name.endswith(".py") and self._packages.module_of(name) is not None
        return is_code and (sides.base / name).is_file() and not (sides.theirs / name).is_file()

    def _take_out_entries(self, name: str, changed: bool, sides: Sides) -> bool:
        """Only where the file as a whole will not do; whether it was written."""
        from libcst import ParserSyntaxError

        from .catalog import remove_tools
        from .domain_names import remove_modules

        folder = PurePosixPath(name).parent
        keeps_some = any(PurePosixPath(kept).parent == folder for kept in self.kept)
        path = sides.yours / name
        if not path.is_file() or not (changed or keeps_some):
            return False
        gone = {
            file.stem
            for file in (sides.base / folder).glob("*.py")
            if not (sides.theirs / folder / file.name).is_file()
        }
        gone -= {
            PurePosixPath(kept).stem for kept in self.kept if PurePosixPath(kept).parent == folder
        }
        remove = remove_tools if name == self._packages.catalog else remove_modules
        before = path.read_bytes().decode("utf-8")
        try:
            text = remove(before, gone)
        except ParserSyntaxError as error:
            raise AgentNewError(
                f"{name} is no Python that parses (line {error.raw_line}). Mend it first. "
                "Nothing was changed."
            ) from error
        if not keeps_some:
            text = _with_docstring_of(sides.theirs / name, text, sides.base / name)
        text = formatted_as_before(before, text, path, sides.yours)
        path.write_text(text, encoding="utf-8", newline="")
        _leave(name, sides)
        return True


def _is_changed(name: str, sides: Sides) -> bool:
    """A file of the person's own, or one of the template that they have changed."""
    return _content(sides.yours / name) != _content(sides.base / name)


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _leave(name: str, sides: Sides) -> None:
    """The new render says nothing about this file."""
    if (sides.base / name).is_file():
        (sides.theirs / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(sides.base / name, sides.theirs / name)


def _with_docstring_of(new: Path, text: str, old: Path) -> str:
    before, after = _docstring(old), _docstring(new)
    return text.replace(before, after, 1) if before and after else text


def _docstring(path: Path) -> str:
    source = path.read_text(encoding="utf-8")
    first = next(iter(ast.parse(source).body), None)
    return ast.get_source_segment(source, first) or "" if isinstance(first, ast.Expr) else ""
