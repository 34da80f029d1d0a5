"""Integers become floats, since protobuf's Struct has one type for numbers (protobuf#13094)."""

import json
from typing import Any


def loaded(text: str | bytes) -> Any:
    """A JSON document of the SDK, whole numbers as integers; JSON itself knows no difference."""
    return json.loads(text, parse_float=_number)


def _number(text: str) -> int | float:
    value = float(text)
    return int(value) if value.is_integer() and abs(value) < 2**53 else value
