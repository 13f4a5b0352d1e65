"""Lists of tables, read from rows without loading a table: a person's own, public ones, and the next timers.

Timers and the server's downtime are in ms.
"""

import time
from collections.abc import Collection, Sequence
from typing import Any, cast

from sqlalchemy import Connection, Select, exists, insert, select, update
from sqlalchemy.orm import load_only

from .database import opened_from
from .schema import FriendshipRow, HeartbeatRow, SeatRow, TableRow
from .transactions import Store, lock_tables, transaction

#: The columns that a list needs: no choices and no content.
LISTED = load_only(
    TableRow.id, TableRow.game, TableRow.over, TableRow.turn_seat, TableRow.standing, TableRow.created,
    TableRow.settings,
    TableRow.next, TableRow.row_version, TableRow.clocks, TableRow.since, TableRow.due,
)  # fmt: skip

#: By how much the clocks of several machines may differ (seconds); a later time is from before a clock was set back.
CLOCKS_DIFFER = 60

OPEN_SEAT = exists().where(
    SeatRow.table_id == TableRow.id, SeatRow.person.is_(None), SeatRow.bot.is_(None), SeatRow.offered.is_(None)
)

#: The most timers to return at once.
AT_ONCE = 200


def _blocks(condition: Any) -> Any:
    """Return the condition that a block exists which fulfils another one."""
    return exists().where(FriendshipRow.state == "blocked", condition).correlate(TableRow)


class ListStore(Store):
    """The lists in the database of a server."""

    async def of(self, person: str, limit: int, skip: int = 0, **known: Any) -> Sequence[TableRow]:
        """Return a person's tables: first those where it is their turn, then by creation, newest first.

        Ordering by the last change would reveal secret choices.
        """
        turn = self._has_seat(person) & (SeatRow.seat == TableRow.turn_seat)
        query = select(TableRow).where(exists().where(self._has_seat(person))).filter_by(**known)
        ordered = query.order_by(exists().where(turn).desc(), TableRow.created.desc(), TableRow.id)
        return await self._listed(ordered.limit(limit).offset(skip))

    async def public(self, since: float, limit: int, person: str, *, waiting: bool) -> Sequence[TableRow]:
        """Return public tables with or without an open seat, newest first, where a player was present since then.

        Tables of people who have blocked this person are left out.
        """
        blocked = (FriendshipRow.other == person) & self._plays(FriendshipRow.person)
        query = select(TableRow).where(*self._attended(since), OPEN_SEAT if waiting else ~OPEN_SEAT, ~_blocks(blocked))
        return await self._listed(query.order_by(TableRow.created.desc(), TableRow.id).limit(limit))

    async def fitting(self, since: float, person: str, responsible: str, *, mine: bool, **known: Any) -> Sequence[str]:
        """Return public tables with given columns that wait for players: where the person has a seat, or other ones.

        The table that has waited longest comes first. Tables of people whom the responsible person has blocked, or who
        have blocked that person, are left out.
        """
        seated = exists().where(self._has_seat(person))
        apart = _blocks(
            ((FriendshipRow.other == responsible) & self._plays(FriendshipRow.person))
            | ((FriendshipRow.person == responsible) & self._plays(FriendshipRow.other))
        )
        fits = *self._attended(since), OPEN_SEAT, seated if mine else ~seated & ~apart
        query = select(TableRow).where(*fits).filter_by(**known)
        return [row.id for row in await self._listed(query.order_by(TableRow.created))]

    async def waiting_from(self, creator: str, since: float) -> int:
        """Return how many public tables of creators that begin with these digits wait for players."""
        of = opened_from(TableRow.creator, creator)
        return await self._store.count(TableRow, *self._attended(since), OPEN_SEAT, of)

    async def attend(self, tables: Collection[str]) -> None:
        """Record that a player is present at these tables now."""
        if tables:
            await self._store.transaction(_attend, tables)

    @staticmethod
    def _has_seat(person: Any) -> Any:
        return (SeatRow.table_id == TableRow.id) & (SeatRow.person == person)

    @classmethod
    def _plays(cls, person: Any) -> Any:
        """Return the condition that a person hosts a table or has a seat there."""
        return (TableRow.host == person) | exists().where(cls._has_seat(person)).correlate(TableRow, FriendshipRow)

    @staticmethod
    def _attended(since: float) -> Sequence[Any]:
        """Return the conditions of public unfinished tables where a player was present since then."""
        soon = int(time.time()) + CLOCKS_DIFFER
        return TableRow.public.is_(True), TableRow.over.is_(False), TableRow.attended.between(int(since), soon)

    async def _listed(self, query: Select[TableRow]) -> Sequence[TableRow]:
        return await self._all(query.options(LISTED))


def _attend(connection: Connection, tables: Collection[str]) -> None:
    lock_tables(connection, TableRow.id.in_(tables))
    connection.execute(update(TableRow).where(TableRow.id.in_(tables)).values(attended=int(time.time())))


class TimerStore(Store):
    """The timers in the database of a server."""

    async def due_times(self, without: Collection[str] = ()) -> Sequence[tuple[str, int]]:
        """Return the next timers, without those of some tables: table id and due time."""
        query = select(TableRow.id, TableRow.due).where(TableRow.due.is_not(None), TableRow.id.not_in(without))
        query = query.order_by(TableRow.due)
        return [(table, cast(int, due)) for table, due in await self._rows(query.limit(AT_ONCE))]

    async def due(self, table: str) -> int | None:
        """Return the due time of a table; None if it has none."""
        return await self._first(select(TableRow.due).where(TableRow.id == table))

    async def delete(self, table: str) -> None:
        """Delete a table's timer, since the table can't be played on."""
        await self._store.execute(update(TableRow).where(TableRow.id == table).values(due=None))

    @transaction
    def heartbeat(self, connection: Connection, now: int) -> None:
        """Record that a server is running."""
        if not connection.execute(update(HeartbeatRow).values(at=now)).rowcount:
            connection.execute(insert(HeartbeatRow).values(id=1, at=now))

    @transaction
    def add_downtime(self, connection: Connection, now: int, usual: int) -> None:
        """At a server's start, move all running turns by its downtime, if that is longer than `usual`.

        Turns begun before the clock was set back move back, so that no player and no bot waits until it has caught up.
        """
        downtime = now - (connection.execute(select(HeartbeatRow.at).with_for_update()).scalar() or now)
        if downtime > usual or downtime < -100 * usual:
            moved = {"since": TableRow.since + downtime, "due": TableRow.due + downtime}
            lock_tables(connection, TableRow.due.is_not(None))
            newer = {**moved, "row_version": TableRow.row_version + 1}  # of several processes, one may be playing
            connection.execute(update(TableRow).where(TableRow.due.is_not(None)).values(newer))
            connection.execute(update(HeartbeatRow).values(at=now))  # so that those that start with it add nothing
