"""What the SDK leaves open on the JSON-RPC wire: checks before it, repairs after it.

Read against a2a-sdk 1.3.0; `tests/test_a2a_wire.py` has a line for each.
"""

import base64
import binascii
import json
import logging
import re
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from typing import Any

# The order matters: the adapter imported first is a circular import.
from a2a.server.routes.jsonrpc_dispatcher import JsonRpcDispatcher  # isort: skip
from a2a.compat.v0_3.jsonrpc_adapter import JSONRPC03Adapter  # isort: skip
from pydantic import ValidationError
from sse_starlette.sse import EventSourceResponse
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

logger = logging.getLogger(__name__)

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR = (
    -32700,
    -32600,
    -32601,
    -32602,
    -32603,
)
VERSION_NOT_SUPPORTED = -32009
VERSION_HEADER = "a2a-version"
V1_METHODS = JsonRpcDispatcher.METHOD_TO_MODEL
V03_METHODS = JSONRPC03Adapter.METHOD_TO_MODEL
SENDING_METHODS = ("SendMessage", "SendStreamingMessage", "message/send", "message/stream")
LONGEST_ID = 256
DEEPEST = 30
"""Levels of nesting in a request; protobuf gives up, in words of its own, somewhat later."""
MOST_PARTS = 100
LONGEST_MESSAGE = 128 * 1024
V03_WAITING = ("input-required", "auth-required")
PART_CONTENTS = ("text", "raw", "url", "data")


class RpcError(Exception):
    """An error to answer with."""

    def __init__(self, code: int, message: str, request_id: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.request_id = request_id

    def response(self) -> JSONResponse:
        """The error as a JSON-RPC response."""
        error = {"code": self.code, "message": str(self)}
        return JSONResponse({"jsonrpc": "2.0", "id": self.request_id, "error": error})


def checked(dispatcher: JsonRpcDispatcher) -> ASGIApp:
    """The dispatcher as an ASGI app, behind the checks and the repairs."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(_with_version_header(scope), receive)
        try:
            check(await request.body(), request.headers.get(VERSION_HEADER, ""))
            response = repaired(await dispatcher.handle_requests(request))
        except RpcError as error:
            response = error.response()
        await response(scope, receive, send)

    return app


def check(body: bytes, version: str) -> None:
    """RpcError for a request that the SDK would answer with a wrong code or in its own words."""
    request = _parsed(body)
    if not isinstance(request, dict):
        return  # the SDK's own answer is right
    request_id, method, params = (request.get(name) for name in ("id", "method", "params"))
    if not isinstance(method, str):
        if not _is_text(str(request_id)):
            raise RpcError(INVALID_REQUEST, "The id holds half of a surrogate pair.")
        return
    v03 = method in V03_METHODS
    try:
        _check_version(version, v03)
        if (v03 or method in V1_METHODS) and not isinstance(params, dict | None):
            raise RpcError(INVALID_PARAMS, "params: must be an object.")
        if method in SENDING_METHODS:
            _check_message((params or {}).get("message"), v03=v03)
        _check_text(request)
        if _is_deeper(request, DEEPEST):
            raise RpcError(INVALID_PARAMS, f"params: nested more than {DEEPEST} levels deep.")
    except RpcError as error:
        readable = isinstance(request_id, str | int) and not isinstance(request_id, bool)
        error.request_id = request_id if readable and _is_text(str(request_id)) else None
        raise


def repaired(response: Response) -> Response:
    """The SDK's response, each document in it repaired."""
    if isinstance(response, EventSourceResponse):
        response.body_iterator = _repaired_events(response.body_iterator)
        return response
    return JSONResponse(repaired_document(bytes(response.body)))


def repaired_document(text: str | bytes) -> Any:
    """Without exception text, empty fields and integers turned to floats."""
    document = json.loads(text, parse_float=_number)
    if error := document.get("error"):
        if error["code"] == INTERNAL_ERROR:
            reference = uuid.uuid4()
            logger.error("internal error %s; the SDK has logged it above", reference)
            error["message"] = f"Internal error. Reference: {reference}"
            error.pop("data", None)
        elif "parseError" in json.dumps(error.get("data")) or error.get("data", "") is None:
            error.pop("data")
    result = document.get("result")
    if isinstance(result, dict) and result.get("kind") == "status-update":  # 0.3: the stream ends
        result["final"] = result["final"] or result["status"]["state"] in V03_WAITING
    return document


async def _repaired_events(events: Any) -> AsyncIterator[dict[str, str]]:
    async with aclosing(events):
        async for event in events:
            # In ASCII: some clients end a line at U+2028, too.
            yield {**event, "data": json.dumps(repaired_document(event["data"]))}


class RepairedV03Adapter(JSONRPC03Adapter):
    """Answers wrong parameters of the 0.3 wire with -32602 and the places, not with -32600."""

    async def handle_request(
        self, request_id: str | int | None, method: str, body: dict[str, Any], request: Request
    ) -> Any:
        """Check the parameters, then let the SDK answer."""
        model: Any = self.METHOD_TO_MODEL[method]
        try:
            model.model_validate(body)
        except ValidationError as error:
            found = error.errors(include_input=False, include_url=False, include_context=False)
            problems = sorted({f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in found})
            in_params = any(e["loc"][:1] == ("params",) for e in found)
            code = INVALID_PARAMS if in_params else INVALID_REQUEST
            return RpcError(code, "; ".join(problems), request_id).response()
        return await super().handle_request(request_id, method, body, request)


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body.decode("utf-8"), parse_constant=_no_constant)
    except UnicodeDecodeError:
        raise RpcError(PARSE_ERROR, "The body is not UTF-8.") from None
    except RecursionError:
        raise RpcError(PARSE_ERROR, "The body is nested too deeply.") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno} column {error.colno}"
        raise RpcError(PARSE_ERROR, f"The body is not JSON ({where}).") from None
    except ValueError:
        raise RpcError(PARSE_ERROR, "The body holds a number that is too long.") from None


