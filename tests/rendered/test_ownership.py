"""Every file of a new repository is somebody's, by the table in its CLAUDE.md."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fnmatch import fnmatch
from pathlib import Path

from rendered.projects import Project

KINDS = ("YOURS", "SHARED", "the template's")
MADE_LATER = {"uv.lock"}  # by the first install


def entries_of(folder: Path) -> dict[str, str]:
    """Whose a path of this project is, by the pattern of the table that it fits."""
    guide = (folder / "CLAUDE.md").read_text(encoding="utf-8")
    section = guide.split("\n## Ownership\n", 1)[1].split("\n## ", 1)[0]
    rows = re.findall(r"^\| (.+?) \| (`.+`) \|$", section, re.MULTILINE)
    assert [whose.split(":")[0] for whose, _ in rows] == list(KINDS)
    listed = [
        (pattern, whose.split(":")[0])
        for whose, files in rows
        for pattern in re.findall(r"`([^`]+)`", files)
    ]
    assert len(dict(listed)) == len(listed), "an entry stands there twice"
    return dict(listed)


def entry_of(name: str, entries: Mapping[str, str]) -> str | None:
    """The longest entry that fits a path."""
    fitting = [e for e in entries if fnmatch(name, f"{e}*" if e.endswith("/") else e)]
    return max(fitting, key=len, default=None)


def test_every_file_is_covered_and_every_entry_has_a_file(project: Project) -> None:
    entries = entries_of(project.folder)
    names = [path.relative_to(project.folder).as_posix() for path in project.files()]

    covering = {name: entry_of(name, entries) for name in names}

    assert [name for name, entry in covering.items() if entry is None] == []
    assert set(entries) - set(covering.values()) - MADE_LATER == set()


def test_a_file_that_says_yours_is_yours_and_no_other_says_so(project: Project) -> None:
    entries = entries_of(project.folder)
    for path in project.files():
        name = path.relative_to(project.folder).as_posix()
        if path.read_text(encoding="utf-8").startswith('"""YOURS'):
            assert entries[entry_of(name, entries) or ""] == "YOURS", name


def test_what_the_guide_names_in_the_package_is_there(project: Project) -> None:
    guide = (project.folder / "CLAUDE.md").read_text(encoding="utf-8")
    table = guide.split("\n## Layout\n", 1)[1].split("\n## ", 1)[0]
    package = project.folder / "src" / project.package

    named = [
        n for row in re.findall(r"^\| (`.+?) \|", table, re.MULTILINE) for n in row.split(", ")
    ]
    there = {f"{p.name}/" if p.is_dir() else p.name for p in package.iterdir()} - {"__pycache__/"}

    assert {name.strip("`") for name in named} == there - {"__init__.py", "py.typed"}
