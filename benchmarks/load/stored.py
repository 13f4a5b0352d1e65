"""Fill a database with many tables before the server starts, as after years of play."""

from collections.abc import Sequence
from typing import Any, cast

from sqlalchemy import Connection, Table, insert

from sparring.engine.errors import BadBot
from sparring.engine.game import game as find_game
from sparring.settings import Settings
from sparring.settings.secrets import random_id
from sparring.store.database import Database, row_values
from sparring.store.person import Person
from sparring.store.schema import SeatRow, TableRow
from sparring.tables.state.players import Player
from sparring.tables.state.table_settings import TableSettings
from sparring.tables.tables import Tables

#: The number of choices at each table.
CHOICES = 20


class NoBots:
    """A stand-in for bots at tables that have none."""

    async def choose(self, question: object, turn: Sequence[str] = "") -> int:
        """Raise BadBot: there are no bots."""
        raise BadBot("None of the stored tables has a bot.")

    async def advise(self, question: object, turn: str = "") -> None:
        """Return no hint."""


async def store_tables(settings: Settings, game: str, count: int) -> None:
    """Store unfinished correspondence tables, which are identical except for their ids."""
    store = Database(settings.database)
    await store.open()
    tables = Tables(settings, store, NoBots())
    try:
        table = await _created(tables, game)
        row = await store.load(table)
        if row is not None:
            seats = [row_values(seat) for seat in row.seats]
            await store.transaction(_copy, row_values(row), seats, count - 1)
    finally:
        await tables.close()
        await store.close()


async def _created(tables: Tables, game: str) -> str:
    """Return a table at which two people have made some choices."""
    people = [Person(f"person {seat}", f"Person {seat}") for seat in range(min(find_game(game).seats))]
    table = await tables.creation.create(
        find_game(game), [Player.of(person) for person in people], settings=TableSettings(days=3)
    )
    for person in people:
        await tables.choices.visit(table, person)
    while len(table.match.history) < CHOICES and not table.match.over:
        seat = table.shown.turn_seat
        await tables.choices.choose(table, people[seat - 1], table.feed(seat).version, table.match.legal()[0])
    return table.id


def _copy(connection: Connection, row: dict[str, Any], seats: list[dict[str, Any]], count: int) -> None:
    ids = [random_id(9) for _ in range(count)]
    if ids:
        connection.execute(insert(TableRow), [{**row, "id": table} for table in ids])
        rows = [{**seat, "table": table} for table in ids for seat in seats]
        connection.execute(insert(cast(Table, SeatRow.__table__)), rows)
