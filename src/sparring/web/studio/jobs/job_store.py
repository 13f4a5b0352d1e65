"""Pieces of work that take a while: begun once, done one after the other, kept until there are many newer ones."""

import asyncio
from collections import OrderedDict
from collections.abc import Coroutine, Hashable
from typing import Any, Generic, Protocol, TypeVar

from sparring.web.security.rate_limits import TooMany

#: How many pieces of a kind are kept.
KEPT = 40


class StoredJob(Protocol):
    """A piece of work that somebody asked for."""

    who: str

    @property
    def problem(self) -> str:
        """Why it cannot be done."""

    @property
    def is_done(self) -> bool:
        """Whether there is nothing more to come."""


P = TypeVar("P", bound=StoredJob)


class JobStore(Generic[P]):
    """All pieces of a kind, by what they are about."""

    def __init__(self, most: int, another: str, very_many: str) -> None:
        """`most` wait at a time; what is said to whoever has `another` one done, and when there are `very_many`."""
        self._most, self._another, self._very_many = most, another, very_many
        self._known: OrderedDict[Hashable, P] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()

    def known(self, about: Hashable) -> P | None:
        """What there is."""
        return self._known.get(about)

    def is_wanted(self, about: Hashable, who: str) -> bool:
        """Whether a piece is to be begun: not if it is there or being done. TooMany if it may not be."""
        known = self.known(about)
        if known and not known.problem:
            return False
        going = [one for one in self._known.values() if not one.is_done]
        if any(one.who == who for one in going):
            raise TooMany(self._another)
        if len(going) >= self._most:
            raise TooMany(self._very_many)
        return True

    def start(self, about: Hashable, piece: P, work: Coroutine[Any, Any, None]) -> None:
        """Have it done."""
        self._known[about] = piece
        self._known.move_to_end(about)
        for key in [key for key, one in self._known.items() if one.is_done][: len(self._known) - KEPT]:
            del self._known[key]
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Nobody waits any more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
