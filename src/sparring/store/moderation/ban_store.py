"""Bans and mutes in the database."""

from collections.abc import Mapping

from sqlalchemy import Connection, delete, insert, select

from sparring.store.schema import BanRow, ModerationRow
from sparring.store.transactions import Store, transaction

from .bans import Ban
from .moderation_store import add_entry


class BanStore(Store):
    """Bans and mutes by their key (`security.bans.key`)."""

    @transaction
    def put(self, connection: Connection, who: str, ban: Ban | None, entry: ModerationRow | None = None) -> None:
        """Set a ban, replacing an earlier one, with an entry of the moderation log; None removes it."""
        connection.execute(delete(BanRow).where(BanRow.who == who))
        if ban is not None:
            connection.execute(insert(BanRow).values(who=who, until=ban.until, why=ban.why))
        if entry:
            add_entry(connection, entry)

    async def all(self) -> Mapping[str, Ban]:
        """Return all bans and mutes in force."""
        async with self._store.reading() as session:
            rows = (await session.scalars(select(BanRow).order_by(BanRow.who))).all()
        bans = {row.who: Ban(row.until, row.why) for row in rows}
        return {who: ban for who, ban in bans.items() if ban.in_force}
