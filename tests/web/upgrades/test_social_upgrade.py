"""Upgrade of friends, notifications, e-mail addresses, streaks, proposals and ratings: no row is lost."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from sqlalchemy import Connection, MetaData, create_engine, insert, select, text
from sqlalchemy.ext.asyncio import create_async_engine

from sparring.store.migrations import migrate
from sparring.tables.state.clock_state import ClockState, Proposal
from web.postgres import Postgres
from web.postgres_servers import new_database
from web.upgrades.steps import add_rows, config_of, renamed

#: A proposal as earlier versions stored it: without an id.
CLOCKS = '{"proposal":{"what":"take-back","by":1,"agreed":[2]},"in_vain":{"draw 1":2}}'
TABLE = {
    "id": "t", "game": "hush", "game_version": 1, "options": "{}", "seed": 1, "choices": b"", "versions": b"",
    "edition": 1, "over": False, "created": 5, "changed": 5, "terms": "{}", "since": 0, "clocks": CLOCKS, "ended": "{}",
    "spent": b"", "hints": "{}", "public": False, "standing": "{}", "attended": 0,
}  # fmt: skip
ACCOUNT = {"name": "Anna", "login": "anna", "folded": "anna", "epoch": 1, "created": 5}
#: The rows that a database can have from each migration on.
ROWS: dict[str, dict[str, list[dict[str, Any]]]] = {
    "0023": {"tables": [TABLE]},
    "0024": {
        "addresses": [{"person": "a", "address": "a@b.example", "folded": "a@b.example", "pending": None, "stop": "s"}],
        "mail_tokens": [
            {"digest": "d", "person": "a", "purpose": "reset", "address": "a@b.example", "until": 1 << 40}
        ],
        "notification_choices": [{"person": "a", "kind": "turn", "way": "mail"}],
        "push_devices": [
            {"id": "p", "person": "a", "label": "Phone", "endpoint": "https://push.example/1", "p256dh": "k",
             "auth": "x", "created": 1 << 40}
        ],
        "push_key": [{"id": 1, "key": "secret"}],
        "outbox": [
            {"number": 1, "kind": "turn", "way": "mail", "person": "a", "table": "t", "text": "", "due": 1 << 40,
             "failures": 1}
        ],
    },
    "0026": {
        "friendships": [
            {"id": "1", "person": "a", "other": "b", "name": "Ben", "state": "friend", "made": 7},
            {"id": "2", "person": "b", "other": "a", "name": "Anna", "state": "friend", "made": 7},
            {"id": "3", "person": "a", "other": None, "name": "no one", "state": "declined", "made": 8},
        ],
        "challenges": [{"id": "c", "person": "a", "other": "b", "table": "t", "declined": False, "made": 9}],
        "sightings": [{"person": "a", "seen": 1 << 40, "hidden": True}],
    },
    "0028": {"streaks": [{"person": "a", "game": "mace", "longest": 4}]},
}  # fmt: skip


def add_account(connection: Connection) -> None:
    """Add the account that addresses refer to, with a value for each column that needs one."""
    schema = MetaData()
    schema.reflect(connection)
    accounts = schema.tables["accounts"]
    needed = {column.name: ACCOUNT.get(column.name, 1) for column in accounts.columns if not column.nullable}
    connection.execute(insert(accounts).values({**needed, "person": "a"}))


def stored(connection: Connection) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of the tables in `ROWS`, with their columns."""
    schema = MetaData()
    schema.reflect(connection)
    return {
        name: [{column: row._mapping[column] for column in rows[0]}
               for row in connection.execute(select(schema.tables[name]).order_by(*schema.tables[name].primary_key))]
        for name, rows in expected().items()
    }  # fmt: skip


def expected() -> dict[str, list[dict[str, Any]]]:
    """Return these rows under today's names."""
    return renamed({name: rows for tables in ROWS.values() for name, rows in tables.items()})


def upgrade_step_by_step(connection: Connection) -> None:
    """Migrate to each version in turn, and add the rows that it allows."""
    for revision, tables in ROWS.items():
        command.upgrade(config_of(connection), revision)
        if revision == "0023":
            add_account(connection)
        add_rows(connection, tables)
    migrate(connection)
    assert stored(connection) == expected()


