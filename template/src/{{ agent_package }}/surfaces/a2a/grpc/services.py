"""The services of both packages, as the SDK has them but for what they tell of errors."""

# The order matters: the compatible half imported first is a circular import.
from a2a.server.request_handlers import GrpcHandler, RequestHandler  # isort: skip
from typing import Any

from a2a.compat.v0_3.grpc_handler import CompatGrpcHandler
from a2a.server.request_handlers.grpc_handler import GrpcServerCallContextBuilder
from a2a.utils.errors import A2AError, InternalError

from ..repairs.error_text import said_instead
from ..repairs.v03_protobuf import RepairedHandler03


class NewService(GrpcHandler):
    """`lf.a2a.v1`."""

    async def abort_context(self, error: A2AError, context: Any) -> None:
        """End the call with the status of an error."""
        await super().abort_context(_without_exception_text(error), context)


class OldService(CompatGrpcHandler):
    """`a2a.v1`, the package of 0.3."""

    def __init__(self, handler: RequestHandler, builder: GrpcServerCallContextBuilder) -> None:
        super().__init__(handler, builder)
        self.handler03 = RepairedHandler03(handler)

    async def abort_context(self, error: A2AError, context: Any) -> None:
        """End the call with the status of an error."""
        await super().abort_context(_without_exception_text(error), context)


def _without_exception_text(error: A2AError) -> A2AError:
    return InternalError(said_instead()) if isinstance(error, InternalError) else error
