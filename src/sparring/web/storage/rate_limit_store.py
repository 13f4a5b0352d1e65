"""What of everybody's allowances is used up, counted by several processes together."""

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from sqlalchemy import Connection, Table, case, delete, insert, select, update

from .database import Database
from .schema import RateLimitRow

ROWS = cast(Table, RateLimitRow.__table__)


class RateLimitUse(NamedTuple):
    """How much of an allowance was used, in milliseconds until it comes back, and how much would be half of it."""

    took: int
    half: int


class RateLimitStore:
    """The allowances in the database of a server; times are milliseconds since 1970."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def use(self, used: Mapping[str, RateLimitUse], now: int) -> None:
        """Add what was used here to what the others have used; what is full again is forgotten."""

        def work(connection: Connection) -> None:
            connection.execute(delete(ROWS).where(ROWS.c.full_at <= now))
            for key, use in sorted(used.items()):
                _add(connection, key, use, now)

        if used:
            await self._store.writer.write(work)

    async def scarce(self, now: int) -> dict[str, int]:
        """When the allowances will be full of which less than half is left."""
        async with self._store.reading() as session:
            found = await session.execute(select(ROWS.c.key, ROWS.c.full_at).where(ROWS.c.half_at > now))
            return {row.key: row.full_at for row in found}


def _add(connection: Connection, key: str, use: RateLimitUse, now: int) -> None:
    later: Any = case((ROWS.c.full_at > now, ROWS.c.full_at), else_=now) + use.took
    added = update(ROWS).where(ROWS.c.key == key).values(full_at=later, half_at=later - use.half)
    if not connection.execute(added).rowcount:
        row = {"key": key, "full_at": now + use.took, "half_at": now + use.took - use.half}
        connection.execute(insert(ROWS), row)
