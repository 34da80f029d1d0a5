"""Write a project's `.env` from its `.env.example`: `python hooks/env_file.py DEST`."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> int:
    project = Path(sys.argv[1])
    example = project / ".env.example"
    if not example.is_file():
        print("No .env.example, so no .env was written.")
        return 0
    try:
        write_for_owner_only(project / ".env", example.read_bytes())
    except FileExistsError:
        print("There is a .env already; it was left as it is.")
        return 0
    print("Wrote .env from .env.example; only you can read it.")
    return 0


def write_for_owner_only(path: Path, content: bytes) -> None:
    """Never over a file or link that is there, and never readable by others, not even at first."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)


if __name__ == "__main__":
    sys.exit(main())
