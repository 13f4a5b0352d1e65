"""Upgrade and backup of friends, notifications, e-mail addresses, streaks and proposals: no row is lost."""

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from sqlalchemy import Connection, MetaData, create_engine, insert, select
from sqlalchemy.ext.asyncio import create_async_engine

from sparring.store.backup import back_up, restore
from sparring.store.database import Database
from sparring.store.migrations import migrate
from sparring.tables.state.clock_state import ClockState, Proposal
from web.postgres import postgres, postgres_server
from web.upgrades.steps import add_rows, config_of, renamed

__all__ = ["postgres", "postgres_server"]

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
            {"id": "3", "person": "a", "other": None, "name": "no one", "state": "asked", "made": 8},
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
    rows_of = renamed(expected()) if "chat_lines" in schema.tables else expected()
    wanted = {name: rows[0] for name, rows in rows_of.items()}
    return {
        name: [{column: row._mapping[column] for column in columns}
               for row in connection.execute(select(schema.tables[name]).order_by(*schema.tables[name].primary_key))]
        for name, columns in wanted.items() if name in schema.tables
    }  # fmt: skip


def expected() -> dict[str, list[dict[str, Any]]]:
    return {name: rows for tables in ROWS.values() for name, rows in tables.items()}


def upgrade_step_by_step(connection: Connection) -> None:
    """Migrate to each version in turn, and add the rows that it allows."""
    for revision, tables in ROWS.items():
        command.upgrade(config_of(connection), revision)
        if revision == "0023":
            add_account(connection)
        add_rows(connection, tables)
    migrate(connection)
    assert stored(connection) == renamed(expected())


def test_all_rows_are_kept(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'tables.sqlite3'}")
    with engine.begin() as connection:
        upgrade_step_by_step(connection)
    engine.dispose()


@pytest.mark.postgres
def test_all_rows_are_kept_in_postgresql_too(postgres: str) -> None:
    asyncio.run(run_in(postgres, upgrade_step_by_step))


async def run_in(database: str, work: Callable[[Connection], object]) -> None:
    engine = create_async_engine(database)
    async with engine.begin() as connection:
        await connection.run_sync(work)
    await engine.dispose()


def test_each_migration_can_be_reverted(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'tables.sqlite3'}")
    with engine.begin() as connection:
        upgrade_step_by_step(connection)
        for revision in ("0026", "0024", "0023"):
            command.downgrade(config_of(connection), revision)
            left = {name for version, tables in ROWS.items() if version <= revision for name in tables}
            assert stored(connection) == {name: rows for name, rows in expected().items() if name in left}
    engine.dispose()


def test_a_proposal_of_an_earlier_version_is_read() -> None:
    state = ClockState.read(CLOCKS, 5, None)
    assert state.proposal == Proposal("take-back", 1, (2,))
    assert state.in_vain == {"draw 1": 2}


def test_a_backup_has_all_rows(tmp_path: Path) -> None:
    old, fresh, file = tmp_path / "old.sqlite3", tmp_path / "fresh.sqlite3", tmp_path / "backup"
    engine = create_engine(f"sqlite:///{old}")
    with engine.begin() as connection:
        upgrade_step_by_step(connection)
    engine.dispose()

    async def copy() -> None:
        store = Database(f"sqlite+aiosqlite:///{old}")
        await back_up(store, file, [])
        await store.close()
        await restore(f"sqlite+aiosqlite:///{fresh}", file, lambda secrets: None)

    asyncio.run(copy())
    engine = create_engine(f"sqlite:///{fresh}")
    with engine.begin() as connection:
        assert stored(connection) == renamed(expected())
    engine.dispose()
    with sqlite3.connect(old) as before, sqlite3.connect(fresh) as after:
        count = "select count(*) from accounts"
        assert before.execute(count).fetchone() == after.execute(count).fetchone() == (1,)
    before.close()
    after.close()
