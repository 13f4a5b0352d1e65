"""Time at a table: clocks, days, absence, giving up, draws and pauses. The clock is the test's own; nobody waits."""

import asyncio
import json
import re
import time
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from sparring.engine.errors import BadRecord
from sparring.engine.game import game
from sparring.engine.match import Match
from sparring.web.tables.clocks.faces import clock
from sparring.web.tables.clocks.kept import read
from sparring.web.tables.clocks.timing import Timing
from sparring.web.tables.sitters import Sitter
from sparring.web.tables.table import Table
from sparring.web.tables.terms import Terms
from web.house import House, Opener, Visitor, settings

LIVE = Terms(minutes=5, more=10)
DAYS = Terms(days=2)
MINUTE = 60


class Watch:
    """What time it is: as late as the test says."""

    def __init__(self) -> None:
        self.at = float(int(time.time()))

    def __call__(self) -> float:
        return self.at


@pytest.fixture(scope="module")
def watch() -> Watch:
    return Watch()


@pytest.fixture(scope="module")
def timed(tmp_path_factory: pytest.TempPathFactory, watch: Watch) -> Iterator[House]:
    """A server for all tests of this file that need no restart; time only goes on."""
    house = House(settings(tmp_path_factory.mktemp("timed"), now=watch, grace=0.0))
    yield house
    house.close()


def lay(house: House, *names: str, terms: Terms = LIVE, seed: int = 1, name: str = "hush") -> str:
    """A table with terms, at which all people have come."""
    sitters = [Sitter(bot="random", name="Bolt") if who == "bot" else Sitter(who, who) for who in names]
    table = house.run(house.tables.create(game(name), sitters, seed=seed, terms=terms)).id
    for who in names:
        if who not in ("bot", ""):
            house.person(who).page(table)
    return table


def at(house: House, table: str) -> Table:
    return house.run(house.tables.get(table))


def done(house: House, who: str, table: str) -> None:
    """Somebody ends their turn."""
    assert house.person(who).choose(table, "done").status_code == 200


def left(house: House, table: str) -> list[float]:
    """What the clocks hold that do not run, in seconds."""
    return [left / 1000 for left in at(house, table).timing.left]


def do(house: House, who: str, table: str, where: str, **body: Any) -> Any:
    return house.person(who).post(f"/api/table/{table}/{where}", json=body or None)


def sweep(house: House) -> None:
    house.run(house.tables.sweep())


# Clocks


@pytest.mark.parametrize(("left", "shown"), [
    (300_000, "5:00"), (299_001, "5:00"), (61_000, "1:01"), (10_000, "0:10"), (9_950, "10.0"), (9_310, "9.4"),
    (0, "0.0"), (3_723_000, "1:02:03"), (86_400_000, "24:00:00"), (172_800_000, "2 days"), (172_800_001, "3 days"),
])  # fmt: skip
def test_what_a_clock_shows(left: int, shown: str) -> None:
    assert clock(left) == shown


def test_a_turn_costs_its_time_and_brings_some_more(timed: House, watch: Watch) -> None:
    """Two seconds of it are free; ten come after it."""
    table = lay(timed, "Anna", "Ben")
    watch.at += 62
    done(timed, "Anna", table)
    watch.at += 1
    assert left(timed, table) == [5 * MINUTE - 60 + 10, 5 * MINUTE]
    assert ">5:00<" in timed.person("Ben").page(table)
    watch.at += 31
    assert ">4:30<" in timed.stranger().get(f"/table/{table}?watch=true").text


def test_clocks_begin_when_everybody_has_come(timed: House, watch: Watch) -> None:
    table = timed.run(timed.tables.create(
        game("hush"), [Sitter("Anna", "Anna"), Sitter("Ben", "Ben"), Sitter()], seed=1, terms=LIVE)).id  # fmt: skip
    timed.person("Anna").page(table)
    timed.person("Ben").page(table)
    watch.at += 600
    sweep(timed)
    assert not at(timed, table).timing.begun
    carla = timed.stranger()
    carla.post(f"/table/{table}/sit", data={"name": "Carla", "seat": "3"})
    carla.page(table)
    assert at(timed, table).timing.begun
    watch.at += 32
    done(timed, "Anna", table)
    assert left(timed, table) == [280, 300, 300]


