"""Persistence: choices are stored before they are acknowledged, tables survive restarts, and take little space."""

import asyncio
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, create_engine, inspect, text

from sparring.settings import FolderUnavailable, Settings
from sparring.store.database import LIMITS, Database
from sparring.store.group_commit import StaleWrite, StoreError
from sparring.store.migrations import migrate, newest, revision_of
from web.app_server import StartServer
from web.storage.schema_check import check_migrations_produce_the_current_schema
from web.upgrades.samples import unpacked


def test_a_table_survives_a_restart(start_server: StartServer) -> None:
    server = start_server(friends="http://table.example")
    table = server.table("Anna", "Ben")
    anna = server.person("Anna")
    anna.choose(table, anna.look(table)["choices"][0]["choice"])
    anna.choose(table, anna.look(table)["choices"][0]["choice"])
    anna.take_back(table)
    seen = [server.person(who).look(table) for who in ("Anna", "Ben", "")], anna.page(table)
    server.close()

    server = start_server(friends="http://table.example")
    anna = server.person("Anna")
    assert ([server.person(who).look(table) for who in ("Anna", "Ben", "")], anna.page(table)) == seen
    assert anna.take_back(table).status_code == 200
    assert len(anna.look(table)["choices"]) == 5


def test_bots_continue_after_a_restart(start_server: StartServer) -> None:
    server = start_server()
    server.bots.may_choose.clear()
    table = server.table("bot", "bot")
    server.close()

    server = start_server()
    for _ in range(200):
        if server.stranger().look(table)["over"]:
            break
        server.run(asyncio.sleep(0.01))
    assert server.stranger().look(table)["over"]


def test_an_unviewed_table_is_evicted_and_reloaded(start_server: StartServer) -> None:
    server = start_server(patience=0.01)
    table = server.table("Anna", "Ben")
    anna = server.person("Anna")
    anna.choose(table, "done")
    seen = anna.look(table)
    before = server.run(server.tables.registry.get(table))
    for _ in range(200):
        if before.cleared:
            break
        server.run(asyncio.sleep(0.01))
    assert before.cleared
    assert anna.look(table) == seen
    assert server.run(server.tables.registry.get(table)) is not before


def test_two_servers_on_one_database_do_not_overwrite_each_other(start_server: StartServer) -> None:
    one, other = start_server(), start_server()
    table = one.table("Anna", "Ben")
    assert other.person("Anna").version(table) == 1
    assert one.person("Anna").choose(table, "done", 1).status_code == 200
    refused = other.person("Anna").choose(table, "done", 1)
    assert refused.status_code == 409
    assert other.person("Anna").look(table) == one.person("Anna").look(table)


def test_a_table_of_another_game_version_is_refused(start_server: StartServer, tmp_path: Path) -> None:
    server = start_server()
    table = server.table("Anna", "Ben")
    server.close()
    with sqlite3.connect(tmp_path / "tables.sqlite3") as database:
        database.execute("update tables set game_version = 9")
    database.close()
    response = start_server().person("Anna").get(f"/table/{table}")
    assert response.status_code == 410
    assert "This table needs version 9 of Hush, but this server has version 1." in response.text


