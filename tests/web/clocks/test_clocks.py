"""Clocks of a match: the cost of a turn, running out of time, and restarts that cost no player time."""

import pytest

from sparring.engine.game import game
from sparring.tables.state.clock_state import ClockState, clock
from sparring.tables.state.players import Player
from sparring.tables.state.table_settings import TableSettings
from web.app_server import AppServer, StartServer
from web.clocks.fake_clock import (
    DAYS,
    LIVE,
    MINUTE,
    FakeClock,
    clocks_on,
    create_table,
    end_turn,
    get_table,
    run_due_timers,
    text_of,
    time_left,
    until_asked,
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
    table = timed.run(timed.tables.creation.create(
        game("hush"), [Player("Anna", "Anna"), Player("Ben", "Ben"), Player()], seed=1, settings=LIVE)).id  # fmt: skip
    timed.person("Anna").page(table)
    timed.person("Ben").page(table)
    fake_clock.now += 600
    run_due_timers(timed)
    assert not get_table(timed, table).clocks.begun
    carla = timed.stranger()
    carla.post(f"/table/{table}/sit", data={"name": "Carla", "seat": "3"})
    carla.page(table)
    assert get_table(timed, table).clocks.begun
    fake_clock.now += 32
    end_turn(timed, "Anna", table)
    assert time_left(timed, table) == [280, 300, 300]


def test_secret_choices_move_no_clock(timed: AppServer, fake_clock: FakeClock) -> None:
    """Ben sees the same clocks whether Anna has played cards or not, and however often she takes one back."""
    table = create_table(timed, "Anna", "Ben")
    anna, ben = timed.person("Anna"), timed.person("Ben")
    fake_clock.now += 20
    before = ben.page(table)
    anna.choose(table, anna.look(table)["choices"][0]["choice"])
    anna.take_back(table)
    anna.choose(table, anna.look(table)["choices"][0]["choice"])
    assert ben.page(table) == before


def test_running_out_of_time_loses(timed: AppServer, fake_clock: FakeClock) -> None:
    table = create_table(timed, "Anna", "Ben")
    fake_clock.now += 5 * MINUTE + 1
    run_due_timers(timed)
    assert not get_table(timed, table).shown.over
    fake_clock.now += 1
    run_due_timers(timed)
    assert get_table(timed, table).shown.over
    assert "Your time ran out: Ben wins." in text_of(timed.person("Anna").page(table))
    assert "Anna ran out of time: you win." in text_of(timed.person("Ben").page(table))
    assert timed.person("Anna").get(f"/table/{table}/record").status_code == 200


def test_a_late_choice_is_refused(timed: AppServer, fake_clock: FakeClock) -> None:
    table = create_table(timed, "Anna", "Ben")
    version = timed.person("Anna").version(table)
    fake_clock.now += 5 * MINUTE + 2
    response = timed.person("Anna").choose(table, "done", version)
    assert response.status_code == 409
    assert get_table(timed, table).ended.seats == (1,)


def test_days_apply_to_each_turn(timed: AppServer, fake_clock: FakeClock) -> None:
    table = create_table(timed, "Anna", "Ben", table_settings=DAYS)
    fake_clock.now += 40 * 3600
    end_turn(timed, "Anna", table)
    assert ">2 days<" in timed.person("Ben").page(table)
    fake_clock.now += 47 * 3600
    run_due_timers(timed)
    assert ">1:00:02<" in timed.person("Ben").page(table)
    fake_clock.now += 3602
    run_due_timers(timed)
    assert get_table(timed, table).shown.over


def test_bots_have_no_clock(timed: AppServer, fake_clock: FakeClock) -> None:
    table = create_table(timed, "Anna", "bot", "Ben")
    page = timed.person("Anna").page(table)
    assert page.count('class="clock"') == 2
    end_turn(timed, "Anna", table)
    timed.run(until_asked(timed, table, 3))
    assert time_left(timed, table) == [310, 300, 300]


def test_downtime_is_not_counted(start_server: StartServer) -> None:
    fake_clock = FakeClock()
    server = start_server(now=fake_clock, grace=0.0)
    table = create_table(server, "Anna", "Ben")
    fake_clock.now += 102
    before = clocks_on(server.person("Anna").page(table))
    server.close()
    fake_clock.now += 8 * 3600

    server = start_server(now=fake_clock, grace=0.0)
    run_due_timers(server)
    assert clocks_on(server.person("Anna").page(table)) == before == ["3:20", "5:00"]
    fake_clock.now += 200
    run_due_timers(server)
    assert get_table(server, table).ended.seats == (1,)


def test_time_runs_out_at_tables_without_viewers_too(start_server: StartServer) -> None:
    fake_clock = FakeClock()
    server = start_server(now=fake_clock, grace=0.0)
    table = create_table(server, "Anna", "Ben")
    server.close()
    fake_clock.now += 60

    server = start_server(now=fake_clock, grace=0.0)
    fake_clock.now += 400
    run_due_timers(server)
    assert server.tables.registry.find(table) is not None
    assert get_table(server, table).shown.over


def test_a_choice_and_what_it_cost_are_stored_together(timed: AppServer, fake_clock: FakeClock) -> None:
    """A choice is in the database, clocks included, before anyone sees it."""
    table = create_table(timed, "Anna", "Ben")
    fake_clock.now += 33
    end_turn(timed, "Anna", table)
    row = timed.run(timed.tables.store.load(table))
    assert row
    assert ClockState.read(row.clocks, row.since, row.due) == get_table(timed, table).clocks
    assert (row.choices, row.thinking_times) != (b"", b"")
    assert row.since == 1000 * fake_clock.now


def test_a_failure_at_one_table_stops_no_other_clock(
    timed: AppServer, fake_clock: FakeClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bad, good = create_table(timed, "Anna", "Ben"), create_table(timed, "Anna", "Ben")
    broken = get_table(timed, bad)
    monkeypatch.setattr(broken, "public", lambda: 1 / 0)
    fake_clock.now += 5 * MINUTE + 2
    run_due_timers(timed)
    assert get_table(timed, good).shown.over
    assert not broken.shown.over
    assert f"Timer of table {bad} failed" in caplog.text


def test_a_hidden_page_polls_whose_turn_it_is(timed: AppServer) -> None:
    table = create_table(timed, "Anna", "Ben", table_settings=TableSettings())
    asked = [timed.person(who).get(f"/table/{table}/turn").json()["yours"] for who in ("Anna", "Ben", "Eve")]
    assert asked == [True, False, False]


@pytest.mark.parametrize("arrives", ["first", "between question and choice", "never"])
def test_a_first_choice_answers_the_version_that_was_sent(timed: AppServer, arrives: str) -> None:
    """An arrival may start the clocks, but the question stays."""
    table = timed.run(timed.tables.creation.create(
        game("hush"), [Player("Anna", "Anna"), Player("Ben", "Ben")], seed=1, settings=LIVE)).id  # fmt: skip
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


def test_programs_answer_what_they_were_sent_at_many_timed_tables(timed: AppServer) -> None:
    clients = {1: timed.program("Anna"), 2: timed.program("Ben")}
    table_settings = {"game": "hush", "seats": ["me", "open"], "settings": {"minutes": 5}}
    tables = [clients[1].post("/api/tables", json=table_settings).json()["table"] for _ in range(6)]
    sent = {(table, 1): clients[1].look(table) for table in tables}
    sent |= {(table, 2): clients[2].post(f"/api/table/{table}/sit", json={"seat": 2}).json() for table in tables}
    for _ in range(8):
        for (table, seat), question in sent.items():
            if question["is_turn"]:
                choice = question["choices"][0]["choice"]
                assert clients[seat].choose(table, choice, question["version"]).status_code == 200
        sent = {(table, seat): clients[seat].look(table) for table, seat in sent}
