"""Measure sets while their pages are open; a newer version replaces an older one.

Results are cached by content, so undoing a change shows them at once.
"""

import asyncio
import contextlib
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Protocol

import msgspec

from sparring.lab.experiments.set_balance import SetBalance
from sparring.people.fair_queue import Who, loser
from sparring.people.rate_limits import TooMany
from sparring.settings import Limits
from sparring.store.group_commit import StoreError
from sparring.store.processes import EVERY, SharedStates

from .job_messages import BOTS, REPORT_BOT, Measure, MeasuringStep, SetContent

#: The most measurements cached.
CACHED = 100


class MeasuringProcesses(Protocol):
    """The processes that play matches."""

    async def measure(self, order: Measure, who: Who, wanted: Callable[[], bool]) -> MeasuringStep:
        """Play one step of matches, if `wanted()` still holds when its turn comes."""

    def is_compiled(self, game: str, bot: str) -> bool:
        """Return whether a game has been compiled; start compiling if not."""

    async def compiled(self, game: str, bot: str) -> bool:
        """Wait for compiling; return whether it succeeded."""


class MeasuredSet(msgspec.Struct):
    """The results so far that other processes continue from, by bot, and the bots that are finished."""

    balances: dict[str, SetBalance]
    enough: set[str]


class SetMeasuring:
    """The measurement of a set so far."""

    def __init__(self, thing: SetContent) -> None:
        self.content = thing
        self.balances: dict[str, SetBalance] = {}
        #: The bots that are finished, and the problem that stopped measuring.
        self.enough: set[str] = set()
        self.problem = ""
        #: Whether measuring waits for compiled code.
        self.compiling = False
        #: The viewers, the newest last.
        self.watching: list[SetWatch] = []
        self.changes = 0
        self._changed = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    @property
    def is_done(self) -> bool:
        """Return whether measuring has finished or failed."""
        return bool(self.problem) or len(self.enough) == len(BOTS)

    def notify(self) -> None:
        """Notify viewers of a change."""
        self.changes += 1
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def wait_for_change(self, changes: int) -> None:
        """Wait until there have been more than `changes` changes."""
        while self.changes == changes:
            await self._changed.wait()


class SetWatch:
    """A viewer of a measurement."""

    def __init__(self, who: Who, set_id: str, measuring: SetMeasuring) -> None:
        self.who, self.set_id, self.measuring = who, set_id, measuring
        #: Whether the set has changed, so that this measurement is out of date.
        self.is_over = False

    def end(self) -> None:
        """Stop watching."""
        self.is_over = True
        if self in self.measuring.watching:
            self.measuring.watching.remove(self)
        self.measuring.notify()


