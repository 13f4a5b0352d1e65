"""Transport: forward requests from one process to another, over HTTP or a broker."""

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol

import msgspec

Headers = list[tuple[bytes, bytes]]

#: The prefix of addresses that are reached over the broker instead of HTTP.
BY_BROKER = "broker:"


def address_on_machine(relayed: str, machine: str, direct: str) -> str:
    """Return an address that means HTTP on the same machine and the broker from elsewhere."""
    return f"{relayed}|{machine}|{direct}"


def address_from(address: str, machine: str) -> str:
    """Return the address to use on a machine (`machine`: its supervisor's name for it)."""
    relayed, _, rest = address.partition("|")
    at, _, direct = rest.partition("|")
    return direct if machine and at == machine else relayed


class NodeUnreachable(Exception):
    """The process can't be reached, and the request wasn't delivered. `gone`: the process no longer exists."""

    def __init__(self, *, gone: bool) -> None:
        super().__init__("No server answers at this address.")
        self.gone = gone


class TransportBroken(Exception):
    """The connection broke: the request may or may not have been handled."""


class ProxiedRequest(msgspec.Struct, frozen=True):
    """A request as it arrived, with its client."""

    method: str
    path: str
    raw_path: bytes
    query: bytes
    headers: Headers
    body: bytes
    client: str
    scheme: str


@dataclass
class ProxiedResponse:
    """The response of another process."""

    status: int
    headers: Headers
    pieces: AsyncIterator[bytes]


class Transport(Protocol):
    """A way to reach other processes."""

    def ask(self, address: str, asked: ProxiedRequest) -> contextlib.AbstractAsyncContextManager[ProxiedResponse]:
        """Send a request to the process at an address; leaving the context cancels it.

        Raise NodeUnreachable or TransportBroken if there is no response, or it breaks off.
        """

    async def close(self) -> None:
        """Close all connections."""
