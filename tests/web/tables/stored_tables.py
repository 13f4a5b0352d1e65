"""Tables as the database stores them."""

from sparring.engine.match import Match
from sparring.store.schema import SeatRow, TableRow
from sparring.tables.state.changes import packed
from sparring.tables.state.table import Table


def stored_table(name: str, choices: bytes = b"", versions: bytes = b"", seats: int = 2) -> Table:
    """Return a stored table."""
    row = TableRow(
        id="table", game=name, game_version=1, options="{}", seed=1, choices=choices,
        versions=versions or packed([1] * (seats + 1), "<i4"), row_version=0, over=False, settings="{}", since=0,
        due=None,
        clocks="{}", ended="{}", hints="{}", deals="{}", thinking_times=b"",
        seats=[SeatRow(seat=each, person=f"person {each}", name=f"Person {each}") for each in range(1, seats + 1)],
    )  # fmt: skip
    return Table.replayed(row, Match.new(name, seats=seats, seed=1))
