"""Transport between processes that can't reach each other: requests and responses in chunks over the broker."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import msgspec

from sparring.web.bots.worker_pool import WorkersUnavailable

from .broker import KeyChannel
from .transport import BY_BROKER, Headers, NodeUnreachable, ProxiedRequest, ProxiedResponse, TransportBroken

#: How many attempts without a subscriber mean that the process is gone, and the pause between them (seconds): a process
#: that only lost its connection returns sooner (`broker.PAUSE`).
TRIES, PAUSE = 2, 0.4
#: How often to check whether processes that owe a response still exist (seconds).
OFTEN = 0.25
#: The size of a chunk, and how much of a response may be unread (bytes).
CHUNK, MOST_WAITING = 256 * 1024, 8 * 1024 * 1024
#: The index of a chunk after which the response is incomplete.
MISSING = -1
#: A request may arrive after at most this many later ones.
LATE = 1000


class RelayedRequest(msgspec.Struct, frozen=True):
    """A request with its number at the sending process."""

    asker: str
    number: int
    asked: ProxiedRequest


class ResponseChunk(msgspec.Struct, frozen=True):
    """A chunk of a response with its index; the first one has status and headers."""

    answerer: str
    number: int
    place: int
    body: bytes
    last: bool
    status: int = 0
    headers: Headers = []


class RequestCancelled(msgspec.Struct, frozen=True):
    """The client no longer waits for a response."""

    asker: str
    number: int


class BrokerTransport:
    """Send requests over the broker, and answer those of others with the application `answer`."""

    def __init__(self, key_channel: KeyChannel, answer: Callable[[Any, Any, Any], Awaitable[None]]) -> None:
        broker = self._broker = key_channel.broker
        self.address = BY_BROKER + broker.id
        self._key_channel = key_channel
        self._answer = answer
        self._numbers = itertools.count(1)
        self._pending: dict[int, _PendingResponse] = {}
        self._serving: dict[tuple[str, int], asyncio.Event] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._seen = SeenRequests()
        #: Processes that are known to have ended.
        self._gone: set[str] = set()
        key_channel.subscribe(self._channel("asked", broker.id), RelayedRequest, self._receive_request)
        key_channel.subscribe(self._channel("answers", broker.id), ResponseChunk, self._receive_chunk)
        key_channel.subscribe(self._channel("left", broker.id), RequestCancelled, self._receive_cancel)
        broker.on_lost(self._abort_all)

    def _channel(self, what: str, process: str) -> str:
        return self._key_channel.channel(what, process)

    async def follow(self) -> None:
        """Check regularly whether the processes that owe a response still exist."""
        while True:
            await asyncio.sleep(OFTEN)
            processes = {pending.process for pending in self._pending.values()}
            with contextlib.suppress(WorkersUnavailable):
                counts = (
                    await self._broker.subscriber_counts([self._channel("asked", process) for process in processes])
                    if processes
                    else {}
                )
                self._abort({process for process in processes if not counts[self._channel("asked", process)]})

    def _abort(self, gone: set[str] | None = None) -> None:
        """Abort the responses of some processes, or of all."""
        for pending in self._pending.values():
            if gone is None or pending.process in gone:
                pending.break_off()

    def process_ended(self, address: str) -> None:
        """Record that the process at an address has ended, and abort its responses."""
        process = address.removeprefix(BY_BROKER)
        self._gone.add(process)
        self._abort({process})

    def _abort_all(self) -> None:
        """Abort everything, since the broker is away."""
        self._abort()
        for cancelled in self._serving.values():
            cancelled.set()

    async def close(self) -> None:
        """Abort everything in progress."""
        self._abort_all()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=1.0)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # Requests

    @contextlib.asynccontextmanager
    async def ask(self, address: str, request: ProxiedRequest) -> AsyncIterator[ProxiedResponse]:
        """Send a request to the process at an address."""
        process, number = address.removeprefix(BY_BROKER), next(self._numbers)
        if process in self._gone:
            raise NodeUnreachable(gone=True)
        pending = self._pending[number] = _PendingResponse(process)
        try:
            await self._send(process, RelayedRequest(self._broker.id, number, request))
            first = await pending.next()
            yield ProxiedResponse(first.status, first.headers, pending.pieces(first))
        finally:
            del self._pending[number]
            if not pending.over:
                self._start_task(self._send_cancel(process, RequestCancelled(self._broker.id, number)))

    async def _send(self, process: str, request: RelayedRequest) -> None:
        try:
            for _ in range(TRIES):
                if await self._key_channel.publish(self._channel("asked", process), request):
                    return
                await asyncio.sleep(PAUSE)
            settled = await self._broker.settled()
        except WorkersUnavailable:
            raise TransportBroken from None
        raise NodeUnreachable(gone=settled)

    async def _send_cancel(self, process: str, cancellation: RequestCancelled) -> None:
        with contextlib.suppress(WorkersUnavailable):
            await self._key_channel.publish(self._channel("left", process), cancellation)

    def _receive_chunk(self, chunk: ResponseChunk) -> None:
        if pending := self._pending.get(chunk.number):
            pending.take(chunk)
        elif not chunk.last:
            self._start_task(self._send_cancel(chunk.answerer, RequestCancelled(self._broker.id, chunk.number)))

    # Responses

    def _receive_request(self, request: RelayedRequest) -> None:
        if self._seen.is_new(request.asker, request.number):
            self._start_task(self._serve(request))

    def _receive_cancel(self, cancellation: RequestCancelled) -> None:
        if event := self._serving.get((cancellation.asker, cancellation.number)):
            event.set()

    def _start_task(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, request: RelayedRequest) -> None:
        """Answer a request here."""
        original, key = request.asked, (request.asker, request.number)
        cancelled = self._serving[key] = asyncio.Event()
        messages = iter([{"type": "http.request", "body": original.body, "more_body": False}])
        response = _ChunkedResponse(self._broker.id, request.number)

        async def receive() -> Any:
            if message := next(messages, None):
                return message
            await cancelled.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            response.take(message)

        sending = asyncio.create_task(self._send_all(request.asker, response, cancelled))
        try:
            await self._answer(scope_of(original), receive, send)
        finally:
            response.end()
            await sending
            del self._serving[key]

    async def _send_all(self, process: str, response: "_ChunkedResponse", cancelled: asyncio.Event) -> None:
        """Send a response while the application produces it, so that a failure to send doesn't interrupt that."""
        while (chunk := await response.next()) is not None:
            receivers = 0
            with contextlib.suppress(WorkersUnavailable):
                receivers = await self._key_channel.publish(self._channel("answers", process), chunk)
            if not receivers or response.waiting > MOST_WAITING:
                cancelled.set()
                return


