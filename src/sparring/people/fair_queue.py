"""Fair queue: the next place goes to the waiting caller that has used the least time.

An address that opens a hundred tables, or sends a hundred files, has one share; everyone else has another. People at
one address share theirs in the same way, and so do the addresses of an IPv6 network. When too many wait, the network
that holds the most loses its newest one.
"""

import asyncio
import contextlib
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Iterable
from contextvars import ContextVar
from dataclasses import dataclass

from sparring.engine.errors import SparringError
from sparring.engine.messages import Text, say

#: A caller: its groups, the largest first, such as its address and its person.
Who = tuple[str, ...]


class Busy(SparringError):
    """The server is too busy for this request."""

    status = 503


@dataclass
class Caller:
    """Where a request comes from; the person is empty for strangers, and until the cookie has been read."""

    #: Its networks, the widest first; as many for everyone, so that ties are fair.
    networks: Who = ("", "", "")
    person: str = ""


#: The caller of the request in progress, also in the tasks that it starts.
caller: ContextVar[Caller] = ContextVar("caller")


def current_caller() -> Who:
    """Return the networks and the person of the request in progress; empty for the server itself."""
    asking = caller.get(None) or Caller()
    return *asking.networks, asking.person


def loser(held: Iterable[Who], newcomer: Who) -> Who:
    """Return who loses one of the places that are `held` when a newcomer comes and all are taken.

    That is the largest group, and in it the person with the most, or the newest. The newcomer counts too, and loses a
    tie.
    """
    all_held = [*held, newcomer]
    groups, people = Counter(who[0] for who in all_held), Counter(all_held)
    return max(reversed(people), key=lambda who: (groups[who[0]], people[who], who == newcomer))


class FairQueue:
    """A number of places, given to waiting callers, of which at most `most` wait."""

    def __init__(
        self, places: int, clock: Callable[[], float] = time.monotonic, most: int | None = None, busy: str = ""
    ) -> None:
        """`busy` is the sentence for callers beyond `most`."""
        self._places = self._free = places
        self._clock = clock
        self._most, self._busy = most, busy
        self._queues: dict[Who, deque[asyncio.Future[None]]] = {}
        #: Time used by each group (seconds); new ones start at the level of the last one in theirs that got a place.
        self._used: dict[Who, float] = {}
        self._level: dict[Who, float] = {}

    @property
    def waiting(self) -> int:
        """Return how many callers wait for a place."""
        return sum(map(len, self._queues.values()))

    def set_places(self, places: int) -> None:
        """Change the number of places; current holders keep theirs."""
        self._places, self._free = places, self._free + places - self._places
        self._next()

    def check(self) -> None:
        """Raise Busy if the current caller would be refused."""
        if self._is_full and loser(self._waiting(), current_caller()) == current_caller():
            raise Busy(say(self._busy))

    @contextlib.asynccontextmanager
    async def turn(self, *who: str) -> AsyncIterator[None]:
        """Hold a place while the block runs; its duration counts as time used by `who`, or by the current caller."""
        who = who or current_caller()
        await self._wait(who)
        start = self._clock()
        try:
            yield
        finally:
            spent = self._clock() - start
            for size, used in enumerate(self._use(who), 1):
                self._used[who[:size]] = used + spent
            self._free += 1
            self._next()

    @property
    def _is_full(self) -> bool:
        return self._most is not None and self._free <= 0 and sum(map(len, self._queues.values())) >= self._most

    def _waiting(self) -> Iterable[Who]:
        return (who for who, queue in self._queues.items() for _ in queue)

    async def _wait(self, who: Who) -> None:
        if self._is_full:
            losing = loser(self._waiting(), who)
            if losing == who:
                raise Busy(say(self._busy))
            removed = self._remove(losing, self._queues[losing][-1])
            if not removed.cancelled():
                removed.set_exception(Busy(Text(self._busy)))  # read in the language of that caller
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queues.setdefault(who, deque()).append(place)
        self._next()
        try:
            await place
        except asyncio.CancelledError:
            if place.cancelled():
                self._remove(who, place)
            elif not place.exception():
                self._free += 1  # the place was just assigned, and stays unused
            self._next()
            raise

    def _remove(self, who: Who, place: asyncio.Future[None]) -> asyncio.Future[None]:
        """Remove a caller that waits. One that was cancelled, and hasn't run since, may have been removed before."""
        queue = self._queues.get(who, deque())
        if place in queue:
            queue.remove(place)
        if not queue:
            self._queues.pop(who, None)
        return place

    def _use(self, who: Who) -> tuple[float, ...]:
        """Return the time used by each group of a caller, the largest first."""
        sizes = range(1, len(who) + 1)
        return tuple(max(self._used.get(who[:size], 0.0), self._level.get(who[: size - 1], 0.0)) for size in sizes)

    def _next(self) -> None:
        """Assign free places."""
        while self._free > 0 and self._queues:
            who = min(self._queues, key=self._use)
            use, place = self._use(who), self._remove(who, self._queues[who][0])
            if place.cancelled():
                continue
            for size, used in enumerate(use):
                self._level[who[:size]] = used
            self._free -= 1
            place.set_result(None)
        if not self._queues:
            self._used = {who: used for who, used in self._used.items() if used > self._level.get(who[:-1], 0.0)}
            kept = {who[:-1] for who in self._used} | {()}
            self._level = {group: level for group, level in self._level.items() if group in kept}
