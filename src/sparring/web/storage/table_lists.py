"""Lists of tables, read without opening one: somebody's own, and those that anybody may find."""

import time
from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, Select, exists, func, select, update
from sqlalchemy.orm import load_only

from .database import Database
from .schema import SeatRow, TableRow

#: What a list needs of a table: neither what was chosen there nor with which cards.
LISTED = load_only(
    TableRow.id, TableRow.game, TableRow.over, TableRow.asked, TableRow.standing, TableRow.created, TableRow.terms,
    TableRow.next, TableRow.edition, TableRow.clocks, TableRow.since, TableRow.due,
)  # fmt: skip

OPEN_SEAT = exists().where(SeatRow.table_id == TableRow.id, SeatRow.person.is_(None), SeatRow.bot.is_(None))


class ListStore:
    """The lists in the database of a server."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def of(self, person: str, limit: int, skip: int = 0, **known: Any) -> Sequence[TableRow]:
        """The tables at which a person sits: those first where they are asked, then those that were opened last.

        What happened last somewhere is no order, as it would tell of choices that were made in secret.
        """
        turn = self._sits(person) & (SeatRow.seat == TableRow.asked)
        found = select(TableRow).where(exists().where(self._sits(person))).filter_by(**known)
        ordered = found.order_by(exists().where(turn).desc(), TableRow.created.desc(), TableRow.id)
        return await self._listed(ordered.limit(limit).offset(skip))

    async def public(self, since: float, limit: int, *, waiting: bool) -> Sequence[TableRow]:
        """Public tables that wait for people, or at which nobody else can sit down; the newest first.

        One of those who sit there was there since then.
        """
        found = self._attended(since).where(OPEN_SEAT if waiting else ~OPEN_SEAT)
        return await self._listed(found.order_by(TableRow.created.desc(), TableRow.id).limit(limit))

    async def fitting(self, since: float, person: str, *, mine: bool, **known: Any) -> Sequence[str]:
        """Public tables like that which wait for people: those at which somebody sits already, or others.

        The one that has waited longest is the first.
        """
        sits = exists().where(self._sits(person))
        found = self._attended(since).filter_by(**known).where(OPEN_SEAT, sits if mine else ~sits)
        async with self._store.reading() as session:
            return [row.id for row in (await session.scalars(found.options(LISTED).order_by(TableRow.created))).all()]

    async def waiting_from(self, opener: str, since: float) -> int:
        """How many public tables from there wait for people."""
        theirs = self._attended(since).where(OPEN_SEAT, TableRow.opener == opener)
        async with self._store.reading() as session:
            return (await session.scalars(select(func.count()).select_from(theirs.subquery()))).one()

    async def attend(self, tables: Collection[str]) -> None:
        """Note that somebody who sits there is at these tables now."""

        def work(connection: Connection) -> None:
            connection.execute(update(TableRow).where(TableRow.id.in_(tables)).values(attended=int(time.time())))

        if tables:
            await self._store.writer.write(work)

    @staticmethod
    def _sits(person: str) -> Any:
        return (SeatRow.table_id == TableRow.id) & (SeatRow.person == person)

    @staticmethod
    def _attended(since: float) -> Select[TableRow]:
        return select(TableRow).where(
            TableRow.public.is_(True), TableRow.over.is_(False), TableRow.attended >= int(since)
        )

    async def _listed(self, found: Select[TableRow]) -> Sequence[TableRow]:
        async with self._store.reading() as session:
            return (await session.scalars(found.options(LISTED))).all()
