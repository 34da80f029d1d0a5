"""gRPC as the card knows it."""

import socket

from ....grpc_settings import USUAL_PORT
from ....ports import need_free
from ....settings import Settings
from ..binding import Binding


def host_of(settings: Settings) -> str:
    """Where it listens: on this machine alone while development is open to it alone."""
    if settings.open_to_loopback:
        return "127.0.0.1"
    return "::" if socket.has_dualstack_ipv6() else "0.0.0.0"


def _url(settings: Settings, _: str) -> str | None:
    if settings.public_grpc_url:
        return settings.public_grpc_url
    local = settings.app_env == "development" and settings.grpc_port
    return f"127.0.0.1:{settings.grpc_port}" if local else None


def _check(settings: Settings) -> None:
    need_free(host_of(settings), settings.grpc_port, "GRPC_PORT=", USUAL_PORT)


GRPC = Binding(name="GRPC", url=_url, check=_check)
