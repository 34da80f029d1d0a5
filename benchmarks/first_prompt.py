"""How long a person waits for the first question."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time

from benchmarks.row import Aim, Row, alternated
from benchmarks.workbench import Workbench
from support import COMMAND

FIRST_QUESTION = b"Name of the agent"


def rows(bench: Workbench) -> list[Row]:
    def ours() -> float:
        return until_the_first_question(bench)

    def peer() -> float:
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", "pass"], env=bench.variables, check=True)
        return time.perf_counter() - started

    ours(), peer()  # compiles
    return [
        Row(
            name="first-prompt",
            what="first prompt of `agent-new`",
            against="`python -c pass`",
            unit="s",
            aim=Aim(3),
            **alternated(ours, peer, bench.times(21)),
        )
    ]


def until_the_first_question(bench: Workbench) -> float:
    if sys.platform == "win32":
        raise SystemExit("The first prompt needs a pseudo-terminal, which Windows does not have.")
    import pty

    master, slave = pty.openpty()
    folder = bench.new_folder()
    started = time.perf_counter()
    process = subprocess.Popen(
        COMMAND, cwd=folder, env=bench.variables, stdin=slave, stdout=slave, stderr=slave
    )
    try:
        seen = b""
        while FIRST_QUESTION not in seen:
            assert select.select([master], [], [], 20)[0], f"no question comes: {seen!r}"
            seen += os.read(master, 4096)
        return time.perf_counter() - started
    finally:
        process.terminate()
        process.wait(timeout=20)
        os.close(slave)
        os.close(master)
