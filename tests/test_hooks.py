"""The scripts that a person can also run by hand."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

from support import ROOT


def hook(name: str, project: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / "hooks" / f"{name}.py"), str(project)],
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_env_file_is_for_its_owner_only(tmp_path: Path) -> None:
    (tmp_path / ".env.example").write_text("A=1\n")

    assert hook("env_file", tmp_path).returncode == 0
    assert (tmp_path / ".env").read_text() == "A=1\n"
    assert stat.S_IMODE((tmp_path / ".env").stat().st_mode) == 0o600


def test_an_env_file_that_is_there_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / ".env.example").write_text("A=1\n")
    (tmp_path / ".env").write_text("A=secret\n")

    done = hook("env_file", tmp_path)

    assert done.returncode == 0
    assert "left as it is" in done.stdout
    assert (tmp_path / ".env").read_text() == "A=secret\n"


def test_no_example_no_env_file(tmp_path: Path) -> None:
    assert hook("env_file", tmp_path).returncode == 0
    assert list(tmp_path.iterdir()) == []


def test_a_repository_that_is_there_gets_no_commit(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)

    assert "already" in hook("git_init", tmp_path).stdout


def test_the_check_says_what_to_do_without_an_install(tmp_path: Path) -> None:
    done = hook("smoke_check", tmp_path)

    assert done.returncode == 1
    assert "run `uv sync`" in done.stderr
