"""A person at a terminal."""

from __future__ import annotations

import os
import select
import sys
import time
from pathlib import Path

import pytest
import yaml

from support import COMMAND

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

import pty

Env = dict[str, str]


class Terminal:
    """A pseudo-terminal with the command in it."""

    def __init__(self, cwd: Path, env: Env, *arguments: str) -> None:
        self.seen = ""
        self._pid, self._fd = pty.fork()
        if self._pid == 0:
            os.chdir(cwd)
            os.execve(COMMAND[0], [*COMMAND, *arguments], env)

    def wait_for(self, text: str) -> None:
        deadline = time.monotonic() + 20
        while text not in self.seen:
            assert time.monotonic() < deadline, self.seen
            if not self._read():
                assert text in self.seen, self.seen

    def type(self, text: str) -> None:
        os.write(self._fd, text.encode())

    def answer(self, question: str, text: str) -> None:
        self.wait_for(question)
        self.seen = ""
        self.type(text + "\r")

    def end(self) -> int:
        while self._read():
            pass
        os.close(self._fd)
        return os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])

    def _read(self) -> bool:
        assert select.select([self._fd], [], [], 20)[0], f"nothing comes after: {self.seen}"
        try:
            chunk = os.read(self._fd, 4096)
        except OSError:
            return False
        self.seen += chunk.decode(errors="replace")
        return bool(chunk)


def test_a_wrong_answer_is_asked_again_with_the_reason(here: Path, env: Env) -> None:
    terminal = Terminal(here, env, "--no-install", "--no-git")

    terminal.answer("Name of the agent: ", "Invoice Bot")
    terminal.answer("Try invoice-bot.", "invoice-bot")
    terminal.answer("Title that people see [Invoice Bot]: ", "Zoë's bot")
    terminal.answer("yes or no) [yes]: ", "perhaps")
    terminal.answer("Say yes or no", "no")
    terminal.answer("in one sentence [", "")
    terminal.answer("Organization that offers it [Example Organization]: ", "")
    terminal.answer("Web address", "nowhere")
    terminal.answer("Write a web address", "https://example.org/x")
    terminal.answer("domain code [palmer_penguins]: ", "invoice_bot")
    terminal.answer("also the package of the agent", "claims")
    terminal.answer("Study", "")
    terminal.answer("covers", "")
    terminal.answer("a2a-grpc, or none) [mcp, chat, cron]: ", "none")
    terminal.answer("(clerk, oidc) [clerk]: ", "none")
    terminal.answer("Choose from: clerk, oidc.", "oidc")
    terminal.wait_for("urn:invoice-bot:")

    assert terminal.end() == 0
    answers = (here / "invoice-bot/.copier-answers.yml").read_text(encoding="utf-8")
    recorded = yaml.safe_load(answers)
    assert recorded["title"] == "Zoë's bot"
    assert recorded["domain_package"] == "claims"
    assert recorded["organization_url"] == "https://example.org/x"
    assert (recorded["example"], recorded["surfaces"]) == (False, [])
    assert recorded["auth"] == "oidc"


def test_a_name_that_cannot_be_is_refused_before_anything_is_asked(here: Path, env: Env) -> None:
    terminal = Terminal(here, env, "class")

    assert terminal.end() == 2
    assert "a Python keyword" in terminal.seen
    assert "Title" not in terminal.seen


@pytest.mark.parametrize("arguments", [(), ("demo",), ("demo", "--no-git")])
@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["ctrl-c", "ctrl-d"])
def test_leaving_the_questions_writes_nothing(
    here: Path, env: Env, arguments: tuple[str, ...], key: str
) -> None:
    terminal = Terminal(here, env, *arguments)
    terminal.wait_for("Title" if arguments else "Name of the agent")
    terminal.type(key)

    assert terminal.end() == 130
    assert "Stopped. Nothing was written." in terminal.seen
    assert "Traceback" not in terminal.seen
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("variable", ["CI", "AI_AGENT", "CODEX_SANDBOX"])
def test_nothing_is_asked_when_a_tool_runs_the_command(here: Path, env: Env, variable: str) -> None:
    terminal = Terminal(here, env | {variable: "1"}, "demo")

    assert terminal.end() == 2
    assert "--data title=..." in terminal.seen


def test_given_answers_are_not_asked_again(here: Path, env: Env) -> None:
    terminal = Terminal(here, env, "demo", "-d", "title=T", "-d", "example=yes")
    terminal.wait_for("What it does")

    assert "Title" not in terminal.seen
    assert "example" not in terminal.seen
    terminal.type("\x03")
    assert terminal.end() == 130
