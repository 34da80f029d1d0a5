"""JSON as callers send it: what is read of it, and what is not."""

import json
from typing import Any

from a2a.utils.errors import InvalidParamsError, JSONParseError

LONGEST_NUMBER = 300
"""Digits; a little more is no float any more."""
DEEPEST = 30
"""Levels of nesting in a request; protobuf gives up, in words of its own, somewhat later."""


def parsed(body: bytes) -> Any:
    """The document; JSONParseError where it is none."""
    try:
        return json.loads(body.decode("utf-8"), parse_constant=_no_constant, parse_int=_integer)
    except UnicodeDecodeError:
        raise JSONParseError("The body is not UTF-8.") from None
    except RecursionError:
        raise JSONParseError("The body is nested too deeply.") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno} column {error.colno}"
        raise JSONParseError(f"The body is not JSON ({where}).") from None


def check_json(document: Any, body: bytes) -> None:
    """InvalidParamsError where a document cannot be stored or answered."""
    # Half of a pair can only come from an escape.
    if b"\\ud" in body.lower() and not is_text(json.dumps(document, ensure_ascii=False)):
        raise InvalidParamsError("A text holds half of a surrogate pair.")
    if is_deeper(document, DEEPEST):
        raise InvalidParamsError(f"params: nested more than {DEEPEST} levels deep.")


def is_text(value: str) -> bool:
    """Whether every character of it can be sent."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_deeper(value: Any, levels: int) -> bool:
    """Whether a document is nested more deeply than so many levels."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return levels < 0 or any(is_deeper(item, levels - 1) for item in inner)


def _integer(text: str) -> int:
    if len(text) > LONGEST_NUMBER:
        raise JSONParseError("The body holds a number that is too long.")
    return int(text)


def _no_constant(name: str) -> Any:
    raise JSONParseError(f"The body is not JSON: {name} is no JSON number.")
