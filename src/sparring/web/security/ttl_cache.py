"""What was looked up lately: so many of it, and where several processes are one server, only for a moment.

So that not every request of somebody has to look it up again, what was asked for lately is read anew for all at once.
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

#: For how long a process believes what another one may have changed meanwhile, and how often it reads that (seconds).
MOMENT, OFTEN = 2.0, 1.0
#: For how long after somebody asked for a value it is read anew; and how many at most are read in one piece.
LATELY, PIECE = 10.0, 500


@dataclass(slots=True)
class _CacheEntry(Generic[V]):
    """A value, when it was begun to be read, and when it was last asked for."""

    value: V
    read: float
    asked: float


class TtlCache(Generic[V]):
    """Values by their names; what was asked for longest ago makes room."""

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
        """Look it up anew next time."""
        self._kept.pop(name, None)

    def clear(self) -> None:
        """Look everything up anew."""
        self._kept.clear()

    async def follow(self, read: Callable[[Sequence[str]], Awaitable[Mapping[str, V]]]) -> None:
        """Read what was asked for lately again and again, before it is too old; for nothing where it never is."""
        while self._age is not None:
            await asyncio.sleep(OFTEN)
            with contextlib.suppress(SparringError):  # then it grows too old, and whoever asks is told why
                await self.renew(read)

    async def renew(self, read: Callable[[Sequence[str]], Awaitable[Mapping[str, V]]]) -> None:
        """Read it once; what was forgotten or looked up meanwhile is newer."""
        begun = self._clock()
        names = [name for name, kept in self._kept.items() if begun - kept.asked < LATELY]
        for first in range(0, len(names), PIECE):
            for name, value in (await read(names[first : first + PIECE])).items():
                if (kept := self._kept.get(name)) and kept.read < begun:
                    kept.value, kept.read = value, begun


def age_of(settings: Settings) -> float | None:
    """For how long what was looked up is believed; a process that is alone knows of every change."""
    return MOMENT if settings.inside or settings.broker else None
