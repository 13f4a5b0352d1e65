"""Upgrades: databases and records of earlier servers work with today's server."""

import asyncio
import contextlib
import json
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Column, Float, LargeBinary, String, text
from sqlalchemy.ext.asyncio import create_async_engine

from sparring.engine.match import Match
from sparring.people.identity import IdentityCookie
from sparring.settings import DAY
from sparring.store.backup import back_up, restore
from sparring.store.database import Database
from sparring.store.person import Person
from sparring.store.schema import Base
from sparring.tables.state.changes import SavedChoices
from sparring.tables.state.clock_record import export, read
from web.app_server import AppServer, Client, StartServer, settings
from web.postgres import Postgres
from web.postgres_servers import new_database
from web.upgrades.samples import GAMES, HERE, PASSWORD, load, unpacked
from web.upgrades.steps import renamed

pytestmark = pytest.mark.postgres

#: In order; each stage's server started on the database of the previous one.
STAGES = ("schema-0001", "schema-0016", "schema-0021")
RECORDS = sorted(file for stage in STAGES for file in (HERE / stage).glob("*-*.json"))
#: What servers store for themselves.
FLEETING = {
    "alembic_version",
    "rate_limits",
    "process_reports",
    "processes",
    "job_states",
    "heartbeats",
    "notices",
    "servers",
}

Rows = dict[str, list[dict[str, Any]]]


class EarlierDatabase:
    """A database of an earlier stage."""

    def __init__(self, kind: str, stage: str, folder: Path, postgres: Postgres | None) -> None:
        self.postgres, self.name, self.file = postgres, stage, folder / "tables.sqlite3"
        if postgres:
            self.url = asyncio.run(new_database(postgres, stage))
            asyncio.run(load(self.url, unpacked(stage, kind).decode()))
        else:
            self.url = f"sqlite+aiosqlite:///{self.file}"
            self.file.write_bytes(unpacked(stage, kind))

    def rows(self) -> Rows:
        """Return all rows as the database gives them, without SQLAlchemy."""
        return asyncio.run(rows_of(self.url)) if self.postgres else rows_in(self.file)


async def rows_of(database: str) -> Rows:
    engine = create_async_engine(database)
    async with engine.connect() as connection:
        tables = await connection.scalars(text("select tablename from pg_tables where schemaname = 'public'"))
        found = {table: await connection.execute(text(f'select * from "{table}"')) for table in tables}
    await engine.dispose()
    return {table: [dict(row._mapping) for row in rows] for table, rows in found.items()}


def rows_in(file: Path) -> Rows:
    with contextlib.closing(sqlite3.connect(file)) as database:
        database.row_factory = sqlite3.Row
        tables = [name for (name,) in database.execute("select name from sqlite_master where type = 'table'")]
        return {table: [dict(row) for row in database.execute(f'select * from "{table}"')] for table in tables}


@dataclass(frozen=True)
class Upgraded:
    """A database before and after today's server opened it, that server, and what the earlier one showed.

    The rows before are under today's names of tables and columns.
    """

    database: EarlierDatabase
    before: Rows
    after: Rows
    backup: Path
    server: AppServer
    seen: dict[str, dict[str, Any]]

    def client(self, table: str, name: str) -> Client:
        """Return the person of this name at a table, with the cookie that the server would give them."""
        (person,) = (row["person"] for row in self.after["seats"] if (row["table"], row["name"]) == (table, name))
        return self.person(person, name)

    def person(self, person: str, name: str) -> Client:
        known = any(row["person"] == person for row in self.after["accounts"])
        since = int(time.time()) - DAY
        guest = Person(person, name)
        who = replace(guest, epoch=1, since=since, session=name) if known else guest
        return Client(self.server, IdentityCookie(self.server.settings.secret).write(who).value or "")

    def made(self, table: str) -> list[int]:
        """Return the choices of a match, from a record that is written and read back."""
        return Match.from_record(export(self.server.run(self.server.tables.registry.get(table)))).history


@pytest.fixture(
    scope="module",
    params=[
        *(pytest.param(("sqlite", stage), id=f"sqlite-{stage}") for stage in STAGES),
        *(pytest.param(("postgres", stage), id=f"postgres-{stage}", marks=pytest.mark.postgres) for stage in STAGES),
    ],
)
def upgraded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Upgraded]:
    """Each stage in each kind of database, opened by today's server."""
    kind, stage = request.param
    folder = tmp_path_factory.mktemp(stage)
    database = EarlierDatabase(
        kind, stage, folder, request.getfixturevalue("postgres_server") if kind == "postgres" else None
    )
    before = renamed(database.rows())
    asyncio.run(upgrade(database.url, folder / "backup"))
    after = database.rows()
    # These tables are as old as the samples: deletion after a year must not affect them.
    server = AppServer(settings(folder, database=database.url, keep_unused=100_000, keep_days=100_000))
    seen: dict[str, dict[str, Any]] = {}
    for each in STAGES[: STAGES.index(stage) + 1]:
        found = json.loads((HERE / each / "seen.json").read_text("utf-8"))[kind]
        seen |= {one["table"]: {"what": f"{each}: {what}", **one["looks"]} for what, one in found.items()}
    yield Upgraded(database, before, after, folder / "backup", server, seen)
    server.close()


