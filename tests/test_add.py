"""`agent-new add`: a part and its test, in a project that has a life of its own; all of it or nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from agent_new.add_cron import schedule_problems
from support import replace, run, status, tree, write

Env = dict[str, str]

TOOL = ("add", "tool", "get_open_claims", "--kind", "visual")
CRON = ("add", "cron", "send_report", "--schedule", "15 6 * * 1-5")
DOMAIN = "packages/palmer_penguins/src/palmer_penguins"


def test_a_tool_comes_with_its_rows_its_test_and_its_line_in_the_catalog(
    project: Path, env: Env
) -> None:
    done = run(project, env, *TOOL)

    assert done.returncode == 0, done.stderr
    assert status(project) == [
        f"M {DOMAIN}/__init__.py",
        " M src/demo/tools/__init__.py",
        f"?? {DOMAIN}/open_claims_rows.py",
        "?? src/demo/tools/get_open_claims.py",
        "?? tests/test_get_open_claims.py",
    ]
    assert (
        "        get_open_claims.SPEC,\n    )\n"
        in (project / "src/demo/tools/__init__.py").read_text()
    )
    for line in ("new      src/demo/tools/get_open_claims.py", "uv run pytest tests/test_get_open"):
        assert line in done.stdout


def test_options_stand_in_any_order_and_the_folder_may_be_deeper(project: Path, env: Env) -> None:
    words = ("add", "tool", "--kind", "discovery", "list_claims")

    assert run(project / "src/demo", env, *words).returncode == 0
    assert (project / "src/demo/tools/list_claims.py").is_file()


def test_a_job_comes_with_its_test_its_line_and_its_schedule(project: Path, env: Env) -> None:
    replace(project / "vercel.json", "{\n", '{\n  "regions": ["fra1"],\n')

    done = run(project, env, *CRON)

    assert done.returncode == 0, done.stderr
    configured = json.loads((project / "vercel.json").read_text())
    assert configured["regions"] == ["fra1"]
    assert [*configured["crons"]][1:] == [
        {"path": "/api/cron/send_report", "schedule": "15 6 * * 1-5"}
    ]
    assert "        send_report.JOB,\n" in (project / "src/demo/jobs/__init__.py").read_text()
    assert 'schedule="15 6 * * 1-5"' in (project / "src/demo/jobs/send_report.py").read_text()


def test_uncommitted_work_of_the_person_stays_as_it_is(project: Path, env: Env) -> None:
    catalog = project / "src/demo/tools/__init__.py"
    replace(catalog, "CATALOG =", "# mine, in no commit\nOWN   = 1\nCATALOG =")
    write(project / "notes.txt", "mine")

    assert run(project, env, *TOOL).returncode == 0

    assert "# mine, in no commit\nOWN   = 1\n" in catalog.read_text()  # not formatted: it was not
    assert (project / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Get-Claims", "for example get_claims"),
        ("_hidden", "for example hidden"),
        ("a", "2 to 48 characters; this has 1"),
        ("a" * 49, "this has 49"),
        ("class", "keyword"),
        ("json", "standard library"),
        ("demo", "name of a package of this project"),
        ("palmer_penguins", "name of a package of this project"),
        ("get_species_profile", "src/demo/tools/get_species_profile.py is there already"),
        ("gate", "tests/test_gate.py is there already"),
        ("../escape", "small letters"),
        ("naïve", "small letters"),
    ],
)
def test_a_name_that_will_not_do_is_told_and_nothing_is_written(
    project: Path, env: Env, name: str, told: str
) -> None:
    done = run(project, env, "add", "tool", "--kind", "visual", name)

    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert status(project) == []


def test_all_files_that_are_in_the_way_are_told_at_once(project: Path, env: Env) -> None:
    write(project / f"{DOMAIN}/open_claims_rows.py", "mine\n")
    write(project / "tests/test_get_open_claims.py", "mine\n")
    before = tree(project)

    done = run(project, env, *TOOL)

    assert done.returncode == 2
    assert f"{DOMAIN}/open_claims_rows.py is there already" in done.stderr
    assert "tests/test_get_open_claims.py is there already" in done.stderr
    assert tree(project) == before


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("src/demo/tools/__init__.py", "CATALOG = made_elsewhere()\n"),
        ("src/demo/tools/__init__.py", "this is ( no python\n"),
        (f"{DOMAIN}/__init__.py", "this is ( no python\n"),
    ],
)
def test_a_file_that_cannot_be_edited_safely_stops_it_before_anything_is_written(
    project: Path, env: Env, file: str, text: str
) -> None:
    write(project / file, text)
    before = tree(project)

    done = run(project, env, *TOOL)

    assert done.returncode == 1
    assert file.rsplit("/", 2)[-2] in done.stderr
    assert "Nothing was written." in done.stderr
    assert "Traceback" not in done.stderr
    assert tree(project) == before


def test_a_write_that_fails_leaves_nothing_behind(project: Path, env: Env) -> None:
    tests = project / "tests"
    tests.chmod(0o555)
    before = tree(project)
    try:
        if (tests / "probe").parent.stat().st_uid == 0:
            (project / "tests").rename(project / "elsewhere")  # root may write anywhere
            done = run(project, env, *TOOL)
            (project / "elsewhere").rename(project / "tests")
        else:
            done = run(project, env, *TOOL)
    finally:
        tests.chmod(0o755)

    assert done.returncode == 1
    assert "removed" in done.stderr
    assert tree(project) == before


def test_a_job_needs_the_surface_that_starts_it(
    project: Path, env: Env, commit: Callable[[], None]
) -> None:
    run(project, env, "update", "--data", "surfaces=mcp")
    commit()

    done = run(project, env, *CRON)

    assert done.returncode == 2
    assert "agent-new update --data surfaces=mcp,cron" in done.stderr
    assert status(project) == []


GOOD = ["0 6 * * *", "*/5 * * * *", "0,30 8-18 * * 1-5", "59 23 31 12 6", "0 0 1-15/2 * *"]
BAD = ["0 6 * *", "0 6 * * * *", "60 6 * * *", "0 24 * * *", "0 6 0 * *", "0 6 * 13 *", "0 6 * * 7",
       "0 6 * * MON", "@daily", "", "0  6 * * *", "5-1 * * * *", "*/0 * * * *", "0 6 * * *\n"]  # fmt: skip


@pytest.mark.parametrize("schedule", GOOD)
def test_a_schedule_of_five_fields_is_taken(schedule: str) -> None:
    assert not schedule_problems(schedule)


@pytest.mark.parametrize("schedule", BAD)
def test_a_schedule_that_the_platform_would_refuse_is_refused(schedule: str) -> None:
    assert schedule_problems(schedule)


def test_all_that_is_wrong_with_a_schedule_is_told_at_once(project: Path, env: Env) -> None:
    done = run(project, env, "add", "cron", "send_report", "--schedule", "61 25 * * MON")

    assert done.returncode == 2
    for told in ("minute is '61'", "hour is '25'", "weekday is 'MON'"):
        assert told in done.stderr
    assert status(project) == []
