"""The environments of all rendered projects, each built once from what a project asks for."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock
from uv import find_uv_bin

from support import ROOT

CACHE = ROOT / ".cache"
SCRIPTS = "Scripts" if os.name == "nt" else "bin"


@dataclass(frozen=True)
class Environment:
    """An environment with the dependencies of a rendered project, but without the project."""

    folder: Path

    def script(self, name: str) -> str:
        return str(self.folder / SCRIPTS / (f"{name}.exe" if os.name == "nt" else name))

    @property
    def python(self) -> str:
        return self.script("python")

    @property
    def mypy_cache(self) -> Path:
        """Shared, because the libraries are the same for every variant."""
        return self.folder / "mypy_cache"


def environment_for(project: Path) -> Environment:
    """Build it where it is not there yet; the workers of one run wait for the first of them."""
    return environment_of(requirements(project))


def environment_of(wanted: list[str]) -> Environment:
    """An environment with these packages, built where it is not there yet."""
    key = json.dumps([wanted, sys.version_info[:2], sys.platform])
    name = f"rendered-env-{hashlib.sha256(key.encode()).hexdigest()[:16]}"
    CACHE.mkdir(exist_ok=True)
    with FileLock(CACHE / f"{name}.lock"):
        if not (CACHE / name / "complete").exists():
            _build(CACHE / name, wanted)
    return Environment(CACHE / name)


def requirements(project: Path) -> list[str]:
    """Dependencies and dev group as they are written, without the packages of the workspace."""
    with (project / "pyproject.toml").open("rb") as file:
        written = tomllib.load(file)
    own = set(written["tool"]["uv"]["sources"])
    listed = [*written["project"]["dependencies"], *written["dependency-groups"]["dev"]]
    return sorted(requirement for requirement in listed if requirement not in own)


def _build(folder: Path, wanted: list[str]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    uv = find_uv_bin()
    _run(uv, "venv", "--no-python-downloads", "--python", sys.executable, str(folder))
    _run(uv, "pip", "install", "--python", str(folder), *wanted)
    (folder / "complete").touch()


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
