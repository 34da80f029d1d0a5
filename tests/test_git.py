"""The first commit, and who it belongs to."""

from __future__ import annotations

import json
from pathlib import Path

from support import git, run

OPTIONS = ("--defaults", "--no-install", "--json")
Env = dict[str, str]


def test_without_an_identity_the_first_commit_is_made_and_says_so(here: Path, env: Env) -> None:
    done = run(here, env, "demo", *OPTIONS)

    assert "by agent-new <agent-new@localhost>" in done.stderr
    made = json.loads(done.stdout)
    assert made["git"] == git(here / "demo", "rev-parse", "main")
    ref = made["template"]["ref"]
    assert git(here / "demo", "log", "--format=%an|%cn|%s") == (
        f"agent-new|agent-new|Start from agent-new {ref.removeprefix('v')}"
    )
    assert git(here / "demo", "status", "--porcelain") == ""


def test_the_persons_identity_is_used_and_their_rules_do_not_break_it(
    here: Path, env: Env, tmp_path: Path
) -> None:
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("pre-commit", "post-checkout", "commit-msg"):
        (hooks / name).write_text("#!/bin/sh\nexit 1\n")
        (hooks / name).chmod(0o755)
    (tmp_path / "ignore").write_text("*.md\n.claude/\n.env*\n")
    Path(env["GIT_CONFIG_GLOBAL"]).write_text(
        "[user]\n name = Pat Example\n email = pat@example.org\n"
        f"[core]\n hooksPath = {hooks}\n excludesFile = {tmp_path / 'ignore'}\n"
        "[commit]\n gpgSign = true\n[gpg]\n program = /bin/false\n"
        "[init]\n defaultBranch = other\n"
        '[url "git@github.com:"]\n insteadOf = https://github.com/\n'
    )

    done = run(here, env, "demo", *OPTIONS)

    assert done.returncode == 0, done.stderr
    assert git(here / "demo", "log", "--format=%an <%ae>") == "Pat Example <pat@example.org>"
    tracked = git(here / "demo", "ls-files").splitlines()
    assert [name for name in tracked if name.endswith(".md")]
    assert ".env" not in tracked


def test_no_repository_inside_another_one(here: Path, env: Env) -> None:
    git(here, "init", "--quiet")

    done = run(here, env, "demo", *OPTIONS)

    assert done.returncode == 0
    assert "inside another one" in done.stderr
    assert "With --into, the agent goes into a folder outside of it." in done.stderr
    assert json.loads(done.stdout)["git"] is None
    assert not (here / "demo/.git").exists()


def test_a_repository_inside_another_one_that_ignores_the_folder(here: Path, env: Env) -> None:
    git(here, "init", "--quiet")
    (here / ".gitignore").write_text("/demo/\n")

    done = run(here, env, "demo", *OPTIONS)

    assert json.loads(done.stdout)["git"]


def test_a_repository_named_by_the_environment_is_not_touched(
    here: Path, env: Env, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "--quiet")

    done = run(here, env | {"GIT_DIR": str(other / ".git")}, "demo", *OPTIONS)

    assert json.loads(done.stdout)["git"], done.stderr
    assert git(other, "count-objects").startswith("0 objects")
