"""The jobs in `jobs/__init__.py`: `JOBS = {job.name: job for job in [a.JOB, b.JOB]}`."""

from __future__ import annotations

import libcst as cst

from .errors import AgentNewError
from .module_list import Literal, assigned, literal, with_entry


def add_job(source: str, name: str) -> str:
    """With the job as the last entry, and its module imported."""
    changed = with_entry(source, _entries, name, "JOB")
    if changed is None:
        raise AgentNewError(
            "JOBS in jobs/__init__.py has a form that cannot be edited safely. Write the file of the "
            f"job by hand, with `from . import {name}` and `{name}.JOB` in the list; CLAUDE.md tells "
            "how. Nothing was written."
        )
    return changed


def _entries(tree: cst.Module) -> Literal | None:
    jobs = assigned(tree, "JOBS")
    if not isinstance(jobs, cst.DictComp):
        return None
    held = jobs.for_in.iter
    # `for job in OWN`, with the list under a name of its own
    return literal(assigned(tree, held.value) if isinstance(held, cst.Name) else held)
