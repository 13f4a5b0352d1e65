"""Tables closed by the operator: people there are notified, no one has won, and the record says so."""

import json
from typing import Any

import pytest

from sparring.engine.errors import BadRecord
from sparring.engine.match import Match
from sparring.tables.play.commits import TableCommits
from sparring.tables.play.moderation import close
from sparring.tables.play.registry import TableRegistry
from sparring.tables.state.clock_record import read
from web.app_server import AppServer, StartServer

SAID = "A moderator closed this table: We <b>restart</b>."


def close_table(server: AppServer, table: str, why: str = "We <b>restart</b>.") -> None:
    """Close a table as the command line does, from another process, two seconds ago."""

    async def closed() -> None:
        registry = TableRegistry(server.settings, server.tables.store)
        await close(TableCommits(registry, server.tables.rate_limits), table, why)
        await registry.close()
        await server.tables.listener.compare()

    server.run(closed())


def test_people_at_a_closed_table_are_notified_and_cannot_play(start_server: StartServer) -> None:
    server = start_server()
    table = server.table("Anna", "Ben")
    anna, ben = server.person("Anna"), server.person("Ben")
    version = ben.version(table)
    with ben.stream(table, version) as told, ben.turn_events() as turns:
        assert not next(turns)["over"]
        assert next(told).startswith(b": nothing new")
        close_table(server, table)
        assert SAID.replace("<", "&lt;").replace(">", "&gt;") in next(told).decode()
        assert next(turns)["over"]
    choice = anna.choose(table, 0)
    assert (choice.status_code, choice.json()["reason"]) == (403, "The match is over; there is nothing left to choose.")
    assert anna.look(table)["winners"] == []
    assert "finished" in anna.get("/tables").text


def test_bots_stop_at_a_closed_table(start_server: StartServer) -> None:
    server = start_server()
    with server.waiting_bots():
        table = server.table("bot", "Anna")
        close_table(server, table, "")
    look = server.person("Anna").look(table)
    assert (look["over"], look["log"]) == (True, [])
    assert "closed this table." in server.person("Anna").page(table)


def test_record_and_replay_say_that_a_table_was_closed(start_server: StartServer) -> None:
    server = start_server()
    table = server.table("Anna", "Ben")
    close_table(server, table)
    anna = server.person("Anna")
    record = anna.get(f"/table/{table}/record").text
    assert json.loads(record)["table"]["ended"] == {"how": "closed", "why": "We <b>restart</b>"}
    assert "closed this table: We &lt;b&gt;restart&lt;/b&gt;." in anna.get(f"/table/{table}/replay").text


@pytest.mark.parametrize("why", ["x" * 201, "\x1a1", "a\nb", 5])
def test_a_record_with_an_invalid_closing_is_refused(why: Any) -> None:
    with pytest.raises(BadRecord):
        read(Match.new("hush", seed=1).record({"ended": {"how": "closed", "why": why}}))
