"""Giving up: the player loses, the others play on, and it is stored."""

import asyncio

from web.app_server import AppServer
from web.clocks.fake_clock import UNTIMED, FakeClock, create_table, end_turn, post_action, text_of, wait_for_turn


def test_giving_up_loses(timed: AppServer) -> None:
    table = create_table(timed, "Anna", "Ben", table_settings=UNTIMED)
    page = text_of(timed.person("Ben").page(table))
    assert "You lose immediately and the match ends: Anna wins." in page
    assert post_action(timed, "Ben", table, "give-up").json()["accepted"]
    assert "You gave up: Anna wins." in text_of(timed.person("Ben").page(table))
    assert "Ben gave up: you win." in text_of(timed.person("Anna").page(table))
    assert "Seat 2 gave up: Seat 1 wins." in timed.person("Carla").look(table)["scene"]
    refused = timed.person("Anna").choose(table, "done")
    assert refused.json() == {"accepted": False, "reason": "The match is over; there is nothing left to choose."}
    assert timed.person("Anna").look(table)["choices"] == []


def test_others_play_on_with_a_bot(timed: AppServer) -> None:
    """Anna gives up and a bot plays for her; Ben gives up, and only Carla is left."""
    table = create_table(timed, "Anna", "Ben", "Carla", table_settings=UNTIMED)
    assert post_action(timed, "Anna", table, "give-up").json()["accepted"]
    wait_for_turn(timed, table, 2)
    assert not timed.held(table).shown.over
    assert "Anna gave up. A bot took over." in timed.person("Ben").page(table)
    assert post_action(timed, "Anna", table, "give-up").json()["reason"] == "You have already lost this match."
    assert post_action(timed, "Anna", table, "propose", what="draw").status_code == 409
    post_action(timed, "Ben", table, "give-up")
    assert "Ben gave up: you win." in text_of(timed.person("Carla").page(table))


def test_a_player_who_left_cannot_win(timed: AppServer) -> None:
    """Whatever the bot on her seat achieves, Anna has lost."""
    for seed in range(1, 6):
        table = create_table(timed, "Anna", "Ben", "Carla", table_settings=UNTIMED, seed=seed)
        post_action(timed, "Anna", table, "give-up")
        wait_for_turn(timed, table, 2)
        end_turn(timed, "Ben", table)
        end_turn(timed, "Carla", table)
        held = timed.held(table)
        assert held.shown.over
        assert 1 not in held.ended.winners(held.match)
        assert held.ended.winners(held.match)


def test_a_player_who_left_forfeits(timed: AppServer) -> None:
    """The others don't wait for a bot to beat Anna's Fighter: the table forfeits for her."""
    table = create_table(timed, "Anna", "Ben", "Carla", table_settings=UNTIMED, name="mace")
    post_action(timed, "Anna", table, "give-up")
    for _ in range(2000):
        held = timed.held(table)
        if held.match.state.out[0] or held.shown.over:
            break
        player = timed.person(held.players[max(held.chooser, 1) - 1].name)
        choices = [each["choice"] for each in player.look(table)["choices"] if not each["concedes"]]
        if choices:
            player.choose(table, choices[-1])
        else:  # a bot chooses, or has chosen
            timed.run(asyncio.sleep(0.01))
    assert held.match.state.out[0]


def test_a_match_without_people_is_over(timed: AppServer) -> None:
    table = create_table(timed, "Anna", "bot", "bot", table_settings=UNTIMED)
    post_action(timed, "Anna", table, "give-up")
    held = timed.held(table)
    assert held.shown.over
    assert held.ended.winners(held.match) == (2, 3)


def test_only_players_give_up(timed: AppServer) -> None:
    table = create_table(timed, "Anna", "Ben", table_settings=UNTIMED)
    assert post_action(timed, "Carla", table, "give-up").status_code == 403
    assert "Give up" not in timed.person("Carla").page(table)


def test_giving_up_is_stored(restartable: tuple[AppServer, FakeClock]) -> None:
    server, _ = restartable
    table = create_table(server, "Anna", "Ben", table_settings=UNTIMED)
    server.person("Anna").post(f"/table/{table}/give-up")
    page = server.person("Ben").page(table)
    server.restart()
    assert text_of(server.person("Ben").page(table)) == text_of(page)
    assert server.held(table).shown.over
