"""The operator lists and settles reports on the command line."""

import asyncio
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sparring.cli import app, main
from sparring.engine.game import game
from sparring.web.identity import Person
from sparring.web.security.rate_limits import Requester
from sparring.web.settings import Settings
from sparring.web.storage import Database
from sparring.web.tables.seats.players import Player
from sparring.web.tables.tables import Tables
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
    talk = json.loads(run("export", table))["table"]["talk"]
    assert [(line["name"], line["words"]) for line in talk] == [("Anna", "Hello"), ("Rude", "A [bold]rude[/] word")]

    assert "removed the message" in run("settle", str(report["number"]), "--remove")
    assert run("reports") == "No reports found.\n"
    assert "settled" in run("reports", "--all")
    talk = json.loads(run("export", table))["table"]["talk"]
    assert [line["words"] for line in talk] == ["Hello", ""]
    with pytest.raises(SystemExit):
        main(["admin", "settle", "99"])
    assert "There is no report 99" in capsys.readouterr().err
