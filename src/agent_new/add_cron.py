"""The verb `add cron`: the file of a new job, its test, its line in the list, and its schedule."""

from __future__ import annotations

import json
import re

from .additions import Additions, edited, written
from .errors import AgentNewError, ProblemsError, UsageError
from .part_names import refuse_bad_name, title_of
from .pieces import piece
from .project import Project, find_project

SCHEDULES = "vercel.json"
_FIELDS = (
    ("minute", 0, 59),
    ("hour", 0, 23),
    ("day of the month", 1, 31),
    ("month", 1, 12),
    ("weekday", 0, 6),
)
_PART = re.compile(r"(?:\*|(\d+)(?:-(\d+))?)(?:/(\d+))?")


def add_cron(name: str, schedule: str) -> None:
    from .job_list import add_job

    project = find_project()
    _refuse_without_cron(project)
    if problems := list(schedule_problems(schedule)):
        raise ProblemsError([f"--schedule is {schedule!r}. {problem}" for problem in problems])
    jobs = f"src/{project.agent_package}/jobs"
    pieces = {f"{jobs}/{name}.py": "job.py", f"tests/test_{name}_job.py": "test_job.py"}
    refuse_bad_name(name, project, pieces)
    words = {
        "agent": project.agent_package,
        "name": name,
        "title": title_of(name),
        "schedule": schedule,
    }
    root, init = project.root, f"{jobs}/__init__.py"
    changed = {
        init: edited(root, init, lambda text: add_job(text, name)),
        SCHEDULES: edited(root, SCHEDULES, lambda text: _with_schedule(text, name, schedule)),
    }
    new = {file: piece(source, words) for file, source in pieces.items()}
    written(root, Additions(new, changed))
    _tell(name, new, changed)


def _refuse_without_cron(project: Project) -> None:
    surfaces = project.answers.get("surfaces")
    chosen = surfaces if isinstance(surfaces, list) else []
    if "cron" not in chosen:
        raise UsageError(
            "This project starts no jobs: `cron` is not among its surfaces. Add it first: "
            f"`agent-new update --data surfaces={','.join([*chosen, 'cron'])}`."
        )


def schedule_problems(schedule: str) -> list[str]:
    """What is wrong with five fields of cron, as the platform reads them: numbers only."""
    fields = schedule.split(" ")
    if len(fields) != len(_FIELDS):
        return [
            f"Write five fields with one blank between them, such as '0 6 * * *'; this has {len(fields)}."
        ]
    found = []
    for field, (what, lowest, highest) in zip(fields, _FIELDS, strict=True):
        for part in field.split(","):
            if not _fits(part, lowest, highest):
                found.append(
                    f"The {what} is {part!r}; write * or numbers from {lowest} to {highest}."
                )
    return found


def _fits(part: str, lowest: int, highest: int) -> bool:
    match = _PART.fullmatch(part)
    if match is None:
        return False
    first, last, step = (int(n) if n else None for n in match.groups())
    numbers = [n for n in (first, last) if n is not None]
    in_order = last is None or (first is not None and first <= last)
    return in_order and all(lowest <= n <= highest for n in numbers) and step != 0


def _with_schedule(text: str, name: str, schedule: str) -> str:
    try:
        configured = json.loads(text)
        crons = configured.setdefault("crons", [])
        crons.append({"path": f"/api/cron/{name}", "schedule": schedule})
    except (ValueError, AttributeError) as error:
        raise AgentNewError(
            f"{SCHEDULES} is no JSON object with a list `crons`: {error}. Nothing was written."
        ) from error
    return json.dumps(configured, indent=2) + "\n"


def _tell(name: str, new: dict[str, str], changed: dict[str, str]) -> None:
    for file in new:
        print(f"  new      {file}")
    for file in changed:
        print(f"  changed  {file}")
    print(
        f"\nThe job {name} only counts the skills: put your work into the first of these files."
        f"\n\nNext:\n  uv run pytest tests/test_{name}_job.py tests/test_cron.py"
    )
