"""Uploaded records and reviews in the database."""

import time
from collections.abc import Sequence

from sqlalchemy import Connection, delete, func, insert, select, update

from sparring.engine.errors import SparringError

from .database import insert_first, opened_from
from .schema import RecordRow, ReviewRow
from .transactions import Store, transaction


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
        """Return how many records openers that begin with these digits have uploaded."""
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
