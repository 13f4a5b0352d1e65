"""Socket clients that play as browsers do, and measure response times."""

import asyncio
import contextlib
import json
import random
import re
import time
from asyncio import StreamReader, StreamWriter
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urlencode

FORM = {"seat1": "me", "seat2": "random"}

#: Where the table at rest begins in an event, the mark of a finished match in its first tag, and its choices. The raw
#: bytes are searched, since clients share the cores with the server that they measure.
SCENE, OVER = b'<form class="scene', b" over"
CHOICE = re.compile(rb'name="choice" value="(\d+)"')
NUMBER = re.compile(rb"(?:^|\r\n)id: (\d+)\r\n")
LENGTH = re.compile(rb"content-length: (\d+)")
AGAIN = re.compile(r"retry-after: (\d+)")

#: Without an answer within this time (seconds), a client gives up.
TIMEOUT = 10.0


class LoadClient:
    """A client with two open connections, like a browser: one for requests, one for the event stream."""

    def __init__(self, port: int, name: str = "Load client", think: float = 1.0, game: str = "make-your-moves") -> None:
        self.port = port
        self.name = name
        self.think = think
        self.game = game
        self.cookie = ""
        self.table = ""
        self.answers: list[float] = []
        #: How long after another person's choices this one saw them.
        self.seen: list[float] = []
        #: How quickly the server told this client to come back later, and whether it is waiting for that now.
        self.turned_away: list[float] = []
        self.waits = False
        #: Why this client was refused.
        self.refused = ""
        self._requests: tuple[StreamReader, StreamWriter] | None = None
        self._stream: tuple[StreamReader, StreamWriter] | None = None

    async def come(self) -> None:
        """Create the first table, and listen to it."""
        with self._patience():
            await self.sit_down()
            await self._listen()

    async def sit_down(self) -> None:
        """Create a table against a bot."""
        await self.post_as_browser(f"/games/{self.game}", {"name": self.name, **FORM})

    async def post_as_browser(self, path: str, form: dict[str, str]) -> None:
        """Post a form that leads to a table, and keep the cookie of the response."""
        head, _ = await self.ask("POST", path, urlencode(form), "application/x-www-form-urlencoded")
        self.table = re.findall(r"location: (\S+)", head)[0]
        self.cookie = next(iter(re.findall(r"set-cookie: ([^;]+)", head)), self.cookie)

    async def live(self) -> None:
        """Connect and play."""
        await self.come()
        await self.play()

    async def play(self) -> None:
        """Make random choices and measure each response; at the end of a match start another."""
        with self._patience():
            while not self.refused:
                reader, writer = self._stream or await self._listen()
                try:
                    await self._play_match(reader)
                finally:
                    writer.close()
                    self._stream = None
                await self.sit_down()

    async def _listen(self) -> tuple[StreamReader, StreamWriter]:
        """Open the event stream of the table, from its first version."""
        self._stream = reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 22)
        writer.write(self._head("GET", f"{self.table}/events?version=0", "", "text/plain"))
        await reader.readuntil(b"\r\n\r\n")
        return reader, writer

    @contextlib.contextmanager
    def _patience(self) -> Iterator[None]:
        """Stop the client if it is refused, and keep the reason."""
        try:
            yield
        except (OSError, EOFError, RuntimeError) as problem:
            self.refused = f"{type(problem).__name__}: {problem}"

    async def _play_match(self, stream: StreamReader) -> None:
        version, scene = await self._event(stream)
        while OVER not in scene.partition(b">")[0]:
            choices = CHOICE.findall(scene)
            if not choices:
                version, scene = await self._event(stream)
                continue
            await asyncio.sleep(self.think * random.uniform(0.5, 1.5))
            body = f'{{"version": {version}, "choice": {int(random.choice(choices))}}}'
            began = time.perf_counter()
            _, reply = await self.ask("POST", f"/api{self.table}/choose", body, "application/json")
            async with asyncio.timeout(TIMEOUT):
                version, scene = await self._event(stream)
            self.answers.append(time.perf_counter() - began)
            while version < json.loads(reply)["version"]:  # the table has made automatic choices since
                version, scene = await self._event(stream)

    async def _event(self, stream: StreamReader) -> tuple[int, bytes]:
        """Return the next event with a version: the version, and the table at rest, which comes last."""
        while True:
            event = await stream.readuntil(b"\r\n\r\n")
            if version := NUMBER.search(event):
                return int(version[1]), event[event.rfind(SCENE) :]

    async def ask(self, method: str, path: str, body: str = "", kind: str = "text/plain") -> tuple[str, bytes]:
        """Send a request; return the headers of the response and its body."""
        while True:
            began, reused = time.perf_counter(), self._requests is not None
            request = self._head(method, path, body, kind) + body.encode()
            async with asyncio.timeout(TIMEOUT):
                try:
                    head, content = await self._answer(request)
                except (OSError, EOFError):
                    if not reused:
                        raise
                    head, content = await self._answer(request)  # the server drops idle connections
            if head.startswith(("HTTP/1.1 2", "HTTP/1.1 3")):
                return head, content
            if not (again := AGAIN.search(head)):
                raise RuntimeError(f"{path} returned {head[:200]}.")
            self.turned_away.append(time.perf_counter() - began)
            self.waits = True
            await asyncio.sleep(int(again[1]))
            self.waits = False

    async def _answer(self, request: bytes) -> tuple[str, bytes]:
        if self._requests is None:
            self._requests = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self._requests
        try:
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            length = LENGTH.search(head)
            return head.decode(), await reader.readexactly(int(length[1])) if length else b""
        except BaseException:
            writer.close()
            self._requests = None
            raise

    def close(self) -> None:
        """Close both connections."""
        for connection in filter(None, (self._requests, self._stream)):
            connection[1].close()
        self._requests = self._stream = None

    def _head(self, method: str, path: str, body: str, kind: str) -> bytes:
        lines = [
            f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", f"Content-Type: {kind}",
            f"Content-Length: {len(body)}", f"Cookie: {self.cookie}",
        ]  # fmt: skip
        return "\r\n".join([*lines, "", ""]).encode()


