"""The verb `add cron`: a job that the scheduler starts, to be filled with its work."""

from __future__ import annotations

from .addition import Addition, taken_by, title_of
from .errors import ProblemsError, UsageError
from .names import piece_name_problem
from .project import Project, find_project
from .render_piece import render_piece
from .schedule import schedule_problems
from .vercel_crons import FILE, with_cron

_OWN = {
    "job": "a name that the list of jobs uses",
    **dict.fromkeys(["break_down", "nap", "none"], "a job of the template's tests"),
}


def add_cron(name: str, schedule: str | None) -> None:
    project = find_project()
    _refuse_without_cron(project)
    _refuse_bad(name, schedule, project)
    addition = Addition(project)
    test = _plan(addition, project, name, str(schedule))
    addition.write()
    hint = "It asks the agent one question; put your work there."
    print(addition.told(f"Added the job {name}, at {schedule!r} UTC", hint, test))


def _plan(addition: Addition, project: Project, name: str, schedule: str) -> str:
    """The name of the test."""
    from .job_list import add_job

    jobs, test = f"src/{project.agent_package}/jobs", f"tests/test_{name}_job.py"
    values = {"name": name, "title": title_of(name), "schedule": schedule}
    addition.add_file(f"{jobs}/{name}.py", render_piece("job.py", **values))
    addition.add_file(test, render_piece("job_test.py", **values))
    addition.edit(f"{jobs}/__init__.py", lambda text: add_job(text, name))
    addition.edit_data(FILE, lambda text: with_cron(text, name, schedule))
    return test


def _refuse_without_cron(project: Project) -> None:
    surfaces = project.answers.get("surfaces", [])
    theirs = [str(surface) for surface in surfaces] if isinstance(surfaces, list) else []
    if "cron" not in theirs:
        wanted = ",".join([*theirs, "cron"])
        raise UsageError(
            f"{project.root} has no `cron` among its surfaces ({', '.join(theirs) or 'none'}), so "
            f"nothing would start the job. First: agent-new update --data surfaces={wanted}"
        )


def _refuse_bad(name: str, schedule: str | None, project: Project) -> None:
    problems = []
    if problem := piece_name_problem(name, "job", lambda other: _taken(project, other)):
        problems.append(f"NAME is {name!r}. {problem}")
    if schedule is None:
        problems.append("`--schedule` is missing. Give it in UTC, for example '0 6 * * *'.")
    else:
        problems += schedule_problems(schedule)
    if problems:
        raise ProblemsError(problems)


def _taken(project: Project, name: str) -> str | None:
    return f"It is {_OWN[name]}." if name in _OWN else taken_by(project, "job", name)
