"""An unknown enum value counts as none, so that a list with a misspelt filter is that of all tasks."""

from collections.abc import Iterator
from typing import Any

from a2a.utils.errors import InvalidParamsError
from google.protobuf.descriptor import Descriptor


def check_enums(params: Any, message: Descriptor) -> None:
    """InvalidParamsError for a value that a field of the message does not know."""
    for place, value, known in _wrong(params, message, "params"):
        raise InvalidParamsError(f"{place}: {value!r} is none of {', '.join(known)}.")


def _wrong(params: Any, message: Descriptor, place: str) -> Iterator[tuple[str, Any, list[str]]]:
    if not isinstance(params, dict):
        return
    for field in message.fields:
        value = params.get(field.json_name, params.get(field.name))
        items = value if isinstance(value, list) else [value]
        for item in items:
            where = f"{place}.{field.json_name}"
            if field.enum_type and isinstance(item, str):
                known = [named.name for named in field.enum_type.values]
                if item not in known:
                    yield where, item, known
            elif field.message_type and field.message_type.file == message.file:
                yield from _wrong(item, field.message_type, where)
