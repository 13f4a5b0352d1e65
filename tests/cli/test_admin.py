"""Operator commands: tables, records, pruning, backups, keys and bans."""

import asyncio
import json
import time
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import update
from typer.testing import CliRunner

from sparring import Match
from sparring.cli import app, main
from sparring.engine.game import game
from sparring.web.monitoring.metrics import ProcessReport
from sparring.web.settings import Settings, read_secrets
from sparring.web.storage import Database, ProcessReportStore
from sparring.web.storage.schema import TableRow
from sparring.web.tables.seats.players import Player
from sparring.web.tables.tables import Tables
from web.app_server import RandomBots
from wording import says


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder for this test."""
    monkeypatch.setenv("SPARRING_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("SPARRING_DATABASE", raising=False)
    return tmp_path / "data"


def run(*words: str) -> str:
    result = CliRunner().invoke(app, ["admin", *words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as left:
        main(["admin", *words])
    assert left.value.code == 2
    return capsys.readouterr().err


def create_table(*names: str, of: str = "mace", table: str | None = None) -> str:
    """Create a table in the data folder's database and return its id."""

    async def lay() -> str:
        settings = Settings.load()
        store = Database(settings.database)
        await store.open()
        tables = Tables(settings, store, RandomBots())
        made = await tables.creation.create(game(of), [Player(name, name) for name in names], seed=3, table=table)
        await tables.close()
        await store.close()
        return made.id

    return asyncio.run(lay())


def test_tables_are_listed_with_their_players_and_no_card() -> None:
    table = create_table("Anna", "Ben")
    told = run("tables")
    assert f"{table}  mace, 0 choices, in progress, just now" in told
    assert "  2  Ben  (person Ben)" in told
    assert run("tables", "--game", "five-circles") == "No tables found.\n"
    (listed,) = json.loads(run("tables", "--json", "--going-on"))
    assert listed["seats"][0] == {"seat": 1, "name": "Anna", "person": "Anna", "bot": None}
    assert set(listed) == {"id", "game", "choices", "over", "created", "changed", "host", "closed", "seats"}


def test_status_shows_who_plays_and_what_failed() -> None:
    table = create_table("Anna", "Ben")
    said = run("status")
    assert says(said, "No server has written")
    assert says(said, table, "mace", "Anna", "Ben", "just now")
    assert says(said, "Nothing failed")

    async def report() -> None:
        store = Database(Settings.load().database)
        await store.open()
        figures = {f"sparring_{name}": 2.0 for name in ("processes", "memory_bytes", "streams", "tables")}
        written = ProcessReport(figures, ["3 × Dispatcher.run failed (log entry abc)"])
        await ProcessReportStore(store).write("one", msgspec.json.encode(written).decode())
        await store.close()

    asyncio.run(report())
    said = run("status")
    assert says(said, "Processes: 2")
    assert says(said, "3", "Dispatcher.run failed", "abc")


def test_a_record_is_exported_and_no_file_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = create_table("Anna", "Ben")
    run("export", table, str(tmp_path / "record.json"))
    record = (tmp_path / "record.json").read_text()
    assert Match.from_record(record).seed == 3
    assert json.loads(run("export", table)) == json.loads(record)
    assert "already" in refused(capsys, "export", table, str(tmp_path / "record.json"))
    assert "doesn't exist" in refused(capsys, "export", "none")


def test_an_old_table_id_that_starts_with_a_dash_follows_a_double_dash(capsys: pytest.CaptureFixture[str]) -> None:
    table = create_table("Anna", "Ben", table="-Xoc0velzP-1")
    assert Match.from_record(run("export", "--", table)).seed == 3
    assert run("close", "--why", "We restart.", "--", table) == f"Table {table} is closed.\n"
    assert "No such option" in refused(capsys, "export", table)


def test_a_closed_table_stays_closed_and_keeps_its_reason(
    capsys: pytest.CaptureFixture[str],
) -> None:
    table = create_table("Anna", "Ben")
    assert run("close", table, "--why", "We  restart.") == f"Table {table} is closed.\n"
    assert f"{table}  mace, 0 choices, closed, just now" in run("tables")
    assert json.loads(run("tables", "--json"))[0]["closed"]
    assert run("tables", "--going-on") == "No tables found.\n"
    assert "already over" in refused(capsys, "close", table)
    assert "doesn't exist" in refused(capsys, "close", "none")
    assert "at most 200 characters, not 201" in refused(capsys, "close", table, "--why", "x" * 201)
    assert "one line" in refused(capsys, "close", table, "--why", "a\x1a")


def test_prune_deletes_old_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    table = create_table("Anna", "Ben")
    assert says(run("prune"), "no table", "old enough")

    async def grow_old(days: float) -> None:
        store = Database(Settings.load().database)
        async with store.engine.begin() as connection:
            await connection.execute(update(TableRow).values(changed=int(time.time() - days * 86_400)))
        await store.close()

    asyncio.run(grow_old(8))
    assert says(run("prune", "--unused", "9"), "no table", "old enough")
    monkeypatch.setenv("SPARRING_KEEP_UNUSED", "9")
    assert says(run("prune"), "no table", "old enough")
    monkeypatch.delenv("SPARRING_KEEP_UNUSED")
    assert run("prune") == "1 table deleted.\n"
    assert table not in run("tables")


def test_a_backup_is_restored_into_another_folder_with_its_keys(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table, file = create_table("Anna", "Ben"), str(tmp_path / "backup")
    assert says(run("backup", file), 1, "table", file)
    assert "already in use" in refused(capsys, "restore", file)
    monkeypatch.setenv("SPARRING_DATA", str(tmp_path / "elsewhere"))
    assert says(run("restore", file), "1 table", "from", file)
    assert table in run("tables")
    assert read_secrets(tmp_path / "elsewhere" / "secret.key")[0] == read_secrets(data / "secret.key")[0]


def test_a_new_key_keeps_or_rejects_older_keys(data: Path) -> None:
    first = Settings.load().secret
    assert says(run("new-key"), "1 older key", "still accepted")
    assert Settings.load().older_secrets == (first,)
    assert says(run("new-key", "--forget"), "older keys are rejected")
    assert Settings.load().older_secrets == ()
    assert first not in read_secrets(data / "secret.key")
    assert not [*data.glob("*.new")]


def test_people_and_addresses_are_banned_and_pardoned(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("bans") == "No bans.\n"
    run("ban", "Anna", "--days", "2", "--why", "You were rude")
    run("ban", "--address", "2001:db8::7")
    told = run("bans")
    assert "from 2001:db8::/64: The server operator has banned you." in told
    assert "person Anna: The server operator has banned you until " in told
    assert told.rstrip().endswith(": You were rude.")
    run("pardon", "Anna")
    assert "Anna" not in run("bans")
    assert says(refused(capsys, "pardon", "Anna"), "Not banned", "Anna")
    assert "either a person or --address" in refused(capsys, "ban")
    assert "must be an IP address" in refused(capsys, "ban", "--address", "home")
    assert "at most 200 " in refused(capsys, "ban", "Anna", "--why", "x" * 201)
