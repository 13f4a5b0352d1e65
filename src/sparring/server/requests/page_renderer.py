"""Render expensive parts of pages in a thread, with a fair queue, and cache those that are the same for many people.

So the event loop stays free, and an address that asks for many expensive pages waits for its own.
"""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from litestar.di import NamedDependency

from sparring.engine.messages import LANGUAGE
from sparring.people.fair_queue import FairQueue
from sparring.store.ttl_cache import TtlCache

T = TypeVar("T")

#: The most parts that wait, and the number of cached ones (up to half a megabyte each).
MOST_WAITING, CACHED = 50, 64


class PageRenderer:
    """The parts of pages that are rendered in a thread, one after the other."""

    def __init__(self) -> None:
        self.turns = FairQueue(
            1, most=MOST_WAITING, busy="The server is busy preparing other pages. Please try again soon."
        )
        self._parts = TtlCache[Any](CACHED, age=None)

    async def run(self, work: Callable[[], T]) -> T:
        """Return the result of work in the thread."""
        async with self.turns.turn():
            return await asyncio.to_thread(work)

    async def part(self, render: Callable[[], T], *name: object) -> T:
        """Return a part of a page by its name, which says everything that it depends on besides the language."""
        language = LANGUAGE.get()
        key = f"{name!r} {id(language)}"
        if key not in self._parts:  # the language is kept with the part, so that no other object can get its id
            self._parts[key] = await self.run(lambda: self._parts[key] if key in self._parts else (language, render()))
        part: T = self._parts[key][1]
        return part


#: The dependency of handlers.
RendererDep = NamedDependency[PageRenderer]
