"""`agent-new strip`: the example goes, and what the person has made of it stays."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import pytest

from support import git, replace, run, status, tree, write

Env = dict[str, str]

TOOLS = "src/demo/tools"
TOOL = f"{TOOLS}/get_species_profile.py"
CATALOG = f"{TOOLS}/__init__.py"
DOMAIN = "packages/palmer_penguins/src/palmer_penguins"

OWN_TOOL = '''"""Count open claims."""

from palmer_penguins.claims import open_claims

COUNT = open_claims()
'''


@pytest.mark.parametrize(
    "more",
    [
        (),
        ("--data", "surfaces=none"),
        ("--data", "auth=oidc", "--data", "domain_package=billing", "--data", "surfaces=mcp"),
    ],
)
def test_a_stripped_project_is_one_made_without_the_example(
    here: Path, env: Env, more: tuple[str, ...]
) -> None:
    words = ("demo", "--defaults", "--no-install", *more)
    run(here, env, *words)
    run(here, env, *words, "--data", "example=false", "--no-git", "--into", "fresh")

    done = run(here / "demo", env, "strip")

    assert done.returncode == 0, done.stderr
    assert tree(here / "demo") == tree(here / "fresh/demo")
    assert all(line[1] == " " for line in status(here / "demo"))


def test_it_tells_what_to_do_next_and_how_to_undo_it(project: Path, env: Env) -> None:
    before = tree(project)

    done = run(project, env, "strip")

    assert "agent-new add tool NAME" in done.stdout
    assert 'agent-new update --data description="..." --data study="..."' in done.stdout
    assert "agent-new rename PACKAGE" in done.stdout
    git(project, "reset", "--hard")
    assert tree(project) == before


def test_a_second_strip_changes_nothing(
    project: Path, env: Env, commit: Callable[[], None]
) -> None:
    run(project, env, "strip")
    commit()

    again = run(project, env, "strip")

    assert again.returncode == 0
    assert "no example" in again.stdout
    assert status(project) == []


def test_an_update_does_not_bring_the_example_back(
    project: Path, env: Env, commit: Callable[[], None]
) -> None:
    run(project, env, "strip")
    commit()
    stripped = tree(project)

    run(project, env, "update", "--data", "title=Another title")

    assert {*tree(project)} == {*stripped}


def test_a_tool_of_the_example_that_was_changed_stays_and_works(
    project: Path, env: Env, commit: Callable[[], None]
) -> None:
    replace(project / TOOL, 'title="Species profile"', 'title="My profile"')
    commit()
    before = tree(project)

    done = run(project, env, "strip")

    assert done.returncode == 0, done.stderr
    after = tree(project)
    assert f"  kept  {TOOL}: you changed it" in done.stdout
    assert after[TOOL] == before[TOOL]
    assert f"  kept  {TOOLS}/_birds.py: {TOOL} needs it" in done.stdout
    assert f"{DOMAIN}/species_profile.py" in after
    assert f"{DOMAIN}/measure_coverage.py" not in after
    assert f"{TOOLS}/compare_groups.py" not in after
    catalog = after[CATALOG].decode()
    assert "get_species_profile.SPEC" in catalog
    assert "compare_groups" not in catalog
    assert everything_imported_is_there(project)


def test_a_tool_of_ones_own_stays_in_the_catalog_and_takes_nothing_of_the_example_with_it(
    project: Path, env: Env, commit: Callable[[], None]
) -> None:
    write(project / TOOLS / "count_claims.py", OWN_TOOL)
    write(project / DOMAIN / "claims.py", "def open_claims() -> int:\n    return 3\n")
    replace(project / CATALOG, "    compare_groups,\n", "    compare_groups,\n    count_claims,\n")
    replace(project / CATALOG, "        describe_measures.SPEC,\n",
            "        describe_measures.SPEC,\n        count_claims.SPEC,\n")  # fmt: skip
    replace(
        project / DOMAIN / "__init__.py",
        "from .dataset",
        "from .claims import open_claims\nfrom .dataset",
    )
    replace(project / DOMAIN / "__init__.py", '    "measure_coverage",\n',
            '    "measure_coverage",\n    "open_claims",\n')  # fmt: skip
    commit()

    done = run(project, env, "strip")

    assert done.returncode == 0, done.stdout + done.stderr
    assert "  kept  " not in done.stdout
    after = tree(project)
    assert "count_claims.SPEC" in after[CATALOG].decode()
    assert "compare_groups" not in after[CATALOG].decode()
    init = after[f"{DOMAIN}/__init__.py"].decode()
    assert "from .claims import open_claims" in init
    assert "dataset" not in init
    assert "penguins" not in init
    assert [name for name in after if name.startswith(f"{DOMAIN}/")] == [
        f"{DOMAIN}/__init__.py", f"{DOMAIN}/claims.py", f"{DOMAIN}/py.typed"
    ]  # fmt: skip
    assert everything_imported_is_there(project)


def test_what_a_tool_of_ones_own_builds_on_stays(
    project: Path, env: Env, commit: Callable[[], None]
) -> None:
    write(project / TOOLS / "_own.py", "from palmer_penguins import MEASURES, group_means\n")
    write(project / "src/demo/own.py", "import palmer_penguins as p\n\nPERIOD = p.PERIOD\n")
    commit()

    done = run(project, env, "strip")

    assert done.returncode == 0, done.stderr
    assert f"  kept  {DOMAIN}/group_means.py: {TOOLS}/_own.py needs it" in done.stdout
    assert f"  kept  {DOMAIN}/dataset.py" in done.stdout
    assert not (project / DOMAIN / "species_profile.py").exists()
    assert everything_imported_is_there(project)


def test_rules_that_were_changed_stay_whole(
    project: Path, env: Env, commit: Callable[[], None]
) -> None:
    replace(project / "src/demo/refusals.py", "names no", "names almost no")
    commit()
    before = tree(project)

    done = run(project, env, "strip")

    assert done.returncode == 0, done.stdout
    assert tree(project)["src/demo/refusals.py"] == before["src/demo/refusals.py"]
    assert "  kept  src/demo/refusals.py: you changed it" in done.stdout
    assert "demo prompt > tests/snapshots/system_prompt.md" in done.stderr


def test_other_files_of_the_example_that_were_changed_stay(
    project: Path, env: Env, commit: Callable[[], None]
) -> None:
    write(project / "tests/test_example_domain.py", "# mine\n")
    write(project / DOMAIN / "penguins.csv", "species\nmine\n")
    commit()

    done = run(project, env, "strip")

    assert done.returncode == 0
    for name in ("tests/test_example_domain.py", f"{DOMAIN}/penguins.csv"):
        assert f"  kept  {name}" in done.stdout
        assert (project / name).is_file()


def everything_imported_is_there(project: Path) -> bool:
    """Whether each import of the project's own modules and names can be found."""
    roots = (project / "src", project / "packages/palmer_penguins/src")
    for path in [p for root in roots for p in root.rglob("*.py")]:
        root = next(root for root in roots if path.is_relative_to(root))
        package = list(path.relative_to(root).parts[:-1])
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                steps = package[: len(package) - node.level + 1] if node.level else []
                steps += (node.module or "").split(".") if node.module else []
                if steps[0] in ("demo", "palmer_penguins"):
                    for alias in node.names:
                        assert is_there(roots, steps, alias.name), (path, steps, alias.name)
    return True


def is_there(roots: tuple[Path, ...], steps: list[str], name: str) -> bool:
    for root in roots:
        module = root.joinpath(*steps)
        if (module / f"{name}.py").is_file() or (module / name / "__init__.py").is_file():
            return True
        for file in (module / "__init__.py", module.with_suffix(".py")):
            if file.is_file() and any(
                name == getattr(n, "id", getattr(n, "name", getattr(n, "asname", None)))
                for n in ast.walk(ast.parse(file.read_text()))
            ):
                return True
    return False
