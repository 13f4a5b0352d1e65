"""Upgrade of ratings: opponents are counted from the stored results."""

import asyncio
import sqlite3
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.ext.asyncio import create_async_engine

from sparring.store.migrations import HERE, migrate
from web.postgres import postgres, postgres_server

pytestmark = pytest.mark.postgres

__all__ = ["postgres", "postgres_server"]

#: Anna met six others, Bert only her; Cleo met as many as Anna, but her rating is uncertain.
SIX = [f"P{number}" for number in range(6)]
MET = [*(("Anna", other) for other in SIX), *(("Cleo", other) for other in SIX), ("Bert", "Anna")]
RATED = {"Anna": 2.0, "Bert": 2.0, "Cleo": 7.0}

TABLE = """
    insert into tables (id, game, game_version, options, seed, choices, versions, edition, over, created, changed,
        terms, since, clocks, ended, spent, hints, public, standing, attended)
    values (:id, 'hush', 1, '{}', 1, :none, :none, 1, true, 5, 5, '{}', 0, '{}', '{}', :none, '{}', false, '{}', 0)
"""
RESULT = """
    insert into results ("table", seat, player, game, variant, ended, seconds, choices, outcome, mu, sigma)
    values (:table, :seat, :player, 'hush', 'v', 5, 5, 30, 1, :mu, :mu)
"""


def older(connection: Connection) -> None:
    """Create a database of the previous version with rated matches."""
    config = Config()
    config.set_main_option("script_location", str(HERE))
    config.attributes["connection"] = connection
    command.upgrade(config, "0019")
    connection.execute(text("insert into variants (id, game, options) values ('v', 'hush', '{}')"))
    for player, sigma in RATED.items():
        columns, values = (
            "variant, player, mu, sigma, sure, matches, won, last",
            f"'v', '{player}', 30, {sigma}, 20, 9, 5, 7",
        )
        connection.execute(text(f"insert into ratings ({columns}) values ({values})"))
    for number, players in enumerate([*MET, MET[0], ("Anna", "Casual")]):
        connection.execute(text(TABLE), {"id": f"t{number}", "none": b""})
        for seat, player in enumerate(players, 1):
            mu = None if "Casual" in players else 25.0
            connection.execute(text(RESULT), {"table": f"t{number}", "seat": seat, "player": player, "mu": mu})


def counted(connection: Connection) -> None:
    """Upgrade the database and return the counts."""
    older(connection)
    migrate(connection)
    found = connection.execute(text("select player, opponents, established from ratings order by player")).all()
    assert [tuple(row) for row in found] == [("Anna", 7, True), ("Bert", 1, False), ("Cleo", 6, False)]
    met = connection.execute(text("select opponent from opponents where player = 'Anna' order by opponent")).scalars()
    assert list(met) == ["Bert", *SIX]


def test_opponents_are_counted_and_certain_ratings_are_established(tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite3"
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        counted(connection)
    engine.dispose()
    with sqlite3.connect(file) as database:  # SQLite stores any type in any column
        kinds = database.execute("select distinct typeof(opponents), typeof(established) from ratings").fetchall()
    database.close()
    assert kinds == [("integer", "integer")]


@pytest.mark.postgres
def test_opponents_are_counted_in_postgresql_too(postgres: str) -> None:
    async def upgrade() -> None:
        engine = create_async_engine(postgres)
        async with engine.begin() as connection:
            await connection.run_sync(counted)
        await engine.dispose()

    asyncio.run(upgrade())


def test_the_migration_can_be_reverted(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'tables.sqlite3'}")
    with engine.begin() as connection:
        older(connection)
        before = connection.execute(text("select * from ratings order by player")).all()
        migrate(connection)
        config = Config()
        config.set_main_option("script_location", str(HERE))
        config.attributes["connection"] = connection
        command.downgrade(config, "0019")
        assert connection.execute(text("select * from ratings order by player")).all() == before
    engine.dispose()
