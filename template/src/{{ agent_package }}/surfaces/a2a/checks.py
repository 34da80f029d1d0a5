"""What must hold of a request on every binding, told in words."""

from a2a.types import Message, Role, TaskState
from a2a.utils.errors import InvalidParamsError
from google.protobuf.json_format import MessageToDict, SerializeToJsonError

from ...persistence.storable import LONGEST_KEY, is_key
from .json_text import DEEPEST, is_deeper

MOST_PARTS = 100
LONGEST_MESSAGE = 128 * 1024
"""Bytes, as protobuf counts them."""


def check_message(message: Message) -> None:
    """InvalidParamsError where a message cannot be answered or stored."""
    for name in ("message_id", "context_id", "task_id"):
        check_id(f"message.{_camel(name)}", getattr(message, name))
    if message.role != Role.ROLE_USER:
        raise InvalidParamsError("params.message.role: must be that of the user.")
    if not message.parts:
        raise InvalidParamsError("params.message.parts: at least one part is needed.")
    if len(message.parts) > MOST_PARTS or message.ByteSize() > LONGEST_MESSAGE:
        limits = f"{MOST_PARTS} parts and {LONGEST_MESSAGE} bytes"
        raise InvalidParamsError(f"params.message: at most {limits} are read.")
    for i, part in enumerate(message.parts):
        empty = part.WhichOneof("content") == "data" and part.data.WhichOneof("kind") is None
        if part.WhichOneof("content") is None or empty:
            raise InvalidParamsError(
                f"params.message.parts[{i}]: one of text, raw, url, data is needed."
            )
    _check_document(message)


def _check_document(message: Message) -> None:
    try:
        document = MessageToDict(message)
    except SerializeToJsonError:  # only gRPC can carry it
        raise InvalidParamsError("params.message: a number is infinite or none at all.") from None
    if is_deeper(document, DEEPEST):
        raise InvalidParamsError(f"params.message: nested more than {DEEPEST} levels deep.")


def check_state(state: int) -> None:
    """InvalidParamsError for a state that no task can have."""
    if state not in TaskState.values():
        raise InvalidParamsError(f"params.status: {state} is no state of a task.")


def check_id(name: str, value: str) -> None:
    """InvalidParamsError where an id is none that every database and log takes."""
    if not is_key(value):
        raise InvalidParamsError(
            f"params.{name}: must be at most {LONGEST_KEY} printable characters."
        )


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(other.capitalize() for other in others)
