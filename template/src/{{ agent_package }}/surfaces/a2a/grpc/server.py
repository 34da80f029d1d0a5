"""The gRPC server, open for as long as the endpoint is."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import grpc
from a2a.compat.v0_3.a2a_v0_3_pb2_grpc import add_A2AServiceServicer_to_server as add_v03
from a2a.types.a2a_pb2_grpc import add_A2AServiceServicer_to_server as add_v1

from ....settings import ConfigurationError, Settings
from ..parts import Parts
from ..told_to_stop import told_to_stop
from .binding import host_of
from .door import CallContextBuilder, Door
from .services import NewService, OldService

LOOK_SECONDS = 0.5
"""How soon it hears that the process ends."""
OPTIONS = (
    ("grpc.so_reuseport", 0),  # else a second process on the port takes some of the calls
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 20_000),
)


@asynccontextmanager
async def grpc_server(parts: Parts) -> AsyncIterator[None]:
    """Both packages on one port; on the way out, what runs may end."""
    server, port = _server(parts)
    await server.start()
    print(f"gRPC is served on port {port}.", file=sys.stderr)
    ending = asyncio.Event()
    stopping = asyncio.create_task(_stop(server, ending, parts.streams_end))
    try:
        yield
    finally:
        ending.set()
        await stopping


def _server(parts: Parts) -> tuple[grpc.aio.Server, int]:
    builder = CallContextBuilder()
    new, old = NewService(parts.handler, builder), OldService(parts.handler, builder)
    largest = ("grpc.max_receive_message_length", parts.settings.max_body_bytes)
    door = Door(parts, new, old)
    server = grpc.aio.server(interceptors=[door], options=[*OPTIONS, largest])
    add_v1(new, server)  # type: ignore[no-untyped-call]  # generated
    add_v03(old, server)  # type: ignore[no-untyped-call]  # generated
    return server, _listen(server, parts.settings)


def _listen(server: grpc.aio.Server, settings: Settings) -> int:
    host, cert, key = host_of(settings), settings.grpc_tls_cert, settings.grpc_tls_key
    address = f"{f'[{host}]' if ':' in host else host}:{settings.grpc_port}"
    try:
        if cert is None or key is None:
            return server.add_insecure_port(address)
        pair = (key.read_bytes(), cert.read_bytes())
        return server.add_secure_port(address, grpc.ssl_server_credentials([pair]))
    except (OSError, RuntimeError):
        raise ConfigurationError(
            f"gRPC cannot listen on {address}: the port is taken, or the files of TLS do not fit. "
            "Set GRPC_PORT, GRPC_TLS_CERT, GRPC_TLS_KEY."
        ) from None


async def _stop(server: grpc.aio.Server, ending: asyncio.Event, seconds: float) -> None:
    # The endpoint is closed when the last stream of HTTP is; ours end beside them.
    while not (told_to_stop() or ending.is_set()):
        with suppress(TimeoutError):
            await asyncio.wait_for(ending.wait(), LOOK_SECONDS)
    await server.stop(seconds)
