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
    except OSError as error:
        print(error, file=sys.stderr)
        return 1
    print("Wrote .env from .env.example; only you can read it.")
    return 0


def write_for_owner_only(path: Path, content: bytes) -> None:
    """Never over a file or link that is there, never readable by others, never half of it."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


if __name__ == "__main__":
    sys.exit(main())
