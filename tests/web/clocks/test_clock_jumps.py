"""The machine's clock jumps, while the server runs or between two runs: what does it change?"""

import time

import pytest
from sqlalchemy import update

from sparring.people.accounts import is_fresh
from sparring.people.rate_limits import LASTING, RateLimits, SharedRateLimits
from sparring.settings import Limits
from sparring.store.friends import FriendLine
from sparring.store.notifications import OutboxStore
from sparring.store.person import Person
from sparring.store.processes import ProcessReportStore, RateLimitStore
from sparring.store.schema import OutboxRow, TableRow
from sparring.tables.friends import is_online
from sparring.tables.state.players import Player
from web.app_server import AppServer, SetClock, StartServer
from web.clocks.fake_clock import (
    UNTIMED,
    FakeClock,
    clocks_on,
    create_table,
    end_turn,
    post_action,
    run_due_timers,
    time_left,
    wait_for_turn,
)
from web.tables.quick_matches import quick_match

HOUR, DAY = 3600, 24 * 3600


@pytest.mark.parametrize("jump", [HOUR, -HOUR, 400 * DAY])
def test_no_match_is_lost_and_no_time_won_when_the_clock_is_set(
    start_server: StartServer, set_clock: SetClock, jump: float
) -> None:
    server = start_server(grace=0.0)
    table = create_table(server, "Anna", "Ben")
    set_clock(jump)
    run_due_timers(server)
    assert not server.held(table).shown.over
    end_turn(server, "Anna", table)
    assert time_left(server, table) == [310, 300]


@pytest.mark.parametrize("jump", [HOUR, -HOUR, 400 * DAY, -400 * DAY])
def test_the_clock_is_set_between_two_runs(restartable: tuple[AppServer, FakeClock], jump: float) -> None:
    """It jumps, or time passes while no server runs."""
    server, fake_clock = restartable
    table = create_table(server, "Anna", "Ben")
    fake_clock.now += 102
    server.close()
    fake_clock.now += jump
    server.start()
    run_due_timers(server)
    assert clocks_on(server.person("Anna").page(table)) == ["3:20", "5:00"]
    fake_clock.pass_time(server, 201)
    assert server.held(table).ended.seats == (1,)


def test_a_bot_plays_on_although_its_clock_was_set_back(restartable: tuple[AppServer, FakeClock]) -> None:
    server, fake_clock = restartable
    table = create_table(server, "Anna", "bot", "Ben", table_settings=UNTIMED)
    server.bots.may_choose.clear()
    end_turn(server, "Anna", table)
    assert post_action(server, "Anna", table, "propose", what="take-back").status_code == 200
    server.close()
    fake_clock.now -= HOUR
    server.start()
    fake_clock.pass_time(server, 61)
    wait_for_turn(server, table, 3)


def test_a_program_stays_when_its_token_expires_by_a_clock_that_was_set(
    start_server: StartServer, set_clock: SetClock
) -> None:
    server = start_server()
    bot = server.run(server.app.state.tokens.read(server.token("Anna", bot="Robot", days=30)))
    table = server.table("Ben", Player.of(bot))
    set_clock(400 * DAY)
    server.run(server.tables.departures.handle())
    assert not server.held(table).shown.over


def test_a_message_from_a_run_whose_clock_was_ahead_is_sent(server: AppServer) -> None:
    outbox, now = OutboxStore(server.tables.store), 1_000_000_000_000
    for due in (now - 1, now + 60_000, now + 400 * DAY * 1000):
        message = OutboxRow(kind="warning", channel="mail", person="Anna", table="", text="", due=due, failures=0)
        server.run(outbox.add(message))
    assert [row.due - now for row in server.run(outbox.claim(now, 10))] == [-1, 400 * DAY * 1000]


def test_what_was_used_while_the_clock_was_ahead_does_not_block_for_years(server: AppServer) -> None:
    store, limits = RateLimitStore(server.tables.store), Limits(stored_at_once=1000, stored_each_hour=1000)

    def run(now: float) -> RateLimits:
        started = RateLimits(limits, clock=lambda: now)
        shared = SharedRateLimits(store, started, LASTING)
        server.run(store.begin(int(1000 * now)))
        started.add_stored(600, None, "Anna")
        server.run(shared.count())
        return started

    now = time.time()
    run(now + 400 * DAY)
    assert not run(now).add_stored(600, None, "Anna")  # the limit still counts as used up
    assert run(now + 3 * HOUR).add_stored(300, None, "Anna")  # but recovers


def test_an_empty_table_is_not_found_after_the_clock_was_set_back(server: AppServer, set_clock: SetClock) -> None:
    first = quick_match(server.person("Anna"), "people")
    ahead = update(TableRow).where(TableRow.id == first).values(attended=int(time.time()) + HOUR)
    server.run(server.tables.store.execute(ahead))
    assert quick_match(server.person("Ben"), "people") != first


def test_no_one_is_online_or_freshly_signed_in_in_the_future() -> None:
    now = int(time.time())
    assert is_online(FriendLine("", "friend", "", "", seen=now))
    assert not is_online(FriendLine("", "friend", "", "", seen=now + DAY))
    assert is_fresh(Person("Anna", epoch=1, since=now))
    assert not is_fresh(Person("Anna", epoch=1, since=now + DAY))


def test_a_process_that_ended_before_the_clock_was_set_back_is_gone(server: AppServer, set_clock: SetClock) -> None:
    reports = ProcessReportStore(server.tables.store)
    set_clock(HOUR)
    server.run(reports.write("ended", "{}"))
    assert "ended" in server.run(reports.read())
    set_clock(-HOUR)
    assert "ended" not in server.run(reports.read())
