"""The HTTP protocol of a connection: limits on number, size and time, and rejection of malformed requests.

A client has limited time to send headers and body, and to read the response; after that its connection is closed. IPv6
addresses count by their /64, /56 and /48, networks are a /24 or a /48 (`store/networks.py`).

At a limit, the server drops a connection that waits for its client to make room for a new one. So silent connections,
half-sent headers and bodies, and responses that aren't read can't keep out new clients, who send and read at once.
Other running requests and event streams aren't dropped.
"""

import asyncio
import http
from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from sparring.monitoring import FaultLog
from sparring.settings import Limits
from sparring.settings.requests import is_api, logged_as, refusal
from sparring.store.networks import neighbourhood, network

#: The bytes of a request to parse at once, and the most outside its body.
CHUNK = 2 * 1024
LONGEST_HEAD = 14 * 1024
#: The most bytes to read at once, which may be requests that have to wait, and those that may wait for the client
#: without being counted.
MOST_READ, MOST_WRITTEN = 64 * 1024, 16 * 1024

FULL = "This server has too many connections right now. Please try again in half a minute."
TOO_LONG = "This request is too long."
NO_HTTP = "This isn't a valid HTTP request."
CHUNKED = "A request in HTTP/1.0 can't have a chunked body; send its length as Content-Length instead."
NO_BODY = "A {} request can't have a body."


class BadRequest(Exception):
    """The request is refused before the application reads it."""


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


def decrement(counter: Counter[str], key: str) -> None:
    """Decrement a counter and drop keys that reach zero."""
    counter[key] -= 1
    if counter[key] <= 0:
        del counter[key]


def limited(limits: ConnectionLimits, faults: FaultLog) -> type[HttpToolsProtocol]:
    """Return a protocol class with these limits."""
    return type("LimitedProtocol", (_LimitedProtocol,), {"limits": limits, "faults": faults})


def check_body(method: str, version: str, headers: Iterable[tuple[bytes, bytes]]) -> None:
    """Raise BadRequest for bodies that proxies and servers may read differently (request smuggling)."""
    for name, value in headers:
        if name == b"transfer-encoding" and version == "1.0":
            raise BadRequest(CHUNKED)
        if method in ("GET", "HEAD") and (name == b"transfer-encoding" or (name == b"content-length" and int(value))):
            raise BadRequest(NO_BODY.format(method))


