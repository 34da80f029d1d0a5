"""Bytes that are no base64 are taken for others."""

import base64
import binascii
from typing import Any

from a2a.utils.errors import InvalidParamsError


def check_base64(params: dict[str, Any]) -> None:
    """InvalidParamsError for a part of a message, of either dialect, whose bytes cannot be read."""
    message = params.get("message")
    parts = message.get("parts") if isinstance(message, dict) else None
    for i, part in enumerate(parts if isinstance(parts, list) else ()):
        if isinstance(part, dict):
            file = part.get("file")
            for value in (part.get("raw"), file.get("bytes") if isinstance(file, dict) else None):
                if value is not None and not _is_base64(value):
                    raise InvalidParamsError(
                        f"params.message.parts[{i}]: the bytes are not base64."
                    )


def _is_base64(value: Any) -> bool:
    try:
        base64.b64decode(value, validate=True)
    except (binascii.Error, TypeError, ValueError):
        return False
    return True
