"""Limits on open connections and event streams, and the host names that the server answers to.

`ConnectionLimits` and the protocol class of `protocol.py` bound connections before the application sees a request;
`StreamLimits` counts event streams. Rate limits and bans are in `people`, the sandbox for uploads in `tables/content`.

What must hold:

* IPv6 addresses count by their /64, /56 and /48, networks are a /24 or a /48 (`store/networks.py`).
* Forged cookies and tokens, banned clients and exceeded limits are refused without a database query.
* Tables, seats and rate limits store keyed hashes of addresses, never the addresses.

At a limit, the server drops a connection that waits for its client to make room for a new one. So silent connections,
half-sent headers and bodies, and responses that aren't read can't keep out new clients, who send and read at once.
Other running requests and event streams aren't dropped.

Another site could point its own name here, and browsers would treat its pages as ours (DNS rebinding): only the names
of this server are answered.
"""

import asyncio
import contextlib
import ipaddress
import re
import socket
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple, Protocol

from sparring.people.rate_limits import TooMany
from sparring.settings import Limits
from sparring.store.networks import neighbourhood, network, shares

#: Files that a server opens besides its connections: the database, pipes to processes, static files.
OWN_FILES = 200
#: The highest limit on open files that the server asks the system for.
MOST_FILES = 65_536


class Origin(NamedTuple):
    """The source of a connection."""

    address: str
    network: str


class Connection(Protocol):
    """A counted connection.

    Behind the reverse proxy, `client_origin` is the origin of its current request, which the proxy forwards.
    """

    origin: Origin
    client_origin: Origin
    transport: asyncio.Transport

    def drop(self) -> bool:
        """Close the connection unless an answer is still being sent; return whether it was closed."""


class ConnectionLimits:
    """Count open connections, and track which of them wait for their clients."""

    def __init__(self, limits: Limits, proxy: str = "") -> None:
        self.limits = limits
        self.proxy = network(proxy)
        self.by_address: Counter[str] = Counter()
        self.by_network: Counter[str] = Counter()
        #: Connections that wait for their clients, by those clients' origin, the longest waiting first.
        self._waiting: dict[Origin, dict[Connection, None]] = {}
        #: How many bytes wait for a client that doesn't read them, the longest waiting first.
        self._unread: dict[Connection, int] = {}

    def origin_of(self, client: str) -> Origin:
        """Return the origin of a client at an IP address; the reverse proxy counts as a separate network."""
        address = network(client)
        return Origin(address, address if address == self.proxy else neighbourhood(address))

    def admit(self, connection: Connection) -> bool:
        """Count a new connection, dropping a waiting one at a limit; return False if there is none to drop.

        For the reverse proxy only the total limit applies: its connections belong to many clients.
        """
        origin, limits = connection.origin, self.limits
        if origin.address != self.proxy:
            most = max(limits.connections_network, limits.connections_each)
            if self.by_address[origin.address] >= limits.connections_each and not self._drop(origin.__eq__):
                return False
            if self.by_network[origin.network] >= most and not self._drop(lambda o: o.network == origin.network):
                return False
        if self.by_address.total() >= limits.connections and not self._drop(lambda _: True):
            return False
        self.by_address[origin.address] += 1
        self.by_network[origin.network] += 1
        return True

    def release(self, connection: Connection) -> None:
        """Stop counting a connection that was admitted."""
        self.set_busy(connection)
        self._unread.pop(connection, None)
        decrement(self.by_address, connection.origin.address)
        decrement(self.by_network, connection.origin.network)

    def set_waiting(self, connection: Connection) -> None:
        """Record that a connection waits for its client: for headers, a body, or until it reads a response."""
        self._waiting.setdefault(connection.client_origin, {})[connection] = None

    def set_busy(self, connection: Connection) -> None:
        """Record that a connection doesn't wait for its client: a request is running, or it is closed."""
        waiting = self._waiting.get(connection.client_origin, {})
        waiting.pop(connection, None)
        if not waiting:
            self._waiting.pop(connection.client_origin, None)

    def set_unread(self, connection: Connection, size: int) -> None:
        """Record how many bytes wait for the client to read them. Above the limit, abort connections.

        These are the longest waiting ones of the address with the most unread bytes.
        """
        self._unread.pop(connection, None)
        if size:
            self._unread[connection] = size
        while len(self._unread) > 1 and sum(self._unread.values()) > self.limits.unread:
            by_address = Counter[str]()
            for each, waiting in self._unread.items():
                by_address[each.origin.address] += waiting
            worst = max(by_address, key=by_address.__getitem__)
            aborted = next(each for each in self._unread if each.origin.address == worst)
            del self._unread[aborted]
            aborted.transport.abort()

    def _drop(self, matches: Callable[[Origin], bool]) -> bool:
        """Drop the longest waiting connection of the matching origin that has the most; return False if none waits.

        An attacker who opens many connections loses one of those, and a client in mid-request keeps its connection.
        """
        origins = sorted(filter(matches, self._waiting), key=lambda origin: len(self._waiting[origin]), reverse=True)
        return any(connection.drop() for origin in origins for connection in self._waiting[origin])


