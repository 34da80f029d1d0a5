"""Render the template: into a folder, or beside the target with one last move to its place."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from .errors import AgentNewError
from .questions import Answer
from .scratch import scratch_folder
from .source import Source, redirected

ANSWERS_FILE = ".copier-answers.yml"


def render(
    source: Source, answers: Mapping[str, Answer], path: Path, claim: Callable[[Path], None]
) -> None:
    """All of the project at once, or nothing."""
    # beside the target, so that the last step stays on one file system
    with scratch_folder(f".{path.name}.", ".partial", path.parent) as stage:
        made = stage / path.name
        render_into(made, source, answers)
        _need_recorded_commit(made, source)
        claim(made)
        if path.exists():
            path.rmdir()  # it is empty; Windows does not rename onto it
        os.rename(made, path)


def render_into(
    folder: Path, source: Source, answers: Mapping[str, object], ref: str | None = None
) -> None:
    """At `ref`, a tag or commit of the source; by default at the one that it names."""
    from copier import run_copy

    with scratch_folder() as scratch, _own_temporary_files(scratch):
        try:
            with redirected(source, scratch / "cache"), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # "dirty changes included": we say that ourselves
                run_copy(
                    source.address,
                    folder,
                    data=dict(answers),
                    vcs_ref=ref or source.ref,
                    defaults=True,
                    quiet=True,
                    unsafe=False,
                )
        except Exception as error:
            if not _is_explained(error):
                raise
            reason = " ".join(str(error).split())
            raise AgentNewError(f"The template could not be rendered: {reason}") from error


def _is_explained(error: Exception) -> bool:
    """Copier raises bare ValueError for a bad answer or commit; the rest tells its module."""
    module = type(error).__module__.split(".")[0]
    return isinstance(error, ValueError | OSError) or module in ("copier", "plumbum", "jinja2")


def recorded_commit(path: Path) -> str | None:
    import yaml

    try:
        record = yaml.safe_load((path / ANSWERS_FILE).read_text(encoding="utf-8"))
    except OSError:
        return None
    return str(record["_commit"]) if isinstance(record, dict) and "_commit" in record else None


def _need_recorded_commit(made: Path, source: Source) -> None:
    # copier says nothing when git refuses a repository of another owner
    if recorded_commit(made) is None:
        raise AgentNewError(
            f"git could not tell the version of the template in {source.base}, so this project "
            "could never be updated. Is that folder owned by another user? Then see `git help config` "
            "at safe.directory."
        )


@contextmanager
def _own_temporary_files(folder: Path) -> Iterator[None]:
    """Copier's clones go where we clean up, also when it is stopped half way."""
    before = tempfile.tempdir
    tempfile.tempdir = str(folder)
    try:
        yield
    finally:
        tempfile.tempdir = before
