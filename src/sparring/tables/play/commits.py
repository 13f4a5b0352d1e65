"""Commit changes to tables: one at a time, written to the database before viewers see them."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator

from sqlalchemy import Connection

from sparring.engine.match import Match
from sparring.people.rate_limits import RateLimits
from sparring.store import notice_store
from sparring.store.group_commit import StaleWrite, StoreError, Work
from sparring.tables.results.match_results import result_of, summary_columns
from sparring.tables.state import checkpoints
from sparring.tables.state.changes import TableChange, packed_choices
from sparring.tables.state.clock_events import with_clocks
from sparring.tables.state.players import Player, changed_columns
from sparring.tables.state.table import Table, TableChanged

from .registry import TableRegistry
from .timers import DueTimes

#: How often to retry a change from elsewhere while people make choices.
TRIES = 20
#: The bytes of a choice in a table's row: the choice, and the time that it took.
CHOICE_BYTES = 6


class TableCommits:
    """The only way to change a table: lock it, then commit the change."""

    def __init__(self, registry: TableRegistry, rate_limits: RateLimits) -> None:
        self.registry = registry
        self.rate_limits = rate_limits
        self.due_times = DueTimes(registry.now)

    @contextlib.asynccontextmanager
    async def locked(self, table: Table) -> AsyncIterator[None]:
        """Hold the table's lock; raise TableChanged if the table was evicted meanwhile."""
        async with table.lock:
            if table.cleared:
                raise TableChanged("The table has just been reloaded. Please try again.")
            yield

    async def commit(self, table: Table, change: TableChange, player: Player | None = None) -> None:
        """Apply a change to a copy of the match, write it to the database, then publish it.

        `player` is the new one on a seat. A refused change (ChoiceError) leaves the table alone. If writing fails,
        evict the table, so that it is reloaded as the database has it. Raise TableChanged if the database has a newer
        row version.
        """
        match = table.applied(change)
        if change.kind == "choice":
            change = with_clocks(table, match, change, table.now())
        with self.evict_on_error(table):
            await self._write(table, match, change, player)
        table.publish(change, match, player)
        if change.timing:
            self.due_times.schedule(table.id, change.timing.due)
        if change.kind == "choice" and len(table.transitions) % checkpoints.LENGTH == 0:
            await self._save_checkpoint(table)

    async def commit_anywhere(
        self, table_id: str, describe: Callable[[Table], TableChange], also: Work | None = None
    ) -> None:
        """Commit a change of a table that another process may own, and notify that process.

        `describe` returns the change, or raises TableChanged if there is nothing left to change. `also` is written in
        the same transaction.
        """

        def elsewhere(connection: Connection) -> None:
            if also:
                also(connection)
            notice_store.notify(connection, [table_id])

        for _ in range(TRIES):
            table = await self.registry.load_read_only(table_id)
            with contextlib.suppress(StaleWrite):
                await self._write(table, table.match, describe(table), more=elsewhere)
                return
        raise TableChanged("The match kept moving on while it was being changed. Please try again.")

    async def _write(
        self, table: Table, match: Match, change: TableChange, player: Player | None = None, more: Work | None = None
    ) -> None:
        """Write a change in one transaction, with the result of a match that it ends or a message about a turn.

        `more` is written in the same transaction.
        """
        columns = table.columns(change)
        seats = changed_columns(table.stored_players, table.players_after(change, match, player))
        finished, ended = False, change.ended or table.ended
        turn_passed = match.seat != table.shown.turn_seat
        if change.plays:
            columns["choices"] = packed_choices(match)
        # Lists show the match as of its last turn or early ending. Only then build its scene for the summary.
        if change.ended or (change.plays and turn_passed):
            columns |= summary_columns(match, ended)
            finished = columns["over"] and ended.how != "closed"
        also: Work | None = None
        if finished:
            also = result_of(table, match, ended, self.registry.settings.limits).write
        elif change.plays and table.settings.days and turn_passed:
            also = self.registry.outgoing.turn(table, match.seat, self.registry.presence(table.id).people())

        def work(connection: Connection) -> None:
            if also:
                also(connection)
            if more:
                more(connection)

        await self.registry.store.write(table.id, table.row_version, work if more else also, seats, **columns)
        if finished:
            await self.registry.load_rating_changes(table)

    async def _save_checkpoint(self, table: Table) -> None:
        """Save a checkpoint of the last transitions. Ignore a failure, since a table loads without it too."""
        number = len(table.transitions) // checkpoints.LENGTH
        first = len(table.transitions) - checkpoints.LENGTH
        with contextlib.suppress(StoreError):
            encoded = await asyncio.to_thread(checkpoints.encode, table.match, first, table.transitions[first:])
            await self.registry.store.save_checkpoint(table.id, number, encoded)
            size = len(encoded) + checkpoints.LENGTH * CHOICE_BYTES
            self.rate_limits.add_stored(size, table.creator, table.opened_by, always=True)

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
