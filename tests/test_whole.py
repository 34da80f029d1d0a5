"""The slow ones: a whole project with the real uv, and the wheel in a fresh environment."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest
import yaml
from uv import find_uv_bin

from agent_new.about import installed_version, repository_url
from support import ROOT, git, hermetic, run, tree

pytestmark = pytest.mark.slow
Env = dict[str, str]

NOWHERE = "http://127.0.0.1:9"
TAG = f"v{installed_version()}"


def test_a_whole_project_is_made_installed_and_answers(here: Path, env: Env) -> None:
    stray = env | {"VIRTUAL_ENV": str(here / "other"), "UV_PROJECT_ENVIRONMENT": str(here / "x")}
    done = run(here, stray, "demo", "--defaults", "--json", timeout=600)

    assert done.returncode == 0, done.stderr
    made = json.loads(done.stdout)
    assert (made["installed"], made["checked"]) == (True, True)
    assert git(here / "demo", "status", "--porcelain") == ""
    assert [path.name for path in here.iterdir()] == ["demo"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory, checkout: Path) -> Path:
    """The wheel of this version, built through the sdist, from a clone that lost its tags."""
    folder = tmp_path_factory.mktemp("wheel")
    git(folder, "clone", "--quiet", "--no-tags", str(checkout), "source")
    released = git(checkout, "tag", "--list", TAG)
    if not released:  # a version in work: this is what its release will be
        git(folder / "source", "tag", TAG)
    command = [find_uv_bin(), "build", "-q", "-o", str(folder / "dist"), str(folder / "source")]
    subprocess.run(command, check=True)
    [wheel] = (folder / "dist").glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Path:
    """Where the commands of a fresh environment with the wheel in it lie."""
    environment = tmp_path_factory.mktemp("installed") / "sp ace [x]"
    uv = find_uv_bin()
    subprocess.run([uv, "venv", "-q", str(environment)], check=True)
    subprocess.run(
        [uv, "pip", "install", "-q", "--python", str(environment), str(wheel)], check=True
    )
    return environment / ("Scripts" if os.name == "nt" else "bin")


@pytest.fixture
def offline(tmp_path: Path, checkout: Path, installed: Path) -> Env:
    """No network, and nothing of this checkout."""
    env = hermetic(tmp_path / "offline", checkout)
    del env["PYTHONPATH"]
    return env | {
        "PATH": os.pathsep.join((str(installed), env["PATH"])),
        "HOME": str(tmp_path / "offline"),
        **dict.fromkeys(("https_proxy", "http_proxy", "ALL_PROXY"), NOWHERE),
    }


def without_network() -> list[str]:
    """A namespace that has no network at all, where the system lets us make one."""
    command = ["unshare", "-rn"]
    allowed = (
        shutil.which("unshare") and subprocess.run([*command, "true"], check=False).returncode == 0
    )
    return command if allowed else []


def cut_off(cwd: Path, env: Env, *command: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*without_network(), *command],
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done


def test_the_wheel_carries_the_template_the_hooks_and_the_pieces(wheel: Path) -> None:
    names = {*zipfile.ZipFile(wheel).namelist()}

    carried = {"agent_new/template.bundle", "agent_new/hooks/install.py"}
    pieces = {f"agent_new/pieces/{path.name}" for path in ROOT.glob("src/agent_new/pieces/*")}
    assert carried | pieces <= names
    assert pieces
    assert not [name for name in names if name.startswith(("template/", "tests/"))]


def test_the_wheel_makes_a_project_without_the_network(here: Path, offline: Env) -> None:
    made = cut_off(here, offline, "agent-new", "demo", "--defaults", "--no-install", "--json")

    assert json.loads(made.stdout)["template"] == {"src": repository_url(), "ref": TAG}
    recorded = yaml.safe_load((here / "demo/.copier-answers.yml").read_text(encoding="utf-8"))
    assert (recorded["_src_path"], recorded["_commit"]) == (repository_url(), TAG)
    subject = git(here / "demo", "log", "--format=%s")
    assert subject == f"Start from agent-new {installed_version()}"


def test_the_wheel_updates_strips_and_renames_without_the_network(
    here: Path, offline: Env, installed: Path
) -> None:
    """From the first release, which plain copier rendered, to this one."""
    [bundle] = installed.parent.glob("**/template.bundle")
    cut_off(here, offline, "git", "clone", "--quiet", str(bundle), "template")
    cut_off(here, offline, "copier", "copy", "--quiet", "--defaults", "--vcs-ref", "v0.1.0",
            "--data", "agent_name=demo", "template", "demo")  # fmt: skip
    project = here / "demo"
    git(project, "init", "--quiet", "-b", "main")
    for words in (("update",), ("strip",), ("rename", "billing")):
        git(project, "add", "--all")
        git(project, "commit", "--quiet", "-m", "before")
        cut_off(project, offline, "agent-new", *words)
    cut_off(here, offline, "agent-new", "demo", "--defaults", "--no-install", "--no-git", "--into",
            "fresh", "--data", "example=false", "--data", "domain_package=billing")  # fmt: skip

    (here / "fresh/demo/.env").unlink()
    assert tree(project) == tree(here / "fresh/demo")
    recorded = yaml.safe_load((project / ".copier-answers.yml").read_text(encoding="utf-8"))
    assert (recorded["_src_path"], recorded["_commit"]) == (repository_url(), TAG)


def test_uvx_runs_the_wheel(here: Path, env: Env, wheel: Path) -> None:
    del env["PYTHONPATH"]
    command = [find_uv_bin(), "tool", "run", "--quiet", "--from", str(wheel), "agent-new"]

    done = subprocess.run(
        [*command, "demo", "--defaults", "--no-install"],
        cwd=here, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    recorded = yaml.safe_load((here / "demo/.copier-answers.yml").read_text(encoding="utf-8"))
    assert recorded["_commit"] == TAG
