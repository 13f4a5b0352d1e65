"""Table settings: chosen in a form, within bounds, and stored in the record."""

import json
from typing import Any

import msgspec
import pytest

from sparring.engine.errors import BadRecord
from sparring.engine.match import Match
from sparring.tables.state.clock_record import read
from sparring.tables.state.table_settings import TableSettings
from web.app_server import AppServer
from web.clocks.fake_clock import FakeClock, create_table, end_turn, post_action, text_of
from wording import says


def test_table_settings_have_bounds() -> None:
    for wrong in ({"minutes": -1}, {"minutes": 10**9}, {"days": 31}, {"more": 10**6}, {"away": -5}, {"then": "sue"}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(wrong, TableSettings)


def test_the_clock_is_chosen_in_the_form(timed: AppServer) -> None:
    anna = timed.person("Anna")
    form = {"name": "Anna", "seat1": "me", "seat2": "open", "clock": "10+10", "away": "lost 10 minutes"}
    table = anna.post("/games/hush", data=form).headers["location"].removeprefix("/table/")
    assert timed.held(table).settings == TableSettings(minutes=10, more=10, away=600, then="lost")
    invited = timed.stranger().get(f"/table/{table}").text
    assert "Each player has 10 minutes for the match, plus 10 seconds per turn." in invited
    assert says(invited, "away", "10 minutes", "lose")
    wrong = anna.post("/games/hush", data={**form, "clock": "1 second"})
    assert wrong.status_code == 422
    assert "Choose one of: no clock; 5 minutes each" in wrong.text


def test_a_quick_match_has_the_chosen_clock(timed: AppServer, fake_clock: FakeClock) -> None:
    """A player who wants another clock isn't matched with the same table."""
    form = {"game": "hush", "against": "people", "clock": "3 days"}
    found = {}
    for who, clock_ in (("Ann", "3 days"), ("Bob", ""), ("Cid", "3 days")):
        client = timed.person(who)
        found[who] = client.post("/quick", data={**form, "clock": clock_, "name": who}).headers["location"]
        client.get(found[who])
    assert found["Ann"] == found["Cid"] != found["Bob"]
    fake_clock.now += 2 * 86_400 - 3600
    listed = text_of(timed.person("Ann").get("/").text)
    assert "3 days per turn: 25:00:02 left" in listed


def test_the_record_has_times_and_the_kind_of_end(timed: AppServer, fake_clock: FakeClock) -> None:
    """The record round-trips, and its last moment shows the same as the table did."""
    table = create_table(timed, "Anna", "Ben")
    anna = timed.person("Anna")
    fake_clock.now += 7
    anna.choose(table, anna.look(table)["choices"][0]["choice"])
    fake_clock.now += 5
    end_turn(timed, "Anna", table)
    post_action(timed, "Ben", table, "give-up")
    record = anna.get(f"/table/{table}/record").text
    told = json.loads(record)["table"]
    ended = {"left": [{"seat": 2, "why": "gave up"}], "how": "left"}
    assert told == {"minutes": 5, "more": 10, "spent": [70, 120], "ended": ended}
    assert len(Match.from_record(record).history) == 2
    assert "Ben gave up: Anna wins." in text_of(anna.get(f"/table/{table}/replay?at=99").text)

    brought = anna.post("/records", files={"record": ("match.json", record)}).headers["location"]
    assert "Seat 2 gave up: Seat 1 wins." in text_of(anna.get(f"{brought}?at=99").text)


@pytest.mark.parametrize("told", [
    {"spent": [-1]}, {"spent": ["soon"]}, {"ended": {"how": "somehow"}}, {"ended": {"left": [{"seat": 0, "why": "x"}]}},
    {"minutes": 10**30}, ["x"], "table",
])  # fmt: skip
def test_a_malformed_table_part_is_harmless(told: Any) -> None:
    """The match doesn't depend on it; displaying it reports that it is malformed."""
    record = Match.new("hush", seed=1).record(told)
    assert Match.from_record(record).history == []
    with pytest.raises(BadRecord):
        read(record)


def test_a_record_of_an_abandoned_table_is_shown() -> None:
    told = {"ended": {"how": "left", "left": [{"seat": seat, "why": "time"} for seat in (1, 2, 9)]}}
    match = Match.new("hush", seed=1)
    ended = read(match.record(told)).ended
    assert (ended.winners(match), ended.sentence(match, 1)) == ((), "")
