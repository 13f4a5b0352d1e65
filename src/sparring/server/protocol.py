"""The HTTP protocol of a connection: limits on size and time, and rejection of malformed requests.

A client has limited time to send headers and body, and to read the response; after that its connection is closed.
"""

import asyncio
import http
from collections.abc import Iterable

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from sparring.monitoring import FaultLog
from sparring.settings.requests import is_api, logged_as, refusal

from .connections import ConnectionLimits, Origin

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
