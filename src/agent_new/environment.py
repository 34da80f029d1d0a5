"""A project's installed environment and its lock file."""

from __future__ import annotations

import os
from pathlib import Path

from .host import run, uv_binary

# They would send uv to another environment than the project's own .venv.
_OTHERS = (
    "VIRTUAL_ENV",
    "UV_PROJECT_ENVIRONMENT",
    "UV_PYTHON",
    "CONDA_PREFIX",
    "PYTHONPATH",
    "PYTHONHOME",
)


def project_python(project: Path) -> Path:
    inside = "Scripts/python.exe" if os.name == "nt" else "bin/python"
    return project / ".venv" / inside


def is_installed(project: Path) -> bool:
    return project_python(project).exists()


def own_variables() -> dict[str, str]:
    """The environment variables of a command that is to see this project's environment only."""
    return {name: value for name, value in os.environ.items() if name not in _OTHERS}


def install_again(project: Path) -> str:
    """Lock, and install where there is an environment; why it failed, or nothing."""
    verb = "sync" if is_installed(project) else "lock"
    command = [uv_binary() or "uv", verb, "--quiet", "--no-python-downloads"]
    try:
        done = run(command, own_variables(), folder=project)
    except OSError as error:
        return str(error)
    return done.stderr.strip() if done.returncode != 0 else ""
