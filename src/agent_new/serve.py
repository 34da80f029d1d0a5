"""Run the new project's server in the foreground."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

from .errors import AgentNewError
from .host import stop, uv_binary
from .terminal import say

HOST = "127.0.0.1"
FIRST_PORT, LAST_PORT = 8000, 8099


def serve(project: Path) -> None:
    """Until Ctrl-C or SIGTERM; both end it cleanly."""
    port = _free_port()
    taken = "" if port == FIRST_PORT else f" (port {FIRST_PORT} is taken)"
    say(f"Serving on http://{HOST}:{port}{taken}. Ctrl-C stops it.")
    command = [uv_binary() or "uv", "run", "--no-sync", "uvicorn", "app:app"]
    server = subprocess.Popen(
        [*command, "--host", HOST, "--port", str(port)],
        cwd=project,
        stdout=sys.stderr,  # stdout is for our own result
        text=True,
        start_new_session=True,  # so that Ctrl-C reaches it once, through us
    )
    try:
        code = server.wait()
    except KeyboardInterrupt:
        stop(server)
        say("Stopped serving.")
        return
    raise AgentNewError(
        f"The server ended by itself with exit code {code}; its lines above tell why. "
        f"The project is in {project}."
    )


def _free_port() -> int:
    for port in range(FIRST_PORT, LAST_PORT + 1):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((HOST, port))
            except OSError:
                continue
            return port
    raise AgentNewError(
        f"All ports from {FIRST_PORT} to {LAST_PORT} are taken. Free one, then try again."
    )
