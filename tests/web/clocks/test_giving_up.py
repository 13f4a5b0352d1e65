"""Giving up: the player loses, the others play on, and it is stored."""

import asyncio

from sparring.web.tables.table_settings import TableSettings
from web.app_server import House, Opener
from web.clocks.fake_clock import Watch, at, do, done, lay, plain, until_asked


def test_giving_up_loses(timed: House) -> None:
    table = lay(timed, "Anna", "Ben", terms=TableSettings())
    page = plain(timed.person("Ben").page(table))
    assert "You lose immediately and the match ends: Anna wins." in page
    assert do(timed, "Ben", table, "give-up").json()["accepted"]
    assert "You gave up: Anna wins." in plain(timed.person("Ben").page(table))
    assert "Ben gave up: you win." in plain(timed.person("Anna").page(table))
    assert "Ben gave up: Anna wins." in timed.person("Carla").look(table)["scene"].replace("Seat 2", "Ben").replace(
        "Seat 1", "Anna")  # fmt: skip
    refused = timed.person("Anna").choose(table, "done")
    assert refused.json() == {"accepted": False, "reason": "The match is over; there is nothing left to choose."}
    assert timed.person("Anna").look(table)["choices"] == []


def test_others_play_on_with_a_bot(timed: House) -> None:
    """Anna gives up and a bot plays for her; Ben gives up, and only Carla is left."""
    table = lay(timed, "Anna", "Ben", "Carla", terms=TableSettings())
    assert do(timed, "Anna", table, "give-up").json()["accepted"]
    timed.run(until_asked(timed, table, 2))
    assert not at(timed, table).shown.over
    assert "Anna gave up. A bot took over." in timed.person("Ben").page(table)
    assert do(timed, "Anna", table, "give-up").json()["reason"] == "You have already lost this match."
    assert do(timed, "Anna", table, "propose", what="draw").status_code == 409
    do(timed, "Ben", table, "give-up")
    assert "Ben gave up: you win." in plain(timed.person("Carla").page(table))


def test_a_player_who_left_cannot_win(timed: House) -> None:
    """Whatever the bot on her seat achieves, Anna has lost."""
    for seed in range(1, 6):
        table = lay(timed, "Anna", "Ben", "Carla", terms=TableSettings(), seed=seed)
        do(timed, "Anna", table, "give-up")
        timed.run(until_asked(timed, table, 2))
        done(timed, "Ben", table)
        done(timed, "Carla", table)
        held = at(timed, table)
        assert held.shown.over
        assert 1 not in held.ended.winners(held.match)
        assert held.ended.winners(held.match)


def test_a_player_who_left_forfeits(timed: House) -> None:
    """Nobody waits for a bot to beat Anna's Fighter: the table forfeits for her."""
    table = lay(timed, "Anna", "Ben", "Carla", terms=TableSettings(), name="mace")
    do(timed, "Anna", table, "give-up")
    for _ in range(2000):
        held = at(timed, table)
        if held.match.state.out[0] or held.shown.over:
            break
        player = timed.person(held.players[max(held.chooser, 1) - 1].name)
        choices = [each["choice"] for each in player.look(table)["choices"] if not each["concedes"]]
        if choices:
            player.choose(table, choices[-1])
        else:  # a bot chooses, or has meanwhile
            timed.run(asyncio.sleep(0.01))
    assert held.match.state.out[0]


def test_a_match_without_people_is_over(timed: House) -> None:
    table = lay(timed, "Anna", "bot", "bot", terms=TableSettings())
    do(timed, "Anna", table, "give-up")
    held = at(timed, table)
    assert held.shown.over
    assert held.ended.winners(held.match) == (2, 3)


def test_only_players_give_up(timed: House) -> None:
    table = lay(timed, "Anna", "Ben", terms=TableSettings())
    assert do(timed, "Carla", table, "give-up").status_code == 403
    assert "Give up" not in timed.person("Carla").page(table)


def test_giving_up_is_stored(open_house: Opener) -> None:
    watch = Watch()
    house = open_house(now=watch, grace=0.0)
    table = lay(house, "Anna", "Ben", terms=TableSettings())
    house.person("Anna").post(f"/table/{table}/give-up")
    page = house.person("Ben").page(table)
    house.close()
    house = open_house(now=watch, grace=0.0)
    assert plain(house.person("Ben").page(table)) == plain(page)
    kept = house.run(house.tables.store.load(table))
    assert kept
    assert kept.over
