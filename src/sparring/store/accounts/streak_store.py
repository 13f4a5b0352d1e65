"""The longest streaks of puzzles in the database."""

from sqlalchemy import Connection, select

from sparring.store.database import insert_new
from sparring.store.schema import StreakRow
from sparring.store.transactions import Store, transaction


class StreakStore(Store):
    """The longest streaks of accounts, by game."""

    async def of(self, person: str) -> dict[str, int]:
        """Return a person's longest streaks by game."""
        query = select(StreakRow.game, StreakRow.longest).filter_by(person=person).order_by(StreakRow.game)
        async with self._store.reading() as session:
            return {row.game: row.longest for row in await session.execute(query)}

    @transaction
    def record(self, connection: Connection, person: str, game: str, length: int) -> None:
        """Store a streak if it is the person's longest in a game."""
        row = insert_new(connection, StreakRow).values(person=person, game=game, longest=length)
        longer = row.on_conflict_do_update(
            index_elements=["person", "game"], set_={"longest": length}, where=StreakRow.longest < length
        )
        connection.execute(longer)