async def upgrade(database: str, backup: Path) -> None:
    """Migrate a database to today's schema, and back it up."""
    store = Database(database)
    await store.open()
    await back_up(store, backup, ["known"])
    await store.close()


def test_no_data_is_lost_or_changed(upgraded: Upgraded) -> None:
    def stays(row: dict[str, Any]) -> dict[str, Any]:
        times = {"thinking_times": row["thinking_times"] or b""} if "thinking_times" in row else {}  # was an empty text
        options = {"options": ""} if "content" in row else {}  # `test_all_options.py` says what is added to them
        return {**row, **times, **options}

    for table, rows in upgraded.before.items():
        if table not in FLEETING:
            columns = [name for name in rows[0] if (table, name) != ("tables", "owner")] if rows else []
            left = [row for row in rows if table not in ("tokens", "push_devices") or not of_a_guest(upgraded, row)]
            before, after = [
                sorted(repr(stays({name: row[name] for name in columns})) for row in each)
                for each in (left, upgraded.after[table])
            ]
            assert before == after, table


def test_the_server_ran_on_days_on_which_tables_changed(upgraded: Upgraded) -> None:
    days = {row[name] // DAY for row in upgraded.after["tables"] for name in ("created", "changed")}
    assert {row["day"] for row in upgraded.after["server_days"]} == days


def of_a_guest(upgraded: Upgraded, row: dict[str, Any]) -> bool:
    """Return whether a guest made a token or a push subscription that acted as an account: the upgrade ends it."""
    account = next((each for each in upgraded.before["accounts"] if each["person"] == row["person"]), None)
    return account is not None and (
        row["created"] <= account["created"] or row.get("owner", account["name"]) != account["name"]
    )


def test_every_value_has_its_columns_type(upgraded: Upgraded) -> None:
    """SQLite stores whatever it is given, even by a migration's default."""
    wrong = [
        f"{table.name}.{column.name}: {row[column.name]!r}"
        for table in Base.metadata.sorted_tables
        for column in table.columns
        for row in upgraded.after[table.name]
        if not isinstance(row[column.name], python_type(column)) and not (column.nullable and row[column.name] is None)
    ]
    assert not wrong


def python_type(column: Column[Any]) -> type:
    """Return the Python type of a column's values."""
    known = {LargeBinary: bytes, String: str, Float: float}
    return next((python for kind, python in known.items() if isinstance(column.type, kind)), int)


def test_every_table_shows_what_it_showed_before(upgraded: Upgraded) -> None:
    wrong = []
    for table, seen in upgraded.seen.items():
        for name in ("Anna", "Ben"):
            client = upgraded.client(table, name) if seen[name]["seat"] else upgraded.server.stranger()
            answer = client.get(f"/api/table/{table}")
            look = answer.json()
            found = answer.status_code == 200 and {
                "seat": look["seat"], "over": look["over"], "choices": sorted(one["choice"] for one in look["choices"]),
            }  # fmt: skip
            if found != seen[name] and (answer.status_code != 200 or not seen["what"].endswith("bots")):  # they play on
                wrong.append(f"{seen['what']}, {name}: {answer.text[:200]}")
    assert not wrong
    assert {
        upgraded.server.run(upgraded.server.tables.registry.get(table)).match.game.name for table in upgraded.seen
    } == set(GAMES)


def test_every_table_and_replay_has_its_page(upgraded: Upgraded) -> None:
    """If there is only one choice, the page makes it."""
    wrong = []
    for table, seen in upgraded.seen.items():
        anna = upgraded.client(table, "Anna")
        pages = {page: anna.get(f"/table/{table}{page}").status_code for page in ("", "/text", "/replay")}
        if set(pages.values()) != {200}:
            wrong.append(f"{seen['what']}: {pages}")
    assert not wrong


def test_every_match_is_exported_and_replayed(upgraded: Upgraded) -> None:
    stored = {row["id"]: row for row in upgraded.after["tables"]}
    for table, seen in upgraded.seen.items():
        choices = SavedChoices.read(stored[table]["choices"]).actions
        assert upgraded.made(table)[: len(choices)] == choices, seen["what"]
        if seen["Anna"]["over"]:
            record = upgraded.server.stranger().get(f"/table/{table}/record").raise_for_status().text
            assert Match.from_record(record).over, seen["what"]
            assert (
                read(record).spent
                == read(export(upgraded.server.run(upgraded.server.tables.registry.get(table)))).spent
            )


def test_personal_data_is_kept(upgraded: Upgraded) -> None:
    server = upgraded.server
    for row in upgraded.after["accounts"]:
        browser = server.stranger()
        login = {"login": row["login"], "password": PASSWORD}
        assert browser.post("/sign-in", data=login).status_code == 303, row["login"]
        assert row["name"] in browser.get("/me").text
        for page in ("/me/data", "/me/matches", "/me/tokens", "/records", "/studio", "/leaderboard", "/tables"):
            assert browser.get(page).status_code == 200, page
    for row in upgraded.after["sets"]:
        owner = upgraded.person(row["person"], "Anna")
        assert row["name"] in owner.get(f"/studio/{row['id']}").raise_for_status().text
    for row in upgraded.after["records"]:
        assert server.stranger().get(f"/records/{row['id']}/replay").status_code == 200
    for row in upgraded.after["chat_lines"]:
        assert upgraded.client(row["table"], row["name"]).get(f"/table/{row['table']}/chat").status_code == 200


def test_the_chat_goes_on_after_its_newest_line(upgraded: Upgraded) -> None:
    newest = {row["id"]: 0 for row in upgraded.after["tables"]}
    for line in upgraded.after["chat_lines"]:
        newest[line["table"]] = max(newest[line["table"]], line["chat_version"])
    assert {row["id"]: row["chat_version"] for row in upgraded.after["tables"]} == newest


def test_an_upgraded_database_is_restored_from_a_backup(upgraded: Upgraded, tmp_path: Path) -> None:
    fresh = tmp_path / "fresh.sqlite3"
    asyncio.run(restore(f"sqlite+aiosqlite:///{fresh}", upgraded.backup, lambda _: None))
    assert plain(rows_in(fresh)) == plain(upgraded.after)
    if postgres := upgraded.database.postgres:
        other = asyncio.run(new_database(postgres, f"{upgraded.database.name}-restored"))
        asyncio.run(restore(other, upgraded.backup, lambda _: None))
        assert plain(asyncio.run(rows_of(other))) == plain(upgraded.after)


def plain(rows: Rows) -> dict[str, list[str]]:
    """Return rows in one order and form, for any database."""
    return {table: sorted(str(sorted(map(same, row.items()))) for row in found) for table, found in rows.items()}


def same(value: tuple[str, Any]) -> tuple[str, Any]:
    """Return a value of a row as SQLite returns it, without booleans."""
    name, found = value
    return name, int(found) if isinstance(found, bool) else found


def test_every_match_can_be_continued(upgraded: Upgraded) -> None:
    """This is the last test of each database, since it changes it."""
    played = set[str]()
    for table, seen in upgraded.seen.items():
        people = [upgraded.client(table, name) for name in ("Anna", "Ben") if seen[name]["seat"]]
        before = upgraded.made(table)
        for _ in range(3):
            if person := asked(people, table):
                choice = person.look(table)["choices"][0]["choice"]
                assert person.choose(table, choice).status_code == 200, seen["what"]
        now = upgraded.made(table)
        assert now[: len(before)] == before, seen["what"]
        if len(now) == len(before):
            assert seen["Anna"]["over"] or seen["what"].endswith("waiting"), seen["what"]
        else:
            played.add(upgraded.server.run(upgraded.server.tables.registry.get(table)).match.game.name)
            assert upgraded.server.stranger().get(f"/table/{table}/replay").status_code == 200
    assert played == set(GAMES)


def asked(people: list[Client], table: str) -> Client | None:
    """Return the client of the player to move; wait for a bot's choice."""
    for _ in range(100):
        looks = [person.look(table) for person in people]
        for person, look in zip(people, looks, strict=True):
            if look["is_turn"]:
                return person
        if looks[0]["over"] or not any(seat["kind"] == "bot" for seat in looks[0]["seats"]):
            return None
        time.sleep(0.1)
    return None


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_records_of_earlier_servers_are_replayed(file: Path, server: AppServer) -> None:
    record = file.read_text("utf-8")
    match = Match.from_record(record)
    assert match.over
    assert match.history == json.loads(record)["choices"]
    brought = server.person(file.parent.name).post("/records", files={"record": (file.name, record.encode())})
    assert brought.status_code == 303, brought.text
    assert server.stranger().get(brought.headers["Location"]).status_code == 200


def test_samples_cover_all_games_and_stages() -> None:
    assert {(file.parent.name, json.loads(file.read_text("utf-8"))["game"]) for file in RECORDS} == {
        (stage, game) for stage in STAGES for game in GAMES
    }


def test_tables_with_unsupported_options_are_reported_and_kept(start_server: StartServer) -> None:
    """MACE once allowed a quiet Round limit of a million; now it is at most 300."""
    server = start_server()
    table = server.table("Anna", "Ben", name="mace")
    options = json.dumps({"stall_rounds": 1000})
    server.run(server.tables.store.write(table, 0, options=options))
    server.reload(table)
    answer = server.person("Anna").get(f"/api/table/{table}")
    assert answer.status_code == 410
    assert answer.json()["reason"] == (
        "This server can't read the rules that this table was created with: "
        "stall_rounds must be a whole number from 1 to 300, not 1000."
    )
    row = server.run(server.tables.store.load(table))
    assert row is not None
    assert row.options == options
