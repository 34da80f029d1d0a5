"""The verb `secrets init`: a `.env` to fill in, for the person's eyes only."""

from __future__ import annotations

import os

from .env_example import EXAMPLE, need_example
from .env_file import ENV_FILE
from .errors import AgentNewError
from .kept_out import why_not_kept_out
from .project import find_project
from .run_hook import run_hook


def secrets_init(*, dry_run: bool = False) -> None:
    project = find_project().root
    need_example(project)
    if problem := why_not_kept_out(project, ENV_FILE):
        raise AgentNewError(f"{problem}. Nothing was written.")
    if dry_run:
        print(_plan(os.path.lexists(project / ENV_FILE)))
        return
    outcome = run_hook("env_file", project)
    if not outcome.worked:
        raise AgentNewError(f"{ENV_FILE} could not be written: {outcome.details}")
    print(outcome.line)


def _plan(is_there: bool) -> str:
    if is_there:
        return f"There is a {ENV_FILE} already; it would be left as it is. Nothing was written."
    return f"Would write {ENV_FILE} from {EXAMPLE}; only you could read it. Nothing was written."
