"""Rate limit counters that several processes share."""

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from sqlalchemy import Connection, Table, case, delete, select, update

from sparring.store.database import insert_new
from sparring.store.schema import RateLimitRow
from sparring.store.transactions import Store, transaction

ROWS = cast(Table, RateLimitRow.__table__)


class RateLimitUse(NamedTuple):
    """How much of an allowance was used, in ms until it recovers, and how much half of it would be."""

    used: int
    half: int


class RateLimitStore(Store):
    """The rate limits in the database of a server; times are ms since 1970."""

    @transaction
    def use(self, connection: Connection, used: Mapping[str, RateLimitUse], now: int) -> None:
        """Add this process's use to the shared counters, and delete counters that have recovered."""
        connection.execute(delete(ROWS).where(ROWS.c.full_at <= now))
        for key, use in sorted(used.items()):
            _add(connection, key, use, now)

    async def begin(self, now: int) -> None:
        """At a process's start, cap what would take twice as long as usual to recover: the clock was ahead before."""
        half = ROWS.c.full_at - ROWS.c.half_at
        ahead = update(ROWS).where(ROWS.c.full_at > now + 4 * half)
        await self._store.execute(ahead.values(full_at=now + 2 * half, half_at=now + half))

    async def nearly_exhausted(self, now: int) -> dict[str, int]:
        """Return when each allowance will be full again, if less than half of it is left."""
        async with self._store.reading() as session:
            rows = await session.execute(select(ROWS.c.key, ROWS.c.full_at).where(ROWS.c.half_at > now))
            return {row.key: row.full_at for row in rows}


def _add(connection: Connection, key: str, use: RateLimitUse, now: int) -> None:
    row = {"key": key, "full_at": now + use.used, "half_at": now + use.used - use.half}
    full_at: Any = case((ROWS.c.full_at > now, ROWS.c.full_at), else_=now) + use.used
    known = {"full_at": full_at, "half_at": full_at - use.half}
    added = insert_new(connection, RateLimitRow).values(row)
    connection.execute(added.on_conflict_do_update(index_elements=["key"], set_=known))
