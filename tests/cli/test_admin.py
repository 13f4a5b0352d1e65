"""Operator commands: tables, records, pruning, backups, keys and bans."""

import asyncio
import json
import os
import time
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import update
from typer.main import get_group
from typer.testing import CliRunner

from sparring import Match
from sparring.cli import app, main
from sparring.cli.admin import app as commands
from sparring.engine.game import game
from sparring.monitoring import ProcessReport
from sparring.people.accounts import fold_name
from sparring.people.rate_limits import LASTING, RateLimits, SharedRateLimits
from sparring.settings import Settings, read_secrets
from sparring.store.accounts import AccountStore
from sparring.store.database import Database
from sparring.store.processes import ProcessReportStore, RateLimitStore
from sparring.store.schema import AccountRow, TableRow
from sparring.tables.state.players import Player
from sparring.tables.tables import Tables
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


def test_status_shows_who_plays_what_failed_and_which_limit_is_near(monkeypatch: pytest.MonkeyPatch) -> None:
    table = create_table("Anna", "Ben")
    said = run("status")
    assert says(said, "No server has written")
    assert says(said, table, "mace", "Anna", "Ben", "just now")
    assert says(said, "Nothing failed")

    async def report() -> None:
        store = Database(Settings.load().database)
        await store.open()
        names = ("processes", "memory_bytes", "streams", "tables", "overloaded")
        figures = {f"sparring_{name}": 2.0 for name in names}
        written = ProcessReport(figures, ["3 × Dispatcher.run failed (log entry abc)"])
        await ProcessReportStore(store).write("one", msgspec.json.encode(written).decode())
        await store.close()

    asyncio.run(report())
    monkeypatch.setenv("SPARRING_LIMITS_DATABASE", "1")
    said = run("status")
    assert says(said, "Processes: 2")
    assert says(said, "Overloaded: 2", "newcomers")
    assert says(said, "reached its limit")
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
    assert run("close", table, "--why", "We \x1a\u202e restart.") == f"Table {table} is closed.\n"
    assert json.loads(run("export", table))["table"]["ended"]["why"] == "We restart"
    assert f"{table}  mace, 0 choices, closed, just now" in run("tables")
    assert json.loads(run("tables", "--json"))[0]["closed"]
    assert run("tables", "--going-on") == "No tables found.\n"
    assert "already over" in refused(capsys, "close", table)
    assert "doesn't exist" in refused(capsys, "close", "none")
    assert "at most 200 characters, not 201" in refused(capsys, "close", table, "--why", "x" * 201)


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
    assert says(run("backup", file), "1 table", "from", str(data / "tables.sqlite3"), "to", file)
    assert says(run("backup", "--check", file), "complete", "1 table", "just now")
    assert "already in use" in refused(capsys, "restore", file)
    monkeypatch.setenv("SPARRING_DATA", str(tmp_path / "elsewhere"))
    assert says(run("restore", file), "1 table", "from", file)
    assert table in run("tables")
    assert read_secrets(tmp_path / "elsewhere" / "secret.key")[0] == read_secrets(data / "secret.key")[0]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_root_leaves_every_file_to_the_owner_of_the_data_folder(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, file = create_table("Anna", "Ben"), str(tmp_path / "backup")
    run("backup", file)
    for name, command in (("one", "init"), ("two", f"restore {file}"), ("three", "init"), ("three", "new-key")):
        (tmp_path / name).mkdir(exist_ok=True)
        os.chown(tmp_path / name, 12_345, 12_346)
        monkeypatch.setenv("SPARRING_DATA", str(tmp_path / name))
        run(*command.split())
        assert {(each.stat().st_uid, each.stat().st_gid) for each in (tmp_path / name).iterdir()} == {(12_345, 12_346)}
    monkeypatch.setenv("SPARRING_DATA", str(tmp_path / "two"))
    assert table in run("tables")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become another user")
def test_a_file_that_the_server_may_not_write_is_refused_without_advice_to_change_its_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = create_table("Anna", "Ben")
    for folder in (tmp_path, *tmp_path.parents[:-2]):
        folder.chmod(0o755)
    (tmp_path / "private").mkdir(mode=0o700)
    file = str(tmp_path / "private/file")
    data = tmp_path / "data"
    for each in (data, *data.iterdir()):
        os.chown(each, 65_534, 65_534)
    os.seteuid(65_534)
    try:
        told = [
            refused(capsys, *words)
            for words in (("backup", file), ("export", table, file), ("backup", "--check", file))
        ]
    finally:
        os.seteuid(0)
    for sentence in told:
        assert says(sentence, f"nobody has no permission for {file}", "a folder that belongs to nobody")
        assert "chown" not in sentence


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("name", ["", "secret.key", "tables.sqlite3"])
def test_a_file_of_another_owner_is_named_with_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    for folder in (tmp_path, *tmp_path.parents[:-2]):
        folder.chmod(0o755)
    run("init")
    data = tmp_path / "data"
    for file in (data, *data.iterdir()):
        if file != data / name:
            os.chown(file, 65_534, 65_534)
    os.seteuid(65_534)
    try:
        told = refused(capsys, "tables")
    finally:
        os.seteuid(0)
    assert says(
        told, f"{(data / name)} belongs to root, and this process runs as nobody", f"`chown nobody {data / name}`"
    )


def test_a_new_key_keeps_or_rejects_older_keys(data: Path) -> None:
    first = Settings.load().secret
    assert says(run("new-key"), "1 older key", "still accepted")
    assert Settings.load().older_secrets == (first,)
    assert says(run("new-key", "--forget"), "older keys are rejected")
    assert Settings.load().older_secrets == ()
    assert first not in read_secrets(data / "secret.key")
    assert not [*data.glob("*.new")]


def test_what_the_database_stores_is_shown() -> None:
    create_table("Anna", "Ben")
    told = run("storage")
    assert "of 5,000 MB (0%)" in told
    assert "Tables: 1, studio sets: 0, saved matches: 0" in told
    assert "near their limit for 30 days: 0" in told
    spend(Settings.load())
    found = json.loads(run("storage", "--json"))
    assert (found["tables"], found["near_their_limit"], found["bytes"] > 100_000) == (1, 1, True)


def spend(settings: Settings) -> None:
    """Use up what one person may store, and some of another's."""
    rate_limits = RateLimits(settings.limits, settings.secret)

    async def publish() -> None:
        store = Database(settings.database)
        await store.open()
        shared = SharedRateLimits(RateLimitStore(store), rate_limits, LASTING)
        rate_limits.add_stored(settings.limits.stored_at_once, None, "Eve", always=True)
        rate_limits.add_stored(settings.limits.stored_at_once // 2, None, "Anna", always=True)
        await shared.count()
        await store.close()

    asyncio.run(publish())


def test_an_empty_server_is_backed_up_only_on_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("init")
    file = tmp_path / "backup"
    assert says(refused(capsys, "backup", str(file)), "tables.sqlite3", "no tables, accounts", "right one")
    assert not [*tmp_path.glob("backup*")]
    assert says(run("backup", "--allow-empty", str(file)), "empty server")
    assert says(refused(capsys, "backup", str(tmp_path / "no" / "backup")), "folder", "doesn't exist")
    file.write_bytes(file.read_bytes()[:-9])
    assert "is incomplete or damaged" in refused(capsys, "backup", "--check", str(file))


COMMANDS = (
    "status", "doctor", "tables", "export x", "close x", "prune", "fill-history", "storage", "backup FILE", "new-key",
    "people", "role x moderator", "ban x", "ban --address 192.0.2.7", "pardon x", "mute x", "unmute x", "bans",
    "reports", "settle 1", "moderation-log", "reset-password x", "reset-passkeys x",
)  # fmt: skip


def test_all_commands_are_known_here() -> None:
    names = set(get_group(commands).commands)
    assert {words.partition(" ")[0] for words in COMMANDS} == names - {"init", "restore", "settings", "worker-key"}


@pytest.mark.parametrize("words", COMMANDS)
def test_no_command_creates_what_it_does_not_find(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: str
) -> None:
    command = words.replace("FILE", str(tmp_path / "backup")).split()
    wanted = "no key at" if words == "new-key" else "no server's database at"
    assert says(refused(capsys, *command), wanted, str(data), "SPARRING_DATA")
    assert not [*tmp_path.iterdir()]
    data.mkdir()
    (data / "tables.sqlite3").touch()
    assert says(refused(capsys, *command), wanted, str(data))
    assert [(file.name, file.stat().st_size) for file in data.iterdir()] == [("tables.sqlite3", 0)]
    if words != "new-key":
        (data / "sparring.toml").write_text(f'database = "sqlite+aiosqlite:///{tmp_path}/mistyped/file"')
        assert says(refused(capsys, *command), f"{tmp_path}/mistyped/file (from {data}/sparring.toml)")
        monkeypatch.setenv("SPARRING_DATABASE", f"sqlite+aiosqlite:///{tmp_path}/other/file")
        assert says(refused(capsys, *command), f"{tmp_path}/other/file (from SPARRING_DATABASE)")
        assert [file.name for file in tmp_path.iterdir()] == ["data"]


def test_init_creates_a_server_once(data: Path) -> None:
    assert says(run("init"), "new database", str(data / "tables.sqlite3"))
    table, key = create_table("Anna", "Ben"), read_secrets(data / "secret.key")
    assert says(run("init"), "already", "nothing was changed")
    assert table in run("tables")
    assert read_secrets(data / "secret.key") == key


def test_people_are_found_by_any_name_of_theirs(capsys: pytest.CaptureFixture[str]) -> None:
    create_table("Anna", "Ben")
    add_account("id-1", "Änni", login="Anna")
    add_account("id-2", "Cleo", login="Cleo")
    assert {line.partition(" (")[0] for line in run("people").splitlines()} == {"Cleo", "Änni", "Anna", "Ben"}
    assert says(run("people", "NNI"), "Änni (sign-in name Anna, id id-1, last seen just now)")
    assert run("people", "--here") == run("people")
    assert json.loads(run("people", "Ben", "--json"))[0] | {"seen": 0} == {
        "id": "Ben", "name": "Ben", "login": None, "account": False, "seen": 0, "role": ""
    }  # fmt: skip
    assert run("people", "Dora") == "No people found.\n"
    for name in ("cleo", "id-2", "CLEO"):
        assert says(run("ban", name), "Banned: Cleo (sign-in name Cleo, id id-2")
    told = refused(capsys, "ban", "anna")
    assert says(told, "Several people are called anna", "Anna (guest, id Anna")
    assert says(told, "Give the id", "Änni (sign-in name Anna, id id-1")
    assert says(refused(capsys, "ban", "Dora"), "no person called Dora", "sparring admin people")
    assert [line.partition(" (")[0] for line in run("bans").splitlines()] == ["Cleo"]


def add_account(person: str, name: str, login: str) -> None:
    async def add() -> None:
        store = Database(Settings.load().database)
        await AccountStore(store).add(AccountRow(person=person, name=name, login=login, folded=fold_name(login)))
        await store.close()

    asyncio.run(add())


def test_people_and_addresses_are_banned_and_pardoned(capsys: pytest.CaptureFixture[str]) -> None:
    create_table("Anna", "Ben")
    assert run("bans") == "No bans.\n"
    run("ban", "Anna", "--days", "2", "--why", "You were rude")
    run("ban", "--address", "2001:db8::7")
    run("ban", "--address", "2001:db8:7::/48")
    told = run("bans")
    assert "from 2001:db8::/64: You are banned from this server." in told
    assert "from 2001:db8:7::/48: " in told
    assert "Anna (guest, id Anna, last seen just now): You are banned from this server until " in told
    assert told.rstrip().endswith(": You were rude.")
    run("pardon", "Anna")
    assert "Anna" not in run("bans")
    assert says(refused(capsys, "pardon", "Anna"), "Not banned", "Anna")
    assert "either a person or --address" in refused(capsys, "ban")
    for wrong in ("home", "192.0.2.0/24", "2001:db8::/32", "2001:db8::7/48"):
        assert "must be an IP address" in refused(capsys, "ban", "--address", wrong)
    for own in ("127.0.0.1", "::1"):
        assert "a proxy forwards everyone's requests" in refused(capsys, "ban", "--address", own)
    assert "at most 200 " in refused(capsys, "ban", "Anna", "--why", "x" * 201)
