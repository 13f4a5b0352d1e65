"""How a table changes: nobody else changes it meanwhile, and what changes is stored first, then shown."""

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from typing import Any

from sparring.web.storage import StaleWrite, StoreError

from . import checkpoints
from .changes import TableChange, packed
from .clocks.clock_events import armed, in_time
from .clocks.clock_state import ClockState
from .clocks.early_endings import EarlyEnding
from .match_results import finished
from .registry import TableRegistry
from .summary import told_in_lists
from .table import Table, TooLate


class TablePersistence(TableRegistry, ABC):
    """The tables of a server, and how whatever happens at one is kept."""

    @contextlib.asynccontextmanager
    async def _held(self, table: Table) -> AsyncIterator[None]:
        """One after the other: nobody else changes the table meanwhile."""
        async with table.lock:
            if table.cleared:
                raise TooLate("The table has just been read anew; please try again.")
            yield

    async def _store(self, table: Table, happen: Callable[[], TableChange]) -> None:
        """Let something happen in a match, store it, and show it."""
        with self._kept(table):
            change = in_time(table, happen(), self.now())
            # Lists tell how it stood when whoever is asked was asked: a scene for every choice costs a tenth of it.
            told = {} if table.match.seat == table.shown.asked else told_in_lists(table.match, table.ended)
            await self._write(table, change, table.ended, told | {"choices": packed(table.match.history, "<i2")})
        self._publish(table, change)
        if change.kind == "choice" and len(table.courses) % checkpoints.LENGTH == 0:
            await self._keep_chapter(table)

    async def _tell(self, table: Table, timing: ClockState, ended: EarlyEnding | None = None) -> None:
        """Something changes that is no choice: the table in time, or who has left it. It is stored, then shown."""
        left = ended or table.ended
        timing = armed(table, timing, left, table.shown.asked)
        change = replace(table.public(), timing=timing, ended=ended)
        with self._kept(table):
            await self._write(table, change, left, told_in_lists(table.match, left))
        self._publish(table, change)

    async def _write(self, table: Table, change: TableChange, ended: EarlyEnding, told: dict[str, Any]) -> None:
        """Store what changes and what is told of it; with that what a match comes to that is over by it."""
        counts = told.get("over") and ended.how != "closed"
        also = finished(table, ended, self.settings.limits).write if counts else None
        await self.store.write(table.id, table.edition, also, **told, **change.columns)
        if counts:
            await self._learn_moves(table)

    def _publish(self, table: Table, change: TableChange) -> None:
        table.publish(change)
        if change.timing:
            self._expect(table.id, change.timing.due)

    @abstractmethod
    def _expect(self, table: str, due: int | None) -> None:
        """Something is to happen at a table then, if nothing happens before."""

    @abstractmethod
    async def _go_on(self, table: Table) -> None:
        """What the table and its bots do by themselves now."""

    async def _keep_chapter(self, table: Table) -> None:
        """Keep what the last choices did; a chapter that cannot be kept is not needed either."""
        number = len(table.courses) // checkpoints.LENGTH
        begins = len(table.courses) - checkpoints.LENGTH
        with contextlib.suppress(StoreError):
            text = await asyncio.to_thread(checkpoints.written, table.match.game, begins, table.courses[begins:])
            await self.store.keep_chapter(table.id, number, text)

    @contextlib.contextmanager
    def _kept(self, table: Table) -> Iterator[None]:
        """What is written inside must be kept; if it cannot be, the table is read anew from the store."""
        try:
            yield
        except StaleWrite as problem:
            self._drop(table)
            raise TooLate(str(problem)) from None
        except BaseException:
            self._drop(table)
            raise
