"""The slow ones: a whole project with the real uv, and the wheel in a fresh environment."""

from __future__ import annotations

import json
import os
import subprocess
import zipfile
from pathlib import Path

import pytest
import yaml
from uv import find_uv_bin

from agent_new.about import installed_version, repository_url
from support import git, run

pytestmark = pytest.mark.slow
Env = dict[str, str]


def test_a_whole_project_is_made_installed_and_answers(here: Path, env: Env) -> None:
    stray = env | {"VIRTUAL_ENV": str(here / "other"), "UV_PROJECT_ENVIRONMENT": str(here / "x")}
    done = run(here, stray, "demo", "--defaults", "--json", timeout=600)

    assert done.returncode == 0, done.stderr
    made = json.loads(done.stdout)
    assert (made["installed"], made["checked"]) == (True, True)
    assert git(here / "demo", "status", "--porcelain") == ""
    assert [path.name for path in here.iterdir()] == ["demo"]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, checkout: Path) -> Path:
    """A fresh environment with the wheel in it, built through the sdist as for a release."""
    folder = tmp_path_factory.mktemp("wheel")
    uv = find_uv_bin()
    git(checkout, "tag", "--force", f"v{installed_version()}")
    try:
        subprocess.run([uv, "build", "-q", "-o", str(folder / "dist"), str(checkout)], check=True)
    finally:
        git(checkout, "tag", "--delete", f"v{installed_version()}")
    [wheel] = (folder / "dist").glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {"agent_new/template.bundle", "agent_new/hooks/install.py"} <= set(names)
    environment = folder / "sp ace [x]"
    subprocess.run([uv, "venv", "-q", str(environment)], check=True)
    subprocess.run(
        [uv, "pip", "install", "-q", "--python", str(environment), str(wheel)], check=True
    )
    return environment / ("Scripts" if os.name == "nt" else "bin")


def test_the_wheel_makes_a_project_without_the_network(
    installed: Path, here: Path, env: Env
) -> None:
    nowhere = "http://127.0.0.1:9"
    offline = env | {"https_proxy": nowhere, "http_proxy": nowhere, "ALL_PROXY": nowhere}
    del offline["PYTHONPATH"]

    done = subprocess.run(
        [str(installed / "agent-new"), "demo", "--defaults", "--no-install", "--json"],
        cwd=here,
        env=offline,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    tag = f"v{installed_version()}"
    assert json.loads(done.stdout)["template"] == {"src": repository_url(), "ref": tag}
    recorded = yaml.safe_load((here / "demo/.copier-answers.yml").read_text(encoding="utf-8"))
    assert (recorded["_src_path"], recorded["_commit"]) == (repository_url(), tag)
    subject = git(here / "demo", "log", "--format=%s")
    assert subject == f"Start from agent-new {installed_version()}"
