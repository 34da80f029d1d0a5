"""Render in a process of its own, so that two renders take the time of one."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from .errors import AgentNewError
from .host import python_environment, stop, this_python
from .render import render_into
from .source import Source


@contextmanager
def render_apart(
    folder: Path, source: Source, answers: Mapping[str, object], ref: str
) -> Iterator[None]:
    """Rendered at the end of the block; what went wrong is raised there."""
    wanted = {
        "folder": str(folder),
        "address": source.address,
        "base": str(source.base),
        "ref": ref,
        "answers": dict(answers),
    }
    with subprocess.Popen(
        [this_python(), "-m", __name__, json.dumps(wanted)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
        env=python_environment(),
    ) as child:
        try:
            yield
            _, told = child.communicate()
        except BaseException:
            stop(child)
            raise
    if child.returncode != 0:
        raise AgentNewError(
            told.strip()
            or f"A render was ended from outside, with exit code {child.returncode}. Is there enough "
            "memory? Then try again. Nothing was changed."
        )


def main() -> None:
    wanted = json.loads(sys.argv[1])
    source = Source(wanted["address"], Path(wanted["base"]), wanted["ref"])
    try:
        render_into(Path(wanted["folder"]), source, wanted["answers"])
    except AgentNewError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
