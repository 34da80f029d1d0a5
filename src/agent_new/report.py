"""What was made, for a person and as JSON."""

from __future__ import annotations

import json
import os
import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from .host import uv_binary
from .questions import Answer


class Made(NamedTuple):
    """A finished project, and how far its making went."""

    path: Path
    answers: Mapping[str, Answer]
    agent_package: str
    source: str
    ref: str | None
    """None: rendered from a working tree with changes, so no update can find it."""
    installed: bool
    commit: str | None
    checked: bool | None
    """Whether its server answered; None: nobody looked."""


def next_commands(path: Path) -> list[str]:
    uv = "uv" if shutil.which("uv") else shlex.quote(uv_binary() or "uv")
    return [f"cd {shlex.quote(_from_here(path))}", f"{uv} run uvicorn app:app", f"{uv} run pytest"]


def as_text(made: Made) -> str:
    commands = "\n".join(f"  {command}" for command in next_commands(made.path))
    return f"Made {made.path}\n\nNext:\n{commands}"


def as_json(made: Made) -> str:
    return json.dumps(
        {
            "path": str(made.path),
            "agent_name": made.answers["agent_name"],
            "agent_package": made.agent_package,
            "domain_package": made.answers["domain_package"],
            "surfaces": made.answers["surfaces"],
            "template": {"src": made.source, "ref": made.ref},
            "installed": made.installed,
            "git": made.commit,
            "checked": made.checked,
            "next": next_commands(made.path),
        }
    )


def _from_here(path: Path) -> str:
    here = Path.cwd()
    return os.path.relpath(path, here) if path.is_relative_to(here) else str(path)
