"""The processes of a server: a row for each, with a beat by the database's clock and the people at its tables."""

from collections.abc import Callable, Mapping
from statistics import median
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, Connection, delete, insert, literal_column, select, update

from sparring.settings.steady_clock import SteadyClock
from sparring.store.schema import ProcessRow
from sparring.store.transactions import Store, transaction

#: The database's clock in ms since 1970, by dialect.
CLOCKS = {
    "postgresql": "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)",
    "sqlite": "CAST((julianday('now') - 2440587.5) * 86400000 AS integer)",
}
#: How far from now a beat may be before the row is deleted (ms); one in the future is from before the clock was set.
GONE = 60_000
#: How old the beat of a process may be whose time a new one adopts (ms), if that differs by more than this (seconds):
#: less may be an error of the measurement, and each turn has more free time.
ALIVE, DIFFERENT = 5_000, 0.25


class ProcessPeople(NamedTuple):
    """Who is connected to a process (JSON), and how far its beat is from now (seconds)."""

    people: str
    age: float


class ProcessStore(Store):
    """The processes in the database of a server."""

    @transaction
    def exchange(
        self, connection: Connection, process: str, people: str, now: Callable[[], float], *, changed: bool
    ) -> Mapping[str, ProcessPeople]:
        """Write a process's beat and, if they have `changed`, its people; return those of the others.

        Delete the rows of processes that are gone. `now` is the process's clock.
        """
        clock = _clock(connection.dialect.name)
        values = {"beat_at": clock, "ahead": int(1000 * now()) - clock, **({"people": people} if changed else {})}
        if not connection.execute(update(ProcessRow).where(ProcessRow.id == process).values(values)).rowcount:
            connection.execute(insert(ProcessRow).values({**values, "id": process, "people": people}))
        others = select(ProcessRow.id, ProcessRow.people, (clock - ProcessRow.beat_at).label("age"))
        rows = connection.execute(others.where(ProcessRow.id != process)).all()
        if gone := [row.id for row in rows if abs(row.age) > GONE]:
            # Skip those that another process is deleting or writing: two processes could wait for each other.
            free = select(ProcessRow.id).where(ProcessRow.id.in_(gone)).with_for_update(skip_locked=True)
            connection.execute(delete(ProcessRow).where(ProcessRow.id.in_(free)))
        return {row.id: ProcessPeople(row.people, abs(row.age) / 1000) for row in rows if row.id not in gone}

    async def adopt_time(self, clock: SteadyClock) -> bool:
        """At a process's start, set its clock to the time of those that run: it may be on another machine.

        Return whether there are any.
        """
        database, measured = _clock(self._store.engine.dialect.name), list[tuple[float, float]]()
        alive = (database - ProcessRow.beat_at).between(-ALIVE, ALIVE)
        async with self._store.reading() as session:
            for _ in range(5):
                before = clock()
                at, after = (await session.scalars(select(database))).one() / 1000, clock()
                measured.append((after - before, (before + after) / 2 - at))
            others = (await session.scalars(select(ProcessRow.ahead).where(alive))).all()
        own = min(measured)[1]  # of the quickest answer
        if others and abs(behind := median(others) / 1000 - own) > DIFFERENT:
            clock.offset += behind
        return bool(others)

    async def leave(self, process: str) -> None:
        """Delete the row of a process that ends."""
        await self._store.execute(delete(ProcessRow).where(ProcessRow.id == process))


def _clock(dialect: str) -> Any:
    return literal_column(CLOCKS[dialect], BigInteger)
