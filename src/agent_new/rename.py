"""The verb `rename`: another name for the domain package, in the person's files too."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from .carry_out import DONE, Deed, carry_out
from .errors import AgentNewError, ProblemsError
from .formatter import format_files, tidy
from .names import clash_problem, domain_package_problem
from .project import Project, find_project
from .rename_package import PYTHON, Leftover, leftovers, members_of, rename_package
from .repository import Repository, open_repository
from .retemplate import Plan, Sides, retemplate
from .scratch import scratch_folder
from .source import find_source
from .spelling import Spelling
from .terminal import step
from .versions import refuse_unrecordable, version_of

_SHOWN = 30


def rename(package: str, *, test: bool = True) -> int:
    """The exit code."""
    project = find_project()
    if package == project.domain_package:
        print(f"The domain package is named {package} already.")
        return DONE
    _refuse_bad(package, project)
    repository = open_repository(project.root)
    renaming = Renaming(project, package)
    with scratch_folder() as scratch:
        source = find_source(scratch)
        refuse_unrecordable(source)
        ref = version_of(project, source).ref
        answers = {**project.answers, "domain_package": package}
        with step("Rendering under both names"):
            plan = retemplate(
                project, repository, source, scratch, answers, ref=ref, prepare=renaming.prepare
            )
        said = f"Rename the domain package to {package}"
        deed = Deed(f"Renamed {project.domain_package} to {package}", said, test)
        code = carry_out(plan, deed, lambda: renaming.move_untracked(repository))
    _tell_leftovers(list(renaming.leftovers(plan)), renaming)
    return code


def _refuse_bad(package: str, project: Project) -> None:
    agent = str(project.answers["agent_name"])
    problem = domain_package_problem(package) or clash_problem(package, agent)
    if problem:
        raise ProblemsError([f"PACKAGE is {package!r}. {problem}"])
    for folder in (f"packages/{package}", f"src/{package}"):
        if (project.root / folder).exists():
            raise AgentNewError(
                f"{project.root / folder} is there already. Choose another name, or move it away. "
                "Nothing was changed."
            )


class Renaming:
    """One renaming of one project, as `rename` goes."""

    def __init__(self, project: Project, package: str) -> None:
        self._project = project
        old = project.domain_package
        folder = project.root / f"packages/{old}/src/{old}"
        self.spelling = Spelling(old, package, frozenset(members_of(folder)))
        self.unparsed: list[str] = []

    def prepare(self, sides: Sides) -> set[str]:
        """On the old render as on the person's files, so that the merge carries only the rest."""
        names = [path.relative_to(sides.base).as_posix() for path in _files(sides.base)]
        rename_package(sides.base, names, self.spelling)
        was_tidy = tidy(sides.yours, [n for n in sides.names if self._mentions(sides, n)])
        renamed = rename_package(sides.yours, sides.names, self.spelling)
        self.unparsed = renamed.unparsed
        stays_tidy = {self.spelling.renamed_path(name) for name in was_tidy}
        format_files(sides.yours, [name for name in renamed.rewritten if name in stays_tidy])
        return renamed.touched

    def _mentions(self, sides: Sides, name: str) -> bool:
        path = sides.yours / name
        is_python = name.endswith(PYTHON) and path.is_file() and not path.is_symlink()
        return is_python and self.spelling.old.encode() in path.read_bytes()

    def move_untracked(self, repository: Repository) -> None:
        """Files in no commit follow the folder that they lie in."""
        old = self._project.root / "packages" / self._project.domain_package
        for path in sorted(_files(old)):
            name = path.relative_to(self._project.root).as_posix()
            target = self._project.root / self.spelling.renamed_path(name)
            if not os.path.lexists(target):
                target.parent.mkdir(parents=True, exist_ok=True)
                path.rename(target)
        for folder in sorted((p for p in old.rglob("*") if p.is_dir()), reverse=True):
            _remove_if_empty(folder)
        _remove_if_empty(old)

    def leftovers(self, plan: Plan) -> Iterator[Leftover]:
        repository = plan.repository
        listed = repository.listed("ls-files", "-z", "--", repository.prefix or ".")
        names = dict.fromkeys(name.removeprefix(repository.prefix) for name in listed)
        return leftovers(self._project.root, names, self.spelling)


def _tell_leftovers(found: list[Leftover], renaming: Renaming) -> None:
    for name in renaming.unparsed:
        print(f"  not read  {name}: it is no Python that parses; look at it yourself")
    if not found:
        return
    print(f"\nThese lines still name {renaming.spelling.old}, and nobody but you can tell why:")
    for left in found[:_SHOWN]:
        print(f"  {left.name}:{left.number}: {left.line[:120]}")
    if len(found) > _SHOWN:
        print(f"  and {len(found) - _SHOWN} more: git grep -n {renaming.spelling.old}")


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_symlink() or path.is_file()]


def _remove_if_empty(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError:
        return
