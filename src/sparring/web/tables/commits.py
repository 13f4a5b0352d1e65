"""Commit changes to tables: one at a time, written to the database before viewers see them."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator

from sparring.web.storage import StaleWrite, StoreError
from sparring.web.storage.group_commit import Work

from . import checkpoints
from .changes import TableChange, packed_choices
from .clocks.clock_events import with_clocks
from .clocks.timers import DueTimes
from .registry import TableRegistry
from .results.match_results import result_of
from .results.summary import summary_columns
from .table import Table, TableChanged


class TableCommits:
    """The only way to change a table: lock it, then commit the change."""

    def __init__(self, registry: TableRegistry) -> None:
        self.registry = registry
        self.due_times = DueTimes(registry.now)

    @contextlib.asynccontextmanager
    async def locked(self, table: Table) -> AsyncIterator[None]:
        """Hold the table's lock; raise TableChanged if the table was evicted meanwhile."""
        async with table.lock:
            if table.cleared:
                raise TableChanged("The table has just been reloaded. Please try again.")
            yield

    async def commit(self, table: Table, change: TableChange) -> None:
        """Apply a change to the match, write it to the database, then publish it.

        If any of this fails, evict the table, so that it is reloaded as the database has it. Raise TableChanged if
        the database has a newer edition.
        """
        with self.evict_on_error(table):
            table.apply(change)
            if change.kind != "other":
                change = with_clocks(table, change, table.now())
            await self._write(table, change)
        table.publish(change)
        if change.timing:
            self.due_times.schedule(table.id, change.timing.due)
        if change.kind == "choice" and len(table.transitions) % checkpoints.LENGTH == 0:
            await self._save_checkpoint(table)

    async def _write(self, table: Table, change: TableChange) -> None:
        """Write a change in one transaction, with the result of a match that it ends or a message about a turn."""
        store = self.registry.store
        if change.seated:
            seat, player = change.seated
            row = player.columns(rated=table.settings.rated)
            was_open = table.players[seat - 1].open
            await store.seat(table.id, table.edition, seat, row, change.stored, was_open=was_open)
            return
        columns, finished, ended = change.columns, False, change.ended or table.ended
        if change.kind != "other":
            columns["choices"] = packed_choices(table.match)
        # Lists show the match as of its last turn or early ending. Only then build its scene for the summary.
        if change.ended or (change.kind != "other" and table.match.seat != table.shown.asked):
            columns |= summary_columns(table.match, ended)
            finished = columns["over"] and ended.how != "closed"
        also: Work | None = None
        if finished:
            also = result_of(table, ended, self.registry.settings.limits).write
        elif change.kind != "other" and table.settings.days and table.match.seat != table.shown.asked:
            also = self.registry.outgoing.turn(table, self.registry.presence(table.id).people())
        await store.write(table.id, table.edition, also, **columns)
        if finished:
            await self.registry.load_rating_changes(table)

    async def _save_checkpoint(self, table: Table) -> None:
        """Save a checkpoint of the last transitions. Ignore a failure, since a table loads without it too."""
        number = len(table.transitions) // checkpoints.LENGTH
        first = len(table.transitions) - checkpoints.LENGTH
        with contextlib.suppress(StoreError):
            encoded = await asyncio.to_thread(checkpoints.encode, table.match.game, first, table.transitions[first:])
            await self.registry.store.save_checkpoint(table.id, number, encoded)

    @contextlib.contextmanager
    def evict_on_error(self, table: Table) -> Iterator[None]:
        """Evict the table if the block fails, so that it is reloaded as the database has it."""
        try:
            yield
        except StaleWrite as problem:
            self.registry.evict(table)
            raise TableChanged(str(problem)) from None
        except BaseException:
            self.registry.evict(table)
            raise
