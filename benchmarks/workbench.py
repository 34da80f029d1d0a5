"""What every measurement needs: a checkout, a rendered project, folders that go away again."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rendered.environment import environment_for
from rendered.projects import Project, render
from rendered.variants import PER_PUSH
from support import clone_working_tree, hermetic


@dataclass(frozen=True)
class Workbench:
    """The parts are made when a measurement first wants them."""

    folder: Path
    quick: bool = False
    """As little as shows that everything runs; the numbers mean nothing then."""

    def times(self, number: int) -> int:
        """How often to measure, or how many calls to send."""
        return max(2, number // 10) if self.quick else number

    def new_folder(self) -> Path:
        return Path(tempfile.mkdtemp(dir=self.folder))

    @cached_property
    def checkout(self) -> Path:
        """This working tree as a clean commit, which is what a person renders."""
        return clone_working_tree(self.folder / "checkout")

    @cached_property
    def variables(self) -> dict[str, str]:
        """The environment of the generator: no settings of the person."""
        variables = hermetic(self.folder / "settings", self.checkout)
        # an installed command is compiled once, and not at each start
        return {n: v for n, v in variables.items() if n != "PYTHONDONTWRITEBYTECODE"}

    @cached_property
    def project(self) -> Project:
        """The default project, in the environment that the tests use too."""
        folder = render(PER_PUSH["default"], self.new_folder(), self.variables)
        return Project(folder, PER_PUSH["default"], environment_for(folder))


@contextmanager
def workbench(quick: bool) -> Iterator[Workbench]:
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as folder:
        yield Workbench(Path(folder), quick)
