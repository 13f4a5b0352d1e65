"""Whoever runs the server closes a table: those who are there are told, nobody has won, and the record keeps it."""

import json
from typing import Any

import pytest

from sparring.engine.errors import BadRecord
from sparring.engine.match import Match
from sparring.web.storage import NoticeStore
from sparring.web.tables.clocks.clock_record import read
from sparring.web.tables.operator_close import close
from sparring.web.tables.registry import TableRegistry
from web.app_server import House, Opener

SAID = "The server&#39;s operator closed this table: We <b>restart</b>."


def shut(house: House, table: str, why: str = "We <b>restart</b>.") -> None:
    """As the command line does it, from another process; and as if two seconds had passed."""

    async def closed() -> None:
        shelf = TableRegistry(house.settings, house.tables.store)
        await close(shelf, NoticeStore(house.tables.store), table, why)
        await shelf.close()
        await house.app.state.hearing.poll()

    house.run(closed())


def test_who_is_at_a_table_that_is_closed_is_told_and_plays_there_no_more(open_house: Opener) -> None:
    house = open_house()
    table = house.table("Anna", "Ben")
    anna, ben = house.person("Anna"), house.person("Ben")
    version = ben.version(table)
    with ben.stream(table, version) as told, ben.turns() as turns:
        assert not next(turns)["over"]
        assert next(told).startswith(b": nothing new")
        shut(house, table)
        assert SAID.replace("<", "&lt;").replace(">", "&gt;") in next(told).decode()
        assert next(turns)["over"]
    choice = anna.choose(table, 0)
    assert (choice.status_code, choice.json()["reason"]) == (403, "The match is over; there is nothing left to choose.")
    assert anna.look(table)["winners"] == []
    assert "finished" in anna.get("/tables").text


def test_a_bot_chooses_no_more_at_a_table_that_is_closed(open_house: Opener) -> None:
    house = open_house()
    house.players.may_choose.clear()  # type: ignore[attr-defined]
    table = house.table("bot", "Anna")
    shut(house, table, "")
    house.players.may_choose.set()  # type: ignore[attr-defined]
    look = house.person("Anna").look(table)
    assert (look["over"], look["log"]) == (True, [])
    assert "closed this table." in house.person("Anna").page(table)


def test_the_record_and_the_replay_say_that_a_table_was_closed(open_house: Opener) -> None:
    house = open_house()
    table = house.table("Anna", "Ben")
    shut(house, table)
    anna = house.person("Anna")
    record = anna.get(f"/table/{table}/record").text
    assert json.loads(record)["table"]["ended"] == {"how": "closed", "why": "We <b>restart</b>"}
    assert "closed this table: We &lt;b&gt;restart&lt;/b&gt;." in anna.get(f"/table/{table}/replay").text


@pytest.mark.parametrize("why", ["x" * 201, "\x1a1", "a\nb", 5])
def test_a_record_can_say_no_nonsense_of_it(why: Any) -> None:
    with pytest.raises(BadRecord):
        read(Match.new("hush", seed=1).record({"ended": {"how": "closed", "why": why}}))
