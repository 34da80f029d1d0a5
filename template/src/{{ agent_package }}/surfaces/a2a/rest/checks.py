"""What must hold of a REST request, which the SDK would take for something else or answer wrongly."""

from collections.abc import Mapping
from typing import Any

from a2a.compat.v0_3 import a2a_v0_3_pb2 as v03
from a2a.types import (
    GetTaskRequest,
    ListTaskPushNotificationConfigsRequest,
    ListTasksRequest,
    SendMessageRequest,
    TaskPushNotificationConfig,
)
from a2a.utils.errors import InvalidParamsError, InvalidRequestError
from a2a.utils.proto_utils import parse_lenient, parse_params
from google.protobuf.json_format import ParseError
from starlette.datastructures import QueryParams
from starlette.requests import Request

from ..json_text import check_json, parsed
from ..repairs.bad_base64 import check_base64
from ..repairs.unknown_enums import check_enums
from ..repairs.v03_protobuf import check_v03_message
from ..repairs.version_header import HEADER, check_version_of

OLD = "/v1/"
CONFIGS = "/tasks/{id}/pushNotificationConfigs"

QUERIES: Mapping[str, Any] = {
    "/tasks": ListTasksRequest,
    "/tasks/{id}": GetTaskRequest,
    CONFIGS: ListTaskPushNotificationConfigsRequest,
    "/v1/tasks/{id}": v03.GetTaskRequest,
}
BODIES: Mapping[str, Any] = {
    "/message:send": SendMessageRequest,
    "/message:stream": SendMessageRequest,
    CONFIGS: TaskPushNotificationConfig,
    "/v1/message:send": v03.SendMessageRequest,
    "/v1/message:stream": v03.SendMessageRequest,
    f"/v1{CONFIGS}": v03.CreateTaskPushNotificationConfigRequest,
}


def check(request: Request, path: str, body: bytes) -> None:
    """A2AError for a request that the SDK would not answer as it should."""
    check_version_of(request.headers.get(HEADER, ""), is_old=path.startswith(OLD))
    if request.method == "POST":
        _check_body(BODIES.get(path), body)
    elif query := QUERIES.get(path):
        _check_query(query(), request.query_params)


def _check_body(model: Any, body: bytes) -> None:
    if not body and model is None:
        return
    document = parsed(body)
    if not isinstance(document, dict):
        raise InvalidRequestError("The body must be an object.")
    check_json(document, body)
    check_base64(document)
    if model:
        _check_fields(document, model())


def _check_fields(document: dict[str, Any], model: Any) -> None:
    check_enums(document, model.DESCRIPTOR)
    try:
        parse_lenient(document, model)
    except ParseError:
        raise InvalidParamsError from None
    if isinstance(model, v03.SendMessageRequest):
        check_v03_message(model)


def _check_query(model: Any, query: QueryParams) -> None:
    if len(query.multi_items()) > len(query.keys()):
        raise InvalidParamsError("A field stands twice in the query.")
    check_enums(dict(query), model.DESCRIPTOR)
    try:
        parse_params(query, model)
    except ParseError:
        raise InvalidParamsError from None
