"""The lab's full reports of sets: written in a process, kept until there are many newer ones."""

import asyncio
from collections import OrderedDict

from sparring.lab.worth import Worth
from sparring.web.guard.door import TooMany
from sparring.web.settings import Limits

from .orders import FIRST, Report, Thing
from .processes import Processes

#: How many reports are kept, some 300 kB each.
KEPT = 40

Key = tuple[bytes, str]


class Writing:
    """A report that is being written, or that is there."""

    def __init__(self, who: str) -> None:
        self.who = who
        self.matches = 0
        self.page, self.problem = b"", ""

    @property
    def is_done(self) -> bool:
        """Whether there is nothing more to come."""
        return bool(self.page or self.problem)


class Reports:
    """All reports of a server, by the content that they tell of."""

    def __init__(self, processes: Processes, limits: Limits) -> None:
        self._processes, self._limits = processes, limits
        self._known: OrderedDict[Key, Writing] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()

    def of(self, thing: Thing, name: str) -> Writing | None:
        """The report of a set as it is now."""
        return self._known.get((thing.mark, name))

    def begin(self, thing: Thing, name: str, who: str) -> None:
        """Have a report written, unless it is there; one at a time for everybody."""
        known = self.of(thing, name)
        if known and not known.problem:
            return
        going = [one for one in self._known.values() if not one.is_done]
        if any(one.who == who for one in going):
            raise TooMany("Another report is being written for you; it will soon be there.")
        if len(going) >= self._limits.reports:
            raise TooMany("Very many reports are being written at the moment; please come back soon.")
        writing = self._known[thing.mark, name] = Writing(who)
        self._known.move_to_end((thing.mark, name))
        for key in [key for key, one in self._known.items() if one.is_done][: len(self._known) - KEPT]:
            del self._known[key]
        task = asyncio.create_task(self._write(writing, thing, name))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _write(self, writing: Writing, thing: Thing, name: str) -> None:
        def progress(worth: Worth) -> None:
            writing.matches = worth.matches

        compiled = await self._processes.compiled(thing.game, FIRST)
        made = await self._processes.report(Report(thing, name, compiled), writing.who, progress)
        writing.page, writing.problem = made.file, made.problem

    async def close(self) -> None:
        """Nobody waits any more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