def raise_file_limit(limits: Limits) -> Limits:
    """Raise the limit on open files as far as the system allows, and return connection limits that stay below it."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return limits
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if most > soft:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return limits.below(max(resource.getrlimit(resource.RLIMIT_NOFILE)[0] - OWN_FILES, 16))


class StreamLimits:
    """Count the open event streams."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.by_person: Counter[str] = Counter()
        self.by_address: Counter[str] = Counter()

    def check(self, person: str, address: str) -> None:
        """Raise TooMany unless a person (empty: a stranger) may open another event stream from an address.

        Both are counted, since creating guests is free.
        """
        if person and self.by_person[person] >= self.limits.streams_each:
            raise TooMany("You have too many tables open. Close one of them and reload this page.")
        if any(self.by_address[each] >= self.limits.streams_from * times for each, times in shares(address).items()):
            raise TooMany("Too many tables are open in your network. Close one of them and reload this page.")
        if self.by_person.total() >= self.limits.streams:
            raise TooMany("Too many people are watching tables right now. Please try again soon.")

    @contextlib.contextmanager
    def open(self, person: str, address: str) -> Iterator[None]:
        """Count an event stream while it is open."""
        self.by_person[person] += 1
        self.by_address.update(shares(address).keys())
        try:
            yield
        finally:
            decrement(self.by_person, person)
            for each in shares(address):
                decrement(self.by_address, each)


def decrement(counter: Counter[str], key: str) -> None:
    """Decrement a counter and drop keys that reach zero."""
    counter[key] -= 1
    if counter[key] <= 0:
        del counter[key]


#: The form of a Host header: a name, an IPv4 address or an IPv6 address in brackets, with an optional port.
HOST = re.compile(r"([A-Za-z0-9._-]{1,255}|\[(?P<ipv6>[A-Fa-f0-9:.]{2,45})\])(:(?P<port>[0-9]{0,5}))?")
HIGHEST_PORT = 65_535


def own_names(more: Iterable[str] = ()) -> frozenset[str]:
    """Return the names of this machine and configured ones, in lower case."""
    hostname = socket.gethostname()
    names = {"localhost", hostname, f"{hostname.partition('.')[0]}.local", *more}
    return frozenset(name.strip().rstrip(".").lower() for name in names if name.strip())


def is_loopback(host: str) -> bool:
    """Return whether a host name or address is this machine itself."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


@lru_cache(maxsize=64)
def read_host(host: str) -> str:
    """Return the name or address in a Host header, in lower case; empty if it is malformed."""
    match = HOST.fullmatch(host)
    if not match or int(match["port"] or 0) > HIGHEST_PORT:
        return ""
    if match["ipv6"]:
        return match["ipv6"].lower() if ":" in match["ipv6"] and _is_address(match["ipv6"]) else ""
    return match[1].rstrip(".").lower()


def is_served(name: str, names: frozenset[str]) -> bool:
    """Return whether the server answers to a name: one of these, localhost, or any address."""
    return name in names or name.endswith(".localhost") or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
