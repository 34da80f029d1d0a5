"""Numbers that no tool returned."""

import re
from collections.abc import Iterable

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def uncited_numbers(said: str, known: Iterable[str]) -> tuple[str, ...]:
    """The numbers in what was said that stand in no text of `known`, in order.

    A number counts as known also with fewer digits, as when 5076.02 is said as 5,076.
    """
    there = {_plain(number) for text in known for number in _NUMBER.findall(text)}
    found = dict.fromkeys(_NUMBER.findall(said))
    return tuple(n for n in found if not any(_is_rounded(_plain(n), k) for k in there))


def _plain(number: str) -> str:
    return re.sub(r",(?=\d{3}(?:\D|$))", "", number).replace(",", ".")


def _is_rounded(number: str, known: str) -> bool:
    if number == known:
        return True
    try:
        digits = len(number.partition(".")[2])
        return float(number) == round(float(known), digits)
    except ValueError:  # a date or a version such as 1.2.3
        return False
