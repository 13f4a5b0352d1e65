"""The days on which the server ran. Old data is deleted after a number of them, whatever the machine's clock says."""

from sqlalchemy import Connection, select, update

from sparring.settings import DAY
from sparring.store.database import insert_new
from sparring.store.schema import ServerDayRow
from sparring.store.transactions import Store, transaction


class DayStore(Store):
    """The days in the database of a server. Times are seconds since 1970."""

    async def record(self, now: int) -> None:
        """Record that the server runs today."""
        await self._store.transaction(_add, now // DAY, "")

    async def before(self, now: int, days: int) -> int:
        """Return the time since which the server has run on a number of days; 0 if it hasn't run on as many."""
        ran = select(ServerDayRow.day).where(ServerDayRow.kind == "", ServerDayRow.day <= now // DAY)
        async with self._store.reading() as session:
            day = await session.scalar(ran.order_by(ServerDayRow.day.desc()).offset(days).limit(1))
        return 0 if day is None else day * DAY + now % DAY

    @transaction
    def reserve(self, connection: Connection, now: int, kind: str, wanted: int, most: int) -> int:
        """Return how many rows of a kind may be deleted now if at most `most` go in a day, and count them."""
        row = (ServerDayRow.day == now // DAY) & (ServerDayRow.kind == kind)
        _add(connection, now // DAY, kind)
        deleted = connection.execute(select(ServerDayRow.deleted).where(row).with_for_update()).scalar_one()
        granted = max(0, min(wanted, most - deleted))
        connection.execute(update(ServerDayRow).where(row).values(deleted=deleted + granted))
        return granted


def _add(connection: Connection, day: int, kind: str) -> None:
    row = insert_new(connection, ServerDayRow).values(day=day, kind=kind, deleted=0)
    connection.execute(row.on_conflict_do_nothing())
