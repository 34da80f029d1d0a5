"""`agent-new add`: a tool or a job that works from the start; all of it, or nothing."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_new import add_tool
from agent_new.errors import AgentNewError
from agent_new.formatter import formatted
from agent_new.names import LONGEST_PIECE, piece_name_problem
from agent_new.reserved import REASONS
from agent_new.schedule import schedule_problems
from agent_new.write_files import write_files
from support import COMMAND, ROOT, replace, run, status, tree, write
from walk import blocks_of

Env = dict[str, str]
Done = subprocess.CompletedProcess[str]
DOMAIN = "packages/palmer_penguins/src/palmer_penguins"
CATALOG = "src/demo/tools/__init__.py"
TOOL = ("add", "tool", "find_policy", "--kind", "visual")
CRON = ("add", "cron", "send_digest", "--schedule", "0 6 * * 1")


def problems(done: Done) -> list[str]:
    assert done.returncode == 2, done.stderr
    return re.findall(r"^  - (.*)$", done.stderr, re.MULTILINE)


@pytest.mark.parametrize("kind", ["visual", "discovery"])
def test_a_tool_is_three_new_files_and_two_lines(project: Path, env: Env, kind: str) -> None:
    done = run(project, env, "add", "tool", "find_policy", "--kind", kind)

    assert done.returncode == 0, done.stderr
    assert sorted(status_of(project)) == [
        f"?? {DOMAIN}/find_policy_rows.py",
        "?? src/demo/tools/find_policy.py",
        "?? tests/test_find_policy.py",
        f"M {DOMAIN}/__init__.py",
        f"M {CATALOG}",
    ]
    for line in status_of(project):
        assert re.search(rf"(wrote|changed) +{re.escape(line.split()[1])}\n", done.stdout)
    assert "find_policy.SPEC" in (project / CATALOG).read_text()
    assert "run pytest tests/test_find_policy.py" in done.stdout


def status_of(project: Path) -> list[str]:
    return [line.strip() for line in status(project)]


def test_a_job_is_two_new_files_its_line_and_its_schedule(project: Path, env: Env) -> None:
    settings = {"regions": ["arn1"], **json.loads((project / "vercel.json").read_text())}
    write(project / "vercel.json", json.dumps(settings))

    done = run(project, env, *CRON)

    assert done.returncode == 0, done.stderr
    assert [line for line in status_of(project) if line.startswith("??")] == [
        "?? src/demo/jobs/send_digest.py",
        "?? tests/test_send_digest_job.py",
    ]
    assert "send_digest.JOB" in (project / "src/demo/jobs/__init__.py").read_text()
    added = {"path": "/api/cron/send_digest", "schedule": "0 6 * * 1"}
    wanted = settings | {"crons": [*settings["crons"], added]}
    assert (project / "vercel.json").read_text() == json.dumps(wanted, indent=2) + "\n"


@pytest.mark.parametrize(
    "words",
    [
        ("--kind", "discovery", "add", "tool", "aa"),
        ("add", "--kind", "discovery", "tool", "aa"),
        ("add", "tool", "--kind=discovery", "aa"),
    ],
)
def test_options_stand_where_the_person_puts_them(
    project: Path, env: Env, words: tuple[str, ...]
) -> None:
    done = run(project / "docs" if (project / "docs").is_dir() else project, env, *words)

    assert done.returncode == 0, done.stderr
    assert (project / "src/demo/tools/aa.py").is_file()


def test_it_works_anywhere_inside_the_project(project: Path, env: Env) -> None:
    done = run(project / "tests", env, *TOOL)

    assert done.returncode == 0, done.stderr
    assert f"cd {project}" in done.stdout


def test_outside_of_a_project_it_says_so(here: Path, env: Env) -> None:
    done = run(here, env, *TOOL)

    assert done.returncode == 2
    assert "is not in a project" in done.stderr
    assert "See `agent-new add --help`." in done.stderr


def test_uncommitted_work_stays_and_nothing_is_staged(project: Path, env: Env) -> None:
    replace(project / CATALOG, "CATALOG = ", "# mine\nCATALOG = ")
    write(project / "notes.txt", "mine\n")
    write(project / "README.md", "mine\n")

    assert run(project, env, *TOOL).returncode == 0
    assert run(project, env, *CRON).returncode == 0

    text = (project / CATALOG).read_text()
    assert "# mine\n" in text
    assert "find_policy.SPEC" in text
    assert (project / "README.md").read_text() == (project / "notes.txt").read_text() == "mine\n"
    assert all(line[0] in " ?" for line in status_lines(project))


def status_lines(project: Path) -> list[str]:
    done = subprocess.run(
        ["git", "status", "--porcelain"], cwd=project, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


def test_a_layout_of_the_persons_own_is_kept(project: Path, env: Env) -> None:
    write(
        project / CATALOG,
        "from ..contracts import Catalog\nfrom . import describe_measures\n"
        "CATALOG = Catalog( [describe_measures.SPEC] )  # mine\n",
    )

    assert run(project, env, *TOOL).returncode == 0

    assert (project / CATALOG).read_text() == (
        "from ..contracts import Catalog\nfrom . import describe_measures, find_policy\n"
        "CATALOG = Catalog( [describe_measures.SPEC, find_policy.SPEC] )  # mine\n"
    )


def test_line_ends_and_a_byte_order_mark_are_kept(project: Path, env: Env) -> None:
    before = (project / CATALOG).read_bytes().replace(b"\n", b"\r\n")
    (project / CATALOG).write_bytes(b"\xef\xbb\xbf" + before)

    assert run(project, env, *TOOL).returncode == 0

    after = (project / CATALOG).read_bytes()
    assert after.startswith(b"\xef\xbb\xbf" + before[:99])
    assert after.count(b"\r\n") == after.count(b"\n") == before.count(b"\n") + 2


def test_all_that_is_wrong_is_told_at_once_and_nothing_is_written(project: Path, env: Env) -> None:
    before = tree(project)

    told = problems(run(project, env, "add", "tool", "Find Policy", "--kind", "chart"))
    jobs = problems(run(project, env, "add", "cron", "x" * 60, "--schedule", "60 6 * * mon"))

    assert told == [
        "NAME is 'Find Policy'. Use small letters, digits and single underscores, and start with "
        "a letter. Try find_policy.",
        "`--kind` is 'chart'. Use visual (it makes a claim, with a chart and a citation) or "
        "discovery (it lists options).",
    ]
    assert [line.split(":")[0] for line in jobs] == [
        f"NAME is '{'x' * 60}'. Use 2 to 48 characters; this has 60. Try {'x' * 44}_job.",
        "`--schedule` is '60 6 * * mon'",
        "`--schedule` is '60 6 * * mon'",
    ]
    assert "its minute is '60'" in jobs[1]
    assert "its weekday is 'mon'" in jobs[2]
    assert tree(project) == before


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("compare_groups", "There is a src/demo/tools/compare_groups.py already."),
        ("check_skills", "There is a src/demo/jobs/check_skills.py already."),
        ("cron", "There is a tests/test_cron.py already."),
        ("dataset", "The domain package has a `dataset` already."),
        ("group_means", "The domain package has a `group_means` already."),
        ("demo", "It is the package of the agent."),
        ("palmer_penguins", "It is the domain package."),
        ("compare_group", "It differs from the tool compare_groups only by an s"),
        ("refuse", "It is a tool that every agent has."),
        ("page", "It is a function that the file of a tool imports."),
        ("you", "The offline model passes over this word"),
        ("list", "It is a builtin of Python."),
        ("json", "It is a module of Python's standard library."),
        ("class", "It is a Python keyword."),
        ("pydantic", "It is the name of a library"),
        ("a", "Use 2 to 48 characters; this has 1."),
        ("__", "start with a letter"),
        ("a__b", "single underscores"),
        ("größe", "Use small letters"),
        ("1st", "start with a letter"),
    ],
)
def test_a_name_that_will_not_do_is_told_with_one_that_would(
    project: Path, env: Env, name: str, why: str
) -> None:
    before = tree(project)

    [told] = problems(run(project, env, "add", "tool", name, "--kind", "visual"))

    assert told.startswith(f"NAME is {name!r}. ")
    assert why in told
    assert tree(project) == before
    suggested = told.rsplit("Try ", 1)[1].rstrip(".")
    assert run(project, env, "add", "tool", suggested, "--kind", "visual").returncode == 0


def test_a_job_takes_no_name_of_a_tool_of_a_test_or_of_another_job(project: Path, env: Env) -> None:
    for name in ("compare_groups", "check_skills", "nap", "job"):
        [told] = problems(run(project, env, "add", "cron", name, "--schedule", "0 6 * * *"))
        assert told.startswith(f"NAME is {name!r}. ")


def test_kind_and_schedule_must_be_given(project: Path, env: Env) -> None:
    assert problems(run(project, env, "add", "tool", "aa"))[0].startswith("`--kind` is missing.")
    assert problems(run(project, env, "add", "cron", "aa"))[0].startswith("`--schedule` is missing")


def test_without_cron_the_way_to_it_is_told(here: Path, env: Env) -> None:
    words = ("demo", "--defaults", "--no-install", "--data", "surfaces=mcp,chat")
    assert run(here, env, *words).returncode == 0
    before = tree(here / "demo")

    done = run(here / "demo", env, *CRON)

    assert done.returncode == 2
    assert "agent-new update --data surfaces=mcp,chat,cron\n" in done.stderr
    assert tree(here / "demo") == before


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        (CATALOG, "CATALOG = make()\n", "CATALOG in tools/__init__.py has a form"),
        (CATALOG, "CATALOG = (\n", "no Python that parses"),
        (CATALOG, "# \xff\n", "is not UTF-8"),
        (f"{DOMAIN}/__init__.py", "__all__ = names()\n", "`__all__` of the domain package"),
        (CATALOG, None, "cannot be read"),
    ],
)
def test_what_cannot_be_edited_safely_leaves_all_as_it_was(
    project: Path, env: Env, file: str, content: str | None, said: str
) -> None:
    if content is None:
        (project / file).unlink()
    else:
        (project / file).write_bytes(content.encode("latin-1"))
    before = tree(project)

    done = run(project, env, *TOOL)

    assert done.returncode == 1
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert tree(project) == before


@pytest.mark.parametrize("content", ["{", "[]", '{"crons": {}}'])
def test_a_vercel_json_that_is_none_leaves_all_as_it_was(
    project: Path, env: Env, content: str
) -> None:
    write(project / "vercel.json", content)
    before = tree(project)

    done = run(project, env, *CRON)

    assert done.returncode == 1
    assert "vercel.json" in done.stderr
    assert tree(project) == before


@pytest.mark.skipif(os.name == "nt", reason="a shell sets the limit")
def test_a_disk_that_takes_no_more_leaves_all_as_it_was(project: Path, env: Env) -> None:
    before = tree(project)
    limited = ["sh", "-c", 'ulimit -f 4; exec "$@"', "sh", *COMMAND, *TOOL]  # 4 blocks of 512 bytes

    done = subprocess.run(
        limited, cwd=project, env=env, capture_output=True, text=True, timeout=60, check=False
    )

    assert done.returncode == 1, done.stdout
    assert re.match(r"error: .*File too large.* Nothing was written\.\n$", done.stderr)
    assert tree(project) == before


def test_a_write_that_fails_takes_back_what_was_written(tmp_path: Path) -> None:
    write(tmp_path / "edited", "before")
    write(tmp_path / "there", "mine")
    new, there, edited = tmp_path / "new", tmp_path / "there", tmp_path / "edited"
    before = tree(tmp_path)

    with pytest.raises(AgentNewError, match=r"there.*Nothing was written"):
        write_files({new: b"n", there: b"ours"}, {edited: (b"before", b"after")})
    with pytest.raises(AgentNewError, match="was changed meanwhile"):
        write_files({new: b"n"}, {edited: (b"before", b"after"), there: (b"other", b"ours")})
    with pytest.raises(AgentNewError, match="Nothing was written"):
        write_files({new: b"n"}, {edited: (b"before", b"after"), tmp_path / "gone": (b"", b"x")})

    assert tree(tmp_path) == before


def test_what_was_added_follows_the_domain_package_when_it_is_renamed(
    project: Path, env: Env, commit: Callable[[], None]
) -> None:
    run(project, env, *TOOL)
    commit()

    done = run(project, env, "rename", "billing")

    assert done.returncode == 0, done.stderr
    text = (project / "src/demo/tools/find_policy.py").read_text()
    assert 'function="billing.find_policy_rows"' in text
    assert "palmer_penguins" not in text


def test_what_was_added_stays_when_the_example_goes(
    project: Path, env: Env, commit: Callable[[], None]
) -> None:
    run(project, env, *TOOL)
    commit()

    done = run(project, env, "strip")

    assert done.returncode == 0, done.stderr
    catalog = (project / CATALOG).read_text()
    assert catalog.endswith("CATALOG = Catalog((find_policy.SPEC,))\n")
    assert formatted(catalog, Path(CATALOG), project) == catalog
    assert (project / f"{DOMAIN}/find_policy_rows.py").is_file()


def test_the_pages_about_adding_say_what_happens(project: Path, env: Env) -> None:
    for page in ("add-a-tool.md", "add-a-cron-job.md"):
        blocks = blocks_of((ROOT / f"docs/how-to/{page}").read_text(encoding="utf-8"))
        commands = "".join(block.text for block in blocks if block.language == "sh")
        [shown] = [block.text for block in blocks if block.language == "text"]
        said = ""
        for line in commands.splitlines():
            words = [a or b for a, b in re.findall(r'"([^"]*)"|(\S+)', line)]
            done = run(project, env, *words[1:])
            assert done.returncode == 0, done.stderr
            said += done.stdout
        assert shown in said


def test_the_words_that_the_offline_model_passes_over_are_known() -> None:
    [model] = (ROOT / "template/src").glob("*/agent/offline_model.py*")
    text = model.read_text(encoding="utf-8")
    told = re.search(r"_TELL_NOTHING = \((.*?)\n\)", text, re.DOTALL)

    assert told
    assert set(re.findall(r"\w+", told[1])) == add_tool.PASSED_OVER


_NAME = st.one_of(
    st.from_regex(r"[a-z_0-9]{0,60}", fullmatch=True),
    st.sampled_from(sorted(REASONS)),
    st.text(max_size=12),
)


@given(_NAME, st.sets(st.from_regex(r"[a-z_]{1,8}", fullmatch=True)))
def test_a_suggested_name_always_does(name: str, taken: set[str]) -> None:
    def clash(name: str) -> str | None:
        return "It is taken." if name in taken else None

    told = piece_name_problem(name, "tool", clash)

    if told is None:
        assert re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name)
        assert 2 <= len(name) <= LONGEST_PIECE
        assert name not in taken | {*REASONS}
    else:
        assert piece_name_problem(told.rsplit("Try ", 1)[1][:-1], "tool", clash) is None


@pytest.mark.parametrize(
    "schedule",
    ["0 6 * * *", "*/15 * * * *", "0,30 8-18 1-31/2 1,6-8 1-5", "59 23 31 12 7", "0 0 * * 0"],
)
def test_a_schedule_that_cron_has_is_taken(schedule: str) -> None:
    assert schedule_problems(schedule) == []
    assert rendered_takes(schedule)


@pytest.mark.parametrize(
    ("schedule", "said"),
    [
        ("daily", "Write five fields"),
        ("0 6 * *", "Write five fields"),
        ("0 6 * * * *", "Write five fields"),
        ("0  6 * * *", "Write five fields"),
        ("0 6 * * *\n", "its weekday is '*\\n'"),
        ("60 6 * * *", "its minute is '60'"),
        ("0 24 * * *", "its hour is '24'"),
        ("0 6 0 * *", "its day is '0'"),
        ("0 6 * 13 *", "its month is '13'"),
        ("0 6 * * mon", "its weekday is 'mon'"),
        ("*/0 6 * * *", "its minute is '*/0'"),
        ("30-10 6 * * *", "its minute is '30-10'"),
        ("1, 6 * * *", "its minute is '1,'"),
        ("٣ 6 * * *", "its minute is '٣'"),
        ('0 6 * * "', "its weekday is '\"'"),
    ],
)
def test_a_schedule_that_is_none_is_told_by_its_field(schedule: str, said: str) -> None:
    [told] = schedule_problems(schedule)

    assert told.startswith(f"`--schedule` is {schedule!r}")
    assert said in told


@given(st.from_regex(r"([0-9*/,-]{1,4} ){4}[0-9*/,-]{1,4}", fullmatch=True))
def test_a_job_takes_every_schedule_that_is_taken_here(schedule: str) -> None:
    if not schedule_problems(schedule):
        assert rendered_takes(schedule)


def rendered_takes(schedule: str) -> bool:
    """As `contracts/job.py` of a rendered project has it."""
    [job] = (ROOT / "template/src").glob("*/contracts/job.py*")
    text = job.read_text(encoding="utf-8")
    field = re.search(r'_FIELD = r"(.*)"', text)
    assert field
    assert '_SCHEDULE = re.compile(rf"{_FIELD}( {_FIELD}){{4}}")' in text
    return re.fullmatch(rf"{field[1]}( {field[1]}){{4}}", schedule) is not None
