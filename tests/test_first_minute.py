"""The person's first minute: the command, the project's tests, the server, the README's lines."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from uv import find_uv_bin

from support import hermetic, run
from walk import Walk, commands_under

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
    page = (project / "README.md").read_text(encoding="utf-8")
    with Walk(project, env) as walk:
        walk.serve("uv run uvicorn app:app")
        yield [walk.run(command) for command in commands_under("Ask it", page)]


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
    card, answered, refused, streamed, called, over_mcp, log = walked

    assert json.loads(card)["name"] == "Demo"
    assert "application/vnd.demo.citations+json" in answered
    assert "population_outside_data" in refused
    assert "5076.02 g" in answered
    assert streamed.count("data: ") == 4
    assert "artifactUpdate" in streamed
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
        ("a2a", "assistant", 4),
        ("a2a", "tool", 3),
        ("a2a", "user", 4),
        ("mcp", "tool", 1),
    ]
