"""The person's first minute: the command, the project's tests, the server, the README's lines."""

from __future__ import annotations

import json
import os
import re
import socket
import sqlite3
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from uv import find_uv_bin

from support import hermetic, run

pytestmark = pytest.mark.slow
Env = dict[str, str]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, checkout: Path) -> tuple[Path, Env]:
    """A project as `agent-new demo --defaults` leaves it, and the environment of its person."""
    here = tmp_path_factory.mktemp("person")
    env = hermetic(tmp_path_factory.mktemp("settings"), checkout)
    done = run(here, env, "demo", "--defaults", timeout=600)
    assert done.returncode == 0, done.stderr
    env["PATH"] = f"{Path(find_uv_bin()).parent}{os.pathsep}{env['PATH']}"
    del env["PYTHONPATH"]
    return here / "demo", env


@pytest.fixture(scope="module")
def walked(made: tuple[Path, Env]) -> Iterator[list[str]]:
    """What the lines of the README print, one entry a line, while the server runs."""
    project, env = made
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = ["uv", "run", "uvicorn", "app:app", "--port", str(port)]
    server = subprocess.Popen(command, cwd=project, env=env, stderr=subprocess.DEVNULL)
    try:
        wait_for(f"http://127.0.0.1:{port}/api/health")
        yield [
            subprocess.check_output(
                ["bash", "-c", line.replace("127.0.0.1:8000", f"127.0.0.1:{port}")],
                cwd=project,
                env=env,
                encoding="utf-8",
            )
            for line in readme_lines(project)
        ]
    finally:
        server.terminate()
        server.wait(timeout=30)


def test_the_tests_of_a_new_project_pass(made: tuple[Path, Env]) -> None:
    project, env = made

    done = subprocess.run(
        ["uv", "run", "pytest", "-q"],
        cwd=project,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout


def test_the_walk_of_the_readme_shows_what_it_says(
    made: tuple[Path, Env], walked: list[str]
) -> None:
    card, answered, refused, called, over_mcp, log = walked

    assert json.loads(card)["name"] == "Demo"
    assert "application/vnd.demo.citations+json" in answered
    assert "population_outside_data" in refused
    assert "5076.02 g" in answered
    assert json.loads(called)["result"]["task"]["status"]["state"] == "TASK_STATE_COMPLETED"
    assert json.loads(over_mcp)["result"]["structuredContent"]["citation"]["base"] == 123
    assert "FROM chat_messages" in log
    assert "refusal_rule=population_outside_data" in log
    assert 'tool_citation={"study"' in log


def test_the_log_has_every_step_of_the_walk(made: tuple[Path, Env], walked: list[str]) -> None:
    del walked
    with sqlite3.connect(made[0] / ".data" / "agent.db") as database:
        counted = database.execute(
            "SELECT surface, role, count(*) FROM chat_messages "
            "JOIN conversations USING (owner, context_id) GROUP BY 1, 2 ORDER BY 1, 2"
        ).fetchall()

    assert counted == [
        ("a2a", "assistant", 3),
        ("a2a", "tool", 2),
        ("a2a", "user", 3),
        ("mcp", "tool", 1),
    ]


def readme_lines(project: Path) -> list[str]:
    """The commands of the section that asks the running server."""
    readme = (project / "README.md").read_text(encoding="utf-8")
    section = readme.split("## Ask it", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"```sh\n(.*?)```", section, re.DOTALL)


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
