"""Stopped at any moment, the command leaves the disk as it was."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from agent_new.all_or_nothing import all_or_nothing
from agent_new.errors import AgentNewError
from support import ALL_WAYS, COMMAND, STOP_SIGNALS, run

Env = dict[str, str]


@pytest.mark.parametrize("number", STOP_SIGNALS)
@pytest.mark.parametrize("delay", [0, 0.1, 0.9])
def test_a_signal_while_it_renders_leaves_nothing(
    here: Path, env: Env, number: signal.Signals, delay: float
) -> None:
    command = subprocess.Popen(
        [*COMMAND, "demo", *ALL_WAYS, "--into", "a/b"],
        cwd=here,
        env=env,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + 20
    while not list(here.rglob("*.partial")) and time.monotonic() < deadline:
        time.sleep(0.005)
    time.sleep(delay)
    os.killpg(command.pid, number)  # as a terminal does
    _, said = command.communicate(timeout=20)

    if command.returncode == 0:
        pytest.skip("it was faster than the signal")
    assert command.returncode == 130, said
    assert "Traceback" not in said
    assert list(here.iterdir()) == []
    assert list(Path(env["TMPDIR"]).iterdir()) == []


def test_a_run_that_ends_well_leaves_no_temporary_files(here: Path, env: Env) -> None:
    run(here, env, "demo", *ALL_WAYS)

    assert [path.name for path in here.iterdir()] == ["demo"]
    assert list(Path(env["TMPDIR"]).iterdir()) == []


def test_a_template_error_is_one_line_and_leaves_nothing(
    here: Path, env: Env, checkout: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    subprocess.run(["git", "clone", "--quiet", str(checkout), str(broken)], check=True)
    (broken / "template/zz.txt.jinja").write_text("{{ no_such_answer }}\n")

    done = run(here, env | {"PYTHONPATH": str(broken / "src")}, "demo", *ALL_WAYS)

    assert done.returncode == 1
    assert "no_such_answer" in done.stderr
    assert "Traceback" not in done.stderr
    assert list(here.iterdir()) == []
    assert list(Path(env["TMPDIR"]).iterdir()) == []


def test_a_folder_that_another_program_puts_there_meanwhile_is_kept(here: Path) -> None:
    path, stage = here / "demo", here / "stage"

    def make_while_another_does() -> None:
        with all_or_nothing(path) as making:
            stage.mkdir()
            making.claim(stage)
            path.mkdir()
            (path / "theirs").touch()
            stage.rename(path)

    with pytest.raises(AgentNewError, match="not empty"):
        make_while_another_does()
    assert (path / "theirs").exists()


def test_a_folder_that_may_not_be_written_to_is_one_line(here: Path, env: Env) -> None:
    done = run(here, env, "demo", *ALL_WAYS, "--into", "/proc/nowhere")

    assert done.returncode in (1, 2)
    assert "Traceback" not in done.stderr
