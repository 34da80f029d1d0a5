"""When a job runs: five fields as cron has them. A rendered `contracts/job.py` takes all of these."""

from __future__ import annotations

import re
from collections.abc import Iterator

_FIELDS = (("minute", 0, 59), ("hour", 0, 23), ("day", 1, 31), ("month", 1, 12), ("weekday", 0, 7))
_ITEM = re.compile(r"(?:\*|([0-9]+)(?:-([0-9]+))?)(?:/([0-9]+))?")


def schedule_problems(schedule: str) -> list[str]:
    """What is wrong with it, each field that is wrong by its name."""
    fields = schedule.split(" ")
    if len(fields) != len(_FIELDS) or not all(fields):
        return [
            f"`--schedule` is {schedule!r}. Write five fields with one space between them (minute, "
            "hour, day, month, weekday; UTC), for example '0 6 * * *'."
        ]
    return list(_field_problems(schedule, fields))


def _field_problems(schedule: str, fields: list[str]) -> Iterator[str]:
    for value, (name, lowest, highest) in zip(fields, _FIELDS, strict=True):
        if not all(_is_item(item, lowest, highest) for item in value.split(",")):
            yield (
                f"`--schedule` is {schedule!r}: its {name} is {value!r}. Use {lowest} to {highest}, "
                f"a range ({lowest}-{highest}), a list ({lowest},{highest}), * or a step such as */2."
            )


def _is_item(item: str, lowest: int, highest: int) -> bool:
    found = _ITEM.fullmatch(item)
    if found is None:
        return False
    first, last, step = (int(part) if part else None for part in found.groups())
    if step is not None and (step == 0 or (first is not None and last is None)):
        return False
    low = lowest if first is None else first
    return lowest <= low <= (low if last is None else last) <= highest