def test_what_is_chosen_in_secret_moves_no_clock(timed: House, watch: Watch) -> None:
    """Ben sees the same clocks whether Anna has laid cards or not, and however often she takes one back."""
    table = lay(timed, "Anna", "Ben")
    anna, ben = timed.person("Anna"), timed.person("Ben")
    watch.at += 20
    before = ben.page(table)
    anna.choose(table, anna.look(table)["choices"][0]["choice"])
    anna.take_back(table)
    anna.choose(table, anna.look(table)["choices"][0]["choice"])
    assert ben.page(table) == before


def test_who_lets_the_time_run_out_has_lost(timed: House, watch: Watch) -> None:
    table = lay(timed, "Anna", "Ben")
    watch.at += 5 * MINUTE + 1
    sweep(timed)
    assert not at(timed, table).shown.over
    watch.at += 1
    sweep(timed)
    assert at(timed, table).shown.over
    assert "Your time ran out: Ben wins." in plain(timed.person("Anna").page(table))
    assert "The time of Anna ran out: you win." in plain(timed.person("Ben").page(table))
    assert timed.person("Anna").get(f"/table/{table}/record").status_code == 200


def test_a_choice_comes_too_late_though_nobody_has_looked(timed: House, watch: Watch) -> None:
    table = lay(timed, "Anna", "Ben")
    version = timed.person("Anna").version(table)
    watch.at += 5 * MINUTE + 2
    answer = timed.person("Anna").choose(table, "done", version)
    assert answer.status_code in (403, 409)
    assert at(timed, table).ended.seats == (1,)


def test_days_are_for_each_turn(timed: House, watch: Watch) -> None:
    table = lay(timed, "Anna", "Ben", terms=DAYS)
    watch.at += 40 * 3600
    done(timed, "Anna", table)
    assert ">2 days<" in timed.person("Ben").page(table)
    watch.at += 47 * 3600
    sweep(timed)
    assert ">1:00:02<" in timed.person("Ben").page(table)
    watch.at += 3602
    sweep(timed)
    assert at(timed, table).shown.over


def test_bots_have_no_clock(timed: House, watch: Watch) -> None:
    table = lay(timed, "Anna", "bot", "Ben")
    page = timed.person("Anna").page(table)
    assert page.count('class="clock"') == 2
    done(timed, "Anna", table)
    timed.run(until_asked(timed, table, 3))
    assert left(timed, table) == [310, 300, 300]


async def until_asked(house: House, table: str, seat: int) -> None:
    for _ in range(200):
        if (await house.tables.get(table)).shown.asked == seat:
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"Seat {seat} was never asked.")


def test_the_time_in_which_no_server_runs_counts_for_nobody(open_house: Opener) -> None:
    watch = Watch()
    house = open_house(now=watch, grace=0.0)
    table = lay(house, "Anna", "Ben")
    watch.at += 102
    before = timer(house.person("Anna").page(table))
    house.close()
    watch.at += 8 * 3600

    house = open_house(now=watch, grace=0.0)
    sweep(house)
    assert timer(house.person("Anna").page(table)) == before == ["3:20", "5:00"]
    watch.at += 200
    sweep(house)
    assert at(house, table).ended.seats == (1,)


def test_time_runs_out_also_where_nobody_has_looked_since_the_start(open_house: Opener) -> None:
    watch = Watch()
    house = open_house(now=watch, grace=0.0)
    table = lay(house, "Anna", "Ben")
    house.close()
    watch.at += 60

    house = open_house(now=watch, grace=0.0)
    watch.at += 400
    sweep(house)
    assert house.tables._current(table) is not None
    assert at(house, table).shown.over


def timer(page: str) -> list[str]:
    """What the clocks of a page show."""
    return re.findall(r'class="clock"[^>]*>([^<]*)<', page)


def plain(page: str) -> str:
    """The words of a page."""
    return re.sub(r"<[^>]*>", "", page)


