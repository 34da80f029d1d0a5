"""Numbers that neither a tool returned nor the caller said."""

import re
from collections.abc import Iterable
from functools import cache

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def uncited_numbers(said: str, known: Iterable[str]) -> tuple[str, ...]:
    """The numbers in what was said that stand in no text of `known`, in order.

    A number counts as known also with fewer digits, as when 5076.02 is said as 5,076.
    """
    there = {_plain(number) for text in known for number in _NUMBER.findall(text)}
    values = [float(number) for number in there if number.count(".") <= 1]

    @cache
    def rounded(digits: int) -> set[float]:
        return {round(value, digits) for value in values}

    def is_known(number: str) -> bool:
        if number in there or number.count(".") > 1:  # the latter is a date or a version
            return number in there
        return float(number) in rounded(len(number.partition(".")[2]))

    return tuple(n for n in dict.fromkeys(_NUMBER.findall(said)) if not is_known(_plain(n)))


def _plain(number: str) -> str:
    return re.sub(r",(?=\d{3}(?:\D|$))", "", number).replace(",", ".")
