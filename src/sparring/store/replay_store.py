"""Uploaded records, reviews, and the lines of finished matches in the database."""

import time
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, tuple_, update

from sparring.engine.errors import SparringError
from sparring.store.schema import RecordRow, ReviewRow, TableRow
from sparring.store.transactions import Store, transaction

from .database import insert_first, opened_from

#: What has a finished match.
MatchRow = type[TableRow] | type[RecordRow]


class NoRecord(SparringError):
    """The record doesn't exist."""

    status = 404


class ReplayStore(Store):
    """Records and reviews in the database of a server."""

    async def add(self, row: RecordRow) -> None:
        """Insert a record; raise AlreadyCreated if there is one with this id."""
        row.created = row.used = int(time.time())
        await self._store.transaction(insert_first, row)

    async def load(self, record: str) -> RecordRow | None:
        """Return a record by its id."""
        async with self._store.reading() as session:
            return await session.get(RecordRow, record)

    async def of(self, person: str) -> Sequence[RecordRow]:
        """Return a person's records, newest first."""
        query = select(RecordRow).filter_by(person=person).order_by(RecordRow.created.desc(), RecordRow.id)
        async with self._store.reading() as session:
            return (await session.scalars(query)).all()

    async def count(self, creator: str) -> int:
        """Return how many records creators that begin with these digits have uploaded."""
        async with self._store.reading() as session:
            query = select(func.count()).select_from(RecordRow).where(opened_from(RecordRow.creator, creator))
            return (await session.scalars(query)).one()

    async def remove(self, row: RecordRow) -> None:
        """Delete a record."""
        await self._store.execute(delete(RecordRow).where(RecordRow.id == row.id))

    async def review(self, number: str) -> bytes | None:
        """Return a stored review."""
        async with self._store.reading() as session:
            row = await session.get(ReviewRow, number)
        return row.found if row else None

    @transaction
    def save_review(self, connection: Connection, number: str, found: bytes) -> None:
        """Store a review."""
        connection.execute(delete(ReviewRow).where(ReviewRow.id == number))
        connection.execute(insert(ReviewRow).values(id=number, found=found, used=int(time.time())))

    async def use(self, kind: type[RecordRow | ReviewRow], number: str) -> None:
        """Record that a record or a review was viewed."""
        await self._store.execute(update(kind).where(kind.id == number).values(used=int(time.time())))


class MatchPlace(NamedTuple):
    """When a match was stored last (seconds since 1970), and its id: the order in which lines are added."""

    when: int = 0
    id: str = ""


class LineStore(Store):
    """The lines in the database of a server."""

    async def next_missing(self, kind: MatchRow, after: MatchPlace, before: float) -> MatchPlace | None:
        """Return the first finished match without lines after a place, stored last before a time."""
        when = TableRow.changed if kind is TableRow else RecordRow.created
        missing = kind.over.is_(True) & kind.lines.is_(None) & (when < int(before))
        query = select(when, kind.id).where(missing, tuple_(when, kind.id) > after).order_by(when, kind.id).limit(1)
        async with self._store.reading() as session:
            row = (await session.execute(query)).first()
        return MatchPlace(*row) if row else None

    async def of(self, kind: MatchRow, match: str) -> bytes | None:
        """Return the lines of a match."""
        async with self._store.reading() as session:
            return await session.scalar(select(kind.lines).where(kind.id == match))

    async def save(self, kind: MatchRow, match: str, lines: bytes) -> None:
        """Store the lines of a match."""
        await self._store.execute(update(kind).where(kind.id == match).values(lines=lines))
