"""Ask the person; each answer is checked at once and asked again with the reason."""

from __future__ import annotations

import os
import select
import sys
import threading
import time
from collections.abc import Mapping

from .answers import clash_of, read
from .questions import QUESTIONS, Answer, Question, default_of

_BEFORE_IMPORT_SECONDS = 0.05  # the first question shall be on the screen before the work starts

_WAIT_SECONDS = 0.2


def ask(given: Mapping[str, Answer]) -> dict[str, Answer]:
    """The given answers and those of the person, in the order of the questions."""
    threading.Thread(target=_import_copier, daemon=True).start()
    answers: dict[str, Answer] = {}
    for question in QUESTIONS:
        known = given.get(question.key)
        # all that is known, so that a typed answer is also held against a given one
        answers[question.key] = _ask(question, {**given, **answers}) if known is None else known
    return answers


def _ask(question: Question, known: Mapping[str, Answer]) -> Answer:
    default = default_of(question, known)
    while True:
        typed = _type_after(_prompt(question, default))
        answer, problem = _read(question, typed, default)
        if answer is not None and problem is None:
            problem = clash_of(question, answer, known)
        if answer is not None and problem is None:
            return answer
        print(f"  {typed.strip()!r}: {problem}")


def _read(
    question: Question, typed: str, default: Answer | None
) -> tuple[Answer | None, str | None]:
    typed = typed.strip()
    if not typed and default is not None:
        return default, None
    return read(question, "[]" if question.takes_many and typed == "none" else typed)


def _prompt(question: Question, default: Answer | None) -> str:
    listed = ", ".join(question.choices) + (", or none" if question.takes_many else "")
    choices = f" ({listed})" if question.choices else ""
    return f"{question.ask}{choices}{_shown(default)}: "


def _shown(default: Answer | None) -> str:
    match default:
        case None:
            return ""
        case bool():
            return " [yes]" if default else " [no]"
        case list():
            return f" [{', '.join(default) or 'none'}]"
        case _:
            return f" [{default}]"


def _type_after(prompt: str) -> str:
    sys.stdout.write(prompt)
    sys.stdout.flush()
    _wait_for_a_line()
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line


def _wait_for_a_line() -> None:
    """In short waits: a Ctrl-C just before a blocking read would not be seen until the next key."""
    if os.name == "nt":
        return  # its consoles wake a read up, and cannot be waited for in this way
    while not select.select([sys.stdin], [], [], _WAIT_SECONDS)[0]:
        pass


def _import_copier() -> None:
    """A person types for seconds; the import takes one."""
    time.sleep(_BEFORE_IMPORT_SECONDS)
    if sys.is_finalizing():
        return
    try:
        import copier  # noqa: F401
    except Exception:
        return  # the render imports it again and tells what is wrong