def _check_version(version: str, is_v03_method: bool) -> None:
    major = version.partition(".")[0]
    if major not in {"", "0", "1"} or not re.fullmatch(r"(\d+(\.\d+)*)?", version):
        raise RpcError(
            VERSION_NOT_SUPPORTED, f"A2A-Version {version!r} is not served. Use 1.0 or 0.3."
        )
    if is_v03_method and major == "1":
        raise RpcError(
            METHOD_NOT_FOUND, "That method is of A2A 0.3; the A2A-Version header says 1."
        )


def _check_message(message: Any, *, v03: bool) -> None:
    if not isinstance(message, dict):
        raise RpcError(INVALID_PARAMS, "params.message: must be an object.")
    _check_ids(message)
    role = "user" if v03 else "ROLE_USER"
    if message.get("role") != role:
        raise RpcError(INVALID_PARAMS, f"params.message.role: must be {role}.")
    parts = message.get("parts")
    if not isinstance(parts, list) or not parts:
        raise RpcError(INVALID_PARAMS, "params.message.parts: at least one part is needed.")
    if len(parts) > MOST_PARTS or len(json.dumps(parts)) > LONGEST_MESSAGE:
        limits = f"{MOST_PARTS} parts and {LONGEST_MESSAGE} characters"
        raise RpcError(INVALID_PARAMS, f"params.message.parts: at most {limits} are read.")
    for i, part in enumerate(parts):
        where = f"params.message.parts[{i}]"
        if not isinstance(part, dict):
            raise RpcError(INVALID_PARAMS, f"{where}: must be an object.")
        file = part.get("file") if v03 else None
        _check_base64(file.get("bytes") if isinstance(file, dict) else part.get("raw"), where)
        if not v03 and sum(content in part for content in PART_CONTENTS) != 1:
            one_of = ", ".join(PART_CONTENTS)
            raise RpcError(INVALID_PARAMS, f"{where}: exactly one of {one_of} is needed.")
        if not isinstance(part.get("text", ""), str):
            raise RpcError(INVALID_PARAMS, f"{where}.text: must be a string.")


def _check_ids(message: Mapping[str, Any]) -> None:
    for name in ("messageId", "contextId", "taskId"):
        value = message.get(name)
        if value is None:
            continue
        if not isinstance(value, str) or len(value) > LONGEST_ID or not value.isprintable():
            raise RpcError(
                INVALID_PARAMS,
                f"params.message.{name}: must be at most {LONGEST_ID} printable characters.",
            )


def _check_base64(value: Any, where: str) -> None:
    if value is None:
        return
    try:
        base64.b64decode(value, validate=True)
    except (binascii.Error, TypeError, ValueError):
        raise RpcError(INVALID_PARAMS, f"{where}: the bytes are not base64.") from None


def _check_text(request: Mapping[str, Any]) -> None:
    if not _is_text(json.dumps(request, ensure_ascii=False)):
        raise RpcError(INVALID_PARAMS, "A text holds half of a surrogate pair.")


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_deeper(value: Any, levels: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return levels < 0 or any(_is_deeper(item, levels - 1) for item in inner)


def _no_constant(name: str) -> Any:
    raise RpcError(PARSE_ERROR, f"The body is not JSON: {name} is no JSON number.")


def _number(text: str) -> int | float:
    # protobuf keeps every number as a float; JSON knows no difference, but people and types do
    value = float(text)
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def _with_version_header(scope: Scope) -> Scope:
    """The version from the query string, where the header is absent (A2A 1.0, section 3.6.1)."""
    request = Request(scope)
    version = request.query_params.get("A2A-Version")
    if not version or VERSION_HEADER in request.headers:
        return scope
    extra = (VERSION_HEADER.encode(), version.encode("latin-1", "replace"))
    return {**scope, "headers": [*scope["headers"], extra]}
