"""Event streams that reconnect to the next process at random times, and check what they get."""

import asyncio
import contextlib
import json
import random
import time
from collections.abc import Callable

import httpx

from .people import Json, Person

#: How long a stream stays connected, and how late its events may be (seconds).
CONNECTED, LATE = (0.3, 4.0), 15.0
#: How long after "Hide all hands" an event that was under way may arrive (seconds).
UNDER_WAY = 0.5
#: How a scene marks the seat whose hand it shows.
HAND = " (you)"


class EventStream:
    """A person's event stream of a table; `shared` is one of a shared screen."""

    def __init__(self, person: Person, rng: random.Random, *, shared: bool = False) -> None:
        self.person, self.table, self.shared = person, person.table, shared
        self._rng = rng
        #: The data of the last version, its number, and the log so far.
        self.latest: Json = {}
        self.version = 0
        self.log: list[str] = []
        #: The last line and the version of the chat.
        self.lines = self._chat_version = 0
        #: For a shared screen: whether the last event showed a hand, when hands were hidden (0: they aren't), and
        #: whether an event or a new connection has come since, after which no event may show one.
        self.shows_hand, self._hidden_at, self.hidden = False, 0.0, False
        self._changed, self._reconnect = asyncio.Event(), asyncio.Event()
        self.task = asyncio.create_task(self._run())

    async def wait(self, seconds: float) -> None:
        """Wait for an event, for at most this time."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), seconds)

    async def until(self, condition: Callable[[], bool], otherwise: str) -> bool:
        """Wait until a condition is true; if it isn't in time, report a violation and return False."""
        deadline = time.monotonic() + LATE
        while not condition():
            if time.monotonic() > deadline:
                self.person.violated(f"has a stream that {otherwise} (it has version {self.version})")
                self.reconnect()
                return False
            await self.wait(1)
        return True

    async def reach(self, version: int) -> bool:
        """Wait until the stream has a version that a page has shown."""
        return self.shared or await self.until(lambda: self.version >= version, f"doesn't get version {version}")

    def reconnect(self) -> None:
        """Reconnect now."""
        self._reconnect.set()

    def hands_shown(self) -> None:
        """Allow events to show a hand."""
        self._hidden_at = 0.0

    def hands_hidden(self) -> None:
        """Allow no hand in events from now on, except in one that is under way."""
        self._hidden_at, self.hidden = time.monotonic(), not self.shows_hand

    async def _run(self) -> None:
        while True:
            self._reconnect.clear()
            connection, reconnect = asyncio.create_task(self._connect()), asyncio.create_task(self._reconnect.wait())
            tasks = {connection, reconnect}
            try:
                await asyncio.wait(tasks, timeout=self._rng.uniform(*CONNECTED), return_when=asyncio.FIRST_COMPLETED)
                self.table.count("streams ended by a process" if connection.done() else "reconnects")
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
            if not connection.cancelled() and (problem := connection.exception()):
                self.person.violated(f"has a stream that can't be read: {problem!r}")

    async def _connect(self) -> None:
        site, path = self.person.site(), f"/api/table/{self.table.id}/events?chat={self._chat_version}"
        headers = {"Last-Event-ID": str(self.version)} if self.version and not self.shared else {}
        was_hidden, fresh, received = bool(self._hidden_at), True, b""
        try:
            async with self.person.http.stream("GET", f"{site}{path}", headers=headers) as response:
                if response.status_code != 200:
                    self.person.violated(f"got {response.status_code} for a stream")
                    return await asyncio.sleep(0.2)
                self.hidden = self.hidden or was_hidden
                async for chunk in response.aiter_raw():
                    *blocks, received = (received + chunk).split(b"\r\n\r\n")
                    for block in blocks:
                        fresh = not self._receive(block.decode(), fresh=fresh) and fresh
        except httpx.TransportError as problem:
            self.person.violated(f"lost a stream: {problem!r}")

    def _receive(self, block: str, *, fresh: bool) -> bool:
        """Check an event; return whether it has a version. `fresh`: none has come since the stream connected."""
        lines = [line.partition(": ") for line in block.split("\r\n")]
        fields = {name: value for name, _, value in lines if name}
        kind, data = fields.get("event", ""), json.loads(fields.get("data", "null"))
        if data is None or kind == "people":
            return False
        if kind == "chat":
            self._receive_chat(data)
        elif kind == "failed":
            self.person.violated(f"has a stream that failed: {data}")
        else:
            self._receive_version(data, resumed=fresh and kind == "latest", latest=kind == "latest")
        self._changed.set()
        self._changed = asyncio.Event()
        return "id" in fields

    def _receive_version(self, data: Json, *, resumed: bool, latest: bool) -> None:
        self.table.count("versions received")
        version, before = data["version"], self.version
        if not self.shared:  # each seat at a shared screen has its own numbers
            if version <= before or (version > before + 1 and not resumed):
                self.person.violated(f"has a stream that got version {version} after {before}")
            elif latest and not resumed:
                self.person.violated(f"has a stream that got version {version} as `latest` without a reconnect")
        if data["keep"] > len(self.log):
            self.person.violated(f"has a stream whose log has a gap before version {version}")
        self.log[data["keep"] :] = data["log"]
        self.version, self.latest = version, data
        self.shows_hand = any(HAND in each["scene"] for each in (data, *data["beats"]))
        if self.shared and self._hidden_at:
            self._check_hand(1000 * (time.monotonic() - self._hidden_at))

    def _check_hand(self, milliseconds: float) -> None:
        if not self.shows_hand:
            self.hidden = True
        elif self.hidden or milliseconds > 1000 * UNDER_WAY:
            self.person.violated(f"has a stream that showed a hand {milliseconds:.0f} ms after all were hidden")
        else:
            self.table.count("hands under way when they were hidden")

    def _receive_chat(self, data: Json) -> None:
        numbers = [line["line"] for line in data["lines"]]
        first = 1 if data["full"] else self.lines + 1
        if numbers != [*range(first, first + len(numbers))]:
            self.person.violated(f"has a stream that got chat lines {numbers}, not from {first} on")
        self.lines, self._chat_version = max([self.lines, *numbers]), data["chat_version"]
        self.table.count("chat lines received", len(numbers))
