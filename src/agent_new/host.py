"""The machine we run on: its git, its uv, its signals and child processes."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from .errors import AgentNewError

GRACE_SECONDS = 10
"""How long a child may take to end after it was asked to."""

_STOP_SIGNALS = [
    number for name in ("SIGTERM", "SIGHUP") if (number := getattr(signal, name, None)) is not None
]


@contextmanager
def undisturbed() -> Iterator[None]:
    """A second Ctrl-C does not interrupt the cleaning up after the first."""
    before = {n: signal.signal(n, signal.SIG_IGN) for n in (signal.SIGINT, *_STOP_SIGNALS)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def need_git() -> None:
    if shutil.which("git") is None:
        raise AgentNewError(
            "git was not found on PATH, and the template is read with it. Install git, then try again. "
            "Nothing was written."
        )


def git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Without the person's hooks: they are for their work, not for ours."""
    return run(["git", "-c", f"core.hooksPath={os.devnull}", "-C", str(folder), *arguments])


def uv_binary() -> str | None:
    """The uv beside this Python first: it is there although it may not be on PATH."""
    try:
        from uv import find_uv_bin

        return os.fspath(find_uv_bin())
    except (ImportError, FileNotFoundError):
        return shutil.which("uv")


def run(
    command: Sequence[str],
    environ: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run to the end; when we are stopped, the child is stopped too."""
    with subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
        env=environ,
    ) as child:
        try:
            stdout, stderr = child.communicate()
        except BaseException:
            stop(child)
            raise
    return subprocess.CompletedProcess(command, child.returncode, stdout, stderr)


def stop(child: subprocess.Popen[str]) -> None:
    with undisturbed():
        child.terminate()
        try:
            child.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            child.kill()


def python_environment() -> dict[str, str]:
    """For a child Python: what it prints is UTF-8, whatever the code page here."""
    return {**os.environ, "PYTHONIOENCODING": "utf-8"}


def this_python() -> str:
    return sys.executable
