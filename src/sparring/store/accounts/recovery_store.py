"""Recovery codes in the database: only digests are stored, and each code works once."""

import time
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, delete, func, insert, or_, select, update

from sparring.store.cluster import notice_store
from sparring.store.database import Database
from sparring.store.schema import AccountRow, PasskeyRow, RecoveryRow

from .sessions import end_sessions


class RecoveryStore:
    """The recovery codes in the database of a server."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def left(self, person: str) -> int:
        """Return the number of a person's unused codes, without those of the operator."""
        query = select(func.count()).select_from(RecoveryRow).filter_by(person=person, until=None)
        async with self._store.reading() as session:
            return (await session.scalars(query)).one()

    async def replace(self, person: str, digests: Sequence[str]) -> None:
        """Store new codes of a person, which replace the older ones."""

        def work(connection: Connection) -> None:
            _replace(connection, person, digests)

        await self._store.writer.write(work)

    async def use(self, digest: str) -> AccountRow | None:
        """Use up a code and return its account; None if the code is unknown or has expired."""
        found: list[AccountRow] = []

        def work(connection: Connection) -> None:
            found.clear()
            code = RecoveryRow.digest == digest
            person = connection.scalar(select(RecoveryRow.person).where(code, _is_valid()))
            if person is None or not connection.execute(delete(RecoveryRow).where(code)).rowcount:
                return
            row = connection.execute(select(AccountRow.__table__).where(AccountRow.person == person)).mappings().one()
            found.append(AccountRow(**row))

        await self._store.writer.write(work)
        return found[0] if found else None

    async def reset(self, person: str, digest: str, until: int, *, passkeys: bool) -> None:
        """Remove the password or all passkeys of an account, sign it out everywhere, and store one code for its owner.

        All other codes are removed too. Processes that cache the account reload it.
        """

        def work(connection: Connection) -> None:
            if passkeys:
                connection.execute(delete(PasskeyRow).filter_by(person=person))
            else:
                connection.execute(update(AccountRow).filter_by(person=person).values(password=None))
            end_sessions(connection, person)
            _replace(connection, person, [digest], until)
            notice_store.notify(connection, [notice_store.ACCOUNTS])

        await self._store.writer.write(work)


def _replace(connection: Connection, person: str, digests: Sequence[str], until: int | None = None) -> None:
    connection.execute(delete(RecoveryRow).filter_by(person=person))
    connection.execute(
        insert(RecoveryRow), [{"digest": digest, "person": person, "until": until} for digest in digests]
    )


def _is_valid() -> Any:
    return or_(RecoveryRow.until.is_(None), RecoveryRow.until > int(time.time()))
