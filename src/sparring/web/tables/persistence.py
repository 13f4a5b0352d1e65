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
    """A table registry that writes every change to the database before it publishes it."""

    @contextlib.asynccontextmanager
    async def locked(self, table: Table) -> AsyncIterator[None]:
        """Hold the table's lock; raise TableChanged if the table was evicted meanwhile."""
        async with table.lock:
            if table.cleared:
                raise TableChanged("The table has just been reloaded. Please try again.")
            yield

    async def commit_action(self, table: Table, apply: Callable[[], TableChange]) -> None:
        """Change the match with `apply`, write the change to the database and publish it."""
        with self.rollback_on_error(table):
            change = with_clocks(table, apply(), self.now())
            # Write the summary only when the turn passes: building a scene for every choice would cost a tenth more.
            summary = {} if table.match.seat == table.shown.asked else summary_columns(table.match, table.ended)
            await self._write(table, change, table.ended, summary | {"choices": packed(table.match.history, "<i2")})
        self._publish(table, change)
        if change.kind == "choice" and len(table.transitions) % checkpoints.LENGTH == 0:
            await self._save_checkpoint(table)

    async def commit_change(self, table: Table, timing: ClockState, ended: EarlyEnding | None = None) -> None:
        """Commit a change that isn't a choice: clocks, absence, or a seat that has left the match."""
        ending = ended or table.ended
        timing = with_due_time(table, timing, ending, table.shown.asked)
        change = replace(table.public(), timing=timing, ended=ended)
        with self.rollback_on_error(table):
            await self._write(table, change, ending, summary_columns(table.match, ending))
        self._publish(table, change)

    async def _write(self, table: Table, change: TableChange, ended: EarlyEnding, summary: dict[str, Any]) -> None:
        """Write a change with summary columns, and the result of a finished match, in one transaction."""
        finished = summary.get("over") and ended.how != "closed"
        result = result_of(table, ended, self.settings.limits).write if finished else None
        await self.store.write(table.id, table.edition, result, **summary, **change.columns)
        if finished:
            await self._load_rating_changes(table)

    def _publish(self, table: Table, change: TableChange) -> None:
        table.publish(change)
        if change.timing:
            self.schedule(table.id, change.timing.due)

    @abstractmethod
    def schedule(self, table: str, due: int | None) -> None:
        """Set a table's timer to `due` (ms since 1970), or cancel it (None)."""

    @abstractmethod
    async def run_automatic_steps(self, table: Table) -> None:
        """Make automatic choices and start bots, as far as the table's state calls for it."""

    async def _save_checkpoint(self, table: Table) -> None:
        """Save a checkpoint of the last transitions. Ignore a failure, since a table loads without it too."""
        number = len(table.transitions) // checkpoints.LENGTH
        first = len(table.transitions) - checkpoints.LENGTH
        with contextlib.suppress(StoreError):
            encoded = await asyncio.to_thread(checkpoints.encode, table.match.game, first, table.transitions[first:])
            await self.store.save_checkpoint(table.id, number, encoded)

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
