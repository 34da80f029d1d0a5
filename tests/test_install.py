"""Install, check and serve, with a stand-in for uv; `test_whole.py` uses the real one."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest

from support import COMMAND, STOP_SIGNALS, git, run

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the stand-in is a script")
Env = dict[str, str]


def test_an_install_is_checked_and_its_lock_is_in_the_first_commit(
    here: Path, env_with_fake_uv: Env
) -> None:
    done = run(here, env_with_fake_uv, "demo", "--defaults", "--json")

    assert done.returncode == 0, done.stderr
    made = json.loads(done.stdout)
    assert (made["installed"], made["checked"]) == (True, True)
    tracked = git(here / "demo", "ls-files").splitlines()
    assert "uv.lock" in tracked
    assert not [name for name in tracked if name.startswith(".venv")]


def test_a_failed_install_leaves_nothing_and_tells_how_to_go_on(
    here: Path, env_with_fake_uv: Env
) -> None:
    done = run(here, env_with_fake_uv | {"FAKE_UV": "fail"}, "demo", "--defaults", "--into", "new")

    assert done.returncode == 1
    assert "the registry cannot be reached" in done.stderr
    assert "--no-install" in done.stderr
    assert list(here.iterdir()) == []


def test_a_server_that_does_not_start_is_told_and_the_project_stays(
    here: Path, env_with_fake_uv: Env
) -> None:
    broken = env_with_fake_uv | {"FAKE_SERVER": "broken"}
    done = run(here, broken, "demo", "--defaults", "--json")

    assert done.returncode == 1
    assert "ImportError: no such module" in done.stderr
    assert json.loads(done.stdout)["checked"] is False
    assert (here / "demo/.git").is_dir()


@pytest.mark.parametrize("number", STOP_SIGNALS)
def test_stopped_while_it_installs_nothing_is_left(
    here: Path, env_with_fake_uv: Env, number: signal.Signals
) -> None:
    env = env_with_fake_uv | {"FAKE_UV": "hang"}
    started = Path(env["FAKE_UV_STARTED"])
    command = subprocess.Popen(
        [*COMMAND, "demo", "--defaults"], cwd=here, env=env, stderr=subprocess.PIPE, text=True
    )
    wait_until(lambda: started.exists() and started.read_text())
    command.send_signal(number)
    _, said = command.communicate(timeout=20)

    assert command.returncode == 130
    assert said.rstrip().endswith("Stopped. Nothing was written.")
    assert list(here.iterdir()) == []
    wait_until(lambda: not is_running(int(started.read_text())))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_serve_takes_a_free_port_and_a_signal_ends_it(
    here: Path, env_with_fake_uv: Env, number: signal.Signals
) -> None:
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            taken.bind(("127.0.0.1", 8000))
            taken.listen()
        except OSError:
            pass  # something else has it: as good
        command = subprocess.Popen(
            [*COMMAND, "demo", "--defaults", "--serve", "--json"],
            cwd=here,
            env=env_with_fake_uv,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert command.stderr
        line = next(line for line in command.stderr if line.startswith("Serving"))
        assert "(port 8000 is taken)" in line
        url = line.split()[2]
        wait_until(lambda: answers(f"{url}/api/health"))
        command.send_signal(number)
        out, _ = command.communicate(timeout=20)

    assert command.returncode == 0
    assert json.loads(out)["checked"] is True
    assert not answers(f"{url}/api/health")


def answers(url: str) -> bool:
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=5):
            return True
    except OSError:
        return False


def wait_until(condition: object, seconds: float = 30) -> None:
    assert callable(condition)
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it took too long"
        time.sleep(0.02)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
