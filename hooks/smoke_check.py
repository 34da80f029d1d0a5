"""Start a project's server, ask it for health and card, stop it: `python hooks/smoke_check.py DEST`."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HOST = "127.0.0.1"
START_SECONDS = 60
STOP_SECONDS = 10
SHOWN_LINES = 30

# Without the proxy of the environment: it knows no loopback address of ours.
_open = urllib.request.build_opener(urllib.request.ProxyHandler({})).open


class CheckError(Exception):
    pass


def main() -> int:
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the server is stopped too
    project = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="agent-new-check-", ignore_cleanup_errors=True) as data:
        log = Path(data) / "server.log"
        try:
            name = check(project, Path(data), log)
        except (CheckError, OSError) as error:
            print(f"The server did not answer as it should: {error}", file=sys.stderr)
            print_last_lines(log)
            return 1
    print(f"Its server answers: health is good, and the card says {name!r}.")
    return 0


def check(project: Path, data: Path, log: Path) -> str:
    """The name on the card of a server that is healthy."""
    port = free_port()
    with log.open("wb") as output, server(project, data, port, output) as process:
        wait_for_health(process, port)
        return card_name(port)


def wait_for_health(process: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise CheckError(f"it ended with exit code {process.returncode}")
        try:
            if get(port, "/api/health")[0] == 200:
                return
        except OSError:
            pass  # not listening yet, or not healthy yet
        time.sleep(0.1)
    raise CheckError(f"/api/health did not answer 200 within {START_SECONDS} seconds")


def card_name(port: int) -> str:
    path = "/.well-known/agent-card.json"
    try:
        card = json.loads(get(port, path)[1])
    except (OSError, ValueError) as error:
        raise CheckError(f"{path} is not a card: {error}") from error
    if not isinstance(card, dict) or not card.get("name"):
        raise CheckError(f"{path} has no name")
    return str(card["name"])


def get(port: int, path: str) -> tuple[int, bytes]:
    with _open(f"http://{HOST}:{port}{path}", timeout=10) as response:
        return response.status, response.read()


@contextmanager
def server(
    project: Path, data: Path, port: int, output: object
) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        [project_python(project), "-m", "uvicorn", "app:app", "--host", HOST, "--port", str(port)],
        cwd=project,
        env={
            **os.environ,
            "APP_ENV": "development",
            "DATABASE_URL": f"sqlite+aiosqlite:///{(data / 'agent.db').as_posix()}",
        },
        stdin=subprocess.DEVNULL,
        stdout=output,  # type: ignore[call-overload] # an open binary file
        stderr=subprocess.STDOUT,
    )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def project_python(project: Path) -> str:
    inside = "Scripts/python.exe" if os.name == "nt" else "bin/python"
    python = project / ".venv" / inside
    if not python.exists():
        raise CheckError("there is no .venv; run `uv sync` in the project first")
    return str(python)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def print_last_lines(log: Path) -> None:
    if log.is_file():
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        print("\n".join(lines[-SHOWN_LINES:]), file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
