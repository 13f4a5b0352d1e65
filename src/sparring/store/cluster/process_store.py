"""The processes of a server: a row for each, with a beat by the database's clock and who is present at its tables."""

from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import BigInteger, Connection, delete, insert, literal_column, select, update

from sparring.store.schema import ProcessRow
from sparring.store.transactions import Store, transaction

#: The database's clock in ms since 1970, by dialect.
CLOCKS = {
    "postgresql": "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)",
    "sqlite": "CAST((julianday('now') - 2440587.5) * 86400000 AS integer)",
}
#: How far from now a beat may be before the row is deleted (ms); one in the future is from before the clock was set.
GONE = 60_000


class ProcessSays(NamedTuple):
    """What a process says: who is present at its tables (JSON), and how far its beat is from now (seconds)."""

    people: str
    age: float


class ProcessStore(Store):
    """The processes in the database of a server."""

    @transaction
    def exchange(
        self, connection: Connection, process: str, people: str, *, changed: bool
    ) -> Mapping[str, ProcessSays]:
        """Beat and, if they have `changed`, write a process's people; return what the others say.

        Delete the rows of processes that are gone.
        """
        clock = literal_column(CLOCKS[connection.dialect.name], BigInteger)
        values = {"beat_at": clock, **({"people": people} if changed else {})}
        if not connection.execute(update(ProcessRow).where(ProcessRow.id == process).values(values)).rowcount:
            connection.execute(insert(ProcessRow).values(id=process, beat_at=clock, people=people))
        others = select(ProcessRow.id, ProcessRow.people, (clock - ProcessRow.beat_at).label("age"))
        rows = connection.execute(others.where(ProcessRow.id != process)).all()
        if gone := [row.id for row in rows if abs(row.age) > GONE]:
            # Without those that another process deletes or revives at this moment, so that none waits for another.
            free = select(ProcessRow.id).where(ProcessRow.id.in_(gone)).with_for_update(skip_locked=True)
            connection.execute(delete(ProcessRow).where(ProcessRow.id.in_(free)))
        return {row.id: ProcessSays(row.people, abs(row.age) / 1000) for row in rows if row.id not in gone}

    async def leave(self, process: str) -> None:
        """Delete the row of a process that ends."""
        await self._store.execute(delete(ProcessRow).where(ProcessRow.id == process))
