"""From what was typed to answers that may be used, with every problem told at once."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from .errors import ProblemsError, UsageError
from .names import clash_problem, distribution_of, package_of
from .questions import BY_KEY, OF_THE_EXAMPLE, QUESTIONS, Answer, Question, default_of

if TYPE_CHECKING:  # not needed for the first question
    from pathlib import Path

SHOWN = 400
"""So many characters of a wrong value are shown."""

_TRUE, _FALSE = ("true", "yes", "y", "on", "1"), ("false", "no", "n", "off", "0")


class Names(NamedTuple):
    """The names that follow from the answers; the person sees them before anything is written."""

    agent_name: str
    agent_package: str
    domain_package: str
    domain_distribution: str
    urn: str
    media_types: str


def names_of(answers: Mapping[str, Answer]) -> Names:
    agent, domain = str(answers["agent_name"]), str(answers["domain_package"])
    return Names(
        agent_name=agent,
        agent_package=package_of(agent),
        domain_package=domain,
        domain_distribution=distribution_of(domain),
        urn=f"urn:{agent}:",
        media_types=f"application/vnd.{agent}.*",
    )


def given_answers(
    name: str | None, pairs: Sequence[str], data_file: Path | None
) -> dict[str, Answer]:
    """What NAME, --data and --data-file say; --data wins over the file."""
    typed, problems = _split(pairs)
    raw: dict[str, object] = {**(_read(data_file) if data_file else {}), **typed}
    if name is not None and raw.setdefault("agent_name", name) != name:
        problems.append(f"NAME is {name!r}, but `agent_name` is {raw['agent_name']!r}. Keep one.")

    answers: dict[str, Answer] = {}
    for key, value in raw.items():
        if key not in BY_KEY:
            problems.append(f"There is no question `{key}`.{_near_question(key)}")
            continue
        answer, problem = read(BY_KEY[key], value)
        if problem:
            problems.append(f"`{key}` is {_shown(value)}. {problem}")
        elif answer is not None:
            answers[key] = answer
    problems += _clashes(answers)
    if problems:
        raise ProblemsError(problems)
    return answers


def complete(given: Mapping[str, Answer]) -> dict[str, Answer]:
    """The given answers, and the default wherever there is one."""
    answers: dict[str, Answer] = {}
    for question in QUESTIONS:
        answer = given.get(question.key, default_of(question, given))
        if answer is not None:
            answers[question.key] = answer
    if "agent_name" not in answers:
        raise UsageError(
            "The agent needs a name: `agent-new NAME`, for example `agent-new my-agent`."
        )
    if problems := _clashes(answers):
        raise ProblemsError(problems)
    return answers


def need_all(given: Mapping[str, Answer]) -> None:
    """Where nobody can be asked, each answer must be there, or --defaults."""
    missing = [question for question in QUESTIONS if question.key not in given]
    if not missing:
        return
    ways = ["NAME" if q.key == "agent_name" else f"--data {q.key}=..." for q in missing]
    raise UsageError(
        "There is no terminal to ask on, and these answers are missing:\n"
        + "".join(f"  {way}\n" for way in ways)
        + "Give them, or add --defaults for the usual ones"
        + (" (NAME has none)." if "NAME" in ways else ".")
    )


def still_of_the_example(answers: Mapping[str, Answer]) -> list[str]:
    """Answers that speak of the example's data, for an agent that does without it."""
    if answers["example"]:
        return []
    return [key for key in OF_THE_EXAMPLE if answers[key] == BY_KEY[key].default]


def read(question: Question, value: object) -> tuple[Answer | None, str | None]:
    """The answer that `value` means, or what is wrong with it."""
    if question.verdict:
        return _read_text(value, question)
    if question.takes_many:
        return _read_list(value, question.choices)
    if question.choices:
        return _read_choice(value, question.choices)
    return _read_bool(value)


def clash_of(question: Question, value: Answer, earlier: Mapping[str, Answer]) -> str | None:
    """What is wrong with an answer only because of an earlier one."""
    if question.key == "domain_package" and "agent_name" in earlier:
        return clash_problem(str(value), str(earlier["agent_name"]))
    return None


def _clashes(answers: Mapping[str, Answer]) -> list[str]:
    if "agent_name" not in answers or "domain_package" not in answers:
        return []
    domain = answers["domain_package"]
    problem = clash_of(BY_KEY["domain_package"], domain, answers)
    return [f"`domain_package` is {domain!r}. {problem}"] if problem else []


def _read_text(value: object, question: Question) -> tuple[str | None, str | None]:
    assert question.verdict
    if not isinstance(value, str):
        return None, f"It must be a text, not a {type(value).__name__}; put it in quotes."
    return value, question.verdict(value)


def _read_bool(value: object) -> tuple[bool | None, str | None]:
    if isinstance(value, bool):
        return value, None
    word = value.strip().lower() if isinstance(value, str) else ""
    if word in (*_TRUE, *_FALSE):
        return word in _TRUE, None
    return None, "Say yes or no."


def _read_list(value: object, choices: Sequence[str]) -> tuple[list[str] | None, str | None]:
    words = _words(value) if isinstance(value, str) else value
    if words == ["none"]:
        words = []
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        return None, f"Write a list such as [{', '.join(choices)}], or [] for none."
    if unknown := [word for word in words if word not in choices]:
        hint = _did_you_mean(unknown[0], choices)
        return (
            None,
            f"There is no {unknown[0]!r}.{hint} Choose from: {', '.join(choices)}, or none.",
        )
    return [choice for choice in choices if choice in words], None


def _read_choice(value: object, choices: Sequence[str]) -> tuple[str | None, str | None]:
    word = value.strip() if isinstance(value, str) else ""
    if word in choices:
        return word, None
    return (
        None,
        f"There is no such choice.{_did_you_mean(word, choices)} Choose from: {', '.join(choices)}.",
    )


def _words(value: str) -> list[str]:
    inner = re.sub(r"\A\s*\[(.*)\]\s*\Z", r"\1", value, flags=re.DOTALL)
    return [word.strip().strip("'\"") for word in inner.split(",") if word.strip()]


def _shown(value: object) -> str:
    """The value as it was seen, in one line that is not longer than its limit is of interest."""
    shown = repr(value)
    return shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}..."


def _read(data_file: Path) -> dict[str, object]:
    from .data_file import read_data_file  # not needed for the first question

    return read_data_file(data_file)


def _split(pairs: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """What --data says, and what is wrong with how it says it."""
    found: dict[str, str] = {}
    problems: list[str] = []
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            problems.append(
                f"--data {pair!r} has no `=`. Write KEY=VALUE, such as title='My Agent'."
            )
        elif found.setdefault(key, value) != value:
            problems.append(f"`{key}` is {_shown(found[key])} and {_shown(value)}. Keep one.")
    return found, problems


def _near_question(key: str) -> str:
    return _did_you_mean(key, list(BY_KEY)) or f" Questions: {', '.join(BY_KEY)}."


def _did_you_mean(word: str, known: Sequence[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(word, known, n=1, cutoff=0.6)
    return f" Did you mean `{near[0]}`?" if near else ""
