"""The verb `new`: from what was typed to a finished project."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .answers import complete, need_all
from .errors import AgentNewError, UsageError
from .interactive import ask
from .questions import QUESTIONS, Answer
from .terminal import can_ask

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .report import Made


class Wanted(NamedTuple):
    """The command as it was typed, before anything is asked or done."""

    given: Mapping[str, Answer]
    into: str = "."
    defaults: bool = False
    install: bool = True
    git: bool = True
    serve: bool = False
    json: bool = False


def new(wanted: Wanted) -> None:
    _refuse_before_asking(wanted)
    made = _create(_answers(wanted), wanted)
    if made.checked is False:
        raise AgentNewError(
            f"The project is in {made.path}, but its server did not answer. "
            "`uv run uvicorn app:app` in it shows why."
        )
    if wanted.serve:
        from .serve import serve

        serve(made.path)


def _refuse_before_asking(wanted: Wanted) -> None:
    if wanted.serve and not wanted.install:
        raise UsageError("--serve needs the install. Leave out --no-install, or --serve.")
    if name := wanted.given.get("agent_name"):
        from .destination import refuse_taken

        refuse_taken(wanted.into, str(name))


def _answers(wanted: Wanted) -> dict[str, Answer]:
    if wanted.defaults or len(wanted.given) == len(QUESTIONS):
        return complete(wanted.given)
    if wanted.json or not can_ask():
        need_all(wanted.given)
    return complete(ask(wanted.given))


def _create(answers: Mapping[str, Answer], wanted: Wanted) -> Made:
    from .create import Order, create  # loads what no question needs
    from .report import as_json, as_text

    made = create(Order(answers, wanted.into, wanted.install, wanted.git))
    print(as_json(made) if wanted.json else as_text(made), flush=True)
    return made
