"""Recovery codes in the database: only digests are stored, and each code works once."""

import time
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, delete, func, insert, or_, select, update

from sparring.store.cluster import notice_store
from sparring.store.schema import AccountRow, PasskeyRow, RecoveryRow
from sparring.store.transactions import Store, transaction

from .sessions import end_sessions


class RecoveryStore(Store):
    """The recovery codes in the database of a server."""

    async def left(self, person: str) -> int:
        """Return the number of a person's unused codes, without those of the operator."""
        query = select(func.count()).select_from(RecoveryRow).filter_by(person=person, until=None)
        async with self._store.reading() as session:
            return (await session.scalars(query)).one()

    async def replace(self, person: str, digests: Sequence[str]) -> None:
        """Store new codes of a person, which replace the older ones."""
        await self._store.transaction(_replace, person, digests)

    @transaction
    def use(self, connection: Connection, digest: str) -> AccountRow | None:
        """Use up a code and return its account; None if the code is unknown or has expired."""
        code = RecoveryRow.digest == digest
        person = connection.scalar(select(RecoveryRow.person).where(code, _is_valid()))
        if person is None or not connection.execute(delete(RecoveryRow).where(code)).rowcount:
            return None
        row = connection.execute(select(AccountRow.__table__).where(AccountRow.person == person)).mappings().one()
        return AccountRow(**row)

    @transaction
    def reset(self, connection: Connection, person: str, digest: str, until: int, *, passkeys: bool) -> None:
        """Remove the password or all passkeys of an account, sign it out everywhere, and store one code for its owner.

        All other codes are removed too. Processes that cache the account reload it.
        """
        if passkeys:
            connection.execute(delete(PasskeyRow).filter_by(person=person))
        else:
            connection.execute(update(AccountRow).filter_by(person=person).values(password=None))
        end_sessions(connection, person)
        _replace(connection, person, [digest], until)
        notice_store.notify(connection, [notice_store.ACCOUNTS])


def _replace(connection: Connection, person: str, digests: Sequence[str], until: int | None = None) -> None:
    connection.execute(delete(RecoveryRow).filter_by(person=person))
    connection.execute(
        insert(RecoveryRow), [{"digest": digest, "person": person, "until": until} for digest in digests]
    )


def _is_valid() -> Any:
    return or_(RecoveryRow.until.is_(None), RecoveryRow.until > int(time.time()))
