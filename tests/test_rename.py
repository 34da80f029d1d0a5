"""`agent-new rename PACKAGE`: one name for another, in the person's files too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from agent_new.rename_package import leftovers, rename_package
from agent_new.spelling import Spelling
from support import git, replace, run, status, tree, write

Env = dict[str, str]
TOOL = "src/demo/tools/get_species_profile.py"


@pytest.mark.parametrize(
    ("old", "new", "more"),
    [
        ("palmer_penguins", "billing", ()),
        ("palmer_penguins", "open_claims", ("--data", "surfaces=none")),
        ("billing", "records", ("--data", "example=false")),
        ("aa", "a_package_name_of_32_characters", ()),
    ],
)
def test_a_renamed_project_is_one_made_under_the_new_name(
    here: Path, env: Env, old: str, new: str, more: tuple[str, ...]
) -> None:
    words = ("demo", "--defaults", "--no-install", *more)
    run(here, env, *words, "--data", f"domain_package={old}")
    run(here, env, *words, "--data", f"domain_package={new}", "--no-git", "--into", "fresh")

    done = run(here / "demo", env, "rename", new)

    assert done.returncode == 0, done.stderr
    assert tree(here / "demo") == tree(here / "fresh/demo")
    assert all(line[1] == " " for line in status(here / "demo"))


def test_work_of_the_person_is_renamed_with_the_rest(
    project: Path, env: Env, commit: Callable[[], None]
) -> None:
    replace(
        project / TOOL,
        "from palmer_penguins import (",
        "import palmer_penguins as pp  # mine\nfrom palmer_penguins import (",
    )
    write(project / "packages/palmer_penguins/src/palmer_penguins/claims.py", "OPEN = 3\n")
    write(
        project / "tests/test_claims.py",
        "from palmer_penguins.claims import OPEN\n\n\ndef test_it() -> None:\n    palmer_penguins = OPEN\n    assert palmer_penguins == 3\n",
    )
    write(
        project / "docs/claims.md",
        "See `palmer_penguins.claims` in packages/palmer_penguins/src.\nUpstream: https://example.org/palmer_penguins\n",
    )
    write(
        project / "queries/open.sql",
        "-- read by palmer_penguins.claims\nSELECT id FROM palmer_penguins.claims;\n",
    )
    write(
        project / ".github/workflows/own.yml",
        "jobs:\n  own:\n    steps:\n      - run: uv run --package palmer-penguins pytest packages/palmer_penguins\n",
    )
    write(project / "tests/palmer_penguins/data.json", '{"package": "palmer_penguins"}\n')
    replace(project / "pyproject.toml", "[tool.ruff]\n", '[tool.own]\npaths = ["packages/palmer_penguins"]\nname = "palmer-penguins"\n\n[tool.ruff]\n')  # fmt: skip
    commit()

    done = run(project, env, "rename", "billing")

    assert done.returncode == 0, done.stderr
    assert "import billing as pp  # mine" in (project / TOOL).read_text()
    assert (project / "packages/billing/src/billing/claims.py").read_text() == "OPEN = 3\n"
    assert not (project / "packages/palmer_penguins").exists()
    test = (project / "tests/test_claims.py").read_text()
    assert test.startswith("from billing.claims import OPEN\n")
    assert "palmer_penguins = OPEN" in test
    assert (project / "docs/claims.md").read_text() == (
        "See `billing.claims` in packages/billing/src.\nUpstream: https://example.org/palmer_penguins\n"
    )
    assert "FROM billing.claims" in (project / "queries/open.sql").read_text()
    workflow = (project / ".github/workflows/own.yml").read_text()
    assert "--package billing pytest packages/billing" in workflow
    assert (project / "tests/billing/data.json").read_text() == '{"package": "billing"}\n'
    assert (
        'paths = ["packages/billing"]\nname = "billing"' in (project / "pyproject.toml").read_text()
    )
    assert "tests/test_claims.py:5: palmer_penguins = OPEN" in done.stdout
    assert "docs/claims.md:2:" in done.stdout


def test_what_nobody_can_be_sure_of_is_listed_and_left(
    project: Path, env: Env, commit: Callable[[], None]
) -> None:
    text = 'NAME = "palmer_penguins"\nPALMER_PENGUINS_URL = "x"\nclass PalmerPenguins: ...\n'
    write(project / "src/demo/own.py", text)
    write(project / "broken.py", "import palmer_penguins\nprint 'python 2'\n")
    commit()

    done = run(project, env, "rename", "billing")

    assert (project / "src/demo/own.py").read_text() == text
    assert (project / "broken.py").read_text().startswith("import palmer_penguins")
    for line in (1, 2, 3):
        assert f"src/demo/own.py:{line}:" in done.stdout
    assert "not read  broken.py" in done.stdout


def test_files_in_no_commit_follow_their_folder(project: Path, env: Env) -> None:
    folder = project / "packages/palmer_penguins/src/palmer_penguins"
    write(folder / "draft.py", "from palmer_penguins import dataset\n")
    write(folder / "__pycache__/x.pyc", "bytes")
    write(project / "packages/palmer_penguins/.env", "TOKEN=secret\n")

    assert run(project, env, "rename", "billing").returncode == 0

    assert not (project / "packages/palmer_penguins").exists()
    assert (project / "packages/billing/.env").read_text() == "TOKEN=secret\n"
    assert (project / "packages/billing/src/billing/draft.py").is_file()
    assert "?? packages/billing/src/billing/draft.py" in status(project)


@pytest.mark.parametrize(
    ("package", "code", "told"),
    [
        ("Billing", 2, "Try billing"),
        ("class", 2, "keyword"),
        ("json", 2, "standard library"),
        ("demo", 2, "the package of the agent demo"),
        ("../escape", 2, "small letters"),
        ("palmer_penguins", 0, "already"),
    ],
)
def test_a_name_that_will_not_do_changes_nothing(
    project: Path, env: Env, package: str, code: int, told: str
) -> None:
    done = run(project, env, "rename", package)

    assert done.returncode == code
    assert told in done.stdout + done.stderr
    assert status(project) == []


def test_a_name_that_is_taken_changes_nothing(
    project: Path, env: Env, commit: Callable[[], None]
) -> None:
    write(project / "docs/palmer_penguins.md", "mine\n")
    write(project / "docs/billing.md", "mine too\n")
    commit()
    before = tree(project)
    taken_file = run(project, env, "rename", "billing")
    write(project / "packages/records/notes.txt", "mine\n")
    taken_folder = run(project, env, "rename", "records")

    assert (taken_file.returncode, taken_folder.returncode) == (1, 1)
    assert "docs/billing.md" in taken_file.stderr
    assert "packages/records" in taken_folder.stderr
    (project / "packages/records/notes.txt").unlink()
    assert tree(project) == before


def test_a_project_can_be_updated_after_it_was_renamed_and_renamed_back(
    project: Path, env: Env, commit: Callable[[], None]
) -> None:
    before = tree(project)
    run(project, env, "rename", "billing")
    commit()
    assert "Up to date" in run(project, env, "update").stdout

    back = run(project, env, "rename", "palmer_penguins")

    assert back.returncode == 0, back.stderr
    assert tree(project) == before


TEXTS = {
    "a.md": ("The records show: see `records`.", "The records show: see `billing`."),
    "b.sql": ("SELECT records.id FROM records", None),
    "c.yml": ("run: pytest packages/records/tests", "run: pytest packages/billing/tests"),
    "d.sh": ("python -m records --cov=records", "python -m billing --cov=billing"),
    "e.toml": ('x = "records"', None),
    "pyproject.toml": ('[x]\ndependencies = ["records>=1", "other"]\nrecords = 1\n',
                       '[x]\ndependencies = ["billing>=1", "other"]\nbilling = 1\n'),
    "f.txt": ("from records import x; import records", "from billing import x; import billing"),
    "packages/records/src/records/x.csv": ("records", None),
    "g.txt": ("https://example.org/packages/records", None),
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_a_name_that_is_a_word_is_renamed_where_it_is_certain_only(here: Path, name: str) -> None:
    text, changed = TEXTS[name]
    write(here / name, text)
    spelling = Spelling("records", "billing", frozenset({"claims"}))

    done = rename_package(here, [name], spelling)

    new_name = name.replace("records", "billing")
    assert (here / new_name).read_text() == (changed or text)
    assert done.rewritten == ([new_name] if changed else [])
    again = rename_package(here, [new_name], spelling)
    assert not again.touched


def test_bytes_that_are_no_text_and_links_are_only_moved(here: Path) -> None:
    raw = b"\xff\xfe palmer_penguins \x00"
    write(here / "packages/palmer_penguins/a.bin", "")
    (here / "packages/palmer_penguins/a.bin").write_bytes(raw)
    (here / "link").symlink_to("packages/palmer_penguins/a.bin")

    rename_package(
        here, ["packages/palmer_penguins/a.bin", "link"], Spelling("palmer_penguins", "billing")
    )

    assert (here / "packages/billing/a.bin").read_bytes() == raw
    assert (here / "link").is_symlink()


def test_a_line_with_the_word_in_prose_is_no_leftover(here: Path) -> None:
    write(here / "a.md", "The records show it.\nBut `records.id` is code.\n")
    write(here / "b.sql", "SELECT * FROM records\n")

    found = list(leftovers(here, ["a.md", "b.sql"], Spelling("records", "billing")))

    assert [(left.name, left.number) for left in found] == [("a.md", 2), ("b.sql", 1)]


def test_the_history_follows_a_renamed_file(
    project: Path, env: Env, commit: Callable[[], None]
) -> None:
    run(project, env, "rename", "billing")
    commit()

    log = git(project, "log", "--follow", "--format=%s", "--",
              "packages/billing/src/billing/dataset.py")  # fmt: skip

    assert len(log.splitlines()) == 2
