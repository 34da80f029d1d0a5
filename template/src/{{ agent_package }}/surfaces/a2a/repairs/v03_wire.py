"""Wrong answers of the 0.3 wire: a pydantic text with -32600 for wrong parameters (a2a-python#413), an
internal error for a large number, no `result` where a push config was deleted, and no push config for
who asks without its id.
"""

# The order matters: the adapter imported first is a circular import.
from a2a.server.routes.jsonrpc_dispatcher import JsonRpcDispatcher  # isort: skip  # noqa: F401
from a2a.compat.v0_3.jsonrpc_adapter import JSONRPC03Adapter  # isort: skip
from typing import Any

from a2a.types import ListTaskPushNotificationConfigsRequest
from a2a.utils.errors import (
    A2AError,
    ExtensionSupportRequiredError,
    InvalidParamsError,
    InvalidRequestError,
    UnsupportedOperationError,
)
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse

INT32 = 2**31
PUSH = "tasks/pushNotificationConfig"


class RepairedV03Adapter(JSONRPC03Adapter):
    """The SDK's adapter with the answers of the 0.3 specification."""

    async def handle_request(
        self, request_id: str | int | None, method: str, body: dict[str, Any], request: Request
    ) -> Any:
        """Check the parameters, then let the SDK answer."""
        try:
            self._check(method, body)
            if method == f"{PUSH}/get":
                body = await self._with_config_id(body, request)
        except A2AError as error:
            return self._generate_error_response(request_id, error)
        response = await super().handle_request(request_id, method, body, request)
        if method == f"{PUSH}/delete" and b'"error"' not in response.body:
            return JSONResponse({"jsonrpc": "2.0", "id": request_id, "result": None})
        return response

    def _generate_error_response(self, request_id: Any, error: Any) -> JSONResponse:
        if isinstance(error, ExtensionSupportRequiredError):  # 0.3 has no code for it
            error = UnsupportedOperationError(str(error))
        return super()._generate_error_response(request_id, error)

    def _check(self, method: str, body: dict[str, Any]) -> None:
        model: Any = self.METHOD_TO_MODEL[method]
        try:
            model.model_validate(body)
        except ValidationError as error:
            found = error.errors(include_input=False, include_url=False, include_context=False)
            told = "; ".join(sorted({f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in found}))
            in_params = any(e["loc"][:1] == ("params",) for e in found)
            raise (InvalidParamsError if in_params else InvalidRequestError)(told) from None
        params = body.get("params") or {}
        for asked in (params, params.get("configuration") or {}):
            if not -INT32 <= (asked.get("historyLength") or 0) < INT32:
                raise InvalidParamsError("params.historyLength: is too large a number.")

    async def _with_config_id(self, body: dict[str, Any], request: Request) -> dict[str, Any]:
        params = body["params"]
        if params.get("pushNotificationConfigId"):
            return body
        listed = await self.handler.request_handler.on_list_task_push_notification_configs(
            ListTaskPushNotificationConfigsRequest(task_id=params["id"]),
            self._context_builder.build(request),
        )
        first = listed.configs[0].id if listed.configs else "none"
        return {**body, "params": {**params, "pushNotificationConfigId": first}}
