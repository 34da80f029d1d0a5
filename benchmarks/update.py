"""How long an update of an untouched project takes, without its tests."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from benchmarks import render
from benchmarks.row import Aim, Row, alternated
from benchmarks.workbench import Workbench
from support import COMMAND, git

FIRST_RELEASE = "v0.1.0"


def rows(bench: Workbench) -> list[Row]:
    old = _old_project(bench)
    made = [*COMMAND, "demo", "--defaults", "--no-install", "--no-git"]

    def update() -> float:
        return _seconds(bench, old)

    def by_render() -> float:
        return render.seconds(bench, made)

    update(), by_render()  # compiles
    return [
        Row(
            name="update",
            what=f"update of an untouched project from {FIRST_RELEASE}",
            against="its render",
            unit="s",
            aim=Aim(1.5),
            **alternated(update, by_render, bench.times(9)),
        )
    ]


def _old_project(bench: Workbench) -> Path:
    folder = bench.new_folder()
    command = [render.COPIER, "copy", "--defaults", "--quiet", f"--vcs-ref={FIRST_RELEASE}"]
    subprocess.run(
        [*command, "--data=agent_name=demo", str(bench.checkout), "demo"],
        cwd=folder,
        env=bench.variables,
        check=True,
    )
    git(folder / "demo", "init", "--quiet", "-b", "main")
    git(folder / "demo", "add", "--all")
    git(folder / "demo", "commit", "--quiet", "-m", "start")
    return folder / "demo"


def _seconds(bench: Workbench, old: Path) -> float:
    project = bench.new_folder() / "demo"
    shutil.copytree(old, project)
    taken = render.timed(bench, [*COMMAND, "update"], project)
    assert git(project, "status", "--porcelain")
    return taken
