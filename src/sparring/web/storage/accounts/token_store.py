"""API tokens in the database."""

import time
from collections.abc import Collection, Sequence

from sqlalchemy import Connection, Delete, Insert, Update, delete, insert, select, update

from sparring.web.storage.database import Database, row_values
from sparring.web.storage.schema import TokenRow


class TokenStore:
    """The tokens in the database of a server."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def add(self, row: TokenRow) -> None:
        """Insert a token."""
        row.created = int(time.time())
        await self._do(insert(TokenRow).values(row_values(row)))

    async def load(self, digest: str) -> TokenRow | None:
        """Return a token by the digest of its secret."""
        async with self._store.reading() as session:
            return (await session.scalars(select(TokenRow).filter_by(digest=digest))).first()

    async def of(self, person: str) -> Sequence[TokenRow]:
        """Return the tokens of a person, newest first."""
        query = select(TokenRow).filter_by(person=person).order_by(TokenRow.created.desc(), TokenRow.id)
        async with self._store.reading() as session:
            return (await session.scalars(query)).all()

    async def owners(self, digests: Collection[str]) -> dict[str, str]:
        """Return the owners of tokens by the digests of their secrets; revoked ones are left out."""
        async with self._store.reading() as session:
            query = select(TokenRow.digest, TokenRow.person).where(TokenRow.digest.in_(digests))
            return {row.digest: row.person for row in await session.execute(query)}

    async def use(self, token: str, day: int) -> None:
        """Record the day of a token's last use."""
        await self._do(update(TokenRow).where(TokenRow.id == token).values(used=day))

    async def remove(self, token: str) -> None:
        """Revoke a token."""
        await self._do(delete(TokenRow).where(TokenRow.id == token))

    async def _do(self, statement: Insert | Update | Delete) -> None:
        def work(connection: Connection) -> None:
            connection.execute(statement)

        await self._store.writer.write(work)
