"""Whether a port can be listened on, told in words before anything is opened."""

import errno
import socket

from .settings import ConfigurationError

LAST_PORT = 65535


def need_free(host: str, port: int, setting: str, usual: int) -> None:
    """ConfigurationError for a port that cannot be used; `setting` is what chooses another."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    both = host == "::" and socket.has_dualstack_ipv6()
    try:
        socket.create_server((host, port), family=family, dualstack_ipv6=both).close()
    except (OSError, OverflowError) as error:
        taken = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        why = "is taken" if taken else f"cannot be used ({error})"
        another = port + 1 if taken and port < LAST_PORT else usual
        raise ConfigurationError(
            f"Port {port} of {host} {why}. Choose another: {setting}{another}"
        ) from None
