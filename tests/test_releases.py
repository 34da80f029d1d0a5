"""Every release can be found, rendered, and updated from, also in a clone that has no tags."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from copier import run_copy

from rendered.projects import render
from rendered.test_ownership import entries_of, entry_of
from rendered.variants import PER_PUSH, Answers
from support import ROOT, git, hermetic, run, tree

pytestmark = pytest.mark.slow
Env = dict[str, str]

with (ROOT / "releases.toml").open("rb") as file:
    RELEASES = {f"v{release['version']}": release for release in tomllib.load(file)["release"]}
TAGS = list(RELEASES)
FORBIDDEN = ("_tasks", "_migrations", "_jinja_extensions")
TEMPLATE = ("copier.yml", "includes", "template")


def make_tags(repository: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / "releases.py"), "--repository", str(repository)],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def bare(here: Path) -> Path:
    """A clone of this repository that came without its tags."""
    git(here, "clone", "--quiet", "--bare", "--no-tags", str(ROOT), "bare.git")
    return here / "bare.git"


def test_the_tags_come_back_in_a_clone_without_them(bare: Path) -> None:
    first, second = make_tags(bare), make_tags(bare)

    assert (first.returncode, second.returncode) == (0, 0), first.stderr
    assert {*TAGS} <= {*git(bare, "tag").split()}
    assert second.stdout == "All tags are there.\n"
    for tag, release in RELEASES.items():
        assert git(bare, "rev-parse", f"{tag}^{{tree}}") == release["tree"]


def test_a_release_is_found_by_its_tree_where_the_history_was_written_anew(
    bare: Path, here: Path
) -> None:
    head = ""
    for release in RELEASES.values():
        parent = ("-p", head) if head else ()
        head = git(bare, "commit-tree", release["tree"], *parent, "-m", "written anew")
    git(bare, "update-ref", "refs/heads/anew", head)
    git(here, "clone", "--quiet", "--bare", "--branch", "anew", "--single-branch",
        f"file://{bare}", "anew.git")  # fmt: skip
    anew = here / "anew.git"

    made = make_tags(anew)

    assert made.returncode == 0, made.stderr
    assert git(anew, "rev-parse", f"{TAGS[-1]}^{{commit}}") == head
    for tag, release in RELEASES.items():
        assert git(anew, "rev-parse", f"{tag}^{{tree}}") == release["tree"]


def test_a_clone_that_lacks_a_release_is_told_what_to_fetch(here: Path) -> None:
    git(here, "init", "--quiet", "--bare", "empty.git")

    made = make_tags(here / "empty.git")

    assert made.returncode == 1
    assert "git fetch --unshallow" in made.stderr
    assert "Traceback" not in made.stderr


@pytest.mark.parametrize("tag", TAGS)
def test_a_tag_is_the_version_that_it_names_and_asks_for_no_trust(
    checkout: Path, tag: str, here: Path
) -> None:
    project = tomllib.loads(git(checkout, "show", f"{tag}:pyproject.toml"))["project"]
    questions = yaml.safe_load(git(checkout, "show", f"{tag}:copier.yml"))

    run_copy(str(checkout), here / "demo", vcs_ref=tag, defaults=True, quiet=True, unsafe=False)

    assert f"v{project['version']}" == f"v{questions['template_version']['default']}" == tag
    assert not {*FORBIDDEN} & {*questions}
    recorded = yaml.safe_load((here / "demo/.copier-answers.yml").read_text())
    assert recorded["_commit"] == tag


def test_the_version_in_work_has_one_number_everywhere_and_a_heading_in_the_changelog() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    questions = yaml.safe_load((ROOT / "copier.yml").read_text())

    assert questions["template_version"]["default"] == version
    assert not {*FORBIDDEN} & {*questions}
    assert re.search(rf"^## {re.escape(version)}$", (ROOT / "CHANGELOG.md").read_text(), re.M)


def test_a_template_that_has_changed_since_its_release_has_another_version(checkout: Path) -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    if f"v{version}" in RELEASES:
        changed = git(checkout, "diff", "--name-only", f"v{version}", "HEAD", "--", *TEMPLATE)
        assert not changed, f"raise the version in pyproject.toml and copier.yml: {changed}"


@pytest.mark.parametrize(("old", "new"), list(pairwise([*TAGS, "HEAD"])))
def test_a_release_that_touches_a_file_of_the_person_says_so_in_the_changelog(
    checkout: Path, here: Path, old: str, new: str
) -> None:
    for ref in (old, new):
        run_copy(str(checkout), here / ref, data={"agent_name": "demo"}, vcs_ref=ref, defaults=True,
                 quiet=True)  # fmt: skip
    before, after = tree(here / old), tree(here / new)
    entries = entries_of(here / new)
    changed = {name for name in {*before, *after} if before.get(name) != after.get(name)}
    theirs = {name for name in changed if entries.get(entry_of(name, entries) or "") == "YOURS"}

    version = yaml.safe_load(git(checkout, "show", f"{new}:copier.yml"))["template_version"][
        "default"
    ]
    changelog = git(checkout, "show", f"{new}:CHANGELOG.md")
    section = re.split(rf"^## {re.escape(version)}$", changelog, flags=re.M)[-1].split("\n## ")[0]
    said = {name for name in theirs if f"`{name.replace('src/demo/', '')}`" in section}
    assert theirs == said


@pytest.mark.parametrize("tag", TAGS)
def test_a_project_of_every_release_becomes_what_this_version_makes(
    checkout: Path, here: Path, env: Env, tag: str
) -> None:
    data = {"agent_name": "demo"}
    run_copy(str(checkout), here / "demo", data=data, vcs_ref=tag, defaults=True, quiet=True)
    git(here / "demo", "init", "--quiet", "-b", "main")
    git(here / "demo", "add", "--all")
    git(here / "demo", "commit", "--quiet", "-m", "start")

    updated = run(here / "demo", env, "update", timeout=120)
    fresh = run(here, env, "demo", "--defaults", "--no-install", "--no-git", "--into", "fresh")

    assert (updated.returncode, fresh.returncode) == (0, 0), updated.stderr + fresh.stderr
    expected = {name: text for name, text in tree(here / "fresh/demo").items() if name != ".env"}
    assert tree(here / "demo") == expected


@pytest.mark.parametrize("variant", PER_PUSH)
def test_a_project_of_the_last_release_with_other_answers_does_so_too(
    checkout: Path, here: Path, env: Env, variant: str
) -> None:
    answers = known_to(TAGS[-1], checkout, PER_PUSH[variant])
    name = answers["agent_name"]
    run_copy(str(checkout), here / name, data=answers, vcs_ref=TAGS[-1], defaults=True, quiet=True)
    git(here / name, "init", "--quiet", "-b", "main")
    git(here / name, "add", "--all")
    git(here / name, "commit", "--quiet", "-m", "start")

    updated = run(here / name, env, "update", timeout=120)

    assert updated.returncode == 0, updated.stderr
    expected = tree(render(answers, new_folder(here), env))
    assert tree(here / name) == {n: text for n, text in expected.items() if n != ".env"}


def known_to(tag: str, checkout: Path, answers: Answers) -> dict[str, Any]:
    """The answers without choices that the release did not have yet."""
    questions = yaml.safe_load(git(checkout, "show", f"{tag}:copier.yml"))
    known = questions["surfaces"]["choices"]
    chosen = [some for some in answers.get("surfaces", ()) if some in known]
    return {**answers, **({"surfaces": chosen} if "surfaces" in answers else {})}


def new_folder(here: Path) -> Path:
    (here / "fresh").mkdir()
    return here / "fresh"


def test_plain_copier_goes_on_where_our_update_ended_and_the_other_way_round(
    checkout: Path, here: Path, env: Env, tmp_path: Path
) -> None:
    from agent_new.about import repository_url

    settings = hermetic(tmp_path / "plain", checkout)
    address = f"url.{checkout}.insteadOf"
    git(here, "config", "--file", settings["GIT_CONFIG_GLOBAL"], address, repository_url())
    run_copy(str(checkout), here / "demo", data={"agent_name": "demo"}, vcs_ref=TAGS[0],
             defaults=True, quiet=True)  # fmt: skip
    git(here / "demo", "init", "--quiet", "-b", "main")
    git(here / "demo", "add", "--all")
    git(here / "demo", "commit", "--quiet", "-m", "start")

    ours = run(here / "demo", env, "update", timeout=120)
    git(here / "demo", "commit", "--quiet", "--allow-empty", "-m", "updated")
    plain = subprocess.run(
        [str(Path(sys.executable).with_name("copier")), "update", "--defaults", "--vcs-ref", "HEAD",
         "--data", "title=Another"],
        cwd=here / "demo", env=settings, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ours.returncode, plain.returncode) == (0, 0), ours.stderr + plain.stderr
    git(here / "demo", "commit", "--quiet", "--all", "-m", "by copier")
    again = run(here / "demo", env, "update", "--data", "title=A third", timeout=120)

    assert again.returncode == 0, again.stderr
    assert "# A third" in (here / "demo/README.md").read_text()