def test_a_choice_and_what_it_cost_are_stored_together(timed: House, watch: Watch) -> None:
    """What is acknowledged is in the database, clocks and all, before anybody hears of it."""
    table = lay(timed, "Anna", "Ben")
    watch.at += 33
    done(timed, "Anna", table)
    row = timed.run(timed.tables.store.load(table))
    assert row
    assert Timing.read(row.clocks, row.since, row.due) == at(timed, table).timing
    assert (row.choices, row.spent) != (b"", b"")
    assert row.since == 1000 * watch.at


def test_what_goes_wrong_at_one_table_stops_no_other_clock(
    timed: House, watch: Watch, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bad, good = lay(timed, "Anna", "Ben"), lay(timed, "Anna", "Ben")
    broken = at(timed, bad)
    monkeypatch.setattr(broken, "_change", lambda *_: 1 / 0)
    watch.at += 5 * MINUTE + 2
    sweep(timed)
    assert at(timed, good).shown.over
    assert not broken.shown.over
    assert "went wrong" in caplog.text


# Who is away


def test_a_bot_plays_for_who_is_away_until_they_are_back(timed: House, watch: Watch) -> None:
    table = lay(timed, "Anna", "Ben", "Carla", terms=Terms(away=120, then="bot"))
    watch.at += 119
    sweep(timed)
    assert not at(timed, table).timing.absent
    watch.at += 1
    sweep(timed)
    timed.run(until_asked(timed, table, 2))
    assert "A bot plays for Anna." in timed.person("Ben").page(table)
    watch.at += 60
    page = timed.person("Anna").page(table)
    assert "a bot played for you for 1 minute." in page
    assert not at(timed, table).timing.absent


def test_who_looks_is_not_away(timed: House, watch: Watch) -> None:
    table = lay(timed, "Anna", "Ben", terms=Terms(away=120, then="lost"))
    with timed.person("Ben").people(table) as seen:
        with timed.person("Anna").stream(table) as events:
            next(events)
            assert "is away" not in next(seen).decode()
            watch.at += 600
            sweep(timed)
            assert not at(timed, table).shown.over
        assert "Anna is away." in next(seen).decode()
    watch.at += 119
    sweep(timed)
    assert not at(timed, table).shown.over
    watch.at += 60
    sweep(timed)
    assert at(timed, table).ended.left[0].why == "away"
    assert "Anna was away for too long: you win." in plain(timed.person("Ben").page(table))


def test_after_a_restart_everybody_has_a_minute_to_come_back(open_house: Opener) -> None:
    watch = Watch()
    house = open_house(now=watch, grace=0.0)
    table = lay(house, "Anna", "Ben", terms=Terms(away=120, then="lost"))
    watch.at += 119
    house.close()
    house = open_house(now=watch, grace=0.0)
    watch.at += 59
    sweep(house)
    assert not at(house, table).shown.over
    watch.at += 2
    sweep(house)
    assert at(house, table).shown.over


# Giving up


def test_who_gives_up_against_one_other_has_lost(timed: House) -> None:
    table = lay(timed, "Anna", "Ben", terms=Terms())
    page = plain(timed.person("Ben").page(table))
    assert "You lose at once and the match is over: Anna wins." in page
    assert do(timed, "Ben", table, "give-up").json()["accepted"]
    assert "You gave up: Anna wins." in plain(timed.person("Ben").page(table))
    assert "Ben gave up: you win." in plain(timed.person("Anna").page(table))
    assert "Ben gave up: Anna wins." in timed.person("Carla").look(table)["scene"].replace("Seat 2", "Ben").replace(
        "Seat 1", "Anna")  # fmt: skip
    refused = timed.person("Anna").choose(table, "done")
    assert refused.json() == {"accepted": False, "reason": "The match is over; nothing more can be chosen."}
    assert timed.person("Anna").look(table)["choices"] == []


def test_others_play_on_with_a_bot(timed: House) -> None:
    """Anna gives up, a bot plays her turn; Ben gives up, and only Carla is left."""
    table = lay(timed, "Anna", "Ben", "Carla", terms=Terms())
    assert do(timed, "Anna", table, "give-up").json()["accepted"]
    timed.run(until_asked(timed, table, 2))
    assert not at(timed, table).shown.over
    assert "Anna gave up; a bot plays on." in timed.person("Ben").page(table)
    assert do(timed, "Anna", table, "give-up").json()["reason"] == "You have lost this match already."
    assert do(timed, "Anna", table, "propose", what="draw").status_code == 409
    do(timed, "Ben", table, "give-up")
    assert "Ben gave up: you win." in plain(timed.person("Carla").page(table))


def test_who_has_left_does_not_win_by_the_rules(timed: House) -> None:
    """Whatever the bot on her seat reaches, Anna has lost."""
    for seed in range(1, 6):
        table = lay(timed, "Anna", "Ben", "Carla", terms=Terms(), seed=seed)
        do(timed, "Anna", table, "give-up")
        timed.run(until_asked(timed, table, 2))
        done(timed, "Ben", table)
        done(timed, "Carla", table)
        held = at(timed, table)
        assert held.shown.over
        assert 1 not in held.ended.winners(held.match)
        assert held.ended.winners(held.match)


def test_who_has_left_forfeits_where_the_rules_ask(timed: House) -> None:
    """Nobody waits for a bot to beat Anna's Fighter: the table says for her that it is forfeited."""
    table = lay(timed, "Anna", "Ben", "Carla", terms=Terms(), name="mace")
    do(timed, "Anna", table, "give-up")
    for _ in range(200):
        held = at(timed, table)
        if held.match.state.out[0] or held.shown.over:
            break
        if held.chooser:
            player = timed.person(held.sitters[held.chooser - 1].name)
            choices = [each["choice"] for each in player.look(table)["choices"] if not each["concedes"]]
            player.choose(table, choices[-1])
        else:
            timed.run(asyncio.sleep(0.01))
    assert held.match.state.out[0]


def test_a_match_without_people_is_over(timed: House) -> None:
    table = lay(timed, "Anna", "bot", "bot", terms=Terms())
    do(timed, "Anna", table, "give-up")
    held = at(timed, table)
    assert held.shown.over
    assert held.ended.winners(held.match) == (2, 3)


def test_only_who_plays_gives_up(timed: House) -> None:
    table = lay(timed, "Anna", "Ben", terms=Terms())
    assert do(timed, "Carla", table, "give-up").status_code == 403
    assert "Give up" not in timed.person("Carla").page(table)


def test_giving_up_is_kept(open_house: Opener) -> None:
    watch = Watch()
    house = open_house(now=watch, grace=0.0)
    table = lay(house, "Anna", "Ben", terms=Terms())
    house.person("Anna").post(f"/table/{table}/give-up")
    page = house.person("Ben").page(table)
    house.close()
    house = open_house(now=watch, grace=0.0)
    assert plain(house.person("Ben").page(table)) == plain(page)
    kept = house.run(house.tables.store.load(table))
    assert kept
    assert kept.over


# Draws and pauses


def test_a_draw_is_agreed_by_all(timed: House) -> None:
    table = lay(timed, "Anna", "Ben", "Carla", terms=Terms())
    do(timed, "Anna", table, "propose", what="draw")
    assert "Anna offers a draw." in timed.person("Ben").page(table)
    assert "Ben and Carla are asked for a draw." in timed.person("Anna").page(table)
    do(timed, "Ben", table, "answer", agree=True)
    assert not at(timed, table).shown.over
    timed.person("Carla").post(f"/table/{table}/answer", data={"agree": "yes"})
    assert "It is a draw: everybody agreed to it." in timed.person("Anna").page(table)
    held = at(timed, table)
    assert held.ended.winners(held.match) == ()


def test_an_offer_lapses_when_another_has_had_a_turn(timed: House) -> None:
    table = lay(timed, "Anna", "Ben", "Carla", terms=Terms())
    do(timed, "Carla", table, "propose", what="draw")
    done(timed, "Anna", table)
    assert at(timed, table).timing.proposal is None
    assert do(timed, "Ben", table, "answer", agree=True).json()["reason"] == "Nothing is proposed any more."


def test_nobody_nags(timed: House) -> None:
    table = lay(timed, "Anna", "Ben", terms=Terms())
    for _ in range(3):
        assert do(timed, "Anna", table, "propose", what="draw").status_code == 200
        assert do(timed, "Anna", table, "propose", what="pause").status_code == 403
        do(timed, "Ben", table, "answer", agree=False)
    assert "three" not in do(timed, "Anna", table, "propose", what="draw").json()["reason"]
    assert do(timed, "Anna", table, "propose", what="draw").status_code == 403
    assert "Offer a draw" not in timed.person("Anna").page(table)
    assert "Offer a draw" in timed.person("Ben").page(table)
    assert do(timed, "Anna", table, "propose", what="pause").status_code == 200


def test_a_bot_that_is_not_ahead_agrees_to_a_draw(timed: House) -> None:
    table = lay(timed, "Anna", "bot", terms=Terms(), name="make-your-moves")
    early = do(timed, "Anna", table, "propose", what="draw")
    assert early.json()["reason"].startswith("Bolt would rather play on: a bot agrees when it is not ahead")
    held = at(timed, table)
    for _ in range(400):
        if len(held.match.history) >= 20 or held.shown.over:
            break
        look = timed.person("Anna").look(table)
        if look["choices"]:
            timed.person("Anna").choose(table, look["choices"][-1]["choice"])
    points = [int(held.match.state.points[seat]) for seat in (0, 1)]
    agreed = do(timed, "Anna", table, "propose", what="draw").status_code == 200
    assert agreed == (points[1] <= points[0])


def test_a_pause_stops_clocks_and_choices_until_somebody_goes_on(timed: House, watch: Watch) -> None:
    table = lay(timed, "Anna", "Ben")
    watch.at += 62
    do(timed, "Ben", table, "propose", what="pause")
    do(timed, "Anna", table, "answer", agree=True)
    watch.at += 3600
    sweep(timed)
    assert timer(timed.person("Anna").page(table)) == ["4:00", "5:00"]
    assert timed.person("Anna").choose(table, "done").json()["reason"].startswith("The match is paused")
    assert timed.person("Anna").look(table)["choices"] == []
    assert "The match is paused." in timed.person("Ben").page(table)
    assert do(timed, "Ben", table, "go-on").status_code == 200
    watch.at += 61
    assert timer(timed.person("Anna").page(table)) == ["4:00", "5:00"]
    watch.at += 11
    assert timer(timed.person("Anna").page(table)) == ["3:50", "5:00"]
    done(timed, "Anna", table)


def test_a_list_says_of_a_paused_table_that_it_rests_and_nobody_s_turn_it_is(timed: House) -> None:
    table = lay(timed, "Ada", "Ben")
    ada = timed.person("Ada")
    assert tags(ada) == ["Your turn"]
    do(timed, "Ben", table, "propose", what="pause")
    do(timed, "Ada", table, "answer", agree=True)
    assert tags(ada) == ["paused"]
    assert 'data-turns="0"' in ada.get("/").text
    do(timed, "Ben", table, "go-on")
    assert tags(ada) == ["Your turn"]


def tags(visitor: Visitor) -> list[str]:
    """What the list of somebody's tables says of each."""
    return re.findall(r'<span class="tag[^>]*>([^<]*)', visitor.get("/tables").text)


def test_a_pause_is_kept(open_house: Opener) -> None:
    watch = Watch()
    house = open_house(now=watch, grace=0.0)
    table = lay(house, "Anna", "bot")
    do(house, "Anna", table, "propose", what="pause")
    house.close()
    house = open_house(now=watch, grace=0.0)
    assert "The match is paused." in house.person("Anna").page(table)
    assert do(house, "Anna", table, "go-on").status_code == 200
    done(house, "Anna", table)


def test_terms_have_bounds() -> None:
    for wrong in ({"minutes": -1}, {"minutes": 10**9}, {"days": 31}, {"more": 10**6}, {"away": -5}, {"then": "sue"}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(wrong, Terms)


# Forms and records


def test_the_pace_is_picked_in_the_form(timed: House) -> None:
    anna = timed.person("Anna")
    form = {"name": "Anna", "seat1": "me", "seat2": "open", "clock": "10+10", "away": "lost 10 minutes"}
    table = anna.post("/games/hush", data=form).headers["location"].removeprefix("/table/")
    assert at(timed, table).terms == Terms(minutes=10, more=10, away=600, then="lost")
    invited = timed.stranger().get(f"/table/{table}").text
    assert "Everybody has 10 minutes for the match, and 10 seconds more after each turn." in invited
    assert "For who is to choose and is away we wait 10 minutes; then they have lost." in invited
    wrong = anna.post("/games/hush", data={**form, "clock": "1 second"})
    assert wrong.status_code == 422
    assert "There is no such pace; there is no clock, 5 minutes each" in wrong.text


def test_a_quick_match_has_its_pace_and_lists_tell_it(timed: House, watch: Watch) -> None:
    """Who wants another pace does not come to the same table."""
    form = {"game": "hush", "against": "people", "clock": "3 days"}
    found = {}
    for who, clock_ in (("Ann", "3 days"), ("Bob", ""), ("Cid", "3 days")):
        visitor = timed.person(who)
        found[who] = visitor.post("/quick", data={**form, "clock": clock_, "name": who}).headers["location"]
        visitor.get(found[who])
    assert found["Ann"] == found["Cid"] != found["Bob"]
    watch.at += 2 * 86_400 - 3600
    listed = plain(timed.person("Ann").get("/").text)
    assert "3 days a turn: 25:00:02 left" in listed


def test_the_record_tells_times_and_how_it_ended(timed: House, watch: Watch) -> None:
    """It comes back as it went, and its last moment says the same as the table did."""
    table = lay(timed, "Anna", "Ben")
    anna = timed.person("Anna")
    watch.at += 7
    anna.choose(table, anna.look(table)["choices"][0]["choice"])
    watch.at += 5
    done(timed, "Anna", table)
    do(timed, "Ben", table, "give-up")
    record = anna.get(f"/table/{table}/record").text
    told = json.loads(record)["table"]
    ended = {"left": [{"seat": 2, "why": "gave up"}], "how": "left"}
    assert told == {"minutes": 5, "more": 10, "spent": [70, 120], "ended": ended}
    assert len(Match.from_record(record).history) == 2
    assert "Ben gave up: Anna wins." in plain(anna.get(f"/table/{table}/replay?at=99").text)

    brought = anna.post("/records", files={"record": ("match.json", record)}).headers["location"]
    assert "Seat 2 gave up: Seat 1 wins." in plain(anna.get(f"{brought}?at=99").text)


@pytest.mark.parametrize("told", [
    {"spent": [-1]}, {"spent": ["soon"]}, {"ended": {"how": "somehow"}}, {"ended": {"left": [{"seat": 0, "why": "x"}]}},
    {"minutes": 10**30}, ["x"], "table",
])  # fmt: skip
def test_what_a_record_tells_of_its_table_may_be_anything(told: Any) -> None:
    """The match does not hang on it; who shows it says that it makes no sense."""
    record = Match.new("hush", seed=1).record(told)
    assert Match.from_record(record).history == []
    with pytest.raises(BadRecord):
        read(record)


def test_a_record_of_a_table_that_everybody_has_left_shows_nothing_wrong() -> None:
    told = {"ended": {"how": "left", "left": [{"seat": seat, "why": "time"} for seat in (1, 2, 9)]}}
    match = Match.new("hush", seed=1)
    ended = read(match.record(told)).ended
    assert (ended.winners(match), ended.sentence(match, 1)) == ((), "")


def test_a_page_that_nobody_looks_at_hears_whose_turn_it_is(timed: House) -> None:
    table = lay(timed, "Anna", "Ben", terms=Terms())
    asked = [timed.person(who).get(f"/table/{table}/turn").json()["yours"] for who in ("Anna", "Ben", "Eve")]
    assert asked == [True, False, False]
