"""What 0.3 is where protobuf carries it: a message that cannot be read is an internal error, bytes that
are no base64 are taken for others, and the last event of a stream that waits says `final: false`.
"""

import base64
from collections.abc import AsyncIterator
from typing import Any

# The order matters: the compatible half imported first is a circular import.
import a2a.server.routes  # isort: skip  # noqa: F401
from a2a.compat.v0_3 import a2a_v0_3_pb2 as v03
from a2a.compat.v0_3 import types
from a2a.compat.v0_3.conversions import to_core_send_message_request
from a2a.compat.v0_3.proto_utils import FromProto
from a2a.compat.v0_3.request_handler import RequestHandler03
from a2a.server.context import ServerCallContext
from a2a.utils.errors import InvalidParamsError
from google.protobuf import json_format

WAITING = (types.TaskState.input_required, types.TaskState.auth_required)


def check_v03_message(request: v03.SendMessageRequest) -> None:
    """InvalidParamsError for a message that the SDK cannot read."""
    for i, part in enumerate(request.request.content):
        if part.WhichOneof("part") is None:
            raise InvalidParamsError(f"message.content[{i}]: one of text, file, data is needed.")
    try:
        for part in request.request.content:
            base64.b64decode(part.file.file_with_bytes, validate=True)
        params = FromProto.message_send_params(request)
        to_core_send_message_request(types.SendMessageRequest(id="", params=params))
    except (ValueError, json_format.Error):
        raise InvalidParamsError("The message cannot be read.") from None


class RepairedHandler03(RequestHandler03):
    """The SDK's half of 0.3 that REST and gRPC share, whose streams say where they end."""

    async def on_message_send_stream(
        self, request: types.SendMessageRequest, context: ServerCallContext
    ) -> AsyncIterator[types.SendStreamingMessageSuccessResponse]:
        """Answer a message, and tell what happens on the way."""
        async for event in super().on_message_send_stream(request, context):
            yield _with_final(event)

    async def on_subscribe_to_task(
        self, request: types.TaskResubscriptionRequest, context: ServerCallContext
    ) -> AsyncIterator[types.SendStreamingMessageSuccessResponse]:
        """A task as it is now, then what happens to it."""
        async for event in super().on_subscribe_to_task(request, context):
            yield _with_final(event)


def _with_final(event: Any) -> Any:
    update = event.result
    if isinstance(update, types.TaskStatusUpdateEvent) and update.status.state in WAITING:
        update.final = True
    return event
