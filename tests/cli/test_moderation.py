"""The operator settles reports, mutes people, names moderators and reads the log on the command line."""

import asyncio
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sparring.cli import app, main
from sparring.engine.game import game
from sparring.people.rate_limits import Requester
from sparring.settings import Settings
from sparring.store.accounts import AccountStore
from sparring.store.database import Database
from sparring.store.person import Person
from sparring.store.schema import AccountRow
from sparring.tables.state.players import Player
from sparring.tables.tables import Tables
from web.app_server import RandomBots

ANNA, RUDE = Person("Anna", "Anna"), Person("Rude", "Rude")


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder for this test."""
    monkeypatch.setenv("SPARRING_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("SPARRING_DATABASE", raising=False)


def run(*words: str) -> str:
    result = CliRunner().invoke(app, ["admin", *words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def report_message() -> str:
    """Create a table with a reported chat message and return its id."""

    async def happen() -> str:
        settings = Settings.load()
        store = Database(settings.database)
        await store.open()
        tables = Tables(settings, store, RandomBots())
        table = await tables.creation.create(game("mace"), [Player.of(ANNA), Player.of(RUDE)], seed=3)
        await tables.chat.post(table, ANNA, Requester(), word="hello")
        await tables.chat.post(table, RUDE, Requester(), text="A [bold]rude[/] word")
        await tables.chat.report(table, ANNA, Requester(), 2)
        await tables.close()
        await store.close()
        return table.id

    return asyncio.run(happen())


def test_reports_are_listed_settled_and_the_message_removed(capsys: pytest.CaptureFixture[str]) -> None:
    run("init")
    assert run("reports") == "No reports found.\n"
    table = report_message()
    told = run("reports")
    assert f"table {table}, line 2, posted just now" in told
    assert "Rude (person Rude): A [bold]rude[/] word" in told
    assert "by Anna" in told
    [report] = json.loads(run("reports", "--json"))
    assert (report["words"], report["person"], report["settled"]) == ("A [bold]rude[/] word", "Rude", None)
    chat = json.loads(run("export", table))["table"]["chat"]
    assert [(line["name"], line["words"]) for line in chat] == [("Anna", "Hello"), ("Rude", "A [bold]rude[/] word")]

    assert "removed the message" in run("settle", str(report["number"]), "--remove")
    assert run("reports") == "No reports found.\n"
    assert "settled" in run("reports", "--all")
    chat = json.loads(run("export", table))["table"]["chat"]
    assert [line["words"] for line in chat] == ["Hello", ""]
    with pytest.raises(SystemExit):
        main(["admin", "settle", "99"])
    assert "There is no open report 99" in capsys.readouterr().err
    assert says_of_log() == ["The operator removed a message by Rude."]


def says_of_log() -> list[str]:
    return [line.partition(" UTC  ")[2] for line in run("moderation-log").splitlines()]


def test_the_operator_mutes_and_names_moderators_and_all_of_it_is_in_the_log(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run("init")
    table = report_message()

    async def add() -> None:
        store = Database(Settings.load().database)
        await AccountStore(store).add(AccountRow(person="id-1", name="Mara", login="mara", folded="mara"))
        await store.close()

    asyncio.run(add())
    assert run("moderation-log") == "No entries.\n"
    assert "Muted: Rude (guest" in run("mute", "Rude", "--hours", "24", "--why", "Be kind.")
    assert "You can't chat on this server until " in run("bans")
    assert "Mute lifted: Rude" in run("unmute", "Rude")
    run("ban", "Rude", "--why", "Be kind")
    run("ban", "--address", "192.0.2.7")
    run("pardon", "Rude")
    run("close", table, "--why", "We move")
    assert "A moderator from now on: Mara (sign-in name mara" in run("role", "mara", "moderator")
    assert "Mara (sign-in name mara, moderator, id id-1" in run("people", "mara")
    assert "No moderator from now on: Mara" in run("role", "id-1", "none")
    assert [json.loads(run("people", "mara", "--json"))[0]["role"], says_of_log()[2]] == [
        "", f"The operator closed the table {table}: We move."
    ]  # fmt: skip
    assert says_of_log()[:2] == [
        "The operator ended the role of Mara as a moderator.", "The operator made Mara a moderator."
    ]  # fmt: skip
    assert says_of_log()[3:6] == [
        "The operator lifted the ban of Rude.", "The operator banned an address for good.",
        "The operator banned Rude for good: Be kind.",
    ]  # fmt: skip
    assert says_of_log()[7].startswith("The operator muted Rude until ")
    assert json.loads(run("moderation-log", "--json", "--limit", "1"))[0]["action"] == "demote"
    for words, told in (
        (("role", "Rude", "moderator"), "Only accounts can be moderators"), (("role", "mara", "king"), "moderator or"),
        (("unmute", "Rude"), "Not muted: Rude"), (("mute", "Nobody"), "no person called"),
    ):  # fmt: skip
        with pytest.raises(SystemExit):
            main(["admin", *words])
        assert told in capsys.readouterr().err
