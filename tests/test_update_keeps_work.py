"""Whatever a person has done to a project, an update takes nothing of it away."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import Phase, event, given, settings
from hypothesis import strategies as st

import newer
from support import git, hermetic, run

pytestmark = pytest.mark.slow

SECTIONS = {
    "README.md": "\n## Ours\n\n{word}\n",
    "CLAUDE.md": "\n## Ours\n\n{word}\n",
    "CHANGELOG.md": "\n## Ours\n\n- {word}\n",
    ".env.example": "\n# {word}\n# OWN_TOKEN=\n",
}
YOURS = (
    "src/demo/identity.py",
    "src/demo/own_settings.py",
    "src/demo/refusals.py",
    "src/demo/citations.py",
    "src/demo/tools/get_species_profile.py",
    "packages/palmer_penguins/src/palmer_penguins/dataset.py",
)
DEPENDENCY = '    "humanize>=4,<5",  # {word}\n'


class Work(NamedTuple):
    """One thing that a person does; `which` picks a file, `where` a line of it."""

    kind: str
    which: int = 0
    where: int = 0


share = st.integers(0, 9999)
work = st.one_of(
    st.builds(Work, st.sampled_from(["section", "yours", "new file"]), share),
    st.builds(Work, st.just("line"), share, share),
    st.builds(Work, st.sampled_from(["delete", "rename"]), share),
    st.builds(Work, st.just("dependency")),
)


class Done(NamedTuple):
    """What must be there afterwards, and what must not."""

    words: set[str]
    gone: set[str]
    new: dict[str, str]


def do(project: Path, works: list[Work]) -> Done:
    done = Done(set(), set(), {})
    for number, one in enumerate(works):
        word = f"word-{number}-of-the-person"
        files = text_files(project)
        file = files[one.which % len(files)]
        name = file.relative_to(project).as_posix()
        match one.kind:
            case "section":
                section = [*SECTIONS][one.which % len(SECTIONS)]
                if (project / section).exists():
                    append(project / section, SECTIONS[section].format(word=word))
                    done.words.add(word)
            case "yours":
                yours = YOURS[one.which % len(YOURS)]
                if (project / yours).exists():
                    append(project / yours, f"\n# {word}\n")
                    done.words.add(word)
            case "new file":
                new = f"own/{number}/{file.name}"
                (project / new).parent.mkdir(parents=True)
                (project / new).write_text(word)
                done.new[new] = word
            case "line":
                lines = file.read_text().splitlines(keepends=True)
                lines.insert(one.where % (len(lines) + 1), f"# {word}\n")
                file.write_text("".join(lines))
                done.words.add(word)
            case "dependency":
                path = project / "pyproject.toml"
                if path.exists():
                    line = DEPENDENCY.format(word=word)
                    text = path.read_text().replace('    "h11', f'{line}    "h11', 1)
                    path.write_text(text)
                    done.words.update({word} if word in text else ())
            case "delete":
                done.words.difference_update(w for w in done.words if w in file.read_text())
                done.gone.add(name)
                done.new.pop(name, None)
                file.unlink()
            case "rename":
                new = f"renamed/{number}-{file.name}"
                (project / new).parent.mkdir(parents=True, exist_ok=True)
                file.rename(project / new)
                done.gone.add(name)
                if name in done.new:
                    done.new[new] = done.new.pop(name)
    return done


def text_files(project: Path) -> list[Path]:
    names = git(project, "ls-files", "-co", "--exclude-standard").splitlines()
    kept = [name for name in names if not name.endswith((".copier-answers.yml", ".csv"))]
    return [project / name for name in kept if (project / name).is_file()]


def append(path: Path, text: str) -> None:
    path.write_text(path.read_text() + text)


@pytest.fixture(scope="module")
def newest(tmp_path_factory: pytest.TempPathFactory, checkout: Path) -> Path:
    return newer.newer_template(checkout, tmp_path_factory.mktemp("newer") / "agent-new")


# without shrinking: each try takes seconds
@settings(
    max_examples=settings().max_examples // 3,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
@given(works=st.lists(work, min_size=1, max_size=8))
def test_an_update_keeps_what_was_written_and_what_was_deleted_stays_away(
    rendered: Path, newest: Path, works: list[Work]
) -> None:
    here = Path(tempfile.mkdtemp())
    try:
        project = here / "demo"
        shutil.copytree(rendered, project, symlinks=True)
        env = hermetic(here / "settings", newest)
        (project / ".env").write_text("TOKEN=my-real-secret\n")
        done = do(project, works)
        git(project, "add", "--all")
        git(project, "commit", "--quiet", "--allow-empty", "-m", "work")

        updated = run(project, env, "update")

        assert updated.returncode in (0, 3), updated.stderr
        event(f"exit code {updated.returncode}")
        text = {file: file.read_text() for file in text_files(project)}
        assert {word for word in done.words if not any(word in t for t in text.values())} == set()
        assert {name for name in done.gone if (project / name).exists()} == set()
        for name, content in done.new.items():
            assert (project / name).read_text().replace(content, "", 1).count("<<<") == 0
            assert content in (project / name).read_text()
        assert (project / ".env").read_text() == "TOKEN=my-real-secret\n"
        if updated.returncode == 3:
            assert "  conflict  " in updated.stdout
            return
        git(project, "commit", "--quiet", "-m", "updated")
        again = run(project, env, "update")
        assert again.stdout.startswith("Up to date"), again.stdout + again.stderr
        assert git(project, "status", "--porcelain") == ""
    finally:
        shutil.rmtree(here)
