"""Serialize changes to a table: lock, write to the database, then publish to viewers."""

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
    """A table registry that commits every change before it publishes it."""

    @contextlib.asynccontextmanager
    async def _held(self, table: Table) -> AsyncIterator[None]:
        """Hold the table's lock; raise TooLate if the table was evicted meanwhile."""
        async with table.lock:
            if table.cleared:
                raise TooLate("The table has just been reloaded. Please try again.")
            yield

    async def _store(self, table: Table, happen: Callable[[], TableChange]) -> None:
        """Apply a change of the match, write it to the database and publish it."""
        with self._kept(table):
            change = in_time(table, happen(), self.now())
            # Summaries describe the moment at which the seat's turn began: a scene per choice would add a tenth of its
            # cost.
            told = {} if table.match.seat == table.shown.asked else told_in_lists(table.match, table.ended)
            await self._write(table, change, table.ended, told | {"choices": packed(table.match.history, "<i2")})
        self._publish(table, change)
        if change.kind == "choice" and len(table.courses) % checkpoints.LENGTH == 0:
            await self._keep_chapter(table)

    async def _tell(self, table: Table, timing: ClockState, ended: EarlyEnding | None = None) -> None:
        """Commit a change that isn't a choice: clocks, absence, or a seat that has left the match."""
        left = ended or table.ended
        timing = armed(table, timing, left, table.shown.asked)
        change = replace(table.public(), timing=timing, ended=ended)
        with self._kept(table):
            await self._write(table, change, left, told_in_lists(table.match, left))
        self._publish(table, change)

    async def _write(self, table: Table, change: TableChange, ended: EarlyEnding, told: dict[str, Any]) -> None:
        """Write a change and the table's summary; if the match is over, write its result in the same transaction."""
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
        """Schedule the next timed event of a table, or cancel it (None)."""

    @abstractmethod
    async def _go_on(self, table: Table) -> None:
        """Make automatic choices and start bots, as far as the table's state calls for it."""

    async def _keep_chapter(self, table: Table) -> None:
        """Save a checkpoint of the last transitions. Ignore a failure, since a table loads without it too."""
        number = len(table.courses) // checkpoints.LENGTH
        begins = len(table.courses) - checkpoints.LENGTH
        with contextlib.suppress(StoreError):
            text = await asyncio.to_thread(checkpoints.written, table.match.game, begins, table.courses[begins:])
            await self.store.keep_chapter(table.id, number, text)

    @contextlib.contextmanager
    def _kept(self, table: Table) -> Iterator[None]:
        """Evict the table if the block fails, so that it is reloaded as the database has it."""
        try:
            yield
        except StaleWrite as problem:
            self._drop(table)
            raise TooLate(str(problem)) from None
        except BaseException:
            self._drop(table)
            raise