def scope_of(request: ProxiedRequest) -> dict[str, Any]:
    """Return the ASGI scope of a request."""
    return {
        "type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"}, "http_version": "1.1", "server": None,
        "client": (request.client, 0), "scheme": request.scheme, "method": request.method, "root_path": "",
        "path": request.path, "raw_path": request.raw_path, "query_string": request.query, "headers": request.headers,
        "state": {},
    }  # fmt: skip


class SeenRequests:
    """The request numbers seen from each process. Each is accepted once, which prevents replays."""

    def __init__(self) -> None:
        self._newest: dict[str, int] = {}
        self._recent: dict[str, set[int]] = {}

    def is_new(self, asker: str, number: int) -> bool:
        """Return whether a request is new; one that is too late counts as seen."""
        newest, recent = self._newest.get(asker, 0), self._recent.setdefault(asker, set())
        if number in recent or number <= newest - LATE:
            return False
        recent.add(number)
        self._newest[asker] = max(newest, number)
        if len(recent) > 2 * LATE:
            self._recent[asker] = {each for each in recent if each > self._newest[asker] - LATE}
        return True


class _ChunkedResponse:
    """An outgoing response, cut into chunks."""

    def __init__(self, answerer: str, number: int) -> None:
        self._name = answerer, number
        self._outgoing: asyncio.Queue[ResponseChunk | None] = asyncio.Queue()
        self._indexes = itertools.count()
        self._start: dict[str, Any] = {}
        self._complete = False
        #: How much hasn't been sent yet (bytes).
        self.waiting = 0

    def take(self, message: Any) -> None:
        """Take the application's next message."""
        if message["type"] == "http.response.start":
            self._start = {"status": message["status"], "headers": list(message["headers"])}
            return
        body, more = message.get("body", b""), message.get("more_body", False)
        for start in range(0, len(body) or 1, CHUNK):
            self._complete = not more and start + CHUNK >= len(body)
            self._put(next(self._indexes), body[start : start + CHUNK])

    def end(self) -> None:
        """Finish; if the response is incomplete, tell the receiver."""
        if not self._complete:
            self._put(MISSING, b"")
        self._outgoing.put_nowait(None)

    def _put(self, index: int, body: bytes) -> None:
        self._outgoing.put_nowait(ResponseChunk(*self._name, index, body, self._complete, **self._start))
        self._start = {}
        self.waiting += len(body)

    async def next(self) -> ResponseChunk | None:
        """Return the next chunk; None at the end."""
        chunk = await self._outgoing.get()
        self.waiting -= len(chunk.body) if chunk else 0
        return chunk


class _PendingResponse:
    """An incoming response of a process."""

    def __init__(self, process: str) -> None:
        self.process = process
        self.over = False
        self._chunks: asyncio.Queue[ResponseChunk | None] = asyncio.Queue()
        self._next_index, self._size = 0, 0

    def take(self, chunk: ResponseChunk) -> None:
        """Add a chunk; abort the response if one is missing before it or too much is unread."""
        self._size += len(chunk.body)
        if chunk.place != self._next_index or self._size > MOST_WAITING:
            self.break_off()
        self._next_index += 1
        self._chunks.put_nowait(chunk)

    def break_off(self) -> None:
        """End the response with an error."""
        self._chunks.put_nowait(None)

    async def next(self) -> ResponseChunk:
        """Return the next chunk; raise TransportBroken if there is none."""
        chunk = await self._chunks.get()
        if chunk is None:
            raise TransportBroken
        self._size -= len(chunk.body)
        self.over = chunk.last
        return chunk

    async def pieces(self, first: ResponseChunk) -> AsyncIterator[bytes]:
        """Yield the bodies of all chunks, starting with the first."""
        yield first.body
        while not self.over:
            yield (await self.next()).body
