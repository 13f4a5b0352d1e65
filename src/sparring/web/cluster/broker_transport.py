"""Transport between processes that can't reach each other: requests and responses in chunks over the broker."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import msgspec

from sparring.web.bots.worker_pool import WorkersAway

from .broker import KeyChannel
from .transport import BY_BROKER, Headers, NodeUnreachable, ProxiedRequest, ProxiedResponse, TransportBroken

#: How many attempts without a subscriber mean that the process is gone, and the pause between them (seconds): a process
#: that only lost its connection returns sooner (`broker.PAUSE`).
TRIES, PAUSE = 2, 0.4
#: How often to check whether processes that owe a response still exist (seconds).
OFTEN = 0.25
#: The size of a chunk, and how much of a response may be unread (bytes).
PIECE, MOST_WAITING = 256 * 1024, 8 * 1024 * 1024
#: The index of a chunk after which the response is incomplete.
MISSING = -1
#: By how many numbers a request may arrive late.
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

    def __init__(self, circle: KeyChannel, answer: Callable[[Any, Any, Any], Awaitable[None]]) -> None:
        broker = self._broker = circle.broker
        self.address = BY_BROKER + broker.id
        self._circle = circle
        self._answer = answer
        self._numbers = itertools.count(1)
        self._asking: dict[int, _PendingResponse] = {}
        self._serving: dict[tuple[str, int], asyncio.Event] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._heard = SeenRequests()
        #: Processes that are known to have ended.
        self._gone: set[str] = set()
        circle.subscribe(self._channel("asked", broker.id), RelayedRequest, self._asked)
        circle.subscribe(self._channel("answers", broker.id), ResponseChunk, self._piece)
        circle.subscribe(self._channel("left", broker.id), RequestCancelled, self._left)
        broker.on_lost(self._lost)

    def _channel(self, what: str, process: str) -> str:
        return self._circle.channel(what, process)

    async def follow(self) -> None:
        """Check regularly whether the processes that owe a response still exist."""
        while True:
            await asyncio.sleep(OFTEN)
            there = {waiting.process for waiting in self._asking.values()}
            with contextlib.suppress(WorkersAway):
                found = (
                    await self._broker.subscriber_counts([self._channel("asked", process) for process in there])
                    if there
                    else {}
                )
                self._break({process for process in there if not found[self._channel("asked", process)]})

    def _break(self, gone: set[str] | None = None) -> None:
        """Abort the responses of some processes, or of all."""
        for waiting in self._asking.values():
            if gone is None or waiting.process in gone:
                waiting.break_off()

    def gone(self, address: str) -> None:
        """Record that the process at an address has ended, and abort its responses."""
        process = address.removeprefix(BY_BROKER)
        self._gone.add(process)
        self._break({process})

    def _lost(self) -> None:
        """Abort everything, since the broker is away."""
        self._break()
        for left in self._serving.values():
            left.set()

    async def close(self) -> None:
        """Abort everything in progress."""
        self._lost()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=1.0)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # Requests

    @contextlib.asynccontextmanager
    async def ask(self, address: str, asked: ProxiedRequest) -> AsyncIterator[ProxiedResponse]:
        """Send a request to the process at an address."""
        process, number = address.removeprefix(BY_BROKER), next(self._numbers)
        if process in self._gone:
            raise NodeUnreachable(gone=True)
        waiting = self._asking[number] = _PendingResponse(process)
        try:
            await self._send(process, RelayedRequest(self._broker.id, number, asked))
            first = await waiting.next()
            yield ProxiedResponse(first.status, first.headers, waiting.pieces(first))
        finally:
            del self._asking[number]
            if not waiting.over:
                self._begin(self._leave(process, RequestCancelled(self._broker.id, number)))

    async def _send(self, process: str, request: RelayedRequest) -> None:
        try:
            for _ in range(TRIES):
                if await self._circle.publish(self._channel("asked", process), request):
                    return
                await asyncio.sleep(PAUSE)
            settled = await self._broker.settled()
        except WorkersAway:
            raise TransportBroken from None
        raise NodeUnreachable(gone=settled)

    async def _leave(self, process: str, left: RequestCancelled) -> None:
        with contextlib.suppress(WorkersAway):
            await self._circle.publish(self._channel("left", process), left)

    def _piece(self, piece: ResponseChunk) -> None:
        if waiting := self._asking.get(piece.number):
            waiting.take(piece)
        elif not piece.last:
            self._begin(self._leave(piece.answerer, RequestCancelled(self._broker.id, piece.number)))

    # Responses

    def _asked(self, request: RelayedRequest) -> None:
        if self._heard.is_new(request.asker, request.number):
            self._begin(self._serve(request))

    def _left(self, left: RequestCancelled) -> None:
        if event := self._serving.get((left.asker, left.number)):
            event.set()

    def _begin(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, request: RelayedRequest) -> None:
        """Answer a request here."""
        asked, name = request.asked, (request.asker, request.number)
        left = self._serving[name] = asyncio.Event()
        come = iter([{"type": "http.request", "body": asked.body, "more_body": False}])
        answer = _ChunkedResponse(self._broker.id, request.number)

        async def receive() -> Any:
            if message := next(come, None):
                return message
            await left.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            answer.take(message)

        sending = asyncio.create_task(self._send_all(request.asker, answer, left))
        try:
            await self._answer(scope_of(asked), receive, send)
        finally:
            answer.end()
            await sending
            del self._serving[name]

    async def _send_all(self, asker: str, answer: "_ChunkedResponse", left: asyncio.Event) -> None:
        """Send a response while the application produces it, so that a failure to send doesn't interrupt that."""
        while (piece := await answer.next()) is not None:
            heard = 0
            with contextlib.suppress(WorkersAway):
                heard = await self._circle.publish(self._channel("answers", asker), piece)
            if not heard or answer.waiting > MOST_WAITING:
                left.set()
                return


