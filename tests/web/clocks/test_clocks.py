"""Clocks of a match: the cost of a turn, running out of time, and restarts that cost no player time."""

import pytest

from sparring.tables.state.clock_state import ClockState, clock
from sparring.tables.state.table_settings import TableSettings
from web.app_server import AppServer
from web.clocks.fake_clock import (
    LIVE,
    MINUTE,
    UNTIMED,
    FakeClock,
    create_table,
    end_turn,
    text_of,
    time_left,
    wait_for_turn,
)


@pytest.mark.parametrize(("left", "shown"), [
    (300_000, "5:00"), (299_001, "5:00"), (61_000, "1:01"), (10_000, "0:10"), (9_950, "10.0"), (9_310, "9.4"),
    (0, "0.0"), (3_723_000, "1:02:03"), (86_400_000, "24:00:00"), (172_800_000, "2 days"), (172_800_001, "3 days"),
])  # fmt: skip
def test_displayed_times(left: int, shown: str) -> None:
    assert clock(left) == shown


def test_a_turn_costs_time_and_adds_the_increment(timed: AppServer, fake_clock: FakeClock) -> None:
    """Two seconds are free, and ten are added afterwards."""
    table = create_table(timed, "Anna", "Ben")
    fake_clock.now += 62
    end_turn(timed, "Anna", table)
    fake_clock.now += 1
    assert time_left(timed, table) == [5 * MINUTE - 60 + 10, 5 * MINUTE]
    assert ">5:00<" in timed.person("Ben").page(table)
    fake_clock.now += 31
    assert ">4:30<" in timed.stranger().get(f"/table/{table}?watch=true").text


def test_clocks_start_when_everyone_has_arrived(timed: AppServer, fake_clock: FakeClock) -> None:
    table = timed.table("Anna", "Ben", "", settings=LIVE)
    timed.person("Anna").page(table)
    timed.person("Ben").page(table)
    fake_clock.pass_time(timed, 600)
    assert not timed.held(table).clocks.begun
    carla = timed.stranger()
    carla.sit(table, 3, "Carla")
    carla.page(table)
    assert timed.held(table).clocks.begun
    fake_clock.now += 32
    end_turn(timed, "Anna", table)
    assert time_left(timed, table) == [280, 300, 300]


def test_secret_choices_move_no_clock(timed: AppServer, fake_clock: FakeClock) -> None:
    """Ben sees the same clocks whether Anna has played cards or not, and however often she takes one back."""
    table = create_table(timed, "Anna", "Ben")
    anna, ben = timed.person("Anna"), timed.person("Ben")
    fake_clock.now += 20
    before = ben.page(table)
    anna.choose_first(table)
    anna.take_back(table)
    anna.choose_first(table)
    assert ben.page(table) == before


def test_running_out_of_time_loses(timed: AppServer, fake_clock: FakeClock) -> None:
    table = create_table(timed, "Anna", "Ben")
    fake_clock.pass_time(timed, 5 * MINUTE + 1)
    assert not timed.held(table).shown.over
    fake_clock.pass_time(timed, 1)
    assert timed.held(table).shown.over
    assert "Your time ran out: Ben wins." in text_of(timed.person("Anna").page(table))
    assert "Anna ran out of time: you win." in text_of(timed.person("Ben").page(table))
    assert timed.person("Anna").get(f"/table/{table}/record").status_code == 200


def test_a_late_choice_is_refused(timed: AppServer, fake_clock: FakeClock) -> None:
    table = create_table(timed, "Anna", "Ben")
    version = timed.person("Anna").version(table)
    fake_clock.now += 5 * MINUTE + 2
    response = timed.person("Anna").choose(table, "done", version)
    assert response.status_code == 409
    assert timed.held(table).ended.seats == (1,)


def test_days_apply_to_each_turn(timed: AppServer, fake_clock: FakeClock) -> None:
    table = create_table(timed, "Anna", "Ben", table_settings=TableSettings(days=2))
    fake_clock.now += 40 * 3600
    end_turn(timed, "Anna", table)
    assert ">2 days<" in timed.person("Ben").page(table)
    fake_clock.pass_time(timed, 47 * 3600)
    assert ">1:00:02<" in timed.person("Ben").page(table)
    fake_clock.pass_time(timed, 3602)
    assert timed.held(table).shown.over


def test_bots_have_no_clock(timed: AppServer, fake_clock: FakeClock) -> None:
    table = create_table(timed, "Anna", "bot", "Ben")
    page = timed.person("Anna").page(table)
    assert page.count('class="clock"') == 2
    end_turn(timed, "Anna", table)
    wait_for_turn(timed, table, 3)
    assert time_left(timed, table) == [310, 300, 300]


def test_time_runs_out_at_tables_without_viewers_too(restartable: tuple[AppServer, FakeClock]) -> None:
    server, fake_clock = restartable
    table = create_table(server, "Anna", "Ben")
    server.restart()
    fake_clock.pass_time(server, 400)
    assert server.tables.registry.find(table) is not None
    assert server.held(table).shown.over


def test_a_choice_and_what_it_cost_are_stored_together(timed: AppServer, fake_clock: FakeClock) -> None:
    """A choice is in the database, clocks included, before anyone sees it."""
    table = create_table(timed, "Anna", "Ben")
    fake_clock.now += 33
    end_turn(timed, "Anna", table)
    row = timed.run(timed.tables.store.load(table))
    assert row
    assert ClockState.read(row.clocks, row.since, row.due) == timed.held(table).clocks
    assert (row.choices, row.thinking_times) != (b"", b"")
    assert row.since == 1000 * fake_clock.now


def test_a_failure_at_one_table_stops_no_other_clock(
    timed: AppServer, fake_clock: FakeClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bad, good = create_table(timed, "Anna", "Ben"), create_table(timed, "Anna", "Ben")
    broken = timed.held(bad)
    monkeypatch.setattr(broken, "public", lambda: 1 / 0)
    fake_clock.pass_time(timed, 5 * MINUTE + 2)
    assert timed.held(good).shown.over
    assert not broken.shown.over
    assert f"Timer of table {bad} failed" in caplog.text


def test_a_hidden_page_polls_whose_turn_it_is(timed: AppServer) -> None:
    table = create_table(timed, "Anna", "Ben", table_settings=UNTIMED)
    asked = [timed.person(who).get(f"/table/{table}/turn").json()["yours"] for who in ("Anna", "Ben", "Eve")]
    assert asked == [True, False, False]


@pytest.mark.parametrize("arrives", ["first", "between question and choice", "never"])
def test_a_first_choice_answers_the_version_that_was_sent(timed: AppServer, arrives: str) -> None:
    """An arrival may start the clocks, but the question stays."""
    table = timed.table("Anna", "Ben", settings=LIVE)
    anna, ben = timed.program("Anna"), timed.person("Ben")
    if arrives == "first":
        ben.page(table)
    question = anna.look(table)
    if arrives == "between question and choice":
        ben.page(table)
    choice = question["choices"][0]["choice"]
    assert anna.choose(table, choice, question["version"]).status_code == 200
    assert anna.choose(table, choice, question["version"]).status_code == 409
    assert anna.take_back(table).status_code == 200
    assert anna.choose(table, choice, anna.version(table) - 1).status_code == 409
