"""Shared screens: hands are hidden until a name is tapped, on all pages and streams."""

import random
import re
from typing import Any

import pytest

from sparring import games
from sparring.tables.state.players import Player, Viewer, turn_passed
from web.app_server import AppServer, Client, StartServer

#: The parts of a response that show the table.
PUBLIC = ("scene", "log", "version", "is_turn", "choices")

FORM = {"name": "Anna", "seat1": "me", "seat2": "local_player", "name2": "Ben"}


def shared_table(server: AppServer, *names: str, name: str = "hush", seed: int = 1) -> str:
    """Create a table where Anna's browser serves everyone but Carl, who has his own, and bots."""
    players = [who if who in ("bot", "", "Carl") else Player("Anna", who) for who in names]
    return server.table(*players, name=name, seed=seed, host="Anna")


@pytest.fixture
def table(server: AppServer) -> str:
    return shared_table(server, "Anna", "Ben")


def tap(client: Client, table: str, seat: int) -> Any:
    return client.post(f"/api/table/{table}/screen", json={"seat": seat})


def hidden(server: AppServer, table: str, seat: int) -> list[str]:
    """Return what a page would contain if it showed the hand of a seat of Hush: the keys of its cards."""
    found = server.held(table)
    state = found.match.state
    return [f'data-key="card {card}"' for card in state.hand[seat - 1][1 : 1 + state.hand[seat - 1][0]]]


def sees(text: str, cards: list[str]) -> bool:
    return any(card in text for card in cards)


def test_the_form_creates_a_shared_screen(server: AppServer) -> None:
    guest = server.stranger()
    table = guest.create(**FORM)
    found = server.held(table)
    assert [player.name for player in found.players] == ["Anna", "Ben"]
    assert len({player.person for player in found.players}) == 1
    assert "Give the screen to Anna." in guest.page(table)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"name2": " "}, "Please enter the name of the friend in seat 2"),
        ({"name2": "anna"}, "Players who share a screen need different names"),
        ({"name": ""}, "Please enter a name"),
        ({"name2": "B" * 30}, "A name can have at most 24 characters"),
    ],
)  # fmt: skip
def test_an_invalid_form_gives_a_reason_and_keeps_the_names(
    server: AppServer, changed: dict[str, str], sentence: str
) -> None:
    response = server.stranger().post("/games/hush", data={**FORM, **changed})
    assert (response.status_code, sentence in response.text) == (422, True)
    assert f'value="{ {**FORM, **changed}["name2"] }"' in response.text
    assert '<option value="local_player" selected>' in response.text


def test_only_the_tapped_players_hand_is_sent(server: AppServer, table: str, anna: Client) -> None:
    mine, other = hidden(server, table, 1), hidden(server, table, 2)
    assert not sees(anna.page(table), mine + other)
    assert anna.look(table)["seat"] == 0
    assert anna.look(table)["mine"] == [1, 2]
    assert tap(anna, table, 1).is_success
    page = anna.page(table)
    assert (sees(page, mine), sees(page, other)) == (True, False)
    assert anna.look(table)["seat"] == 1


def test_the_stream_hides_and_shows_the_hand_and_log_of_the_viewer(server: AppServer, table: str, anna: Client) -> None:
    mine, other = hidden(server, table, 1), hidden(server, table, 2)
    tap(anna, table, 1)
    card = anna.look(table)["choices"][0]
    with anna.stream(table, anna.version(table)) as events:
        next(events)
        anna.choose(table, card["choice"])
        assert f"You {card['words']}" in next(events).decode()
        anna.choose(table, "done")
        covered = next(events).decode()
        assert not sees(covered, mine + other)
        assert "Give the screen to Ben." in covered
        assert "You lay" not in covered
        assert 'data-keep="0"' in covered  # Anna's log is removed from the page too
        assert 'data-seat="0"' in covered
        tap(anna, table, 2)
        shown = next(events).decode()
        assert (sees(shown, mine), sees(shown, other)) == (False, True)
        assert 'data-seat="2"' in shown


def test_a_page_with_another_viewer_gets_the_whole_table(server: AppServer, table: str, anna: Client) -> None:
    version = anna.version(table)
    with anna.http.stream("GET", f"/table/{table}/events?version={version}&seat=1") as response:
        first = next(block for block in response.iter_text() if "data:" in block)
    assert "Give the screen to Anna." in first


def test_all_players_at_the_screen_see_the_outcome_of_a_turn(server: AppServer) -> None:
    """Beats of a choice that ends a turn are shown while all hands are hidden, from the spectator's view."""
    table, anna = shared_table(server, "Anna", "Ben", name="make-your-moves", seed=3), server.person("Anna")
    anna.post("/choices", data={"choices": "every", "back": "/"})
    told = []
    for _ in range(40):
        found = server.held(table)
        seat, public = found.shown.turn_seat, found.feed(0).version
        tap(anna, table, seat)
        look = anna.look(table)
        with anna.stream(table, look["version"]) as events:
            next(events)
            anna.choose(table, look["choices"][0]["choice"])
            event = next(events).decode()
        if found.shown.turn_seat != seat and found.feed(0).version > public:
            told.append(event)
            assert 'data-seat="0"' in event
            assert "event: latest" not in event
    assert told


