"""What a person gets from `agent-new NAME`, through the real command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_new.about import repository_url
from agent_new.questions import QUESTIONS
from agent_new.terminal import UNATTENDED
from agent_new.text import text_problem
from support import ALL_WAYS, COMMAND, ROOT, git, hermetic, run, tree
from test_text_macro import AWKWARD

Env = dict[str, str]


def test_json_is_one_object_that_tells_all(here: Path, env: Env) -> None:
    done = run(here, env, "demo", *ALL_WAYS, "--json", "-d", "surfaces=[]")

    assert done.returncode == 0, done.stderr
    made = json.loads(done.stdout)
    commands = made.pop("next")
    assert commands[0] == "cd demo"
    assert [command.split()[1:] for command in commands[1:]] == [
        ["run", "uvicorn", "app:app"],
        ["run", "pytest"],
    ]
    assert made == {
        "path": str(here / "demo"),
        "agent_name": "demo",
        "agent_package": "demo",
        "domain_package": "palmer_penguins",
        "surfaces": [],
        "template": {"src": repository_url(), "ref": made["template"]["ref"]},
        "installed": False,
        "git": None,
        "checked": None,
    }
    recorded = yaml.safe_load((here / "demo/.copier-answers.yml").read_text(encoding="utf-8"))
    assert recorded["_src_path"] == repository_url()
    assert recorded["_commit"] == made["template"]["ref"]
    assert {key for key in recorded if not key.startswith("_")} == {q.key for q in QUESTIONS}


def test_the_derived_names_are_shown_before_anything_is_written(here: Path, env: Env) -> None:
    done = run(here, env, "new", "my-demo", *ALL_WAYS)

    shown, _, _ = done.stderr.partition("Rendering")
    for name in (
        str(here / "my-demo"),
        "my_demo",
        "palmer-penguins",
        "urn:my-demo:",
        "vnd.my-demo.",
    ):
        assert name in shown
    assert f"Made {here / 'my-demo'}" in done.stdout


def test_without_the_example_a_note_names_what_still_speaks_of_it(here: Path, env: Env) -> None:
    bare = run(here, env, "demo", *ALL_WAYS, "-d", "example=false", "-d", "study=Ours")
    own = [
        f"--data={key}={value}"
        for key, value in {
            "description": "Ours.", "domain_package": "ours", "study": "Ours", "universe": "All"
        }.items()
    ]  # fmt: skip
    described = run(here, env, "demo2", *ALL_WAYS, "-d", "example=false", *own)
    usual = run(here, env, "demo3", *ALL_WAYS)

    assert "description, domain_package and universe still speak of its penguins" in bare.stderr
    assert "--data description=..." in bare.stderr
    assert "penguins" not in described.stderr + described.stdout
    assert "Note" not in usual.stderr


def test_options_may_stand_anywhere(here: Path, env: Env) -> None:
    done = run(here, env, "--json", "--into", "deep/er", "new", "--defaults", "demo", *ALL_WAYS[:2])

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["next"][0] == "cd deep/er/demo"
    assert (here / "deep/er/demo/.copier-answers.yml").is_file()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["test", "--defaults"], "Try test-agent"),
        (["../escape", "--defaults"], "Try escape"),
        (["/tmp/abs-agent", "--defaults"], "small letters"),
        (["a\n", "--defaults"], "small letters"),
        (["-rf", "--defaults"], "No such option"),
        (["demo", "--defaults", "-d", "titel=x", "-d", "example=flase"], "Did you mean `title`?"),
        (["demo", "--defaults", "-d", "novalue"], "Write KEY=VALUE"),
        (["demo", "--defaults", "--data-file", "missing.yml"], "missing.yml cannot be read"),
        (["demo", "--defaults", "--serve", "--no-install"], "--serve needs the install"),
        (["--defaults"], "needs a name"),
    ],
)
def test_a_refusal_is_short_and_writes_nothing(
    here: Path, env: Env, arguments: list[str], said: str
) -> None:
    done = run(here, env, *arguments)

    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert list(here.parent.glob("**/demo")) == []
    assert list(here.iterdir()) == []


def test_a_folder_with_something_in_it_is_left_alone(here: Path, env: Env) -> None:
    (here / "demo").mkdir()
    (here / "demo/mine").write_text("mine")

    done = run(here, env, "demo", *ALL_WAYS)

    assert done.returncode == 2
    assert "no empty folder" in done.stderr
    assert tree(here) == {"demo/mine": b"mine"}


def test_a_file_or_a_link_in_the_place_is_left_alone(here: Path, env: Env) -> None:
    (here / "outside").mkdir()
    (here / "demo").symlink_to("outside")
    (here / "file").touch()

    assert run(here, env, "demo", *ALL_WAYS).returncode == 2
    assert run(here, env, "demo2", "--into", "file", *ALL_WAYS).returncode == 2
    assert list((here / "outside").iterdir()) == []


def test_an_empty_folder_is_used(here: Path, env: Env) -> None:
    (here / "demo").mkdir()

    assert run(here, env, "demo", *ALL_WAYS).returncode == 0
    assert (here / "demo/.copier-answers.yml").is_file()


def test_without_a_terminal_each_missing_answer_is_named(here: Path, env: Env) -> None:
    start = time.monotonic()
    done = run(here, env, "-d", "title=x", timeout=20)

    assert time.monotonic() - start < 5
    assert done.returncode == 2
    assert "\n  NAME\n  --data example=...\n  --data description=...\n" in done.stderr
    for question in QUESTIONS[2:]:
        assert f"\n  --data {question.key}=...\n" in done.stderr
    assert "title=" not in done.stderr
    assert "--defaults" in done.stderr
    assert list(here.iterdir()) == []


def test_without_a_terminal_all_answers_do_without_defaults(here: Path, env: Env) -> None:
    answers = "".join(f"{q.key}: {json.dumps(q.default)}\n" for q in QUESTIONS[2:])
    (here / "a.yml").write_text(answers)

    done = run(here, env, "demo", "--data-file", "a.yml", "-d", "title=T", *ALL_WAYS[:2])

    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "changes",
    [
        {"PYTHONUTF8": "0", "PYTHONIOENCODING": "cp1252"},
        {"LC_ALL": "C", "NO_COLOR": "1", "TERM": "dumb", "PYTHONCOERCECLOCALE": "0"},
    ],
    ids=["cp1252", "C"],
)
def test_output_survives_any_code_page(here: Path, env: Env, changes: Env) -> None:
    odd = here / "Привет"
    odd.mkdir()
    for arguments in (["--help"], ["new", "--help"], ["demo", *ALL_WAYS, "-d", "title=Привет ✓"]):
        done = subprocess.run(
            [*COMMAND, *arguments], cwd=odd, env=env | changes, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert b"\x1b" not in done.stdout + done.stderr


def test_the_help_names_every_option(here: Path, env: Env) -> None:
    said = run(here, env, "new", "--help").stdout

    for option in [
        "--defaults",
        "--data",
        "--data-file",
        "--into",
        "--no-install",
        "--no-git",
        "--serve",
        "--json",
    ]:
        assert option in said
    assert run(here, env, "--version").stdout.startswith("agent-new ")


def test_a_missing_git_is_said_before_anything_is_written(here: Path, env: Env) -> None:
    done = run(here, env | {"PATH": str(here)}, "demo", *ALL_WAYS)

    assert done.returncode == 1
    assert "git was not found" in done.stderr
    assert list(here.iterdir()) == []


def test_the_same_tree_as_a_plain_copier_copy(here: Path, env: Env, checkout: Path) -> None:
    run(here, env, "demo", *ALL_WAYS)
    copier = [sys.executable, "-m", "copier", "copy", "-q", "-r", "HEAD", "--defaults"]
    subprocess.run(
        [*copier, "--data", "agent_name=demo", str(checkout), "plain"],
        cwd=here,
        env=env,
        check=True,
    )

    ours, plain = tree(here / "demo"), tree(here / "plain")
    ours.pop(".env", None)  # never a template file
    for made in (ours, plain):
        answers = yaml.safe_load(made[".copier-answers.yml"])
        made[".copier-answers.yml"] = json.dumps(
            {key: value for key, value in answers.items() if not key.startswith("_")}
        ).encode()
    assert ours == plain


def test_a_checkout_with_changes_is_rendered_with_a_note(
    here: Path, env: Env, checkout: Path, tmp_path: Path
) -> None:
    dirty = tmp_path / "dirty"
    git(tmp_path, "clone", "--quiet", str(checkout), str(dirty))
    (dirty / "template/new-file.txt").write_text("new\n")

    changed = env | {"PYTHONPATH": str(dirty / "src")}
    done = run(here, changed, "demo", *ALL_WAYS, "--json")

    assert done.returncode == 0, done.stderr
    assert "cannot be updated later" in done.stderr
    assert "Warning" not in done.stderr
    assert json.loads(done.stdout)["template"]["ref"] is None
    assert (here / "demo/new-file.txt").is_file()


texts = st.text(min_size=1, max_size=70).filter(lambda text: text_problem(text, 80) is None)


@settings(
    max_examples=2,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(title=texts, study=texts)
def test_any_text_is_recorded_character_for_character(
    tmp_path_factory: pytest.TempPathFactory, checkout: Path, title: str, study: str
) -> None:
    here = tmp_path_factory.mktemp("text")
    env = hermetic(here / "settings", checkout)
    given_texts = ["-d", f"title={title}", "-d", f"study={study}", "-d", f"description={AWKWARD}"]

    done = run(here, env, "demo", *ALL_WAYS, *given_texts)

    assert done.returncode == 0, done.stderr
    recorded = yaml.safe_load((here / "demo/.copier-answers.yml").read_text(encoding="utf-8"))
    assert (recorded["title"], recorded["study"]) == (title, study)
    assert recorded["description"] == AWKWARD


def test_nothing_is_asked_where_a_tool_runs_the_command() -> None:
    assert {"CI", "GITHUB_ACTIONS", "AI_AGENT"} <= set(UNATTENDED)


def test_no_template_name_is_too_much_for_windows(checkout: Path) -> None:
    names = git(checkout, "ls-files", "template").splitlines()

    assert [name for name in names if set(name) & set('<>:"|?*\\') or len(name) > 140] == []


def test_the_tests_run_the_clone(env: Env, here: Path, checkout: Path) -> None:
    code = "import agent_new; print(agent_new.__file__)"
    where = subprocess.check_output([sys.executable, "-c", code], env=env, cwd=here, text=True)

    assert Path(where.strip()).is_relative_to(checkout)
    assert not checkout.is_relative_to(ROOT)
    assert os.path.commonpath([checkout, env["PYTHONPATH"]]) == str(checkout)
