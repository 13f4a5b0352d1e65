"""Whose turn it is to have a bot think: of those who wait, whoever has had the least of its time so far.

Somebody who opens a hundred tables has a hundred bots wait in one row; everybody else has a row of their own.
"""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncIterator, Callable


class FairQueue:
    """So many places, given to those who wait."""

    def __init__(self, places: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._places = self._free = places
        self._clock = clock
        self._rows: dict[str, deque[asyncio.Future[None]]] = {}
        #: How much time everybody has had; who comes anew begins where the last who got a turn stood.
        self._had: dict[str, float] = {}
        self._level = 0.0

    def have(self, places: int) -> None:
        """There are so many places from now on; who has one keeps it."""
        self._places, self._free = places, self._free + places - self._places
        self._next()

    @contextlib.asynccontextmanager
    async def turn(self, who: str) -> AsyncIterator[None]:
        """A place, as soon as it is one's turn; the time inside counts."""
        await self._wait(who)
        begin = self._clock()
        try:
            yield
        finally:
            self._had[who] = max(self._had.get(who, 0.0), self._level) + self._clock() - begin
            self._free += 1
            self._next()

    async def _wait(self, who: str) -> None:
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._rows.setdefault(who, deque()).append(place)
        self._next()
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self._free += 1  # it was given just now, and nobody takes it
            self._next()
            raise

    def _next(self) -> None:
        """Give free places away."""
        while self._free > 0 and self._rows:
            who = min(self._rows, key=lambda who: max(self._had.get(who, 0.0), self._level))
            row = self._rows[who]
            place = row.popleft()
            if not row:
                del self._rows[who]
            if not place.done():
                self._level = max(self._had.get(who, 0.0), self._level)
                self._free -= 1
                place.set_result(None)
        if not self._rows:
            self._had = {who: had for who, had in self._had.items() if had > self._level}
