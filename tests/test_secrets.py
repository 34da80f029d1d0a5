"""`agent-new secrets`: a `.env` for its owner only, and a check that never shows a value."""

from __future__ import annotations

import re
import shutil
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import COMMAND, ROOT, git, run
from walk import blocks_of

Env = dict[str, str]
Done = subprocess.CompletedProcess[str]
Check = Callable[..., Done]
FIT = "AUTH_ISSUER=https://i.example.com\nDATABASE_URL=postgresql://h/d\n"


@pytest.fixture
def project(project: Path) -> Path:
    """Without a `.env` yet."""
    (project / ".env").unlink()
    return project


@pytest.fixture
def bare(env: Env) -> Env:
    """An environment without settings of an agent."""
    return {k: v for k, v in env.items() if k not in ("APP_ENV", "AUTH_ISSUER", "DATABASE_URL")}


@pytest.fixture
def check(project: Path, bare: Env) -> Check:
    """Writes a `.env`, of mode 0600, and checks it."""

    def check(content: str | bytes | None, *options: str, **environment: str) -> Done:
        if content is not None:
            put(project / ".env", content)
        return run(project, {**bare, **environment}, "secrets", "check", *options)

    return check


def put(path: Path, content: str | bytes) -> None:
    path.touch(0o600)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def problems(done: Done) -> list[str]:
    assert done.returncode == 1, done.stderr
    return re.findall(r"^  - (.*)$", done.stderr, re.MULTILINE)


