"""The variants of a push are few, and leave out nothing that two answers can do together."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, product
from typing import Any

from agent_new.names import agent_name_problem, domain_package_problem
from agent_new.questions import BY_KEY
from rendered.variants import (
    AUTHS,
    BINDINGS,
    FREE_TEXT,
    PER_PUSH,
    SURFACES,
    TESTED_PER_PUSH,
    VARIANTS,
    WITHOUT_A_SURFACE,
    Answers,
)

CHOICES: Mapping[str, tuple[Any, ...]] = {
    "example": (True, False),
    "auth": AUTHS,
    **dict.fromkeys((*SURFACES, *BINDINGS), (True, False)),
}


def choices(answers: Answers) -> dict[str, Any]:
    surfaces = answers.get("surfaces", SURFACES)
    return {
        "example": answers.get("example", True),
        "auth": answers.get("auth", "clerk"),
        **{name: name in surfaces for name in (*SURFACES, *BINDINGS)},
    }


def test_the_variants_know_every_choice_of_every_question() -> None:
    assert BY_KEY["surfaces"].choices == (*SURFACES, *BINDINGS)
    assert BY_KEY["surfaces"].default == [*SURFACES]
    assert BY_KEY["auth"].choices == AUTHS
    asked = {"agent_name", "domain_package", "organization_url", *FREE_TEXT}
    assert set(BY_KEY) == asked | {"example", "surfaces", "auth"}


def test_every_question_is_answered_other_than_by_its_default_at_each_push() -> None:
    assert {name for answers in PER_PUSH.values() for name in answers} == set(BY_KEY)


def test_each_push_sees_every_pair_of_choices() -> None:
    seen = [choices(answers) for answers in PER_PUSH.values()]

    for first, second in combinations(CHOICES, 2):
        pairs = {(variant[first], variant[second]) for variant in seen}
        assert pairs == set(product(CHOICES[first], CHOICES[second])), (first, second)


def test_each_push_turns_each_surface_off_alone_and_runs_the_tests_of_it() -> None:
    off = [
        set(SURFACES) - set(PER_PUSH[n].get("surfaces", SURFACES))
        for n in (*TESTED_PER_PUSH, *WITHOUT_A_SURFACE)
    ]

    for surface in SURFACES:
        assert {surface} in off


def test_each_push_runs_the_tests_for_every_choice() -> None:
    seen = [choices(PER_PUSH[name]) for name in (*TESTED_PER_PUSH, *WITHOUT_A_SURFACE)]

    for question, values in CHOICES.items():
        assert {variant[question] for variant in seen} == set(values), question


def test_names_and_texts_are_seen_at_both_ends() -> None:
    for question in ("agent_name", "domain_package"):
        lengths = {len(answers.get(question, "")) for answers in PER_PUSH.values()}
        assert {2, 32} <= lengths, question
    for question, longest in {"title": 80, **dict.fromkeys(FREE_TEXT[1:], 300)}.items():
        lengths = {len(answers.get(question, "")) for answers in PER_PUSH.values()}
        assert {1, longest} <= lengths, question
    for end in ("a" * 33, "a"):
        assert agent_name_problem(end)
        assert domain_package_problem(end)


def test_each_night_sees_every_combination_of_choices() -> None:
    free = {name: values for name, values in CHOICES.items() if name not in BINDINGS}
    seen = [choices(answers) for answers in VARIANTS.values()]

    assert {tuple(variant[name] for name in free) for variant in seen} == set(
        product(*free.values())
    )
    for binding, (name, values) in product(BINDINGS, free.items()):
        pairs = {(variant[binding], variant[name]) for variant in seen}
        assert pairs == set(product((True, False), values))
