"""What a REST caller gets: the SDK's answer repaired, or an error as the specification writes it."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

from a2a.utils.error_handlers import build_rest_error_payload
from a2a.utils.errors import InvalidRequestError, JSONParseError
from sse_starlette.sse import EventSourceResponse
from starlette.responses import JSONResponse, Response

from ..repairs.error_text import said_instead
from ..repairs.line_separators import dumped
from ..repairs.whole_numbers import loaded

INTERNAL_ERROR = 500


def error_response(error: Exception) -> JSONResponse:
    """The error with its HTTP status."""
    document = _error_document(error)
    return JSONResponse(document, document["error"]["code"])


async def repaired(response: Response) -> Response:
    """The SDK's response, each document in it repaired."""
    if isinstance(response, EventSourceResponse):
        return await _repaired_stream(response)
    document = _repaired_document(bytes(response.body))
    return JSONResponse(document, response.status_code, media_type=response.media_type)


async def _repaired_stream(response: EventSourceResponse) -> Response:
    events = aiter(response.body_iterator)
    try:  # what goes wrong before the first event is no stream, but an error with a status
        first = await anext(events, None)
    except Exception as error:
        return error_response(error)
    response.body_iterator = _repaired_events(first, events)
    return response


async def _repaired_events(first: Any, events: Any) -> AsyncIterator[dict[str, str]]:
    async with aclosing(events):
        try:
            if first is not None:
                yield _repaired_event(first)
            async for event in events:
                yield _repaired_event(event)
        except Exception as error:
            yield {"data": dumped(_error_document(error)), "event": "error"}


def _repaired_event(event: Any) -> dict[str, str]:
    # Text in 0.3, an object in 1.0.
    document = _repaired_document(getattr(event, "data", event))
    return {"data": dumped(document)} | ({"event": "error"} if "error" in document else {})


def _error_document(error: Exception) -> dict[str, Any]:
    if isinstance(error, JSONParseError):  # the SDK has no HTTP status for it
        error = InvalidRequestError(str(error))
    return _without_exception_text(build_rest_error_payload(error))


def _repaired_document(text: str | bytes) -> dict[str, Any]:
    return _without_exception_text(loaded(text))


def _without_exception_text(document: dict[str, Any]) -> dict[str, Any]:
    error = document.get("error")
    if error and error["code"] == INTERNAL_ERROR:
        document["error"] = {
            "code": INTERNAL_ERROR,
            "status": "INTERNAL",
            "message": said_instead(),
        }
    return document
