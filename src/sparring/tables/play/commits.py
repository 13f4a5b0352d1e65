"""Commit changes to tables: one at a time, written to the database before viewers see them."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import NamedTuple, Self, TypeVar

import msgspec
from sqlalchemy import Connection

from sparring.engine.errors import SparringError
from sparring.engine.match import Match
from sparring.engine.messages import say
from sparring.people.rate_limits import RateLimits
from sparring.store.change_store import add_change
from sparring.store.group_commit import StaleWrite, StoreError, Work
from sparring.tables.state import checkpoints
from sparring.tables.state.changes import TableChange, packed_choices
from sparring.tables.state.clock_events import with_clocks
from sparring.tables.state.clock_state import Proposal, ShownState
from sparring.tables.state.players import Player, changed_columns
from sparring.tables.state.table import Table, TableChanged, WriteConflict

from .match_results import result_of, summary_columns
from .registry import TableRegistry

T = TypeVar("T")

#: How often to try a change that meets others, and an action of a person.
TRIES, ACTION_TRIES = 20, 4
#: The bytes of a choice in a table's row: the choice, and the time that it took.
CHOICE_BYTES = 6


class TableCommits:
    """The only way to change a table: lock it, then commit the change."""

    def __init__(self, registry: TableRegistry, rate_limits: RateLimits) -> None:
        self.registry = registry
        self.rate_limits = rate_limits

    @contextlib.asynccontextmanager
    async def locked(self, table: Table) -> AsyncIterator[None]:
        """Hold the table's lock; raise WriteConflict if the table was evicted meanwhile."""
        async with table.lock:
            if table.cleared:
                raise WriteConflict(say("The table has just been reloaded. Please try again."))
            yield

    async def retrying(self, table: Table, do: Callable[[Table], Awaitable[T]], *, compared: bool = True) -> T:
        """Do something at a table; if other processes change it meanwhile, do it again with the table as it is then.

        Each time it checks that it fits what the person has seen. If the table hasn't been compared with the database,
        that is done before a refusal counts. Raise WriteConflict if it never succeeds.
        """
        compared |= not self.registry.store.shared
        for _ in range(ACTION_TRIES - 1):
            try:
                return await do(table)
            except WriteConflict:
                pass
            except SparringError as problem:
                if compared or problem.partly_done or isinstance(problem, StoreError):
                    raise
            table, compared = await self.registry.get(table.id), True
        return await do(table)

    async def commit(
        self, table: Table, change: TableChange, player: Player | None = None, also: Work | None = None
    ) -> None:
        """Apply a change to a copy of the match, write it to the database, then publish it.

        `player` is the new one on a seat. `also` is written in the same transaction. A refused change (ChoiceError)
        leaves the table alone. If the database has a newer row version, catch up, and write a choice again as long as
        the match is the same; otherwise raise WriteConflict. If writing fails, evict the table, so that it is reloaded
        as the database has it.
        """
        for _ in range(TRIES):
            match, written, basis = table.applied(change), change, _Basis.of(table)
            if change.kind == "choice":
                written = with_clocks(table, match, change, table.now())
            try:
                with self.evict_on_error(table):
                    await self._write(table, match, written, player, also)
                    await self.registry.publish(table, written, match, player)
            except StaleWrite:
                await self.registry.catch_up(table, table.row_version + 1)
                if change.kind != "choice" or table.cleared or not basis.holds(table):
                    break
            else:
                if change.kind == "choice" and len(table.transitions) % checkpoints.LENGTH == 0:
                    await self._save_checkpoint(table)
                return
        raise WriteConflict(say("The table has just changed. Please try again."))

    async def commit_to(
        self, table_id: str, describe: Callable[[Table], TableChange], also: Work | None = None
    ) -> None:
        """Commit a change of a table that needn't be in memory, and isn't kept there.

        `describe` returns the change, or raises TableChanged if there is nothing left to change. `also` is written in
        the same transaction.
        """
        for _ in range(TRIES):
            table = await self.registry.loader.load(table_id)
            with contextlib.suppress(WriteConflict):
                await self.commit(table, describe(table), also=also)
                return
        raise TableChanged(say("The match kept moving on while it was being changed. Please try again."))

    async def _write(
        self, table: Table, match: Match, change: TableChange, player: Player | None, more: Work | None
    ) -> None:
        """Write a change in one transaction, with the result of a match that it ends or a message about a turn."""
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
            also = self._turn_message(table, match.seat)

        body = msgspec.json.encode(change).decode() if self.registry.store.shared else ""

        def work(connection: Connection) -> None:
            for each in (also, more):
                if each:
                    each(connection)
            if body:
                add_change(connection, table.id, table.row_version + 1, body, table.now() // 1000)

        await self.registry.store.write(table.id, table.row_version, work, seats, **columns)
        if finished:
            await self.registry.loader.load_rating_changes(table)

    def _turn_message(self, table: Table, seat: int | None) -> Work | None:
        """Return the write that tells the next player of a match with days per turn; None if no one needs to be told.

        `seat` is the seat whose turn it will be; None if the match ends. People who are at the table see it anyway.
        """
        if not seat or table.bot_at(seat):
            return None
        person = table.players[seat - 1].person
        present = self.registry.presence(table.id).people()
        return None if person in present else self.registry.outgoing.turn(person, table.id)

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
        """Evict the table if the block fails, but for StaleWrite, so that it is reloaded as the database has it."""
        try:
            yield
        except BaseException as problem:
            if not isinstance(problem, StaleWrite):
                self.registry.evict(table)
            raise


class _Basis(NamedTuple):
    """What a choice is based on: the match, whose turn it is, and who plays that seat."""

    match: Match
    shown: ShownState
    player: Player
    bot: str
    proposal: Proposal | None

    @classmethod
    def of(cls, table: Table) -> Self:
        player = table.players[table.shown.turn_seat - 1]
        return cls(table.match, table.shown, player, table.bot, table.clocks.proposal)

    def holds(self, table: Table) -> bool:
        """Return whether it is still the same."""
        return self.match is table.match and self[1:] == self.of(table)[1:]
