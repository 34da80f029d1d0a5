"""The benchmarks run; how fast anything is, no test says."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from support import ROOT

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal and ps", allow_module_level=True)

ROWS = {
    "first-prompt": ["first-prompt"],
    "render": ["render"],
    "cold-start": ["cold-start"],
    "a2a-stream": ["a2a-stream"],
    "mcp": ["mcp"],
    "memory": ["memory", "latency"],
}


def test_a_quick_run_prints_every_row_that_was_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "numbers.json"
    only = [word for name in ROWS for word in ("--only", name)]
    command = [sys.executable, "-m", "benchmarks", "--quick", "--json", str(file), *only]

    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=300, check=False
    )

    assert done.returncode == 0, done.stderr
    told = json.loads(file.read_text(encoding="utf-8"))
    assert [row["name"] for row in told["rows"]] == [name for row in ROWS.values() for name in row]
    head, _, *lines = [line for line in done.stdout.splitlines() if line.startswith("|")]
    assert head.startswith("| what | against | aim |")
    assert [line.split(" | ")[0] for line in lines] == [f"| {r['what']}" for r in told["rows"]]
    assert all("" not in [cell.strip() for cell in line[1:-1].split("|")] for line in lines)
    assert told["machine"]["a2a-sdk"] in done.stdout
