"""Bans and mutes in the database."""

from collections.abc import Mapping

from sqlalchemy import Connection, delete, insert, select

from sparring.store.database import Database
from sparring.store.group_commit import Work
from sparring.store.schema import BanRow

from .bans import Ban


class BanStore:
    """Bans and mutes by their key (`security.bans.key`)."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def put(self, who: str, ban: Ban | None, also: Work | None = None) -> None:
        """Set a ban, replacing an earlier one; None removes it. `also` is written in the same transaction."""

        def work(connection: Connection) -> None:
            connection.execute(delete(BanRow).where(BanRow.who == who))
            if ban is not None:
                connection.execute(insert(BanRow).values(who=who, until=ban.until, why=ban.why))
            if also:
                also(connection)

        await self._store.writer.write(work)

    async def all(self) -> Mapping[str, Ban]:
        """Return all bans and mutes in force."""
        async with self._store.reading() as session:
            rows = (await session.scalars(select(BanRow).order_by(BanRow.who))).all()
        bans = {row.who: Ban(row.until, row.why) for row in rows}
        return {who: ban for who, ban in bans.items() if ban.in_force}
