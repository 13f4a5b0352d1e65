"""How a request goes from one process to another, whatever lies between them."""

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol

import msgspec

Headers = list[tuple[bytes, bytes]]

#: How the address of a process begins that is reached over the broker, and not by HTTP.
BY_BROKER = "broker:"


def address_on_machine(relayed: str, machine: str, direct: str) -> str:
    """Return an address for everybody: by HTTP on the same machine, over the broker from elsewhere."""
    return f"{relayed}|{machine}|{direct}"


def address_from(address: str, machine: str) -> str:
    """Return the address as processes of a machine use it (`machine`: what its supervisor calls it)."""
    relayed, _, there = address.partition("|")
    other, _, direct = there.partition("|")
    return direct if machine and other == machine else relayed


class NodeUnreachable(Exception):
    """Nobody is there, and nothing was asked. `gone`: there is no such process any more."""

    def __init__(self, *, gone: bool) -> None:
        super().__init__("Nobody is there.")
        self.gone = gone


class TransportBroken(Exception):
    """Nobody knows what became of what was asked."""


class ProxiedRequest(msgspec.Struct, frozen=True):
    """A request as it came in, and from whom."""

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
    """What another process answers."""

    status: int
    headers: Headers
    pieces: AsyncIterator[bytes]


class Transport(Protocol):
    """A way to other processes."""

    def ask(self, address: str, asked: ProxiedRequest) -> contextlib.AbstractAsyncContextManager[ProxiedResponse]:
        """Have the process at an address answer; when the context ends nobody listens any more.

        Unreachable or Broken says why there is no answer, or no more of it.
        """

    async def close(self) -> None:
        """Let go of the others."""
