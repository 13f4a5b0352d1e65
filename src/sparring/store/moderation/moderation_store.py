"""Moderation in the database: who has the role, and the log of what was done."""

import time
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, insert, select, update

from sparring.store.cluster import notice_store
from sparring.store.database import row_values
from sparring.store.schema import AccountRow, ModerationRow, SeatRow, TableRow, TokenRow
from sparring.store.transactions import Store, transaction

#: How long an entry of the log is kept (seconds).
KEPT = 365 * 24 * 3600


class Responsible(NamedTuple):
    """The person who is responsible for a person or a program, with the role of their account."""

    id: str
    role: str


class ModerationStore(Store):
    """Roles and the moderation log in the database of a server."""

    async def responsible(self, people: Collection[str]) -> Mapping[str, Responsible]:
        """Return who is responsible for each of some people."""
        owners = select(TokenRow.bot, TokenRow.person).where(TokenRow.bot.in_(people))
        async with self._store.reading() as session:
            owner = {person: person for person in people}
            owner |= {row.bot: row.person for row in await session.execute(owners) if row.bot}
            accounts = select(AccountRow.person, AccountRow.role).where(AccountRow.person.in_(owner.values()))
            role = {row.person: row.role for row in await session.execute(accounts)}
        return {person: Responsible(owner[person], role.get(owner[person], "")) for person in people}

    async def people_at(self, table: str) -> Sequence[str]:
        """Return the people with a seat at a table."""
        query = select(SeatRow.person).where(SeatRow.table_id == table, SeatRow.person.is_not(None))
        async with self._store.reading() as session:
            return [person for person in await session.scalars(query) if person]

    async def are_playing(self, person: str, other: str) -> bool:
        """Return whether two people or their programs have seats in the same unfinished match."""
        query = select(TableRow.id).where(
            TableRow.over.is_(False), TableRow.id.in_(_tables_of(person)), TableRow.id.in_(_tables_of(other))
        )
        async with self._store.reading() as session:
            return (await session.scalars(query.limit(1))).first() is not None

    @transaction
    def set_role(self, connection: Connection, person: str, role: str, entry: ModerationRow) -> None:
        """Set the role of an account, which all processes notice, with an entry of the log."""
        connection.execute(update(AccountRow).filter_by(person=person).values(role=role))
        add_entry(connection, entry)
        notice_store.notify(connection, [notice_store.ACCOUNTS])

    async def log(self, before: int = 0, limit: int = 50) -> Sequence[ModerationRow]:
        """Return the newest entries of the log, or those before a number."""
        query = select(ModerationRow).order_by(ModerationRow.number.desc()).limit(limit)
        async with self._store.reading() as session:
            return (await session.scalars(query.where(ModerationRow.number < before) if before else query)).all()

    async def about(self, person: str) -> Sequence[ModerationRow]:
        """Return the entries of the log about a person, oldest first."""
        query = select(ModerationRow).where(ModerationRow.person == person).order_by(ModerationRow.number)
        async with self._store.reading() as session:
            return (await session.scalars(query)).all()


def add_entry(connection: Connection, row: ModerationRow) -> None:
    """Add an entry to the log, now."""
    row.at = int(time.time())
    connection.execute(insert(ModerationRow).values(row_values(row)))


def _tables_of(person: str) -> Any:
    """Select the tables where a person or a program of theirs has a seat."""
    programs = select(TokenRow.bot).where(TokenRow.person == person, TokenRow.bot.is_not(None))
    return select(SeatRow.table_id).where((SeatRow.person == person) | SeatRow.person.in_(programs))
