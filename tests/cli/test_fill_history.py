"""`sparring admin fill-history` adds older matches to histories and changes no rating."""

import asyncio
import random
from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine, func, insert, select, table
from sqlalchemy.sql import column
from typer.testing import CliRunner

from sparring.cli import app
from sparring.engine.game import game
from sparring.engine.match import Match
from sparring.settings import Settings
from sparring.store.database import Database
from sparring.store.finished_matches import ResultStore
from sparring.store.migrations import INITIAL, migrate
from sparring.store.schema import RatingRow, TableRow
from sparring.tables.play.match_history import HistoryLine
from sparring.tables.state.changes import packed
from wording import says

GAME = "five-circles"
TABLES = (
    "id", "game", "game_version", "options", "seed", "choices", "versions", "edition", "over", "created", "changed",
)  # fmt: skip
SEATS = ("table", "seat", "person", "name", "bot")


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder for this test."""
    monkeypatch.setenv("SPARRING_DATA", str(tmp_path))
    monkeypatch.delenv("SPARRING_DATABASE", raising=False)
    return tmp_path


def finished_match() -> Match:
    """Return a finished random match."""
    match, chance = Match.deal(game(GAME).setup({}), 2, 7), random.Random(3)
    while not match.over:
        match.choose(chance.choice(match.legal()))
    return match


def insert_table(
    connection: Connection, name: str, match: Match, who: list[tuple[str | None, str, str | None]], **more: object
) -> None:
    """Insert a table as the first version stored it."""
    row = {
        "id": name, "game": GAME, "game_version": game(GAME).version, "options": "{}", "seed": 7,
        "choices": packed(match.history, "<i2"), "versions": packed([1, 1, 1], "<i4"), "edition": 9,
        "over": match.over,
        "created": 1000, "changed": 1090,
    }  # fmt: skip
    connection.execute(insert(table("tables", *map(column, TABLES))).values({**row, **more}))
    for seat, (person, called, bot) in enumerate(who, 1):
        values = {"table": name, "seat": seat, "person": person, "name": called, "bot": bot}
        connection.execute(insert(table("seats", *map(column, SEATS))).values(values))


def older_database(folder: Path, over: Match) -> None:
    """Create a database of the first release with matches of all kinds."""
    engine = create_engine(f"sqlite:///{folder / 'tables.sqlite3'}")
    with engine.begin() as connection:
        migrate(connection, INITIAL)
        people: list[tuple[str | None, str, str | None]] = [("anna", "Anna", None), ("ben", "Ben", None)]
        insert_table(connection, "over", over, people)
        insert_table(connection, "bot", over, [people[0], (None, "Bolt", "random")], changed=2000)
        insert_table(connection, "older", over, people, game_version=0)
        insert_table(connection, "going on", Match.deal(game(GAME).setup({}), 2, 7), people)
        insert_table(connection, "bots only", over, [(None, "Bolt", "random"), (None, "Bolt", "random")])
    engine.dispose()


def fill() -> str:
    result = CliRunner().invoke(app, ["admin", "fill-history"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout.strip()


def history(player: str) -> list[HistoryLine]:
    async def read() -> list[HistoryLine]:
        store = Database(Settings.load().database)
        found = await ResultStore(store).history(player, 10)
        async with store.reading() as session:
            assert (await session.scalars(select(func.count()).select_from(RatingRow))).one() == 0
            assert (await session.scalars(select(TableRow.row_version).where(TableRow.id == "over"))).one() == 9
        await store.close()
        return [HistoryLine.of(entry) for entry in found]

    return asyncio.run(read())


def test_matches_of_an_older_database_are_added_to_histories_once(data: Path) -> None:
    over = finished_match()
    older_database(data, over)
    assert says(CliRunner().invoke(app, ["admin", "init"]).stdout, "upgraded", "before-upgrade")
    assert says(fill(), "2 matches", "1", "can't be read", "rules")
    annas, bens = history("anna"), history("ben")
    assert [(line.table, line.others) for line in annas] == [("bot", "Bolt"), ("over", "Ben")]
    assert [line.table for line in bens] == ["over"]
    (mine, theirs) = annas[1], bens[0]
    assert (mine.seat, mine.choices, mine.ended.timestamp(), mine.rating) == (1, len(over.history), 1090, None)
    won = {seat: "won" if seat in over.winners else "lost" for seat in (1, 2)}
    assert (mine.outcome, theirs.outcome) == (won[1], won[2])
    assert mine.how == theirs.how != ""
    assert says(fill(), "no matches", "1", "can't be read")
    assert len(history("anna")) == 2
