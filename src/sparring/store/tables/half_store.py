"""Invitations to bring the other half of a match, in the database."""

import time
from collections.abc import Sequence

from sqlalchemy import Connection, delete, select

from sparring.store.database import Database, insert_first
from sparring.store.group_commit import StaleWrite, Work
from sparring.store.schema import HalfInvitationRow


class InvitationGone(StaleWrite):
    """The invitation doesn't exist any more."""

    status = 404

    def __init__(self) -> None:
        super().__init__("This invitation is no longer open: it was accepted, cancelled, or too old.")


class HalfStore:
    """The invitations in the database of a server."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def add(self, row: HalfInvitationRow) -> None:
        """Insert an invitation; raise AlreadyCreated if there is one with this id."""
        row.made = int(time.time())
        await self._store.writer.write(lambda connection: insert_first(connection, row))

    async def load(self, number: str) -> HalfInvitationRow | None:
        """Return an invitation by its id."""
        async with self._store.reading() as session:
            return await session.get(HalfInvitationRow, number)

    async def of(self, person: str) -> Sequence[HalfInvitationRow]:
        """Return a person's invitations, oldest first."""
        query = select(HalfInvitationRow).filter_by(person=person).order_by(HalfInvitationRow.made)
        async with self._store.reading() as session:
            return (await session.scalars(query)).all()

    async def cancel(self, row: HalfInvitationRow) -> None:
        """Delete an invitation; raise InvitationGone if someone has accepted it meanwhile."""
        await self._store.writer.write(self.accepted(row, lambda _: None))

    def accepted(self, row: HalfInvitationRow, insert_table: Work) -> Work:
        """Return the write that ends an invitation and inserts its table; it raises InvitationGone after the first."""

        def work(connection: Connection) -> None:
            if not connection.execute(delete(HalfInvitationRow).where(HalfInvitationRow.id == row.id)).rowcount:
                raise InvitationGone
            insert_table(connection)

        return work
