"""Sets are measured while somebody looks, and no longer; a newer set takes the place of an older one.

What was measured is remembered by its content, so that who undoes a change sees at once what was known.
"""

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Protocol

from sparring.lab.experiments.set_balance import SetBalance
from sparring.web.security.rate_limits import TooMany
from sparring.web.settings import Limits

from .job_messages import BOTS, FIRST, Measure, Measured, Thing

#: How many measurements are remembered.
REMEMBERED = 100


class MeasuringThreads(Protocol):
    """Whoever plays."""

    async def measure(self, order: Measure, who: str, wanted: Callable[[], bool]) -> Measured:
        """Play a set for a while, if that is still wanted when it comes to it."""

    def is_compiled(self, game: str, bot: str) -> bool:
        """Whether that is played in machine code."""

    async def compiled(self, game: str, bot: str) -> bool:
        """The same, when it has been tried."""


class SetMeasuring:
    """A set that is measured, and what is known so far."""

    def __init__(self, thing: Thing) -> None:
        self.thing = thing
        self.worths: dict[str, SetBalance] = {}
        #: The bots that need play no more, and why nothing can be measured.
        self.enough: set[str] = set()
        self.problem = ""
        #: Whether machine code is waited for.
        self.compiling = False
        #: Who watches, the last to come at the end.
        self.watching: list[SetWatch] = []
        self.changes = 0
        self._news = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    @property
    def is_done(self) -> bool:
        """Whether there is nothing more to come."""
        return bool(self.problem) or len(self.enough) == len(BOTS)

    def tell(self) -> None:
        """Something is known that was not."""
        self.changes += 1
        news, self._news = self._news, asyncio.Event()
        news.set()

    async def news(self, changes: int) -> None:
        """Wait until there is something after so many changes."""
        while self.changes == changes:
            await self._news.wait()


class SetWatch:
    """Somebody who looks at what comes of measuring a set."""

    def __init__(self, who: str, set_id: str, measuring: SetMeasuring) -> None:
        self.who, self.set_id, self.measuring = who, set_id, measuring
        #: Whether the set was changed meanwhile, so that something else is measured now.
        self.is_over = False

    def end(self) -> None:
        """There is a newer set to look at."""
        self.is_over = True
        if self in self.measuring.watching:
            self.measuring.watching.remove(self)
        self.measuring.tell()


class SetMeasurings:
    """All sets that are measured by a server."""

    def __init__(self, hands: MeasuringThreads, limits: Limits) -> None:
        self._hands, self._limits = hands, limits
        self._known: OrderedDict[bytes, SetMeasuring] = OrderedDict()
        self._watches: dict[tuple[str, str], list[SetWatch]] = {}

    @contextlib.contextmanager
    def watch(self, who: str, set_id: str, thing: Thing) -> Iterator[SetWatch]:
        """Have a set measured while somebody looks; what they looked at of the same set before is let go."""
        earlier = self._watches.get((who, set_id), [])
        for other in [one for one in earlier if one.measuring.thing != thing]:
            earlier.remove(other)
            other.end()
        self.check_room(who, set_id)
        watch = SetWatch(who, set_id, self._of(thing))
        self._watches.setdefault((who, set_id), []).append(watch)
        watch.measuring.watching.append(watch)
        self._begin(watch.measuring)
        try:
            yield watch
        finally:
            watch.end()
            left = [one for one in self._watches.get((who, set_id), []) if one is not watch]
            self._watches[who, set_id] = left
            if not left:
                del self._watches[who, set_id]

    def check_room(self, who: str, set_id: str) -> None:
        """Whether somebody may have one more set measured."""
        others = [key for key, watches in self._watches.items() if watches and key != (who, set_id)]
        if sum(key[0] == who for key in others) >= self._limits.measured_each:
            many = self._limits.measured_each
            raise TooMany(f"{many} of your sets are being measured in other windows; close one of them first.")
        if len(others) >= self._limits.measured:
            raise TooMany("Very many sets are being measured at the moment; please come back soon.")

    def _of(self, thing: Thing) -> SetMeasuring:
        measuring = self._known.setdefault(thing.mark, SetMeasuring(thing))
        self._known.move_to_end(thing.mark)
        for mark in [mark for mark, one in self._known.items() if not one.watching][: len(self._known) - REMEMBERED]:
            del self._known[mark]
        return measuring

    def _begin(self, measuring: SetMeasuring) -> None:
        if not measuring.is_done and (measuring.task is None or measuring.task.done()):
            measuring.task = asyncio.create_task(self._measure(measuring))

    async def _measure(self, measuring: SetMeasuring) -> None:
        for bot in BOTS:
            while measuring.watching and bot not in measuring.enough and not measuring.problem:
                await self._go_on(measuring, bot)

    async def _go_on(self, measuring: SetMeasuring, bot: str) -> None:
        """A step by a kind of bot. Until there is machine code chance is played without; who thinks waits for it."""
        game, hands = measuring.thing.game, self._hands
        compiled = hands.is_compiled(game, bot)
        if measuring.compiling is compiled:
            measuring.compiling = not compiled
            measuring.tell()
        if not compiled and bot != FIRST:
            compiled = await hands.compiled(game, bot)
            if not compiled:
                measuring.enough.add(bot)
            return
        order = Measure(measuring.thing, bot, compiled)
        measured = await hands.measure(order, measuring.watching[-1].who, lambda: bool(measuring.watching))
        if measured.worth:
            measuring.worths[bot] = measured.worth
        if measured.enough and (compiled or not await hands.compiled(game, bot)):
            measuring.enough.add(bot)
        measuring.problem = measured.problem
        measuring.tell()

    async def close(self) -> None:
        """Nobody watches any more."""
        tasks = [one.task for one in self._known.values() if one.task]
        for measuring in self._known.values():
            for watch in list(measuring.watching):
                watch.end()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
