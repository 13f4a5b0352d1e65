"""API tokens in the database."""

import time
from collections.abc import Collection, Sequence

from sqlalchemy import Connection, delete, insert, select, update

from sparring.store.database import row_values
from sparring.store.person import Person
from sparring.store.schema import TokenRow
from sparring.store.transactions import Store, transaction

from .sessions import check_session


class TokenStore(Store):
    """The tokens in the database of a server."""

    @transaction
    def add(self, connection: Connection, row: TokenRow, owner: Person) -> None:
        """Insert a token; raise StaleWrite if its owner's session has ended."""
        row.created = int(time.time())
        check_session(connection, owner)
        connection.execute(insert(TokenRow).values(row_values(row)))

    async def load(self, digest: str) -> TokenRow | None:
        """Return a token by the digest of its secret."""
        async with self._store.reading() as session:
            return (await session.scalars(select(TokenRow).filter_by(digest=digest))).first()

    async def of(self, person: str) -> Sequence[TokenRow]:
        """Return the tokens of a person, newest first."""
        query = select(TokenRow).filter_by(person=person).order_by(TokenRow.created.desc(), TokenRow.id)
        async with self._store.reading() as session:
            return (await session.scalars(query)).all()

    async def valid(self, tokens: Collection[str]) -> set[str]:
        """Return those of some tokens that haven't been revoked."""
        async with self._store.reading() as session:
            return set(await session.scalars(select(TokenRow.id).where(TokenRow.id.in_(tokens))))

    async def use(self, token: str, day: int) -> None:
        """Record the day of a token's last use."""
        await self._store.execute(update(TokenRow).where(TokenRow.id == token).values(used=day))

    async def remove(self, token: str) -> None:
        """Revoke a token."""
        await self._store.execute(delete(TokenRow).where(TokenRow.id == token))
