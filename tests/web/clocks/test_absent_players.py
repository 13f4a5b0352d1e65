"""Players who are away for too long: a bot takes over, or they lose."""

from sparring.web.tables.table_settings import TableSettings
from web.app_server import House, Opener
from web.clocks.fake_clock import Watch, at, lay, plain, sweep, until_asked


def test_a_bot_stands_in_for_an_absent_player(timed: House, watch: Watch) -> None:
    table = lay(timed, "Anna", "Ben", "Carla", terms=TableSettings(away=120, then="bot"))
    watch.at += 119
    sweep(timed)
    assert not at(timed, table).clocks.absent
    watch.at += 1
    sweep(timed)
    timed.run(until_asked(timed, table, 2))
    assert "A bot is playing for Anna." in timed.person("Ben").page(table)
    watch.at += 60
    page = timed.person("Anna").page(table)
    assert "a bot played for you for 1 minute." in page
    assert not at(timed, table).clocks.absent


def test_a_viewer_is_not_away(timed: House, watch: Watch) -> None:
    table = lay(timed, "Anna", "Ben", terms=TableSettings(away=120, then="lost"))
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


def test_players_get_a_minute_after_a_restart(open_house: Opener) -> None:
    watch = Watch()
    house = open_house(now=watch, grace=0.0)
    table = lay(house, "Anna", "Ben", terms=TableSettings(away=120, then="lost"))
    watch.at += 119
    house.close()
    house = open_house(now=watch, grace=0.0)
    watch.at += 59
    sweep(house)
    assert not at(house, table).shown.over
    watch.at += 2
    sweep(house)
    assert at(house, table).shown.over
