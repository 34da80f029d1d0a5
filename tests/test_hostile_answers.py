"""Names and answers that try to reach out of the project, or to be run."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from support import ALL_WAYS, COMMAND, run

Env = dict[str, str]
UNSHARE = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
NAMES = [
    "../escape", "a/b", "/tmp/abs-agent", "..", ".", ".git", "con", "con.txt", "nul", "de\nmo", "demo\n",
    "demo ", "~", "$HOME", "a\\b", "--", "user", "isbn", "urn-7", "xn--demo", "print", "dist", "python",
]  # fmt: skip


@pytest.fixture
def marks() -> Iterator[Path]:
    """An empty folder with a short name."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def copier_copy(
    here: Path, env: Env, checkout: Path, destination: str, *arguments: str
) -> subprocess.CompletedProcess[str]:
    copier = [sys.executable, "-m", "copier", "copy", "--quiet", "--vcs-ref", "HEAD", "--defaults"]
    return subprocess.run(
        [*copier, *arguments, str(checkout), destination],
        cwd=here,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("name", NAMES)
def test_an_odd_name_is_refused_with_a_suggestion_and_writes_nothing(
    here: Path, env: Env, name: str
) -> None:
    done = run(here, env, "--defaults", "--no-install", "-d", f"agent_name={name}")

    assert done.returncode == 2
    assert f"`agent_name` is {name!r}. " in done.stderr
    assert " Try " in done.stderr
    assert "Traceback" not in done.stderr
    assert list(here.iterdir()) == []
    assert not list(here.parent.glob("**/escape"))


@pytest.mark.parametrize("name", ["../escape", "con", "user", "de\nmo"])
def test_a_plain_copier_copy_refuses_it_too(
    here: Path, env: Env, checkout: Path, name: str
) -> None:
    done = copier_copy(here, env, checkout, "made", "--data", f"agent_name={name}")

    assert done.returncode != 0
    assert "Try my-" in done.stderr
    assert list(here.iterdir()) == []


def test_answers_are_never_run(here: Path, env_with_fake_uv: Env, marks: Path) -> None:
    answers = {
        "title": f"`touch {marks}/1`",
        "organization": f"\"; __import__('os').system('touch {marks}/2') #",
        "description": f"$(touch {marks}/3) `touch {marks}/4` | touch {marks}/5 ; touch {marks}/6",
        "study": f"{{{{ ''.__class__.__mro__ }}}} {{% include '/etc/passwd' %}} %s {marks}",
        "universe": f"'''\"\"\" + open('{marks}/7', 'w').write('') + '",
    }
    given = [part for key, value in answers.items() for part in ("-d", f"{key}={value}")]

    done = run(here, env_with_fake_uv, "demo", "--defaults", *given)

    assert done.returncode == 0, done.stderr
    recorded = yaml.safe_load((here / "demo/.copier-answers.yml").read_text(encoding="utf-8"))
    assert {key: recorded[key] for key in answers} == answers
    identity = ast.parse((here / "demo/src/demo/identity.py").read_text(encoding="utf-8"))
    literals = {node.value for node in ast.walk(identity) if isinstance(node, ast.Constant)}
    assert set(answers.values()) <= literals
    assert list(marks.iterdir()) == []


@pytest.mark.parametrize("target", ["outside", "outside/nothing", "/nowhere/at/all"])
def test_a_link_in_the_place_of_the_project_is_left_alone(
    here: Path, env: Env, target: str
) -> None:
    (here / "outside").mkdir()
    (here / "demo").symlink_to(target)

    done = run(here, env, "demo", *ALL_WAYS)

    assert done.returncode == 2
    assert "is there already" in done.stderr
    assert (here / "demo").readlink() == Path(target)
    assert list((here / "outside").iterdir()) == []


def test_a_file_in_the_place_of_the_project_is_left_alone(here: Path, env: Env) -> None:
    (here / "demo").write_text("mine")

    done = run(here, env, "demo", *ALL_WAYS)

    assert done.returncode == 2
    assert (here / "demo").read_text() == "mine"


def test_links_in_the_folder_of_the_project_lead_nothing_outside(
    here: Path, env: Env, checkout: Path
) -> None:
    (here / "outside").mkdir()
    (here / "demo").mkdir()
    (here / "demo/src").symlink_to("../outside")

    ours = run(here, env, "demo", *ALL_WAYS)
    plain = copier_copy(here, env, checkout, "demo", "--overwrite", "--data", "agent_name=demo")

    assert ours.returncode == 2
    assert plain.returncode != 0
    assert "forbidden" in plain.stderr
    assert list((here / "outside").iterdir()) == []


def test_a_file_that_is_a_link_is_not_written_through(here: Path, env: Env, checkout: Path) -> None:
    (here / "mine").write_text("mine")
    (here / "demo").mkdir()
    (here / "demo/README.md").symlink_to("../mine")

    ours = run(here, env, "demo", *ALL_WAYS)
    copier_copy(here, env, checkout, "demo", "--overwrite", "--data", "agent_name=demo")

    assert ours.returncode == 2
    assert (here / "mine").read_text() == "mine"


def mounted(options: str, here: Path, env: Env, *arguments: str) -> tuple[int, str, str]:
    """Run the command in a small file system that only it sees; its code, stderr, what is left."""
    script = (
        f"mount -t tmpfs -o size=200k none '{here}' && {options} cd '{here}' || exit 77; "
        '"$@"; code=$?; ls -A >&1; exit $code'
    )
    done = subprocess.run(
        [*UNSHARE, script, "sh", *COMMAND, *arguments],
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 77 or "unshare" in done.stderr:
        pytest.skip(f"no file system may be mounted here: {done.stderr.strip()}")
    return done.returncode, done.stderr, done.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="needs `unshare`")
def test_a_full_disk_is_one_line_and_leaves_nothing(here: Path, env: Env) -> None:
    code, said, left = mounted("", here, env, "demo", *ALL_WAYS)

    assert code == 1, said
    assert "No space left on device" in said
    assert "Traceback" not in said
    assert left == ""


@pytest.mark.skipif(sys.platform != "linux", reason="needs `unshare`")
def test_a_read_only_parent_is_told_with_the_way_out(here: Path, env: Env) -> None:
    remount = f"mount -o remount,ro '{here}' &&"
    code, said, left = mounted(remount, here, env, "demo", *ALL_WAYS)

    assert code == 2, said
    assert "may not be written to. Give another folder with --into." in said
    assert left == ""


def test_an_output_that_a_script_takes_has_no_question_and_no_colour(here: Path, env: Env) -> None:
    coloured = env | {"FORCE_COLOR": "1", "CLICOLOR_FORCE": "1", "TERM": "xterm-256color"}
    done = run(here, coloured, "demo", *ALL_WAYS)

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"Made {here / 'demo'}{os.linesep}")
    assert "\x1b" not in done.stdout + done.stderr
    assert "?" not in done.stdout
    assert "Name of the agent" not in done.stdout
