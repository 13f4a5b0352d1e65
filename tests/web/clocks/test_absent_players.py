"""Players who are away for too long: a bot takes over, or they lose."""

from collections.abc import Sequence

import pytest

from sparring.bots import BotFailed
from sparring.tables.state.table_settings import TableSettings
from sparring.tables.workers.bot_players import BotQuestion
from web.app_server import AppServer
from web.clocks.fake_clock import FakeClock, create_table, text_of, wait_for_turn


def test_a_bot_stands_in_for_an_absent_player(timed: AppServer, fake_clock: FakeClock) -> None:
    table = create_table(timed, "Anna", "Ben", "Carla", table_settings=TableSettings(away=120, then="bot"))
    fake_clock.pass_time(timed, 119)
    assert not timed.held(table).clocks.absent
    fake_clock.pass_time(timed, 1)
    wait_for_turn(timed, table, 2)
    assert "A bot is playing for Anna." in timed.person("Ben").page(table)
    fake_clock.now += 60
    page = timed.person("Anna").page(table)
    assert "a bot played for you for 1 minute." in page
    assert not timed.held(table).clocks.absent


def test_a_random_choice_replaces_that_of_a_stand_in_that_fails(
    timed: AppServer, fake_clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(question: BotQuestion, turn: Sequence[str]) -> int:
        raise BotFailed("Steady bot failed.", "MemoryError")

    monkeypatch.setattr(timed.bots, "choose", fail)
    table = create_table(timed, "Anna", "Ben", "Carla", table_settings=TableSettings(away=120, then="bot"))
    fake_clock.pass_time(timed, 120)
    wait_for_turn(timed, table, 2)
    assert timed.held(table).players[0].person == "Anna"


def test_a_viewer_is_not_away(timed: AppServer, fake_clock: FakeClock) -> None:
    table = create_table(timed, "Anna", "Ben", table_settings=TableSettings(away=120, then="lost"))
    with timed.person("Ben").presence_stream(table) as seen:
        with timed.person("Anna").stream(table) as events:
            next(events)
            assert "is away" not in next(seen).decode()
            fake_clock.pass_time(timed, 600)
            assert not timed.held(table).shown.over
        assert "Anna is away." in next(seen).decode()
    fake_clock.pass_time(timed, 119)
    assert not timed.held(table).shown.over
    fake_clock.pass_time(timed, 60)
    assert timed.held(table).ended.left[0].why == "away"
    assert "Anna was away for too long: you win." in text_of(timed.person("Ben").page(table))


def test_players_get_a_minute_after_a_restart(restartable: tuple[AppServer, FakeClock]) -> None:
    server, fake_clock = restartable
    table = create_table(server, "Anna", "Ben", table_settings=TableSettings(away=120, then="lost"))
    fake_clock.now += 119
    server.restart()
    fake_clock.pass_time(server, 59)
    assert not server.held(table).shown.over
    fake_clock.pass_time(server, 2)
    assert server.held(table).shown.over
