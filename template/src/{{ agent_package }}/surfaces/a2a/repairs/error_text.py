"""The text of an exception reaches the caller (a2a-python#1232)."""

import json
import logging
import uuid
from typing import Any

INTERNAL_ERROR = -32603

logger = logging.getLogger(__name__)


def without_exception_text(error: dict[str, Any]) -> None:
    """Put a reference to the log in the place of what an exception says."""
    if error["code"] == INTERNAL_ERROR:
        error["message"] = said_instead()
        error.pop("data", None)
    elif "parseError" in json.dumps(error.get("data")) or error.get("data", "") is None:
        error.pop("data")


def said_instead() -> str:
    """What callers hear of an exception; the log has it under the reference."""
    reference = uuid.uuid4()
    logger.error("internal error %s; the SDK has logged it above", reference)
    return f"Internal error. Reference: {reference}"
