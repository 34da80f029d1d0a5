"""One JSON-RPC request: checked before the SDK answers it, and its answer repaired."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

from a2a.server.routes.jsonrpc_dispatcher import JsonRpcDispatcher
from a2a.types import AgentCard
from a2a.utils.error_handlers import build_error_details
from a2a.utils.errors import (
    JSON_RPC_ERROR_CODE_MAP,
    A2AError,
    InvalidParamsError,
    InvalidRequestError,
)
from google.protobuf.json_format import ParseDict, ParseError
from sse_starlette.sse import EventSourceResponse
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from .extensions import activated
from .json_text import check_json, is_text, parsed
from .repairs.bad_base64 import check_base64
from .repairs.error_text import without_exception_text
from .repairs.line_separators import dumped
from .repairs.unknown_enums import check_enums
from .repairs.v03_final import with_final
from .repairs.v03_wire import RepairedV03Adapter
from .repairs.version_header import HEADER, check_version, with_version_header
from .repairs.whole_numbers import loaded

METHODS = JsonRpcDispatcher.METHOD_TO_MODEL
OLD_METHODS = RepairedV03Adapter.METHOD_TO_MODEL


def checked(dispatcher: JsonRpcDispatcher, card: AgentCard) -> ASGIApp:
    """The dispatcher as an ASGI app, behind the checks and the repairs."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(with_version_header(scope), receive)
        try:
            check(await request.body(), request.headers.get(HEADER, ""))
            response = repaired(await dispatcher.handle_requests(request))
        except RpcError as error:
            response = error.response()
        response.headers.update(activated(request.headers, card))
        await response(scope, receive, send)

    return app


class RpcError(Exception):
    """An error to answer a request with."""

    def __init__(self, error: A2AError, request_id: str | int | None) -> None:
        super().__init__(str(error))
        self._error = error
        self._request_id = request_id

    def response(self) -> JSONResponse:
        """The error as a JSON-RPC response."""
        code = JSON_RPC_ERROR_CODE_MAP[type(self._error)]
        error = {"code": code, "message": str(self), "data": build_error_details(self._error)}
        return JSONResponse({"jsonrpc": "2.0", "id": self._request_id, "error": error})


def check(body: bytes, version: str) -> None:
    """RpcError for a request that the SDK would answer with a wrong code or in its own words."""
    request_id = None
    try:
        request = parsed(body)
        if not isinstance(request, dict):
            return  # the SDK's own answer is right
        request_id = _readable_id(request)
        if isinstance(method := request.get("method"), str):
            check_version(version, of_old_method=method in OLD_METHODS)
            _check_params(method, request.get("params"))
            check_json(request, body)
        elif not is_text(str(request.get("id"))):
            raise InvalidRequestError("The id holds half of a surrogate pair.")
    except A2AError as error:
        raise RpcError(error, request_id) from error


def _check_params(method: str, params: Any) -> None:
    if method not in METHODS and method not in OLD_METHODS:
        return
    if not isinstance(params, dict | None):
        raise InvalidParamsError("params: must be an object.")
    check_base64(params or {})
    if method in METHODS:
        model: Any = METHODS[method]
        check_enums(params, model.DESCRIPTOR)
        try:  # else the SDK tells the log at length, and the caller no word
            ParseDict(params or {}, model(), ignore_unknown_fields=True)
        except ParseError:
            raise InvalidParamsError(f"params: they do not fit {method}.") from None


def _readable_id(request: dict[str, Any]) -> str | int | None:
    request_id = request.get("id")
    readable = isinstance(request_id, str | int) and not isinstance(request_id, bool)
    return request_id if readable and is_text(str(request_id)) else None


def repaired(response: Response) -> Response:
    """The SDK's response, each document in it repaired."""
    if isinstance(response, EventSourceResponse):
        response.body_iterator = _repaired_events(response.body_iterator)
        return response
    return JSONResponse(repaired_document(bytes(response.body)))


def repaired_document(text: str | bytes) -> Any:
    """Without exception text, empty fields and integers turned to floats."""
    document = loaded(text)
    if error := document.get("error"):
        without_exception_text(error)
    with_final(document.get("result"))
    return document


async def _repaired_events(events: Any) -> AsyncIterator[dict[str, str]]:
    async with aclosing(events):
        async for event in events:
            yield {**event, "data": dumped(repaired_document(event["data"]))}