#: Anna met six others, Bert only her; Cleo met as many as Anna, but her rating is uncertain.
SIX = [f"P{number}" for number in range(6)]
MET = [*(("Anna", other) for other in SIX), *(("Cleo", other) for other in SIX), ("Bert", "Anna")]
RATED = {"Anna": 2.0, "Bert": 2.0, "Cleo": 7.0}
RATING = {"variant": "v", "mu": 30, "sure": 20, "matches": 9, "won": 5, "last": 7}
RESULT = {"game": "hush", "variant": "v", "ended": 5, "seconds": 5, "choices": 30, "outcome": 1}


def count_opponents(connection: Connection) -> None:
    """Upgrade a database with rated matches: opponents are counted, and certain ratings established."""
    matches = list(enumerate([*MET, MET[0], ("Anna", "Casual")]))
    results = [
        {**RESULT, "table": f"t{number}", "seat": seat, "player": player, "mu": mu, "sigma": mu}
        for number, players in matches
        for mu in [None if "Casual" in players else 25.0]
        for seat, player in enumerate(players, 1)
    ]
    command.upgrade(config_of(connection), "0019")
    add_rows(connection, {
        "variants": [{"id": "v", "game": "hush", "options": "{}"}],
        "ratings": [{**RATING, "player": player, "sigma": sigma} for player, sigma in RATED.items()],
        "tables": [{**TABLE, "id": f"t{number}"} for number, _ in matches],
        "results": results,
    })  # fmt: skip
    migrate(connection)
    found = connection.execute(text("select player, opponents, established from ratings order by player")).all()
    assert [tuple(row) for row in found] == [("Anna", 7, True), ("Bert", 1, False), ("Cleo", 6, False)]
    met = connection.execute(text("select opponent from opponents where player = 'Anna' order by opponent")).scalars()
    assert list(met) == ["Bert", *SIX]


def rename_and_back(connection: Connection) -> None:
    """Rename pending requests, and chat in settings and scopes; a downgrade gives the old names back."""
    settings = '{"rated":true,"talk":"free","watchers_talk":true}'
    rows = {
        "tables": [{**TABLE, "terms": settings}],
        "half_invitations": [
            {"id": "h", "game": "hush", "person": "a", "name": "Anna", "options": "{}", "terms": settings, "toml": "",
             "made": 7}
        ],
        "tokens": [
            {"id": "k", "digest": "d", "person": "a", "owner": "Anna", "name": "Robot", "scopes": "look talk",
             "created": 7, "used": 0}
        ],
        "friendships": [{"id": "1", "person": "a", "other": "b", "name": "Ben", "state": "asked", "made": 7}],
    }  # fmt: skip
    changed = {"tables": "settings", "half_invitations": "settings", "tokens": "scopes", "friendships": "state"}

    def found() -> list[str]:
        return [connection.scalar(text(f"select {column} from {table}")) for table, column in changed.items()]

    command.upgrade(config_of(connection), "0054")
    add_rows(connection, renamed(rows))
    before = found()
    migrate(connection)
    now = '{"rated":true,"chat":"free","spectators_chat":true}'
    assert found() == [now, now, "look chat", "pending"]
    command.downgrade(config_of(connection), "0054")
    assert found() == before


UPGRADES = [upgrade_step_by_step, count_opponents, rename_and_back]


@pytest.mark.parametrize("upgrade", UPGRADES)
def test_upgrades(tmp_path: Path, upgrade: Callable[[Connection], None]) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'tables.sqlite3'}")
    with engine.begin() as connection:
        upgrade(connection)
    engine.dispose()


@pytest.mark.parametrize("upgrade", UPGRADES)
def test_upgrades_in_postgresql(postgres_server: Postgres, upgrade: Callable[[Connection], None]) -> None:
    async def run() -> None:
        engine = create_async_engine(await new_database(postgres_server, upgrade.__name__))
        async with engine.begin() as connection:
            await connection.run_sync(upgrade)
        await engine.dispose()

    asyncio.run(run())


def test_a_proposal_of_an_earlier_version_is_read() -> None:
    state = ClockState.read(CLOCKS, 5, None)
    assert state.proposal == Proposal("take-back", 1, (2,))
    assert state.in_vain == {"draw 1": 2}
