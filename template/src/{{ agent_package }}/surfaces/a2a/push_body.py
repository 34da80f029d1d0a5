"""What a webhook is sent: the whole task, as its registrant knows tasks."""

import json
from typing import Any

import a2a.server.routes  # noqa: F401  # the conversions imported first are a circular import
from a2a.compat.v0_3.conversions import to_compat_task
from a2a.types import StreamResponse, Task, TaskPushNotificationConfig
from google.protobuf.json_format import MessageToDict

from .repairs.line_separators import dumped
from .repairs.whole_numbers import loaded


def body_of(task: Task, dialect: str) -> bytes:
    """A stream response in 1.0, a task in 0.3, as JSON."""
    if dialect == "0.3":
        document: dict[str, Any] = to_compat_task(task).model_dump(
            mode="json", by_alias=True, exclude_none=True
        )
    else:
        document = MessageToDict(StreamResponse(task=task))
    return dumped(loaded(json.dumps(document))).encode()


def headers_of(config: TaskPushNotificationConfig) -> dict[str, str]:
    """Those that prove to the webhook who sends."""
    headers = {"Content-Type": "application/json", "User-Agent": "a2a-agent"}
    if config.token:
        headers["X-A2A-Notification-Token"] = config.token
    authentication = config.authentication
    if authentication.scheme:
        credentials = f"{authentication.scheme} {authentication.credentials}".strip()
        headers["Authorization"] = credentials
    return headers
