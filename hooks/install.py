"""Install a new project: `python hooks/install.py DEST`. No Python is ever downloaded for it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

# They would send the install to another environment than the project's own .venv.
OTHER_ENVIRONMENTS = ("VIRTUAL_ENV", "UV_PROJECT_ENVIRONMENT", "UV_PYTHON", "CONDA_PREFIX")


def main() -> int:
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that uv is stopped too
    project = Path(sys.argv[1])
    uv = find_uv()
    if uv is None:
        print("uv was not found. Install it (`pip install uv`), then try again.", file=sys.stderr)
        return 1
    done = subprocess.run(
        [uv, "sync", "--python", base_python(), "--no-python-downloads"],
        cwd=project,
        env={name: value for name, value in os.environ.items() if name not in OTHER_ENVIRONMENTS},
        stdout=sys.stderr,
        check=False,
    )
    if done.returncode == 0:
        print("Installed into .venv, versions in uv.lock.")
    return done.returncode


def find_uv() -> str | None:
    """The uv beside this Python, or the one on PATH."""
    try:
        from uv import find_uv_bin

        return os.fspath(find_uv_bin())
    except (ImportError, FileNotFoundError):
        return shutil.which("uv")


def base_python() -> str:
    """The Python behind a virtual environment: the project must outlive that environment."""
    return getattr(sys, "_base_executable", None) or sys.executable


if __name__ == "__main__":
    sys.exit(main())
