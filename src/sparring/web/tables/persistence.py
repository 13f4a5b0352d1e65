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
from .clocks.clock_events import with_clocks, with_due_time
from .clocks.clock_state import ClockState
from .clocks.early_endings import EarlyEnding
from .match_results import result_of
from .registry import TableRegistry
from .summary import summary_columns
from .table import Table, TableChanged


class TablePersistence(TableRegistry, ABC):
    """A table registry that commits every change before it publishes it."""

    @contextlib.asynccontextmanager
    async def locked(self, table: Table) -> AsyncIterator[None]:
        """Hold the table's lock; raise TooLate if the table was evicted meanwhile."""
        async with table.lock:
            if table.cleared:
                raise TableChanged("The table has just been reloaded. Please try again.")
            yield

    async def commit_action(self, table: Table, happen: Callable[[], TableChange]) -> None:
        """Apply a change of the match, write it to the database and publish it."""
        with self.rollback_on_error(table):
            change = with_clocks(table, happen(), self.now())
            # Summaries describe the moment at which the seat's turn began: a scene per choice would add a tenth of its
            # cost.
            told = {} if table.match.seat == table.shown.asked else summary_columns(table.match, table.ended)
            await self._write(table, change, table.ended, told | {"choices": packed(table.match.history, "<i2")})
        self._publish(table, change)
        if change.kind == "choice" and len(table.transitions) % checkpoints.LENGTH == 0:
            await self._save_checkpoint(table)

    async def commit_change(self, table: Table, timing: ClockState, ended: EarlyEnding | None = None) -> None:
        """Commit a change that isn't a choice: clocks, absence, or a seat that has left the match."""
        left = ended or table.ended
        timing = with_due_time(table, timing, left, table.shown.asked)
        change = replace(table.public(), timing=timing, ended=ended)
        with self.rollback_on_error(table):
            await self._write(table, change, left, summary_columns(table.match, left))
        self._publish(table, change)

    async def _write(self, table: Table, change: TableChange, ended: EarlyEnding, told: dict[str, Any]) -> None:
        """Write a change and the table's summary; if the match is over, write its result in the same transaction."""
        counts = told.get("over") and ended.how != "closed"
        also = result_of(table, ended, self.settings.limits).write if counts else None
        await self.store.write(table.id, table.edition, also, **told, **change.columns)
        if counts:
            await self._load_rating_changes(table)

    def _publish(self, table: Table, change: TableChange) -> None:
        table.publish(change)
        if change.timing:
            self.schedule(table.id, change.timing.due)

    @abstractmethod
    def schedule(self, table: str, due: int | None) -> None:
        """Schedule the next timed event of a table, or cancel it (None)."""

    @abstractmethod
    async def run_automatic_steps(self, table: Table) -> None:
        """Make automatic choices and start bots, as far as the table's state calls for it."""

    async def _save_checkpoint(self, table: Table) -> None:
        """Save a checkpoint of the last transitions. Ignore a failure, since a table loads without it too."""
        number = len(table.transitions) // checkpoints.LENGTH
        begins = len(table.transitions) - checkpoints.LENGTH
        with contextlib.suppress(StoreError):
            text = await asyncio.to_thread(checkpoints.encode, table.match.game, begins, table.transitions[begins:])
            await self.store.save_checkpoint(table.id, number, text)

    @contextlib.contextmanager
    def rollback_on_error(self, table: Table) -> Iterator[None]:
        """Evict the table if the block fails, so that it is reloaded as the database has it."""
        try:
            yield
        except StaleWrite as problem:
            self._evict(table)
            raise TableChanged(str(problem)) from None
        except BaseException:
            self._evict(table)
            raise