class _LimitedProtocol(HttpToolsProtocol):
    """A connection with limits.

    The HTTP parser has no limits: it starts every request in a read and buffers headers of any length. So it gets small
    chunks, none while a request waits for the previous one, and all bytes outside bodies are counted.
    """

    limits: ConnectionLimits
    faults: FaultLog
    origin: Origin
    client_origin: Origin
    _admitted = False
    _waits_for = ""
    _deadline: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None
    #: Data that has arrived but wasn't read yet; and the length read outside the body of the current request.
    unread = b""
    _head = 0
    #: Whether the next request isn't read or answered until the client has read the previous response.
    _next_waits = False
    #: The URL of the current request, and why it is refused if it isn't just malformed.
    url = b""
    _problem = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        transport.max_size = MOST_READ  # type: ignore[attr-defined]
        transport.set_write_buffer_limits(high=MOST_WRITTEN)
        self.origin = self.client_origin = self.limits.origin_of(self.client[0] if self.client else "")
        if not self.limits.admit(self):
            entry = self.faults.report(FULL, "a limit on connections is reached")
            # The request wasn't read, so the client may be a program.
            self._refuse(503, logged_as(FULL, entry), json=True)
            return
        self._admitted = True
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in (self._deadline, self._stalled):
            if timer is not None:
                timer.cancel()
        self._release()
        super().connection_lost(exc)

    def _release(self) -> None:
        if self._admitted:
            self.limits.release(self)
        self._admitted = False

    def drop(self) -> bool:
        """Close the connection unless a client that reads is still being sent a response; return whether it was."""
        if self.transport.get_write_buffer_size() and self._stalled is None:
            return False
        self._release()
        self.transport.abort()
        return True

    def data_received(self, data: bytes) -> None:
        if self._admitted:
            self.unread += data
            self._read_on()

    def _read_on(self) -> None:
        """Parse the data that has arrived, up to a request that has to wait."""
        data, read = self.unread, 0
        while read < len(data) and not (self.pipeline or self._next_waits or self.transport.is_closing()):
            chunk = data[read : read + CHUNK]
            read, self._head = read + len(chunk), self._head + len(chunk)
            super().data_received(chunk)
            if self._head > LONGEST_HEAD and not self.transport.is_closing():
                self._problem = TOO_LONG
                self.send_400_response(self._problem)
        self.unread = data[read:]
        if self.unread:
            self.flow.pause_reading()
        self._watch()

    def on_headers_complete(self) -> None:
        method, version = self.parser.get_method().decode("ascii"), self.parser.get_http_version()
        try:
            check_body(method, version, self.headers)
        except BadRequest as problem:
            self._problem = str(problem)
            raise  # the parser stops, and `data_received` answers by `send_400_response`
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse a request with a clearer message than uvicorn's `msg`."""
        self._refuse(400, self._problem or NO_HTTP, json=is_api(self.url.decode("latin-1")))

    def _refuse(self, status: int, sentence: str, *, json: bool) -> None:
        """Respond without the application, and close the connection."""
        headers, body = refusal(sentence, json=json)
        lines = [b"HTTP/1.1 %d %s" % (status, http.HTTPStatus(status).phrase.encode()), b"connection: close"]
        if status == 503:
            lines.append(b"retry-after: 30")
        lines += [b"%s: %s" % header for header in headers]
        self.transport.write(b"\r\n".join([*lines, b"", body]))
        self.transport.close()

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        self._head -= len(body)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._head = 0

    def on_response_complete(self) -> None:
        self._next_waits = self.flow.write_paused
        if self._next_waits:  # the response to the next request would wait in memory, too
            return
        super().on_response_complete()
        self._read_on()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stalled = self.loop.call_later(self.limits.limits.reading_time, self._time_out)
        self.limits.set_unread(self, self.transport.get_write_buffer_size())
        self._track()

    def resume_writing(self) -> None:
        super().resume_writing()
        self.limits.set_unread(self, 0)
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None
            self._track()
        if self._next_waits:
            self.on_response_complete()

    def _watch(self) -> None:
        """Start a new deadline when the connection starts to wait for something else."""
        if not self._next_waits and (self.cycle is None or self.cycle.response_complete):
            waits_for, longest = "head", self.limits.limits.head_time
        elif self.cycle is not None and self.cycle.more_body:
            waits_for, longest = "body", self.limits.limits.body_time
        else:
            waits_for, longest = "", 0.0
        if waits_for != self._waits_for:
            if self._deadline is not None:
                self._deadline.cancel()
            self._deadline = self.loop.call_later(longest, self._time_out) if waits_for else None
            self._waits_for = waits_for
            self._track()

    def _track(self) -> None:
        """Count the connection among those that wait for their client, while it does."""
        if self._admitted:
            self.limits.set_busy(self)
            self.client_origin = self.origin if self._waits_for == "head" else self._forwarded()
            if self._waits_for or self._stalled is not None:
                self.limits.set_waiting(self)

    def _forwarded(self) -> Origin:
        """Return the origin of the current request: that of the client for whom the proxy forwards it."""
        if self.origin.address == self.limits.proxy:
            clients = [value for name, value in self.headers if name == b"x-forwarded-for"]
            if clients:
                return self.limits.origin_of(clients[-1].rpartition(b",")[2].strip().decode("latin-1"))
        return self.origin

    def _time_out(self) -> None:
        self.transport.abort()
