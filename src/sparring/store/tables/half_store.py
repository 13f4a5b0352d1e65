"""Invitations to bring the other half of a match, in the database."""

import time
from collections.abc import Sequence

from sqlalchemy import Connection, delete, select

from sparring.store.database import insert_first
from sparring.store.group_commit import StaleWrite
from sparring.store.schema import HalfInvitationRow
from sparring.store.transactions import Store


class InvitationGone(StaleWrite):
    """The invitation doesn't exist any more."""

    status = 404

    def __init__(self) -> None:
        super().__init__("This invitation is no longer open: it was accepted, cancelled, or too old.")


class HalfStore(Store):
    """The invitations in the database of a server."""

    async def add(self, row: HalfInvitationRow) -> None:
        """Insert an invitation; raise AlreadyCreated if there is one with this id."""
        row.made = int(time.time())
        await self._store.transaction(insert_first, row)

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
        await self._store.transaction(end_invitation, row.id)


def end_invitation(connection: Connection, number: str) -> None:
    """Delete an invitation that is cancelled or accepted; raise InvitationGone if it doesn't exist any more."""
    if not connection.execute(delete(HalfInvitationRow).where(HalfInvitationRow.id == number)).rowcount:
        raise InvitationGone
