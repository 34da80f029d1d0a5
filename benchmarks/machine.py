"""What the numbers were measured on."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from importlib.metadata import version

from benchmarks.workbench import Workbench

LIBRARIES = ("a2a-sdk", "mcp", "starlette", "uvicorn", "sqlalchemy")
ASK = "import json, sys; from importlib.metadata import version as v; print(json.dumps({n: v(n) for n in sys.argv[1:]}))"


def machine(bench: Workbench) -> dict[str, str]:
    load = f"{os.getloadavg()[0]:.2f}" if hasattr(os, "getloadavg") else "unknown"
    return {
        "cores": str(os.cpu_count()),
        "load": load,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "copier": version("copier"),
        **_libraries(bench.project.environment.python),
    }


def _libraries(python: str) -> dict[str, str]:
    shown = subprocess.run([python, "-c", ASK, *LIBRARIES], capture_output=True, check=True).stdout
    versions: dict[str, str] = json.loads(shown)
    return versions