def test_only_the_player_to_move_can_show_their_hand(server: AppServer, table: str, anna: Client) -> None:
    assert tap(anna, table, 2).status_code == 403
    assert tap(anna, table, 3).status_code == 403
    assert tap(server.person("Carl"), table, 1).status_code == 403
    assert tap(server.stranger(), table, 1).status_code == 403
    assert anna.post(f"/api/table/{table}/screen", json={"seat": "x"}).status_code == 400


def test_choosing_before_tapping_ones_name_gives_a_reason(server: AppServer, table: str, anna: Client) -> None:
    response = anna.choose(table, "done")
    assert response.json()["reason"] == "First tap the name of the player whose turn it is."
    assert server.held(table).match.history == []


def test_hands_can_be_shown_and_hidden_during_turns_of_others(server: AppServer) -> None:
    table, anna = shared_table(server, "Carl", "Anna", "Ben"), server.person("Anna")
    page = anna.page(table)
    assert ">I am Anna<" in page
    assert ">I am Ben<" in page
    tap(anna, table, 3)
    assert sees(anna.page(table), hidden(server, table, 3))
    assert "Hide hand" in anna.page(table)
    tap(anna, table, 0)
    assert not sees(anna.page(table), hidden(server, table, 3))
    tap(anna, table, 3)
    server.person("Carl").choose(table, "done")  # now it is Anna's turn
    assert not sees(anna.page(table), hidden(server, table, 2) + hidden(server, table, 3))
    assert "Give the screen to Anna." in anna.page(table)


def test_secret_choices_of_others_hide_no_hand(server: AppServer) -> None:
    """The visible hand doesn't reveal which of the others has chosen."""
    players = turn_passed([Player("Anna"), Player("Anna", screen_asked=3), Player("Carl"), Player("Dora")], 4)
    assert players[1].screen_asked == 4
    assert turn_passed(players, 1)[1].screen_asked is None


def test_the_hand_is_hidden_when_a_bot_is_next_too() -> None:
    players = Player("Anna"), Player("Anna", screen_asked=2), Player(bot="random")
    assert turn_passed(players, 2) == players
    assert turn_passed(players, 3)[1].screen_asked is None


@pytest.mark.parametrize(("viewer", "asked"), [(Viewer(1, (1,)), 1), (Viewer(0, ()), 1), (Viewer(0, (1, 2)), 0)])
def test_a_single_seat_is_not_a_shared_screen(viewer: Viewer, asked: int) -> None:
    assert viewer.can_hand_to(asked) == ()


@pytest.mark.parametrize("restart", [False, True])
def test_a_reload_shows_the_hand_that_was_shown(start_server: StartServer, *, restart: bool) -> None:
    """What a device shows is the same in every process, and after a restart."""
    server = start_server()
    table = shared_table(server, "Carl", "Anna", "Ben")
    for seat in (3, 0, 2):
        tap(server.person("Anna"), table, seat)
        if restart:
            server.restart()
        else:
            server.reload(table)
        assert server.person("Anna").look(table)["seat"] == seat


def test_a_hand_is_hidden_if_the_rest_of_a_tap_is_refused(server: AppServer, table: str, anna: Client) -> None:
    tap(anna, table, 1)
    assert "Only the choices before" in anna.choose(table, "done; nothing").json()["reason"]
    assert anna.look(table)["seat"] == 0
    server.reload(table)
    assert anna.look(table)["seat"] == 0


def test_a_hand_that_a_reload_hid_stays_hidden(server: AppServer) -> None:
    """The process ends between the choices of a tap, so only the reload hides the hand; then the turn comes back."""
    table, anna = shared_table(server, "Anna", "Ben", name="make-your-moves"), server.person("Anna")
    found = server.held(table)
    first = found.shown.turn_seat
    tap(anna, table, first)

    async def choose_first() -> None:
        async with server.tables.commits.locked(found):
            while found.match.seat == first:
                choice = found.feed(first).view.choices[-1]
                await server.tables.choices._commit_all(found, [choice.action], more=True)

    server.run(choose_first())
    server.reload(table)
    assert anna.look(table)["seat"] == 0
    tap(anna, table, 3 - first)
    while (seen := anna.look(table))["seat"]:
        anna.choose(table, seen["choices"][-1]["choice"]).raise_for_status()
    server.reload(table)
    found = server.held(table)
    assert (found.shown.turn_seat, anna.look(table)["seat"]) == (first, 0)


