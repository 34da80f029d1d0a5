"""`agent-new update`: a newer template comes in, and nothing of the person's is lost."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

import newer
from agent_new.about import repository_url
from support import COMMAND, git, hermetic, replace, run, status, tree, write

Env = dict[str, str]


@pytest.fixture(scope="module")
def newest(tmp_path_factory: pytest.TempPathFactory, checkout: Path) -> Path:
    return newer.newer_template(checkout, tmp_path_factory.mktemp("newer") / "agent-new")


@pytest.fixture
def newer_env(tmp_path: Path, newest: Path) -> Env:
    """For the command of the newer version."""
    return hermetic(tmp_path / "newer settings", newest)


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory, newest: Path) -> dict[str, bytes]:
    """What the newer version makes of the same answers."""
    folder = tmp_path_factory.mktemp("fresh")
    env = hermetic(tmp_path_factory.mktemp("settings"), newest)
    done = run(folder, env, "demo", "--defaults", "--no-install", "--no-git")
    assert done.returncode == 0, done.stderr
    return tree(folder / "demo")


def test_an_untouched_project_becomes_what_the_newer_version_makes(
    project: Path, newer_env: Env, fresh: dict[str, bytes]
) -> None:
    done = run(project, newer_env, "update")

    assert (done.returncode, done.stderr.count("Traceback")) == (0, 0), done.stderr
    assert tree(project) == fresh
    assert "## 99.0.0" in done.stdout
    assert newer.NOTE in done.stdout
    assert "Undo: git reset --hard" in done.stdout
    assert all(line[1] == " " for line in status(project))  # staged, and nothing beside it


def test_a_second_update_changes_nothing(
    project: Path, newer_env: Env, commit: Callable[[], None]
) -> None:
    run(project, newer_env, "update")
    commit()

    again = run(project, newer_env, "update")

    assert (again.returncode, status(project)) == (0, [])
    assert again.stdout == f"Up to date: {project} is at {newer.TAG}.\n"


def test_check_tells_whether_there_is_an_update_and_changes_nothing(
    project: Path, env: Env, newer_env: Env
) -> None:
    none = run(project, env, "update", "--check")
    one = run(project, newer_env, "update", "--check")

    assert (none.returncode, one.returncode) == (0, 4)
    assert f"-> {newer.TAG}" in one.stdout
    assert newer.NOTE in one.stdout
    assert status(project) == []


def test_it_works_from_a_folder_below_the_project(project: Path, newer_env: Env) -> None:
    assert run(project / "src/demo", newer_env, "update").returncode == 0
    assert (project / newer.ADDED).is_file()


def test_edits_of_both_sides_come_together(
    project: Path, newer_env: Env, commit: Callable[[], None]
) -> None:
    replace(project / "README.md", "# Demo", "# Demo of mine")
    replace(project / newer.RENAMED, "import re\n", "import re  # mine\n")
    commit()

    done = run(project, newer_env, "update")

    assert done.returncode == 0, done.stdout
    readme = (project / "README.md").read_text()
    assert "# Demo of mine" in readme
    assert newer.NOTE in readme
    moved = (project / newer.RENAMED_TO).read_text()
    assert "# mine" in moved
    assert newer.NOTE in moved
    assert not (project / newer.RENAMED).exists()


def test_a_conflict_is_listed_marked_and_told_by_the_exit_code(
    project: Path, newer_env: Env, commit: Callable[[], None]
) -> None:
    replace(project / "README.md", newer.CHANGED_LINE, "My own words about CLAUDE.md")
    commit()
    head = git(project, "rev-parse", "HEAD")

    done = run(project, newer_env, "update")

    assert done.returncode == 3
    assert "  conflict  README.md" in done.stdout
    assert git(project, "grep", "-l", "^<<<<<<< agent-new/yours") == "README.md"
    assert len(git(project, "ls-files", "-u").splitlines()) == 3
    assert git(project, "rev-parse", "HEAD") == head
    recorded = yaml.safe_load((project / ".copier-answers.yml").read_text())
    assert recorded["_commit"] == newer.TAG


def test_unresolved_conflicts_are_never_updated_over(
    project: Path, newer_env: Env, commit: Callable[[], None]
) -> None:
    replace(project / "README.md", newer.CHANGED_LINE, "My own words about CLAUDE.md")
    commit()
    run(project, newer_env, "update")
    before = tree(project)

    open_ones = run(project, newer_env, "update")
    commit()
    committed = run(project, newer_env, "update")

    for done in (open_ones, committed):
        assert done.returncode == 1
        assert "README.md" in done.stderr
        assert "conflicts" in done.stderr
    assert tree(project) == before


def test_once_resolved_and_committed_the_project_is_up_to_date(
    project: Path, newer_env: Env, commit: Callable[[], None]
) -> None:
    replace(project / "README.md", newer.CHANGED_LINE, "My own words about CLAUDE.md")
    commit()
    run(project, newer_env, "update")
    (project / "README.md").write_text("Resolved.\n")
    commit()

    for _ in range(2):
        done = run(project, newer_env, "update")
        assert done.returncode == 0, done.stderr
        assert "Up to date" in done.stdout
    assert (project / "README.md").read_text() == "Resolved.\n"


def test_the_undo_that_it_names_brings_everything_back(
    project: Path, newer_env: Env, commit: Callable[[], None]
) -> None:
    replace(project / "README.md", newer.CHANGED_LINE, "My own words about CLAUDE.md")
    commit()
    write(project / "scratch.txt", "not tracked")
    before = tree(project)
    run(project, newer_env, "update")

    git(project, "reset", "--hard")

    assert tree(project) == before


def test_a_file_that_the_template_dropped_stays_where_the_person_changed_it(
    project: Path, newer_env: Env, commit: Callable[[], None]
) -> None:
    write(project / newer.DROPPED, "Mine now.\n")
    commit()

    done = run(project, newer_env, "update")

    assert done.returncode == 0
    assert (project / newer.DROPPED).read_text() == "Mine now.\n"
    assert f"  kept  {newer.DROPPED}" in done.stdout


@pytest.mark.parametrize("name", [newer.CHANGED, newer.RENAMED])
def test_what_the_person_deleted_does_not_come_back(
    project: Path, newer_env: Env, commit: Callable[[], None], name: str
) -> None:
    (project / name).unlink()
    commit()

    done = run(project, newer_env, "update")

    assert done.returncode == 0, done.stdout
    assert not (project / name).exists()
    assert not (project / newer.RENAMED_TO).exists() or name != newer.RENAMED
    assert "left out" in done.stdout


def test_a_file_of_the_same_name_on_both_sides_is_a_conflict(
    project: Path, newer_env: Env, commit: Callable[[], None]
) -> None:
    write(project / newer.ADDED, "My own operations.\n")
    commit()

    done = run(project, newer_env, "update")

    assert done.returncode == 3
    assert "My own operations." in (project / newer.ADDED).read_text()


@pytest.mark.parametrize("ignored", [True, False])
def test_a_file_that_is_in_no_commit_is_never_written_over(
    project: Path, newer_env: Env, commit: Callable[[], None], ignored: bool
) -> None:
    if ignored:
        replace(project / ".gitignore", "\n", "\n/docs/operations.md\n")
        commit()
    write(project / newer.ADDED, "My own operations.\n")
    before = tree(project)

    done = run(project, newer_env, "update")

    assert done.returncode == 1
    assert newer.ADDED in done.stderr
    assert tree(project) == before


def test_ignored_and_untracked_files_are_left_alone(project: Path, newer_env: Env) -> None:
    write(project / ".env", "TOKEN=my-real-secret\n")
    write(project / ".data/agent.db", "rows")
    write(project / "notes.txt", "not tracked")

    assert run(project, newer_env, "update").returncode == 0

    assert (project / ".env").read_text() == "TOKEN=my-real-secret\n"
    assert (project / ".data/agent.db").read_text() == "rows"
    assert (project / "notes.txt").read_text() == "not tracked"


def test_changes_in_no_commit_stop_it(project: Path, newer_env: Env) -> None:
    replace(project / "README.md", "# Demo", "# Demo of mine")
    before = tree(project)

    done = run(project, newer_env, "update")

    assert done.returncode == 1
    assert "README.md" in done.stderr
    assert "Commit or stash" in done.stderr
    assert tree(project) == before


def test_an_answer_can_be_changed_later(project: Path, env: Env, here: Path) -> None:
    dropped = run(project, env, "update", "--data", "surfaces=mcp", "--data", "auth=oidc")
    run(here, env, "demo", "--defaults", "--no-install", "--no-git", "--into", "other",
        "--data", "surfaces=mcp", "--data", "auth=oidc")  # fmt: skip

    assert dropped.returncode == 0, dropped.stderr
    (project / ".env").unlink()  # the person's own: no update touches it
    (here / "other/demo/.env").unlink()
    assert tree(project) == tree(here / "other/demo")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ("domain_package=billing", "agent-new rename"),
        ("agent_name=other", "identity"),
        ("nope=1", "There is no question `nope`"),
        ("surfaces=mpc", "Did you mean `mcp`"),
        ("example=flase", "yes or no"),
    ],
)
def test_an_answer_that_cannot_be_changed_so_is_refused_with_the_way(
    project: Path, env: Env, data: str, told: str
) -> None:
    done = run(project, env, "update", "--data", data)

    assert done.returncode == 2
    assert told in done.stderr
    assert status(project) == []


def test_an_older_version_is_refused(
    project: Path, env: Env, newer_env: Env, commit: Callable[[], None]
) -> None:
    run(project, newer_env, "update")
    commit()

    unknown = run(project, env, "update")
    older = run(project, newer_env, "update", "--to", "v0.1.0")

    assert (unknown.returncode, older.returncode) == (1, 1)
    assert "Upgrade agent-new" in unknown.stderr
    assert "older" in older.stderr


@pytest.mark.parametrize("tag", ["v77.0.0", "--output=x", "nonsense"])
def test_a_version_that_there_is_not_is_told_with_those_that_there_are(
    project: Path, env: Env, tag: str
) -> None:
    done = run(project, env, "update", f"--to={tag}")

    assert done.returncode == 2
    assert "v0.1.0" in done.stderr


def test_a_folder_that_is_no_project_is_told(here: Path, env: Env) -> None:
    done = run(here, env, "update")

    assert done.returncode == 2
    assert ".copier-answers.yml" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("_src_path: x\n", "`_commit`"),
        ("{", "cannot be read"),
        ("", "`_src_path`"),
        ("_src_path: https://example.org/other.git\n_commit: v1\nagent_name: a\ndomain_package: b\n",
         "another template"),
        (f"_src_path: {repository_url()}\n_commit: 1234567\nagent_name: a\ndomain_package: b\n",
         "Upgrade agent-new"),
    ],
)  # fmt: skip
def test_an_answers_file_that_says_too_little_is_told_in_one_line(
    project: Path, env: Env, commit: Callable[[], None], content: str, told: str
) -> None:
    write(project / ".copier-answers.yml", content)
    commit()

    done = run(project, env, "update")

    assert done.returncode == 1
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_a_project_without_git_or_commit_is_told(project: Path, env: Env) -> None:
    shutil.rmtree(project / ".git")
    none = run(project, env, "update", "--data", "auth=oidc")
    git(project, "init", "--quiet")
    empty = run(project, env, "update", "--data", "auth=oidc")

    assert (none.returncode, empty.returncode) == (1, 1)
    assert run(project, env, "update", "--check").returncode == 0
    assert "no git repository" in none.stderr
    assert "no commit yet" in empty.stderr


def test_a_project_in_a_subfolder_of_a_repository_changes_only_there(
    rendered: Path, here: Path, newer_env: Env, fresh: dict[str, bytes]
) -> None:
    ignore = shutil.ignore_patterns(".git")
    shutil.copytree(rendered, here / "agents/demo", ignore=ignore)
    shutil.copytree(rendered, here / "agents/twin", ignore=ignore)
    (here / "agents/demo" / newer.RENAMED).unlink()  # the twin has the same file
    git(here, "init", "--quiet", "-b", "main")
    git(here, "add", "--all")
    git(here, "commit", "--quiet", "-m", "two agents")
    write(here / "agents/twin/README.md", "uncommitted work elsewhere\n")
    twin = tree(here / "agents/twin")

    done = run(here / "agents/demo", newer_env, "update")

    assert done.returncode == 0, done.stderr
    expected = {name: text for name, text in fresh.items() if name != newer.RENAMED_TO}
    assert tree(here / "agents/demo") == expected
    assert tree(here / "agents/twin") == twin
    assert "Undo: git restore --source=HEAD --staged --worktree ." in done.stdout
    git(here / "agents/demo", "restore", "--source=HEAD", "--staged", "--worktree", ".")
    assert not (here / "agents/demo" / newer.ADDED).exists()
    assert tree(here / "agents/twin") == twin


@pytest.mark.parametrize(
    "settings",
    [
        {"status.showUntrackedFiles": "no"},
        {"core.autocrlf": "true"},
        {"core.excludesFile": "EXCLUDES"},
        {
            "merge.conflictStyle": "diff3",
            "merge.renames": "false",
            "merge.directoryRenames": "true",
        },
        {"commit.gpgSign": "true", "core.hooksPath": "HOOKS"},
        {"core.quotePath": "true", "color.ui": "always", "diff.noprefix": "true"},
    ],
    ids=",".join,
)
def test_git_settings_of_the_person_change_nothing(
    project: Path, newer_env: Env, fresh: dict[str, bytes], tmp_path: Path, settings: dict[str, str]
) -> None:
    excludes, hooks = tmp_path / "excludes", tmp_path / "hooks"
    excludes.write_text("*.md\ndocs\n.env*\n")
    for hook in ("pre-commit", "post-checkout", "reference-transaction", "post-index-change"):
        write(hooks / hook, "#!/bin/sh\nexit 1\n")
        (hooks / hook).chmod(0o755)
    for name, value in settings.items():
        given = {"EXCLUDES": str(excludes), "HOOKS": str(hooks)}.get(value, value)
        git(tmp_path, "config", "--file", newer_env["GIT_CONFIG_GLOBAL"], name, given)

    done = run(project, newer_env, "update")

    assert done.returncode == 0, done.stderr
    assert tree(project) == fresh


def test_a_linked_worktree_is_updated_by_itself(
    project: Path, here: Path, newer_env: Env, fresh: dict[str, bytes]
) -> None:
    git(project, "worktree", "add", "--quiet", "-b", "next", str(here / "linked"))

    done = run(here / "linked", newer_env, "update")

    assert done.returncode == 0, done.stderr
    assert tree(here / "linked") == {name: it for name, it in fresh.items() if name != ".env"}
    assert status(project) == []


def test_a_stop_in_the_middle_changes_nothing(project: Path, newer_env: Env) -> None:
    before = tree(project)
    running = subprocess.Popen(
        [*COMMAND, "update"], cwd=project, env=newer_env, stderr=subprocess.PIPE, text=True
    )
    assert running.stderr is not None
    assert "Rendering" in running.stderr.readline()
    running.terminate()
    _, told = running.communicate(timeout=30)

    assert running.returncode == 130
    assert "Stopped" in told
    assert tree(project) == before
    assert status(project) == []
    assert list(Path(newer_env["TMPDIR"]).iterdir()) == []


def test_a_question_of_a_later_version_takes_its_default(project: Path, newer_env: Env) -> None:
    run(project, newer_env, "update")

    assert (project / newer.ADDED).read_text() == "Operated by nobody.\n"
    assert yaml.safe_load((project / ".copier-answers.yml").read_text())["operator"] == "nobody"


def test_a_colleague_with_nothing_but_a_clone_updates_it_too(
    project: Path, newest: Path, tmp_path: Path, fresh: dict[str, bytes]
) -> None:
    git(tmp_path, "clone", "--quiet", str(project), "elsewhere")
    other = hermetic(tmp_path / "other settings", newest) | {"HOME": str(tmp_path / "other home")}

    done = run(tmp_path / "elsewhere", other, "update")

    assert done.returncode == 0, done.stderr
    assert tree(tmp_path / "elsewhere") == {n: it for n, it in fresh.items() if n != ".env"}
    recorded = yaml.safe_load((tmp_path / "elsewhere/.copier-answers.yml").read_text())
    assert recorded["_src_path"] == repository_url()


@pytest.mark.parametrize(
    "settings",
    [
        {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"},
        {"LC_ALL": "C", "NO_COLOR": "1", "TERM": "dumb"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
    ids=["cp1252", "dumb", "ascii"],
)
def test_no_code_page_stops_it(
    project: Path, newer_env: Env, commit: Callable[[], None], settings: dict[str, str]
) -> None:
    replace(project / "README.md", newer.CHANGED_LINE, "Zoë's words 🐧 about CLAUDE.md")
    write(project / newer.DROPPED, "Zoë's own 🐧\n")
    write(project / "docs/Übersicht 🐧.md", "mine\n")
    commit()

    done = run(project, newer_env | settings, "update")

    assert done.returncode == 3, done.stderr
    assert "  conflict  README.md" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr
    assert "Zoë's words 🐧" in (project / "README.md").read_text(encoding="utf-8")
    assert (project / "docs/Übersicht 🐧.md").is_file()


def test_stopped_after_the_changes_are_in_it_says_so_and_how_to_undo_them(
    project: Path, newer_env: Env
) -> None:
    """The project's Python is one whose second run of the tests takes long."""
    write(project / ".venv/bin/python", "#!/bin/sh\n[ -e .venv/ran ] && touch .venv/again && exec sleep 60\n"
          "touch .venv/ran; exit 2\n")  # fmt: skip
    (project / ".venv/bin/python").chmod(0o755)
    command = subprocess.Popen(
        [*COMMAND, "update"], cwd=project, env=newer_env, stderr=subprocess.PIPE, text=True
    )
    again, deadline = project / ".venv/again", time.monotonic() + 30
    while not again.exists() and command.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    command.terminate()
    _, said = command.communicate(timeout=20)

    assert command.returncode == 130, said
    assert status(project)
    assert "Nothing was written" not in said
    assert "staged" in said
    assert "Undo: git reset --hard" in said
