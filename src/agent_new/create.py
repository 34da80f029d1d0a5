"""Make a new agent's repository: render, install, check, first commit; all or nothing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from .all_or_nothing import all_or_nothing
from .answers import Names, names_of, still_of_the_example
from .destination import refuse_taken
from .errors import AgentNewError
from .host import git
from .outer_repository import inside_repository
from .questions import Answer
from .render import recorded_commit, render
from .report import Made
from .run_hook import run_hook
from .scratch import scratch_folder
from .source import Source, find_source
from .terminal import say, step


class Order(NamedTuple):
    """What the person wants."""

    answers: Mapping[str, Answer]
    into: str = "."
    install: bool = True
    git: bool = True


def create(order: Order) -> Made:
    with scratch_folder() as scratch:
        return _create(order, find_source(scratch))


def _create(order: Order, source: Source) -> Made:
    names = names_of(order.answers)
    path = Path(refuse_taken(order.into, names.agent_name))
    _announce(names, path, source)
    _say_what_is_still_of_the_example(order.answers)
    with all_or_nothing(path) as making:
        with step("Rendering"):
            render(source, order.answers, path, making.claim)
        _write_env_file(path)
        checked = None
        if order.install:
            _install(path)
            checked = _check(path)
        commit = _first_commit(path) if order.git else None
    return Made(
        path=path,
        answers=order.answers,
        agent_package=names.agent_package,
        source=source.address,
        ref=None if source.dirty else recorded_commit(path),
        installed=order.install,
        commit=commit,
        checked=checked,
    )


def _announce(names: Names, path: Path, source: Source) -> None:
    say(f"Folder           {path}")
    say(f"Agent            {names.agent_name}, package {names.agent_package}")
    say(f"Domain package   {names.domain_package}, distribution {names.domain_distribution}")
    say(f"Namespace        {names.urn}, media types {names.media_types}")
    if source.dirty:
        say(
            f"Note: {source.base} has changes that are in no commit. They are rendered too, and so "
            "this project cannot be updated later."
        )


def _say_what_is_still_of_the_example(answers: Mapping[str, Answer]) -> None:
    if left := still_of_the_example(answers):
        say(
            f"Note: without the example, {_listed(left)} still {'speak' if left[1:] else 'speaks'} of its "
            f"penguins. Give your own, such as --data {left[0]}=..., or change what was made."
        )


def _listed(words: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _write_env_file(path: Path) -> None:
    outcome = run_hook("env_file", path)
    if not outcome.worked:
        raise AgentNewError(f".env could not be written: {outcome.details}")
    say(outcome.line)


def _install(path: Path) -> None:
    with step("Installing"):
        outcome = run_hook("install", path)
    if not outcome.worked:
        raise AgentNewError(
            f"The install failed, so what was made in this run was removed.\n{outcome.details}\n"
            "To go on without it, run the same command with --no-install, and later `uv sync`."
        )
    say(outcome.line)


def _check(path: Path) -> bool:
    with step("Checking that its server answers"):
        outcome = run_hook("smoke_check", path)
    say(outcome.line if outcome.worked else outcome.details)
    return outcome.worked


def _first_commit(path: Path) -> str | None:
    if inside_repository(path):
        say(
            "No repository was made: the folder is inside another one, which can track it. "
            "With --into, the agent goes into a folder outside of it."
        )
        return None
    outcome = run_hook("git_init", path)
    if not outcome.worked:
        say(f"The first commit could not be made: {outcome.details}")
        return None
    say(outcome.line)
    return git(path, "rev-parse", "HEAD").stdout.strip()
