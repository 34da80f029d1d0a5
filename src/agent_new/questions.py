"""The questions, in the order in which they are asked. `copier.yml` has the same ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from .names import agent_name_problem, domain_package_problem
from .text import text_problem, url_problem

Answer = str | bool | list[str]
"""A text, a yes or no, or the chosen ones of a list."""

Verdict = Callable[[str], str | None]


class Question(NamedTuple):  # a dataclass would cost a third of the time to the first question
    key: str
    """The name of the answer, for `--data`."""
    ask: str
    """What the person reads."""
    default: Answer | None
    """None: there is none, or another answer gives it."""
    verdict: Verdict | None = None
    """What is wrong with a text; None for a yes or no and for a choice."""
    choices: tuple[str, ...] = ()
    """What a list may hold, or, where the default is a text, what the answer may be."""

    @property
    def takes_many(self) -> bool:
        return isinstance(self.default, list)


def _text(limit: int) -> Verdict:
    return lambda value: text_problem(value, limit)


QUESTIONS = (
    Question("agent_name", "Name of the agent", None, agent_name_problem),
    Question("title", "Title that people see", None, _text(80)),
    Question("example", "Keep the example tools? (yes or no)", True),
    Question(
        "description",
        "What it does, in one sentence",
        "Answers questions about the Palmer penguins, with a citation under every claim.",
        _text(300),
    ),
    Question("organization", "Organization that offers it", "Example Organization", _text(300)),
    Question(
        "organization_url", "Web address of the organization", "https://example.org", url_problem
    ),
    Question(
        "domain_package",
        "Python package of your own domain code",
        "palmer_penguins",
        domain_package_problem,
    ),
    Question(
        "study",
        "Study or dataset that the answers rest on",
        "Palmer Archipelago penguins, LTER 2007-2009",
        _text(300),
    ),
    Question(
        "universe",
        "Who or what the dataset covers",
        "344 adult penguins of three species on three islands of the Palmer Archipelago, Antarctica",
        _text(300),
    ),
    Question(
        "surfaces",
        "Ways in besides A2A by JSON-RPC",
        ["mcp", "chat", "cron"],
        choices=("mcp", "chat", "cron", "a2a-rest", "a2a-grpc"),
    ),
    Question("auth", "Whose tokens callers bring", "clerk", choices=("clerk", "oidc")),
)

OF_THE_EXAMPLE = ("description", "domain_package", "study", "universe")
"""Answers whose defaults speak of the example's data."""

BY_KEY = {question.key: question for question in QUESTIONS}


def default_of(question: Question, earlier: Mapping[str, Answer]) -> Answer | None:
    if question.key == "title" and isinstance(name := earlier.get("agent_name"), str):
        return " ".join(word[:1].upper() + word[1:] for word in name.split("-"))
    return question.default
