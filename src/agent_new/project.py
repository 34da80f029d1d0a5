"""The rendered project that a command works on: where it is and what it was made from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from .errors import AgentNewError, UsageError
from .names import package_of
from .questions import Answer
from .render import ANSWERS_FILE


class Project(NamedTuple):
    """A folder that agent-new or copier has rendered."""

    root: Path
    answers: Mapping[str, Answer]
    source: str
    """The address of its template."""
    ref: str
    """The tag or commit of the template that it was last rendered from."""

    @property
    def agent_package(self) -> str:
        return package_of(str(self.answers["agent_name"]))

    @property
    def domain_package(self) -> str:
        return str(self.answers["domain_package"])


def find_project(start: Path | None = None) -> Project:
    """The project of this folder, or of the nearest one above it."""
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        if (folder / ANSWERS_FILE).is_file():
            return _read(folder)
    raise UsageError(
        f"{here} is not in a project of agent-new: there is no {ANSWERS_FILE} in it or above it. "
        "Change into the project first."
    )


def _read(root: Path) -> Project:
    import yaml

    try:
        record = yaml.safe_load((root / ANSWERS_FILE).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        reason = " ".join(str(error).split())
        raise AgentNewError(
            f"{root / ANSWERS_FILE} cannot be read: {reason} "
            f"Bring it back: `git checkout HEAD -- {ANSWERS_FILE}`."
        ) from error
    missing = [
        name
        for name in ("_src_path", "_commit", "agent_name", "domain_package")
        if not isinstance(record, dict) or name not in record
    ]
    if missing:
        raise AgentNewError(
            f"{root / ANSWERS_FILE} does not say {', '.join(f'`{name}`' for name in missing)}, so "
            "nobody knows what this project was made from. Bring the file back from git; a project "
            "that was rendered from a folder without git cannot be updated."
        )
    answers = {key: value for key, value in record.items() if not key.startswith("_")}
    return Project(root, answers, str(record["_src_path"]), str(record["_commit"]))
