"""What every gRPC call passes: who calls, in which version, and what is told where it fails."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from contextvars import ContextVar
from typing import Any
from urllib.parse import unquote

import grpc
from a2a.auth.user import User
from a2a.compat.v0_3 import a2a_v0_3_pb2 as v03
from a2a.server.context import ServerCallContext
from a2a.server.request_handlers.grpc_handler import DefaultGrpcServerCallContextBuilder
from a2a.utils.errors import A2AError
from starlette.datastructures import Headers

from ....auth.credentials import CARRIERS
from ....auth.refused import Refused
from ....contracts import Caller
from ..caller_user import CallerUser
from ..extensions import activated
from ..parts import Parts
from ..repairs.error_text import said_instead
from ..repairs.v03_protobuf import check_v03_message
from ..repairs.version_header import HEADER, check_version_of
from .services import NewService, OldService

OLD_PACKAGE = "/a2a.v1."
CODES = {
    401: grpc.StatusCode.UNAUTHENTICATED,
    403: grpc.StatusCode.PERMISSION_DENIED,
    503: grpc.StatusCode.UNAVAILABLE,
}
"""By the status that HTTP would have."""

Context = grpc.aio.ServicerContext[Any, Any]
logger = logging.getLogger(__name__)
caller_of_call: ContextVar[Caller] = ContextVar("caller_of_call")


class CallContextBuilder(DefaultGrpcServerCallContextBuilder):
    """Puts the caller that the door found into the SDK's call context, and what HTTP has there."""

    def build(self, context: Context) -> ServerCallContext:
        """The call as the handler sees it."""
        built = super().build(context)
        built.state["headers"] = {n: v for n, v in _headers(context).items() if n not in CARRIERS}
        return built

    def build_user(self, context: Context) -> User:
        """The user of a call."""
        return CallerUser(caller_of_call.get())


class Door(grpc.aio.ServerInterceptor):
    """Stands before every method of both packages."""

    def __init__(self, parts: Parts, new: NewService, old: OldService) -> None:
        self._parts = parts
        self._new = new
        self._old = old

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        """The method that was called, behind the door."""
        method = await continuation(handler_call_details)
        if method is None:
            return None
        is_old = handler_call_details.method.startswith(OLD_PACKAGE)

        async def answer(request: Any, context: Context) -> Any:
            async with self._entered(request, context, is_old=is_old):
                return await method.unary_unary(request, context)

        async def stream(request: Any, context: Context) -> AsyncIterator[Any]:
            async with (
                self._entered(request, context, is_old=is_old),
                aclosing(method.unary_stream(request, context)) as events,
            ):
                async for event in events:
                    yield event

        codec = (method.request_deserializer, method.response_serializer)
        if method.response_streaming:
            return grpc.unary_stream_rpc_method_handler(stream, *codec)
        return grpc.unary_unary_rpc_method_handler(answer, *codec)

    @asynccontextmanager
    async def _entered(
        self, request: Any, context: Context, *, is_old: bool
    ) -> AsyncIterator[None]:
        headers = _headers(context)
        try:
            caller_of_call.set(await self._caller(headers, context))
            check_version_of(headers.get(HEADER, ""), is_old=is_old)
            if isinstance(request, v03.SendMessageRequest):
                check_v03_message(request)
            if in_use := activated(headers, self._parts.card):
                await context.send_initial_metadata([(n.lower(), v) for n, v in in_use.items()])
            yield
        except A2AError as error:
            await (self._old if is_old else self._new).abort_context(error, context)
        except grpc.aio.AbortError:
            raise
        except Exception:
            logger.exception("a gRPC call failed")
            await context.abort(grpc.StatusCode.INTERNAL, said_instead())

    async def _caller(self, headers: Headers, context: Context) -> Caller:
        found = await self._parts.callers.of(_scope(context), headers, people_only=False)
        if isinstance(found, Refused):
            context.set_trailing_metadata(found.headers)
            await context.abort(CODES[found.status], found.message)
        return found


def _headers(context: Context) -> Headers:
    # No page of ours calls by gRPC, so a cookie counts for nothing.
    sent = [
        (name, value) for name, value in context.invocation_metadata() or () if name != "cookie"
    ]
    return Headers(raw=[(n.encode(), v.encode()) for n, v in sent if isinstance(v, str)])


def _scope(context: Context) -> dict[str, Any]:
    """The call as the gate of HTTP would see it."""
    peer = unquote(context.peer()).partition(":")[2]  # as in ipv6:[::1]:5000
    host, _, port = peer.rpartition(":")
    client = (host.strip("[]"), int(port)) if port.isdecimal() else None
    return {"type": "http", "method": "POST", "path": "", "query_string": b"", "client": client}
