"""Render the template beside the target, then put it there in one move."""

from __future__ import annotations

import os
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

from .errors import AgentNewError
from .host import undisturbed
from .questions import Answer
from .source import Source, redirected

ANSWERS_FILE = ".copier-answers.yml"


def render(
    source: Source, answers: Mapping[str, Answer], path: Path, claim: Callable[[Path], None]
) -> None:
    # beside the target, so that the last step stays on one file system
    with _folder(f".{path.name}.", ".partial", path.parent) as stage:
        made = stage / path.name
        with _folder("agent-new-", "", None) as scratch, _own_temporary_files(scratch):
            _copy(source, answers, made, scratch)
        _need_recorded_commit(made, source)
        claim(made)
        if path.exists():
            path.rmdir()  # it is empty; Windows does not rename onto it
        os.rename(made, path)


def _copy(source: Source, answers: Mapping[str, Answer], made: Path, scratch: Path) -> None:
    from copier import run_copy

    try:
        with redirected(source, scratch / "cache"), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "dirty changes included": we say that ourselves
            run_copy(
                source.address,
                made,
                data=dict(answers),
                vcs_ref=source.ref,
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
def _folder(prefix: str, suffix: str, parent: Path | None) -> Iterator[Path]:
    # named before it is made: a signal between the two finds the way to remove it
    folder = (parent or Path(tempfile.gettempdir())) / f"{prefix}{token_hex(8)}{suffix}"
    try:
        folder.mkdir(mode=0o700)
        yield folder
    finally:
        with undisturbed():
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _own_temporary_files(folder: Path) -> Iterator[None]:
    """Copier's clones go where we clean up, also when it is stopped half way."""
    before = tempfile.tempdir
    tempfile.tempdir = str(folder)
    try:
        yield
    finally:
        tempfile.tempdir = before
