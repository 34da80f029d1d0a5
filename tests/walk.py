"""Walk a page as a newcomer does: its blocks in order, in one shell, with the server beside it.

What the fence of a block says decides what is done with it:

- `sh` runs in the shell; a `text` block after it shows lines of what it prints, `…` for anything;
- `sh server` starts the server, in place of the one that runs;
- a block with `title="…"` is a file, written whole, or, as `diff`, changed in one place.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Timer

FENCE = re.compile(r"^```(\w+)(?: ([^\n]*))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
USUAL = "127.0.0.1:8000"
END = "end-of-block"
BLOCK_SECONDS = 300
"""The rendered tests are the longest block."""


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, what else its fence says, and its text."""

    language: str
    info: str
    text: str

    @property
    def title(self) -> str | None:
        found = re.search(r'title="([^"]+)"', self.info)
        return found[1] if found else None


def blocks_of(page: str) -> list[Block]:
    return [Block(language, info or "", text) for language, info, text in FENCE.findall(page)]


@dataclass
class Walk:
    """A newcomer's terminal, and the server in another one."""

    folder: Path
    env: Mapping[str, str]
    instead: Mapping[str, str] = field(default_factory=dict)
    """What is written otherwise here than on the page, such as an address."""
    port: int = field(init=False)

    def __post_init__(self) -> None:
        self.port = free_port()
        self._server: subprocess.Popen[bytes] | None = None
        self._shell = subprocess.Popen(
            ["bash"],
            cwd=self.folder,
            env=self.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            start_new_session=True,
        )

    def __enter__(self) -> Walk:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop_server()
        assert self._shell.stdin
        assert self._shell.stdout
        with suppress(BrokenPipeError):
            self._shell.stdin.close()
        self._shell.wait(timeout=30)
        self._shell.stdout.close()

    def follow(self, page: str) -> None:
        """Every block of the page; each shows what the page says."""
        blocks = blocks_of(page)
        for number, block in enumerate(blocks):
            if block.title:
                self._write(block)
            elif block.language == "sh" and block.info == "server":
                self.serve(block.text)
            elif block.language == "sh":
                shown = blocks[number + 1] if number + 1 < len(blocks) else None
                said = self.run(block.text)
                if shown and shown.language == "text":
                    assert_shows(said, shown.text, block.text)

    def run(self, text: str) -> str:
        """What a block prints; its last line must succeed."""
        assert self._shell.stdin
        assert self._shell.stdout
        # In a group of its own input, so that no command reads the lines that come after it.
        self._shell.stdin.write(f"{{\n{self._here(text)}\n}} </dev/null; echo; echo {END} $?\n")
        self._shell.stdin.flush()
        too_long = Timer(BLOCK_SECONDS, os.killpg, (self._shell.pid, signal.SIGKILL))
        too_long.start()
        lines = [*self._until_end()] or ["nothing"]
        too_long.cancel()
        assert lines[-1] == f"{END} 0", f"{text}\n{''.join(lines)}"
        return "".join(lines[:-1])

    def serve(self, text: str) -> None:
        """Start the server by this command, in the folder where the shell is now."""
        self.stop_server()
        here = self.run("pwd").strip()
        command = f"exec {text.strip()} --port {self.port}"
        path = self.run('printf %s "$PATH"').strip()
        self._server = subprocess.Popen(
            ["bash", "-c", command], cwd=here, env={**self.env, "PATH": path},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        wait_for(f"http://127.0.0.1:{self.port}/api/health")

    def stop_server(self) -> None:
        if self._server:
            self._server.terminate()
            self._server.wait(timeout=30)
        self._server = None

    def _until_end(self) -> Iterator[str]:
        assert self._shell.stdout
        for line in self._shell.stdout:
            yield line.rstrip("\n") if line.startswith(END) else line
            if line.startswith(END):
                return

    def _write(self, block: Block) -> None:
        assert block.title
        path = Path(self.run("pwd").strip()) / block.title
        if block.language == "diff":
            path.write_text(changed(path.read_text(encoding="utf-8"), block.text), encoding="utf-8")
        else:
            path.write_text(self._here(block.text), encoding="utf-8")

    def _here(self, text: str) -> str:
        for usual, here in {USUAL: f"127.0.0.1:{self.port}", **self.instead}.items():
            text = text.replace(usual, here)
        return text


def changed(text: str, diff: str) -> str:
    """The text with each run of lines of the diff changed; a line of `…` stands between two."""
    for hunk in re.split(r"^…\n", diff, flags=re.MULTILINE):
        lines = hunk.splitlines(keepends=True)
        before = "".join(line[1:] or "\n" for line in lines if line[:1] != "+")
        after = "".join(line[1:] or "\n" for line in lines if line[:1] != "-")
        assert text.count(before) == 1, f"these lines are there {text.count(before)} times:\n{hunk}"
        text = text.replace(before, after)
    return text


def assert_shows(said: str, expected: str, command: str) -> None:
    """Each line of `expected` is in what was said, in this order; `…` stands for anything."""
    at = 0
    for line in expected.splitlines():
        pattern = ".*?".join(map(re.escape, line.split("…")))
        found = re.compile(pattern).search(said, at)
        assert found, f"{command}\ndoes not show: {line}\nbut:\n{said}"
        at = found.end()


def commands_under(heading: str, page: str) -> Sequence[str]:
    """The commands of one section."""
    section = page.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return [block.text for block in blocks_of(section) if block.language == "sh"]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(url: str) -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            urllib.request.urlopen(url, timeout=5).close()
        except OSError:
            assert time.monotonic() < deadline, f"{url} did not answer"
            time.sleep(0.1)
        else:
            return
