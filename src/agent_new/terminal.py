"""How we talk: progress and notes on stderr, results on stdout, questions only where one answers."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

# Set by build servers and by tools that run commands on their own: a question would wait for ever.
UNATTENDED = (
    "AI_AGENT",
    "AMP_CURRENT_THREAD_ID",
    "ANTIGRAVITY_AGENT",
    "AUGMENT_AGENT",
    "CI",
    "CLAUDECODE",
    "CLAUDE_CODE",
    "CLINE_ACTIVE",
    "CODEX_CI",
    "CODEX_SANDBOX",
    "CODEX_THREAD_ID",
    "COPILOT_CLI",
    "CURSOR_AGENT",
    "GEMINI_CLI",
    "GITHUB_ACTIONS",
    "GOOSE_TERMINAL",
    "OPENCODE",
    "OPENCODE_CLIENT",
)


def survive_any_encoding() -> None:
    """A code page that lacks a letter shows an escape for it; it never ends the command."""
    for stream, errors in (
        (sys.stdin, "surrogateescape"),
        (sys.stdout, "backslashreplace"),
        (sys.stderr, "backslashreplace"),
    ):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def is_terminal(stream: object) -> bool:
    return isinstance(stream, io.TextIOBase) and not stream.closed and stream.isatty()


def can_ask(environ: Mapping[str, str] = os.environ) -> bool:
    unattended = any(environ.get(name, "").lower() not in ("", "0", "false") for name in UNATTENDED)
    return is_terminal(sys.stdin) and is_terminal(sys.stdout) and not unattended


def say(line: str = "") -> None:
    """A line for the person who watches; stdout stays for results."""
    print(line, file=sys.stderr, flush=True)


@contextmanager
def step(doing: str) -> Iterator[None]:
    """Shows what goes on: a moving line on a terminal, a plain one elsewhere."""
    if not is_terminal(sys.stderr) or os.environ.get("TERM", "dumb") == "dumb":
        say(f"{doing} ...")
        yield
        return
    from rich.console import Console

    # "line" turns in ASCII; the usual one is not in every code page
    console = Console(stderr=True, highlight=False, markup=False)
    with console.status(f"{doing} ...", spinner="line"):
        yield
