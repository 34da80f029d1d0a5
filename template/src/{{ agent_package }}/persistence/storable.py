"""What every database takes."""

import math
import re
from collections.abc import Mapping
from typing import Any

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


LONGEST_KEY = 256


def is_key(value: str) -> bool:
    """Whether an id is one that every database and log takes."""
    return len(value) <= LONGEST_KEY and value.isprintable()


def storable(value: Any) -> Any:
    """A value without NUL, half of a surrogate pair, and numbers that JSON lacks.

    In a text, a replacement character shows where one was; a number becomes None.
    """
    match value:
        case str():
            return _UNSTORABLE.sub("�", value)
        case float() if not math.isfinite(value):
            return None
        case Mapping():
            return {storable(str(key)): storable(item) for key, item in value.items()}
        case list() | tuple():
            return [storable(item) for item in value]
        case None | bool() | int() | float():
            return value
        case _:
            return storable(str(value))