def scope_of(asked: ProxiedRequest) -> dict[str, Any]:
    """Return the ASGI scope of a request."""
    return {
        "type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"}, "http_version": "1.1", "server": None,
        "client": (asked.client, 0), "scheme": asked.scheme, "method": asked.method, "root_path": "",
        "path": asked.path, "raw_path": asked.raw_path, "query_string": asked.query, "headers": asked.headers,
        "state": {},
    }  # fmt: skip


class SeenRequests:
    """The request numbers seen from each process: each is accepted once, to prevent replays."""

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
        self._pieces: asyncio.Queue[ResponseChunk | None] = asyncio.Queue()
        self._places = itertools.count()
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
        for begin in range(0, len(body) or 1, PIECE):
            self._complete = not more and begin + PIECE >= len(body)
            self._put(next(self._places), body[begin : begin + PIECE])

    def end(self) -> None:
        """Finish; if the response is incomplete, tell the receiver."""
        if not self._complete:
            self._put(MISSING, b"")
        self._pieces.put_nowait(None)

    def _put(self, place: int, body: bytes) -> None:
        self._pieces.put_nowait(ResponseChunk(*self._name, place, body, self._complete, **self._start))
        self._start = {}
        self.waiting += len(body)

    async def next(self) -> ResponseChunk | None:
        """Return the next chunk; None at the end."""
        piece = await self._pieces.get()
        self.waiting -= len(piece.body) if piece else 0
        return piece


class _PendingResponse:
    """An incoming response of a process."""

    def __init__(self, process: str) -> None:
        self.process = process
        self.over = False
        self._come: asyncio.Queue[ResponseChunk | None] = asyncio.Queue()
        self._place, self._size = 0, 0

    def take(self, piece: ResponseChunk) -> None:
        """Add a chunk; abort the response if one is missing before it or too much is unread."""
        self._size += len(piece.body)
        if piece.place != self._place or self._size > MOST_WAITING:
            self.break_off()
        self._place += 1
        self._come.put_nowait(piece)

    def break_off(self) -> None:
        """End the response with an error."""
        self._come.put_nowait(None)

    async def next(self) -> ResponseChunk:
        """Return the next chunk; raise TransportBroken if there is none."""
        piece = await self._come.get()
        if piece is None:
            raise TransportBroken
        self._size -= len(piece.body)
        self.over = piece.last
        return piece

    async def pieces(self, first: ResponseChunk) -> AsyncIterator[bytes]:
        """Yield the bodies of all chunks, starting with the first."""
        yield first.body
        while not self.over:
            yield (await self.next()).body