def under_shell(before: str, cwd: Path, env: Env, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        ["sh", "-c", f'{before}; exec "$@"', "sh", *COMMAND, *words],
        cwd=cwd,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_init_copies_the_example_and_says_so(project: Path, bare: Env) -> None:
    done = run(project / "src", bare, "secrets", "init")

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "Wrote .env from .env.example; only you can read it.\n"
    assert (project / ".env").read_bytes() == (project / ".env.example").read_bytes()
    assert git(project, "status", "--porcelain") == ""


def test_the_new_file_is_open_to_others_at_no_moment(project: Path, bare: Env) -> None:
    content = "# much to write\n" * 500_000
    (project / ".env.example").write_text(content)
    modes: set[int] = set()
    ended = Event()

    def watch() -> None:
        while not ended.is_set():
            if (project / ".env").exists():
                modes.add(stat.S_IMODE((project / ".env").stat().st_mode))

    watcher = Thread(target=watch)
    watcher.start()
    with under_shell("umask 0", project, bare, "secrets", "init") as child:
        _, said = child.communicate(timeout=60)
    ended.set()
    watcher.join()

    assert child.returncode == 0, said
    assert modes | {stat.S_IMODE((project / ".env").stat().st_mode)} == {0o600}


def test_of_two_at_once_one_writes_and_the_other_leaves_it(project: Path, bare: Env) -> None:
    both = [under_shell("umask 0", project, bare, "secrets", "init") for _ in range(2)]
    said = sorted(child.communicate(timeout=60)[0] for child in both)

    assert [child.returncode for child in both] == [0, 0]
    assert said == [
        "There is a .env already; it was left as it is.\n",
        "Wrote .env from .env.example; only you can read it.\n",
    ]
    assert (project / ".env").read_bytes() == (project / ".env.example").read_bytes()


def test_a_file_that_cannot_be_written_whole_is_not_written(project: Path, bare: Env) -> None:
    (project / ".env.example").write_text("# much to write\n" * 10_000)

    with under_shell("ulimit -f 8", project, bare, "secrets", "init") as child:
        _, said = child.communicate(timeout=60)

    assert child.returncode == 1
    assert said.startswith("error: .env could not be written: ")
    assert "Traceback" not in said
    assert not (project / ".env").exists()


@pytest.mark.parametrize("options", [[], ["--dry-run"]])
def test_a_file_that_is_there_is_left_as_it_is(
    project: Path, bare: Env, options: list[str]
) -> None:
    (project / ".env").write_text("OPENAI_API_KEY=zz-leak\n")

    done = run(project, bare, "secrets", "init", *options)

    assert done.returncode == 0
    assert "left as it is" in done.stdout
    assert "zz-leak" not in done.stdout + done.stderr
    assert (project / ".env").read_text() == "OPENAI_API_KEY=zz-leak\n"


@pytest.mark.parametrize("options", [[], ["--dry-run"]])
def test_a_link_to_nothing_is_left_as_it_is(
    project: Path, bare: Env, here: Path, options: list[str]
) -> None:
    (project / ".env").symlink_to(here / "elsewhere")

    done = run(project, bare, "secrets", "init", *options)

    assert done.returncode == 0
    assert "left as it is" in done.stdout
    assert not (here / "elsewhere").exists()


def test_a_dry_run_writes_nothing(project: Path, bare: Env) -> None:
    done = run(project, bare, "secrets", "init", "--dry-run")

    assert done.returncode == 0
    assert done.stdout.startswith("Would write .env from .env.example")
    assert not (project / ".env").exists()


@pytest.mark.parametrize("options", [[], ["--dry-run"]])
def test_nothing_is_written_where_git_would_take_it_along(
    project: Path, bare: Env, options: list[str]
) -> None:
    (project / ".gitignore").write_text("")

    done = run(project, bare, "secrets", "init", *options)

    assert done.returncode == 1
    assert "add the line `.env` at the end of .gitignore" in done.stderr
    assert not (project / ".env").exists()


def test_nothing_is_written_where_git_tracks_it(project: Path, bare: Env) -> None:
    put(project / ".env", "A=zz-leak\n")
    git(project, "add", "--force", ".env")
    (project / ".env").unlink()

    done = run(project, bare, "secrets", "init")

    assert done.returncode == 1
    assert "`git rm --cached .env`" in done.stderr
    assert not (project / ".env").exists()


def test_the_way_out_that_is_told_works(project: Path, bare: Env) -> None:
    put(project / ".env", "")
    git(project, "add", "--force", ".env")
    git(project, "rm", "--cached", ".env")

    assert run(project, bare, "secrets", "check").returncode == 0


def test_a_repository_that_git_cannot_read_is_no_excuse(project: Path, bare: Env) -> None:
    (project / ".git/HEAD").write_text("broken")

    for verb in ("init", "check"):
        done = run(project, bare, "secrets", verb)
        assert done.returncode == 1
        assert "git does not tell whether it ignores `.env`" in done.stderr
    assert not (project / ".env").exists()


def test_a_project_without_git_gets_its_file_too(project: Path, bare: Env) -> None:
    shutil.rmtree(project / ".git")

    assert run(project, bare, "secrets", "init").returncode == 0
    assert run(project, bare, "secrets", "check").returncode == 0


@pytest.mark.parametrize("verb", ["init", "check"])
def test_a_missing_example_is_told_with_the_way_to_bring_it_back(
    project: Path, bare: Env, verb: str
) -> None:
    (project / ".env.example").unlink()

    done = run(project, bare, "secrets", verb)

    assert done.returncode == 1
    assert "`git checkout HEAD -- .env.example`" in done.stderr
    assert not (project / ".env").exists()


@pytest.mark.parametrize("verb", ["init", "check"])
def test_outside_of_a_project_nothing_is_done(here: Path, bare: Env, verb: str) -> None:
    assert run(here, bare, "secrets", verb).returncode == 2
    assert list(here.iterdir()) == []


def test_a_new_project_is_in_order(project: Path, bare: Env, check: Check) -> None:
    run(project, bare, "secrets", "init")

    done = check(None)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "The settings are in order for development.\n"


def test_production_asks_for_what_the_agent_itself_refuses_to_start_without(
    project: Path, check: Check
) -> None:
    settings = (project / "src/demo/settings.py").read_text()
    refused = re.findall(r'\(\s*"([A-Z_]+)",\s*self\.', settings)

    told = problems(check("", "--production"))

    assert [re.findall(r"`(\w+)` is missing", line) for line in told] == [[n] for n in refused]


def test_production_is_known_by_the_environment_and_by_the_file(check: Check) -> None:
    assert len(problems(check("", APP_ENV="production"))) == 2
    assert len(problems(check("APP_ENV=production\n"))) == 2
    assert check("APP_ENV=production\n", APP_ENV="development").returncode == 0


def test_the_environment_counts_and_no_file_is_needed(check: Check) -> None:
    given = dict(line.split("=", 1) for line in FIT.splitlines())

    done = check(None, "--production", **given)

    assert done.returncode == 0, done.stderr
    assert "there is no .env" in done.stderr
    assert check(FIT, "--production").returncode == 0


@pytest.mark.parametrize("empty", ["", "''", "   ", "${NOT_SET_ANYWHERE}", "# nothing yet"])
def test_an_empty_value_is_a_missing_one(check: Check, empty: str) -> None:
    told = problems(
        check(f"{FIT}AUTH_AUDIENCE=a\n".replace("postgresql://h/d", f" {empty}"), "--production")
    )

    assert len(told) == 1
    assert "`DATABASE_URL` is empty" in told[0]


def test_what_the_environment_has_empty_wins_as_it_does_in_the_agent(check: Check) -> None:
    told = problems(check(FIT, "--production", DATABASE_URL=""))

    assert len(told) == 1
    assert "the environment has it empty, which wins over .env" in told[0]


def test_a_setting_of_ones_own_can_be_required(project: Path, check: Check) -> None:
    with (project / ".env.example").open("a") as example:
        example.write("\n# required\n# CRM_TOKEN=\n\n# Required in production.\nexport CRM_URL=x\n")

    assert ["CRM_TOKEN" in line for line in problems(check(""))] == [True]
    assert len(problems(check("CRM_TOKEN=t\n", "--production"))) == 3
    assert check("CRM_TOKEN=t\n").stderr == ""


def test_a_mark_without_a_setting_is_told(project: Path, check: Check) -> None:
    (project / ".env.example").write_text("A=\n# required\n\nB=\n# required in production\n")

    told = problems(check(""))

    assert [line.split(" of ")[0] for line in told] == ["line 2", "line 5"]


def test_an_example_without_marks_is_no_proof_for_production(project: Path, check: Check) -> None:
    (project / ".env.example").write_text("# AUTH_ISSUER=\n")

    assert check("").returncode == 0
    assert "`agent-new update` brings the marks" in problems(check("", "--production"))[0]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("AUTH_ISUER=zz-leak", "`AUTH_ISUER` in line 2 of .env; did you mean `AUTH_ISSUER`?"),
        ("auth_issuer=zz-leak", "the name in line 2 of .env; did you mean `AUTH_ISSUER`?"),
        ("CRM_TOKEN=zz-leak", "`CRM_TOKEN` in line 2 of .env; if it is yours, add a line"),
        ("MIIEvQIBADANBgkqhkiG9w0zzleak==", "the name in line 2 of .env; if it is yours"),
    ],
)
def test_an_unknown_name_is_only_a_warning(check: Check, line: str, told: str) -> None:
    done = check(f"APP_ENV=development\n{line}\n")

    assert done.returncode == 0
    assert told in done.stderr
    assert "leak" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("A=1\n\n\ntwo words\n", "line 4 of .env cannot be understood"),
        ("A=1\r\n\r\n zz-leak\r\nnot 'closed\n", "lines 3, 4 of .env cannot be understood"),
        ("A='1\n2'\nB=\"3\n", "line 3 of .env cannot be understood"),
        ("A_B=1\n\nA_B=zz-leak\n", "`A_B` in line 3 stands in line 1 of .env too"),
        ("zz-leak=1\nzz-leak=2\n", "the name in line 2 stands in line 1 of .env too"),
        (b"A=1\nB=\xff\n", "line 2 of .env is not UTF-8"),
        ("A=1\nB=2\n".encode("utf-16"), "line 1 of .env is not UTF-8"),
        (b"A=1\nB=\0\n", "line 2 of .env has a NUL byte"),
    ],
)
def test_what_no_agent_can_read_is_told_by_its_line(
    check: Check, content: str | bytes, told: str
) -> None:
    done = check(content)

    assert told in "\n".join(problems(done))
    assert "zz-leak" not in done.stdout + done.stderr


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o602])
def test_a_file_that_others_may_open_is_told(project: Path, check: Check, mode: int) -> None:
    put(project / ".env", "")
    (project / ".env").chmod(mode)

    told = problems(check(None))

    assert told == [f"others may open .env (its mode is {mode:04o}): `chmod 600 .env`"]


