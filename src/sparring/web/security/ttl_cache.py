"""LRU cache whose entries expire after two seconds when several processes share a database.

Recently used entries are refreshed together, so that requests needn't look them up one by one.
"""

import asyncio
import contextlib
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from sparring.engine.errors import SparringError
from sparring.web.settings import Settings

V = TypeVar("V")

#: How long an entry may be stale if other processes can change it, and how often entries are refreshed (seconds).
MOMENT, OFTEN = 2.0, 1.0
#: How long after its last use an entry is refreshed (seconds), and the most entries per query.
LATELY, PIECE = 10.0, 500


@dataclass(slots=True)
class _CacheEntry(Generic[V]):
    """A value, when its query was started, and when it was last used."""

    value: V
    read: float
    asked: float


class TtlCache(Generic[V]):
    """A cache by name, which evicts the least recently used entry."""

    def __init__(self, most: int, age: float | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._age, self._clock = most, age, clock
        self._kept = OrderedDict[str, _CacheEntry[V]]()

    def __contains__(self, name: str) -> bool:
        kept = self._kept.get(name)
        return kept is not None and (self._age is None or self._clock() - kept.read < self._age)

    def __getitem__(self, name: str) -> V:
        kept = self._kept[name]
        kept.asked = self._clock()
        self._kept.move_to_end(name)
        return kept.value

    def __setitem__(self, name: str, value: V) -> None:
        now = self._clock()
        self._kept[name] = _CacheEntry(value, now, now)
        self._kept.move_to_end(name)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)

    def forget(self, name: str) -> None:
        """Drop an entry."""
        self._kept.pop(name, None)

    def clear(self) -> None:
        """Drop all entries."""
        self._kept.clear()

    async def keep_fresh(self, read: Callable[[Sequence[str]], Awaitable[Mapping[str, V]]]) -> None:
        """Refresh recently used entries before they expire; return at once if they never do."""
        while self._age is not None:
            await asyncio.sleep(OFTEN)
            with contextlib.suppress(SparringError):  # then the entry expires, and the next caller gets the error
                await self.refresh(read)

    async def refresh(self, read: Callable[[Sequence[str]], Awaitable[Mapping[str, V]]]) -> None:
        """Refresh once, without overwriting entries that were dropped or loaded meanwhile."""
        begun = self._clock()
        names = [name for name, kept in self._kept.items() if begun - kept.asked < LATELY]
        for first in range(0, len(names), PIECE):
            for name, value in (await read(names[first : first + PIECE])).items():
                if (kept := self._kept.get(name)) and kept.read < begun:
                    kept.value, kept.read = value, begun


def age_of(settings: Settings) -> float | None:
    """Return the lifetime of cached values in seconds; None for a single process, which knows of every change."""
    return MOMENT if settings.inside or settings.broker else None