def test_replay_follows_the_screen(server: AppServer, table: str, anna: Client) -> None:
    assert not sees(anna.get(f"/table/{table}/replay").text, hidden(server, table, 1))
    assert anna.get(f"/table/{table}/replay?view=1").status_code == 403
    tap(anna, table, 1)
    assert sees(anna.get(f"/table/{table}/replay").text, hidden(server, table, 1))
    assert anna.get(f"/table/{table}/replay?view=2").status_code == 403


@pytest.mark.parametrize("name", games())
def test_a_hidden_screen_gets_the_spectators_view(server: AppServer, name: str) -> None:
    table = shared_table(server, "Anna", "Ben", name=name, seed=4)
    anna, watching = server.person("Anna"), server.stranger()
    anna.post("/choices", data={"choices": "every", "back": "/"})
    covered, dice = 0, random.Random(4)
    for _ in range(12):
        look = anna.look(table)
        if not look["seat"]:
            seen = watching.look(table)
            assert [look[part] for part in PUBLIC] == [seen[part] for part in PUBLIC]
            assert not look["choices"]
            covered += 1
            tap(anna, table, server.held(table).shown.turn_seat)
            look = anna.look(table)
        kept = [choice["choice"] for choice in look["choices"] if not choice["concedes"]]
        anna.choose(table, dice.choice(kept), look["version"])
    assert covered > 1


def test_shared_screens_work_without_javascript(server: AppServer, table: str, anna: Client) -> None:
    assert re.search(rf'formaction="/table/{table}/screen" name="seat" value="1"', anna.page(table))
    response = anna.post(f"/table/{table}/screen", data={"seat": "1", "version": "1"})
    assert response.headers["location"] == f"/table/{table}"
    assert anna.look(table)["seat"] == 1


def test_a_whole_match_on_a_shared_screen_with_a_bot_and_a_rematch(server: AppServer) -> None:
    table, anna = shared_table(server, "Anna", "Ben", "bot"), server.person("Anna")
    for seat in (1, 2):
        tap(anna, table, seat)
        assert anna.choose(table, "done").is_success
    server.wait_until(lambda: anna.look(table)["over"])
    page = anna.page(table)
    assert "Play again" in page
    following = anna.post(f"/table/{table}/again").headers["location"].removeprefix("/table/")
    found = server.held(following)
    assert [player.name for player in found.players] == ["Bolt", "Anna", "Ben"]
    assert (len(found.people), anna.look(following)["mine"]) == (1, [2, 3])


def test_a_second_player_joins_on_the_same_screen(server: AppServer) -> None:
    table, anna = shared_table(server, "Anna", ""), server.person("Anna")
    assert "Add friend on this device" in anna.page(table)
    sit = f"/table/{table}/sit"
    assert "different names" in anna.post(sit, data={"seat": "2", "local_player": "ANNA"}).text
    assert "share their screen" in server.person("Carl").post(sit, data={"seat": "2", "local_player": "Ben"}).text
    assert anna.post(sit, data={"seat": "2", "local_player": "Ben"}).headers["location"] == f"/table/{table}"
    assert anna.look(table)["mine"] == [1, 2]
    assert "Give the screen to Anna." in anna.page(table)


def test_everyone_is_told_who_shares_a_screen(server: AppServer) -> None:
    table, anna, carl = shared_table(server, "Anna", "Carl", ""), server.person("Anna"), server.person("Carl")
    anna.page(table)
    with carl.presence_stream(table) as told:
        assert anna.post(f"/table/{table}/sit", data={"seat": "3", "local_player": "Ben"}).status_code == 303
        assert any("Ben took seat 3, on the same device as Anna." in next(told).decode() for _ in range(3))
    assert "<b>Ben</b> (on the same device as Anna)" in carl.page(table)
    assert "<b>Carl</b> (on the same device" not in anna.page(table) + server.stranger().page(table)


def test_seats_kept_for_others_do_not_look_like_a_shared_screen(server: AppServer) -> None:
    table = server.table("Anna", Player(offered="Ben"), Player(offered="Carl"), name="mace")
    page = server.stranger().page(table)
    assert "<b>Seat 3</b>" in page
    assert "on the same device" not in page


def test_presence_names_all_players_of_a_screen(server: AppServer) -> None:
    table = shared_table(server, "Anna", "Ben", "Carl")
    assert "Anna and Ben are away." in server.person("Carl").page(table)
    assert "away" not in re.sub("Carl is away.", "", server.person("Anna").page(table).split("<main")[0])


def test_a_forfeit_applies_to_one_player_of_a_screen(server: AppServer) -> None:
    table, anna = shared_table(server, "Anna", "Ben", name="mace"), server.person("Anna")
    found = server.held(table)
    tap(anna, table, found.shown.turn_seat)
    anna.post(f"/table/{table}/forfeit", data={"forfeit": "yes"})
    anna.page(table)
    assert found.will_forfeit(found.shown.turn_seat)
    assert not found.will_forfeit(3 - found.shown.turn_seat)
