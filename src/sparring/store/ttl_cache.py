"""LRU cache whose entries are refreshed every second, since another process may have changed what they say.

Recently used entries are refreshed together, so that requests needn't look them up one by one.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

V = TypeVar("V")

#: How long an entry may be stale if other processes can change it, and how often entries are refreshed (seconds). On a
#: busy server a refresh takes longer than usual; entries that expired meanwhile would make it busier still.
MAX_AGE, OFTEN = 5.0, 1.0
#: How long after its last use an entry is refreshed (seconds), and the most entries per query.
RECENT, BATCH = 10.0, 500


@dataclass(slots=True)
class _CacheEntry(Generic[V]):
    """A value, when its query was started, and when it was last used."""

    value: V
    read: float
    asked: float


class TtlCache(Generic[V]):
    """A cache by name, which evicts the least recently used entry. With `age` None, entries never expire."""

    def __init__(self, most: int, age: float | None = MAX_AGE, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._age, self._clock = most, age, clock
        self._entries = OrderedDict[str, _CacheEntry[V]]()

    def __contains__(self, name: str) -> bool:
        entry = self._entries.get(name)
        return entry is not None and (self._age is None or self._clock() - entry.read < self._age)

    def __getitem__(self, name: str) -> V:
        entry = self._entries[name]
        entry.asked = self._clock()
        self._entries.move_to_end(name)
        return entry.value

    def __setitem__(self, name: str, value: V) -> None:
        now = self._clock()
        self._entries[name] = _CacheEntry(value, now, now)
        self._entries.move_to_end(name)
        if len(self._entries) > self._most:
            self._entries.popitem(last=False)

    def forget(self, name: str) -> None:
        """Drop an entry."""
        self._entries.pop(name, None)

    async def keep_fresh(
        self, read: Callable[[Sequence[str]], Awaitable[Mapping[str, V]]], changed: Callable[[], None] = lambda: None
    ) -> None:
        """Refresh recently used entries before they expire; return at once if they never do.

        Call `changed` after a refresh that has changed any.
        """
        while self._age is not None:
            await asyncio.sleep(OFTEN)
            if await self.refresh(read):  # if it fails, the entries expire, and their next readers get the error
                changed()

    async def refresh(self, read: Callable[[Sequence[str]], Awaitable[Mapping[str, V]]]) -> bool:
        """Refresh once, but for entries that were dropped or loaded meanwhile; return whether any changed."""
        differs = False
        started = self._clock()
        names = [name for name, entry in self._entries.items() if started - entry.asked < RECENT]
        for first in range(0, len(names), BATCH):
            for name, value in (await read(names[first : first + BATCH])).items():
                if (entry := self._entries.get(name)) and entry.read < started:
                    differs |= entry.value != value
                    entry.value, entry.read = value, started
        return differs