def test_failed_writes_are_not_shown(start_server: StartServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server = start_server()
    table = server.table("Anna", "Ben")
    anna, ben = server.person("Anna"), server.person("Ben")
    before = anna.look(table), ben.look(table)
    published, while_writing = server.run(server.tables.registry.get(table)).transitions, list[int]()

    async def full(*_: object, **__: object) -> None:
        while_writing.append(len(published))
        raise OSError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(server.tables.store, "write", full)
        response = anna.choose(table, "done", 1)
    assert (response.status_code, response.json()["accepted"], while_writing) == (500, False, [0])
    assert "disk" not in response.text
    assert (anna.look(table), ben.look(table)) == before
    assert anna.choose(table, "done", 1).status_code == 200
    assert len(server.run(server.tables.registry.get(table)).match.history) == 1


def test_writes_of_an_older_edition_are_stale(start_server: StartServer) -> None:
    server = start_server()
    table = server.table("Anna", "Ben")
    with pytest.raises(StaleWrite):
        server.run(server.tables.store.write(table, 5, over=True))


def test_an_unopenable_database_gets_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(StoreError, match="can't be opened"):
        _open(Database(f"sqlite+aiosqlite:///{tmp_path / 'folder'}"))
    for address in ("nonsense", "postgresql+psycopg://sparring@localhost/sparring", "mysql://localhost/sparring"):
        with pytest.raises(StoreError, match="can't be used"):
            Database(address)


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+asyncpg"])
def test_every_address_of_postgresql_gets_the_same_driver_and_limits(scheme: str) -> None:
    database = Database(f"{scheme}://sparring@localhost/sparring", limited=True)
    assert (database.engine.url.drivername, database.limits) == ("postgresql+asyncpg", LIMITS)


def _open(store: Database) -> None:
    async def opened() -> None:
        known = set(threading.enumerate())
        try:
            await store.open()
            await store.close()
        finally:
            for thread in set(threading.enumerate()) - known:  # the database's thread, which calls this loop once more
                await asyncio.to_thread(thread.join, 10)

    asyncio.run(opened())


LONG = text("with recursive n(x) as (select 1 union all select x + 1 from n where x < 2000000) select count(*) from n")


def test_a_cancelled_query_leaves_no_open_connection(tmp_path: Path) -> None:
    """A stopping server cancels pending queries; the database must not call a closed event loop."""
    store, known = Database(f"sqlite+aiosqlite:///{tmp_path / 'tables.sqlite3'}"), set(threading.enumerate())

    async def ask() -> None:
        async with store.reading() as session:
            await session.execute(LONG)

    async def live() -> set[threading.Thread]:
        known.add(threading.current_thread())
        await store.open()
        asking = asyncio.create_task(ask())
        await asyncio.sleep(0.05)
        assert not asking.done()
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        await store.close()
        return set(threading.enumerate()) - known

    assert asyncio.run(live()) == set()


def test_a_database_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    store = Database(f"sqlite+aiosqlite:///{tmp_path / 'tables.sqlite3'}")
    _open(store)
    with sqlite3.connect(tmp_path / "tables.sqlite3") as database:
        database.execute("update alembic_version set version_num = '9999'")
    database.close()
    with pytest.raises(StoreError, match="newer version"):
        _open(store)


def test_a_file_that_is_not_a_database_gets_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "tables.sqlite3").write_text("no database, " * 100)
    with pytest.raises(StoreError, match="can't be opened: file is not a database"):
        _open(Database(f"sqlite+aiosqlite:///{tmp_path / 'tables.sqlite3'}"))


def test_default_settings_store_everything_in_one_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARRING_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("SPARRING_DATABASE", raising=False)
    usual = Settings.load(port=9000)
    assert (usual.port, usual.database) == (9000, f"sqlite+aiosqlite:///{tmp_path / 'data' / 'tables.sqlite3'}")
    assert Settings.load().secret == usual.secret


def test_an_unwritable_folder_gets_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FolderUnavailable, match="Can't use the data folder"):
        Settings.load(tmp_path / "file")


@pytest.mark.parametrize("stage", ["schema-0001", "schema-0016", "schema-0021"])
def test_an_older_database_gets_the_schema_of_a_new_one(tmp_path: Path, stage: str) -> None:
    """Old tables keep their rows, and get all columns, indexes and keys that a new database has."""
    (tmp_path / "old.sqlite3").write_bytes(unpacked(stage, "sqlite"))
    schemas, rows = [], []
    for file in (tmp_path / "old.sqlite3", tmp_path / "new.sqlite3"):
        engine = create_engine(f"sqlite:///{file}")
        with engine.begin() as connection:
            before = _ids(connection) if "tables" in inspect(connection).get_table_names() else []
            migrate(connection)
            schemas.append(_schema_of(connection))
            assert _ids(connection) == before
            rows.append(len(before))
            assert revision_of(connection) == newest()
        engine.dispose()
    assert schemas[0] == schemas[1]
    assert rows[0] > rows[1] == 0


def _ids(connection: Connection) -> list[str]:
    return list(connection.execute(text("select id from tables order by id")).scalars())


def _schema_of(connection: Connection) -> dict[str, Any]:
    database = inspect(connection)
    return {
        table: (
            sorted((column["name"], str(column["type"]), column["nullable"]) for column in database.get_columns(table)),
            sorted((index["name"] or "", index["column_names"]) for index in database.get_indexes(table)),
            sorted(
                (key["constrained_columns"], key["referred_table"], key["options"])
                for key in database.get_foreign_keys(table)
            ),
        )
        for table in database.get_table_names()
    }


def test_migrations_produce_the_current_schema(start_server: StartServer) -> None:
    check_migrations_produce_the_current_schema(start_server)