def test_a_link_to_nothing_and_a_folder_are_told(project: Path, check: Check) -> None:
    (project / ".env").symlink_to("nowhere")
    assert ".env is a link to nothing" in problems(check(None))[0]

    (project / ".env").unlink()
    (project / ".env").mkdir()
    assert ".env is no plain file" in problems(check(None))[0]


def test_all_problems_are_told_at_once_and_no_value(project: Path, check: Check) -> None:
    put(
        project / ".env",
        b"AUTH_ISSUER=\nA_B=zz-leak\nA_B=zz-leak\nzz-leak zz-leak\nC_D=\xffzz-leak\n",
    )
    (project / ".env").chmod(0o644)
    git(project, "add", "--force", ".env")

    done = check(None, "--production")

    told = problems(done)
    for words in (
        "`AUTH_ISSUER` is empty",
        "`DATABASE_URL` is missing",
        "others may open .env",
        "line 5 of .env is not UTF-8",
        "line 4 of .env cannot be understood",
        "`A_B` in line 3",
        "git tracks `.env`",
    ):
        assert len([line for line in told if words in line]) == 1, words
    assert len(told) == 7
    assert "zz-leak" not in done.stdout + done.stderr


def test_the_page_about_secrets_does_what_it_says(project: Path, bare: Env) -> None:
    blocks = blocks_of((ROOT / "docs/how-to/wire-secrets.md").read_text(encoding="utf-8"))
    fit = dict(line.split("=", 1) for line in FIT.splitlines())

    for line in "".join(block.text for block in blocks if block.language == "sh").splitlines():
        done = run(project, {**bare, **fit}, *line.split()[1:])
        assert done.returncode == 0, done.stderr

    with (project / ".env.example").open("a") as example:
        example.write("".join(block.text for block in blocks if block.language == "text"))
    told = problems(run(project, {**bare, **fit}, "secrets", "check", "--production"))
    assert [line.split()[0] for line in told] == ["`CRM_TOKEN`", "`CRM_URL`"]


# Without `_`: in capitals and in front of `=`, a text that has one is the name of a setting.
_TEXT = st.text(st.characters(codec="utf-8", exclude_characters="_"), max_size=12)
_SECRET = st.builds("{}{}{}".format, _TEXT, st.sampled_from(["zzleak", "ZZLEAK"]), _TEXT)
_NAME = st.sampled_from(["AUTH_ISSUER", "AUTH_ISUER", "CRM_TOKEN", "export OPENAI_API_KEY", "a"])
_LINE = st.one_of(
    st.builds("{}={}".format, _NAME, _SECRET),
    st.builds("{}={!r}".format, _NAME, _SECRET),
    st.builds('{} = "{}" # {}'.format, _NAME, _SECRET, _SECRET),
    st.builds("# {}={}".format, _NAME, _SECRET),
    _SECRET,
).map(str.encode)


@given(st.lists(st.one_of(_LINE, _LINE, st.binary(max_size=6)), max_size=12).map(b"\n".join))
def test_no_value_is_ever_shown_whatever_the_file_holds(check: Check, content: bytes) -> None:
    done = check(content, "--production")

    said = done.stdout + done.stderr
    assert done.returncode in (0, 1)
    assert "Traceback" not in said
    assert "zzleak" not in said.lower()