@dataclass
class Pair:
    """Two clients at a table: the addresses of their tables, and who chose last and when."""

    tables: "asyncio.Queue[str]" = field(default_factory=asyncio.Queue)
    last_choice: tuple["PairedClient | None", float] = None, 0.0


class PairedClient(LoadClient):
    """One of two players at a table: the first creates it and passes its address to the second."""

    def __init__(self, port: int, name: str, think: float, game: str, pair: Pair, *, first: bool) -> None:
        super().__init__(port, name, think, game)
        self._pair, self._first = pair, first

    async def sit_down(self) -> None:
        """Create a table, or take its other seat."""
        if self._first:
            form, path = {"seat1": "me", "seat2": "open"}, f"/games/{self.game}"
        else:
            self.table = await self._pair.tables.get()
            form, path = {"seat": "2"}, f"{self.table}/sit"
        await self.post_as_browser(path, {"name": self.name, **form})
        if self._first:
            self._pair.tables.put_nowait(self.table)
            await self._pair.tables.join()
        else:
            self._pair.tables.task_done()

    async def ask(self, method: str, path: str, body: str = "", kind: str = "text/plain") -> tuple[str, bytes]:
        """Send a request, and note when it is a choice."""
        if path.endswith("/choose"):
            self._pair.last_choice = self, time.perf_counter()
        return await super().ask(method, path, body, kind)

    async def _event(self, stream: StreamReader) -> tuple[int, bytes]:
        event = await super()._event(stream)
        who, since = self._pair.last_choice
        if who not in (None, self):
            self.seen.append(time.perf_counter() - since)
            self._pair.last_choice = None, 0.0
        return event