class SetMeasurings:
    """All measurements of a server."""

    def __init__(self, processes: MeasuringProcesses, limits: Limits, shared: SharedStates[MeasuredSet]) -> None:
        self._processes, self._limits, self._shared = processes, limits, shared
        self._measurings: OrderedDict[bytes, SetMeasuring] = OrderedDict()
        self._watches: dict[tuple[Who, str], list[SetWatch]] = {}

    @contextlib.contextmanager
    def watch(self, who: Who, set_id: str, thing: SetContent) -> Iterator[SetWatch]:
        """Measure a set inside the context. Ends the viewer's watches of earlier versions."""
        earlier = self._watches.get((who, set_id), [])
        for other in [one for one in earlier if one.measuring.content != thing]:
            earlier.remove(other)
            other.end()
        losing = self.check_room(who, set_id)
        while losing:
            losing.pop().end()
        watch = SetWatch(who, set_id, self._of(thing))
        self._watches.setdefault((who, set_id), []).append(watch)
        watch.measuring.watching.append(watch)
        self._start(watch.measuring)
        try:
            yield watch
        finally:
            watch.end()
            remaining = [one for one in self._watches.get((who, set_id), []) if one is not watch]
            self._watches[who, set_id] = remaining
            if not remaining:
                del self._watches[who, set_id]

    def check_room(self, who: Who, set_id: str) -> list[SetWatch]:
        """Raise TooMany if the viewer or the server can't measure another set; return whose watches make room for it.

        Of all addresses, the one with the most sets loses its newest.
        """
        others = [key for key, watches in self._watches.items() if watches and key != (who, set_id)]
        if sum(key[0] == who for key in others) >= self._limits.measured_each:
            most = self._limits.measured_each
            raise TooMany(f"{most} of your sets are being measured in other windows. Close one first.")
        if len(others) < self._limits.measured:
            return []
        losing = loser((key[0] for key in others), who)
        if losing == who:
            raise TooMany("The server is busy measuring sets. Try again soon.")
        return self._watches[next(key for key in reversed(others) if key[0] == losing)]

    def _of(self, thing: SetContent) -> SetMeasuring:
        measuring = self._measurings.setdefault(thing.digest, SetMeasuring(thing))
        self._measurings.move_to_end(thing.digest)
        for digest in [digest for digest, one in self._measurings.items() if not one.watching][
            : len(self._measurings) - CACHED
        ]:
            del self._measurings[digest]
        return measuring

    def _start(self, measuring: SetMeasuring) -> None:
        if not measuring.is_done and (measuring.task is None or measuring.task.done()):
            measuring.task = asyncio.create_task(self._measure(measuring))

    async def _measure(self, measuring: SetMeasuring) -> None:
        await self._load(measuring)
        saved = time.monotonic()
        while measuring.watching and not measuring.is_done:  # again if someone has come while it was saved
            for bot in BOTS:
                while measuring.watching and bot not in measuring.enough and not measuring.problem:
                    await self._play_step(measuring, bot)
                    if time.monotonic() - saved >= EVERY:
                        await self._save(measuring)
                        saved = time.monotonic()
            await self._save(measuring)

    async def _load(self, measuring: SetMeasuring) -> None:
        """Begin with what another process has measured; its figures stay until those of this one rest on as much."""
        with contextlib.suppress(StoreError):
            if known := await self._shared.find(measuring.content.digest):
                for bot, balance in known.balances.items():
                    here = measuring.balances.get(bot)
                    measuring.balances[bot] = here if here and here.matches > balance.matches else balance
                measuring.enough |= known.enough
                measuring.notify()

    async def _save(self, measuring: SetMeasuring) -> None:
        with contextlib.suppress(StoreError):
            await self._shared.keep(measuring.content.digest, MeasuredSet(measuring.balances, measuring.enough))

    async def _play_step(self, measuring: SetMeasuring, bot: str) -> None:
        """Play one step with a kind of bot. Random bots don't wait for compiled code; search bots do."""
        game, processes = measuring.content.game, self._processes
        compiled = processes.is_compiled(game, bot)
        if measuring.compiling is compiled:
            measuring.compiling = not compiled
            measuring.notify()
        if not compiled and bot != REPORT_BOT:
            compiled = await processes.compiled(game, bot)
            if not compiled:
                measuring.enough.add(bot)
            return
        request = Measure(measuring.content, bot, compiled)
        measured = await processes.measure(request, measuring.watching[-1].who, lambda: bool(measuring.watching))
        shown = measuring.balances.get(bot)
        # Compiled bots start again from nothing: show their figures once they rest on as many matches.
        if measured.balance and (shown is None or measured.balance.matches >= shown.matches):
            measuring.balances[bot] = measured.balance
        if measured.enough and (compiled or not await processes.compiled(game, bot)):
            measuring.enough.add(bot)
        measuring.problem = measured.problem
        measuring.notify()

    async def close(self) -> None:
        """End all watches and measurements."""
        tasks = [one.task for one in self._measurings.values() if one.task]
        for measuring in self._measurings.values():
            for watch in list(measuring.watching):
                watch.end()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
