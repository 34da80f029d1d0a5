"""The HTTP client for addresses that somebody else named: it reaches public hosts only.

A name is resolved once, every address behind it must be public, and the connection goes to one of
those; redirects are not followed and no proxy of the environment is used.
"""

import asyncio
import socket
from collections.abc import Iterable, Iterator, Mapping
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Any
from urllib.parse import urlsplit

import httpcore

Address = IPv4Address | IPv6Address

LONGEST_URL = 2048
_NAT64 = IPv6Network("64:ff9b::/96")
_NOT_GLOBAL = (
    IPv6Network("64:ff9b:1::/48"),  # NAT64 of one network
    IPv6Network("fec0::/10"),  # site-local
    IPv4Network("192.88.99.0/24"),  # relays of 6to4
)
"""Which Python calls global."""
_IPV4_COMPATIBLE = IPv6Network("::/96")


class ForbiddenAddressError(Exception):
    """That address is not gone to; the reason is for the log and not for who named it."""


class GuardedClient:
    """Posts to addresses of others, while it is open."""

    def __init__(self, *, https_only: bool = True, allow_private: bool = False) -> None:
        """Private addresses are for trials on one machine."""
        self._https_only = https_only
        self._allow_private = allow_private
        self._pool = httpcore.AsyncConnectionPool(
            network_backend=_GuardedBackend(self), max_connections=None, keepalive_expiry=5
        )

    async def check(self, url: str) -> None:
        """ForbiddenAddressError where an address is none to go to."""
        host, port = self._parts(url)
        await self.addresses(host, port)

    async def post(
        self, url: str, content: bytes, headers: Mapping[str, str], seconds: float
    ) -> int:
        """The status of the answer, whose body is not read.

        ForbiddenAddressError, TimeoutError, or what httpcore raises where no answer came.
        """
        self._parts(url)
        async with (
            asyncio.timeout(seconds),
            self._pool.stream(
                "POST", url, headers=list(headers.items()), content=content
            ) as response,
        ):
            return int(response.status)

    async def aclose(self) -> None:
        """Close its connections."""
        await self._pool.aclose()

    async def addresses(self, host: str, port: int) -> list[str]:
        """Where a host is, all of it public."""
        try:
            found = await asyncio.get_running_loop().getaddrinfo(
                host, port, type=socket.SOCK_STREAM
            )
        except (OSError, UnicodeError) as error:
            raise ForbiddenAddressError("the host is not known") from error
        addresses = [str(entry[4][0]) for entry in found]
        if not self._allow_private and not all(map(is_public, addresses)):
            raise ForbiddenAddressError("the host is not public")
        return addresses

    def _parts(self, url: str) -> tuple[str, int]:
        schemes = ("https",) if self._https_only else ("https", "http")
        try:
            parts = urlsplit(url)
            port = parts.port or (443 if parts.scheme == "https" else 80)
        except ValueError:
            raise ForbiddenAddressError("it cannot be read as an address") from None
        plain = url.isascii() and url.isprintable() and not set(url) & set(' "<>\\^`{|}')
        if len(url) > LONGEST_URL or not plain or "@" in parts.netloc or parts.fragment:
            raise ForbiddenAddressError("it is written in an unusual way")
        if parts.scheme not in schemes or not parts.hostname:
            raise ForbiddenAddressError(f"it does not begin with {' or '.join(schemes)}")
        return parts.hostname, port


def is_public(address: str) -> bool:
    """Whether everybody may be sent there; of an IPv6 address that carries others, those decide."""
    try:
        parsed = ip_address(address)
    except ValueError:  # such as one with a zone, which is never public
        return False
    carried: list[Address] = [*_carried(parsed)]
    return all(map(_is_global, carried or [parsed]))


def _is_global(address: Address) -> bool:
    return address.is_global and not (
        address.is_multicast
        or address.is_reserved
        or any(address in network for network in _NOT_GLOBAL)
    )


def _carried(address: Address) -> Iterator[IPv4Address]:
    if isinstance(address, IPv4Address):
        return
    yield from filter(None, (address.ipv4_mapped, address.sixtofour, *(address.teredo or ())))
    if address in _NAT64 or (address in _IPV4_COMPATIBLE and int(address) > 1):
        yield IPv4Address(int(address) & 0xFFFFFFFF)


class _GuardedBackend(httpcore.AsyncNetworkBackend):
    """Connects to the addresses that were looked at, so that no second look finds others."""

    def __init__(self, client: GuardedClient) -> None:
        self._client = client
        self._network = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        addresses = await self._client.addresses(host, port)
        for address in addresses:
            try:
                return await self._network.connect_tcp(address, port, timeout)
            except httpcore.ConnectError:
                if address == addresses[-1]:
                    raise
        raise ForbiddenAddressError("the host has no address")

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> httpcore.AsyncNetworkStream:
        raise ForbiddenAddressError("a socket file is no public host")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
