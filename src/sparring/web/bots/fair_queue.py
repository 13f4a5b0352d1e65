"""Fair queue for bot time: the next place goes to the waiting caller that has used the least time.

A person who opens a hundred tables has one queue for all of their bots; everyone else has another.
"""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncIterator, Callable


class FairQueue:
    """A number of places, given to waiting callers."""

    def __init__(self, places: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._places = self._free = places
        self._clock = clock
        self._queues: dict[str, deque[asyncio.Future[None]]] = {}
        #: Time used by each caller (seconds); new callers start at the level of the last one that got a place.
        self._used: dict[str, float] = {}
        self._level = 0.0

    @property
    def waiting(self) -> int:
        """Return how many callers wait for a place."""
        return sum(map(len, self._queues.values()))

    def set_places(self, places: int) -> None:
        """Change the number of places; current holders keep theirs."""
        self._places, self._free = places, self._free + places - self._places
        self._next()

    @contextlib.asynccontextmanager
    async def turn(self, who: str) -> AsyncIterator[None]:
        """Hold a place while the block runs; its duration counts as time used."""
        await self._wait(who)
        start = self._clock()
        try:
            yield
        finally:
            self._used[who] = max(self._used.get(who, 0.0), self._level) + self._clock() - start
            self._free += 1
            self._next()

    async def _wait(self, who: str) -> None:
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queues.setdefault(who, deque()).append(place)
        self._next()
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self._free += 1  # the place was just assigned, and stays unused
            self._next()
            raise

    def _next(self) -> None:
        """Assign free places."""
        while self._free > 0 and self._queues:
            who = min(self._queues, key=lambda who: max(self._used.get(who, 0.0), self._level))
            queue = self._queues[who]
            place = queue.popleft()
            if not queue:
                del self._queues[who]
            if not place.done():
                self._level = max(self._used.get(who, 0.0), self._level)
                self._free -= 1
                place.set_result(None)
        if not self._queues:
            self._used = {who: used for who, used in self._used.items() if used > self._level}
