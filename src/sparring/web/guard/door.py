"""The door: how many connections stand open, in all and from each address, and how long a request may take to arrive.

A connection has so long for the head of a request, so long for its body, and so long to take an answer in; who takes
longer is let go. `Once` keeps the log from growing with the number of those who try.
"""

import asyncio
import contextlib
import ipaddress
import logging
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from sparring.engine.errors import SparringError
from sparring.web.settings import Limits

#: Files that a server has open besides its connections: the database, processes, what it serves.
OWN_FILES = 200
#: As many files as are asked for at most.
MOST_FILES = 65_536

#: How much of a request is read at once, and how much of it, besides its body, may have come before it ends (bytes).
PIECE = 2 * 1024
LONGEST_HEAD = 14 * 1024

FULL = b"This table has no more room at the moment; please come back soon."


class TooMany(SparringError):
    """Somebody asks for more than one may have."""


class Door:
    """Counts who is inside: connections by address, streams by person and by address."""

    def __init__(self, limits: Limits, proxy: str = "", inside: str = "") -> None:
        self.limits = limits
        self.proxy = network(proxy)
        #: The port at which the other processes of this server come in, who have let people in at their own doors.
        self.inside_port = urlsplit(inside).port
        self.inside: Counter[str] = Counter()
        self.listening: Counter[str] = Counter()
        self.listening_from: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """Let a connection in, if there is room; behind a proxy only the proxy knows who comes from where."""
        each = address == self.proxy or self.inside[address] < self.limits.connections_each
        if not each or self.inside.total() >= self.limits.connections:
            return False
        self.inside[address] += 1
        return True

    def leave(self, address: str) -> None:
        """A connection is closed."""
        _less(self.inside, address)

    def check_stream(self, person: str, address: str) -> None:
        """Raise TooMany unless a person (empty: a stranger) may open one more event stream from an address.

        Streams are counted by both, as a new guest costs nothing.
        """
        if person and self.listening[person] >= self.limits.streams_each:
            raise TooMany("You look at too many tables at once; close one of them and load this page anew.")
        if self.listening_from[address] >= self.limits.streams_from:
            raise TooMany("Too many pages are open in your network; close one of them and load this page again.")
        if self.listening_from.total() >= self.limits.streams:
            raise TooMany("Too many people look at tables at the moment; please come back soon.")

    @contextlib.contextmanager
    def stream(self, person: str, address: str) -> Iterator[None]:
        """Count an event stream while it is open."""
        self.listening[person] += 1
        self.listening_from[address] += 1
        try:
            yield
        finally:
            _less(self.listening, person)
            _less(self.listening_from, address)


def _less(counter: Counter[str], key: str) -> None:
    counter[key] -= 1
    if counter[key] <= 0:
        del counter[key]


def network(address: str) -> str:
    """What counts as one address: of the new kind (IPv6) everybody has a whole network, 64 bits of it."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)


def guarded(door: Door) -> type[HttpToolsProtocol]:
    """The protocol of a server behind this door."""
    return type("Guarded", (_Guarded,), {"door": door})


class _Guarded(HttpToolsProtocol):
    """A connection that is let go when it keeps us waiting.

    The parser has no bounds: it would begin every request that one read holds, and keep a head however long. So it is
    given small pieces, none while a request waits for the one before it, and what is no body is counted.
    """

    door: Door
    _address: str | None = None
    _waits_for = ""
    _deadline: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None
    #: What has come and was not read yet; how much was read of a request, besides its body.
    unread = b""
    _head = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        address = network(self.client[0]) if self.client else ""
        if not self._inside and not self.door.enter(address):
            head = b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nRetry-After: 30\r\n"
            transport.write(head + b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(FULL) + FULL)
            transport.close()
            return
        self._address = address
        self._watch()

    @property
    def _inside(self) -> bool:
        """Whether another process of this server comes here."""
        return self.server is not None and self.server[1] is not None and self.server[1] == self.door.inside_port

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in (self._deadline, self._stalled):
            if timer is not None:
                timer.cancel()
        if self._address is not None and not self._inside:
            self.door.leave(self._address)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._address is not None:
            self.unread += data
            self._read_on()

    def _read_on(self) -> None:
        """Read what has come, up to a request that has to wait."""
        come, read = self.unread, 0
        while read < len(come) and not self.pipeline and not self.transport.is_closing():
            piece = come[read : read + PIECE]
            read, self._head = read + len(piece), self._head + len(piece)
            super().data_received(piece)
            if self._head > LONGEST_HEAD and not self.transport.is_closing():
                self.send_400_response("This request is too long.")
        self.unread = come[read:]
        if self.unread:
            self.flow.pause_reading()
        self._watch()

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        self._head -= len(body)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._head = 0

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._read_on()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stalled = self.loop.call_later(self.door.limits.reading_time, self._let_go)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._stalled is not None:
            self._stalled.cancel()

    def _watch(self) -> None:
        """Begin to count the time when something else is waited for than before."""
        if self.cycle is None or self.cycle.response_complete:
            waits_for, longest = "head", self.door.limits.head_time
        elif self.cycle.more_body:
            waits_for, longest = "body", self.door.limits.body_time
        else:
            waits_for, longest = "", 0.0
        if waits_for != self._waits_for:
            if self._deadline is not None:
                self._deadline.cancel()
            self._deadline = self.loop.call_later(longest, self._let_go) if waits_for else None
            self._waits_for = waits_for

    def _let_go(self) -> None:
        self.transport.abort()


def raise_file_limit(limits: Limits) -> Limits:
    """Ask the system for as many files as it gives, and keep connections below that."""
    try:
        import resource
    except ImportError:  # no such limit here
        return limits
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if most > soft:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return limits.below(max(resource.getrlimit(resource.RLIMIT_NOFILE)[0] - OWN_FILES, 16))


class Once(logging.Filter):
    """Lets a message through once in a while, however often it comes; then it says how often it came meanwhile."""

    WHILE = 60.0
    KINDS = 1000

    def __init__(self) -> None:
        super().__init__()
        self._told: dict[tuple[Any, ...], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to write this message."""
        kind = record.name, str(record.msg)[:80], record.exc_info and record.exc_info[0]
        last, more = self._told.get(kind, (float("-inf"), 0))
        now = time.monotonic()
        if now - last < self.WHILE:
            self._told[kind] = last, more + 1
            return False
        if len(self._told) >= self.KINDS:
            self._told.clear()
        self._told[kind] = now, 0
        if more:
            record.msg = f"{record.msg} (and {more} times since this was last said)"
        return True


#: What goes wrong is written to the error output, once in a while each.
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"once": {"()": "sparring.web.guard.door.Once"}},
    "formatters": {"plain": {"format": "%(levelname)s %(name)s: %(message)s"}},
    "handlers": {"errors": {"class": "logging.StreamHandler", "filters": ["once"], "formatter": "plain"}},
    "root": {"handlers": ["errors"], "level": "WARNING"},
}
