"""Several people at one screen: hands are covered until a name is tapped, wherever somebody looks."""

import random
import re
from typing import Any

import pytest

from sparring import games
from sparring.engine.game import game
from sparring.web.security.rate_limits import Requester
from sparring.web.tables.players import Player
from sparring.web.tables.shared_screens import SharedScreens, Viewer
from sparring.web.tables.table import Table
from web.app_server import House, Opener, Visitor

#: What of an answer tells how the table looks.
PUBLIC = ("scene", "log", "version", "asked", "choices")

FORM = {"name": "Anna", "seat1": "me", "seat2": "beside", "name2": "Ben"}


def shared(house: House, *names: str, name: str = "hush", seed: int = 1) -> str:
    """A table at which Anna's browser serves everybody but Carl, who has his own, and bots."""
    bot, screens = Player(bot="random", name="Bolt"), {"": "", "Carl": "Carl"}
    sitters = [bot if who == "bot" else Player(screens.get(who, "Anna"), who) for who in names]
    return house.run(house.tables.create(game(name), sitters, seed=seed, requester=Requester("Anna", ""))).id


def tap(visitor: Visitor, table: str, seat: int) -> Any:
    return visitor.post(f"/api/table/{table}/screen", json={"seat": seat})


def hidden(house: House, table: str, seat: int) -> list[str]:
    """What a page would hold if it showed the hand of a seat of Hush: the keys of its cards."""
    found: Table = house.run(house.tables.get(table))
    state = found.match.state
    return [f'data-key="card {card}"' for card in state.hand[seat - 1][1 : 1 + state.hand[seat - 1][0]]]


def sees(text: str, cards: list[str]) -> bool:
    return any(card in text for card in cards)


def test_the_form_seats_friends_at_this_screen(house: House) -> None:
    guest = house.stranger()
    table = guest.post("/games/hush", data=FORM).headers["location"].removeprefix("/table/")
    found: Table = house.run(house.tables.get(table))
    assert [sitter.name for sitter in found.players] == ["Anna", "Ben"]
    assert len({sitter.person for sitter in found.players}) == 1
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
def test_a_form_that_cannot_be_says_why_and_keeps_the_names(
    house: House, changed: dict[str, str], sentence: str
) -> None:
    answer = house.stranger().post("/games/hush", data={**FORM, **changed})
    assert (answer.status_code, sentence in answer.text) == (422, True)
    assert f'value="{ {**FORM, **changed}["name2"] }"' in answer.text
    assert '<option value="beside" selected>' in answer.text


def test_no_hand_is_sent_before_a_name_is_tapped_and_then_that_one_alone(house: House) -> None:
    table, anna = shared(house, "Anna", "Ben"), house.person("Anna")
    mine, other = hidden(house, table, 1), hidden(house, table, 2)
    assert not sees(anna.page(table), mine + other)
    assert anna.look(table)["seat"] == 0
    assert anna.look(table)["mine"] == [1, 2]
    assert tap(anna, table, 1).is_success
    page = anna.page(table)
    assert (sees(page, mine), sees(page, other)) == (True, False)
    assert anna.look(table)["seat"] == 1


def test_after_a_turn_the_hand_is_covered_until_the_next_name_is_tapped(house: House) -> None:
    table, anna = shared(house, "Anna", "Ben"), house.person("Anna")
    mine, other = hidden(house, table, 1), hidden(house, table, 2)
    tap(anna, table, 1)
    assert anna.choose(table, "done").is_success
    page = anna.page(table)
    assert not sees(page, mine + other)
    assert "Give the screen to Ben." in page
    assert ">I am Ben<" in page
    assert not anna.look(table)["choices"]
    tap(anna, table, 2)
    page = anna.page(table)
    assert (sees(page, mine), sees(page, other)) == (False, True)


def test_the_stream_covers_and_shows_with_the_log_of_whoever_looks(house: House) -> None:
    table, anna = shared(house, "Anna", "Ben"), house.person("Anna")
    mine, other = hidden(house, table, 1), hidden(house, table, 2)
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
        assert 'data-keep="0"' in covered  # the log of Anna goes from the page too
        assert 'data-seat="0"' in covered
        tap(anna, table, 2)
        shown = next(events).decode()
        assert (sees(shown, mine), sees(shown, other)) == (False, True)
        assert 'data-seat="2"' in shown


def test_a_page_that_comes_back_with_other_eyes_is_sent_the_table_anew(house: House) -> None:
    table, anna = shared(house, "Anna", "Ben"), house.person("Anna")
    version = anna.version(table)
    with anna.http.stream("GET", f"/table/{table}/events?version={version}&seat=1") as answer:
        first = next(block for block in answer.iter_text() if "data:" in block)
    assert "Give the screen to Anna." in first


def test_everybody_at_the_screen_sees_what_a_turn_led_to(house: House) -> None:
    """The beats of a choice that ends a turn are told while all hands are covered, as who watches sees them."""
    table, anna = shared(house, "Anna", "Ben", name="make-your-moves", seed=3), house.person("Anna")
    anna.post("/choices", data={"choices": "every", "back": "/"})
    told = []
    for _ in range(40):
        found: Table = house.run(house.tables.get(table))
        seat, public = found.shown.asked, found.feed(0).version
        tap(anna, table, seat)
        look = anna.look(table)
        with anna.stream(table, look["version"]) as events:
            next(events)
            anna.choose(table, look["choices"][0]["choice"])
            event = next(events).decode()
        if found.shown.asked != seat and found.feed(0).version > public:
            told.append(event)
            assert 'data-seat="0"' in event
            assert "event: latest" not in event
    assert told


def test_the_screen_is_given_to_nobody_but_whose_turn_it_is(house: House) -> None:
    table, anna = shared(house, "Anna", "Ben"), house.person("Anna")
    assert tap(anna, table, 2).status_code == 403
    assert tap(anna, table, 3).status_code == 403
    assert tap(house.person("Carl"), table, 1).status_code == 403
    assert tap(house.stranger(), table, 1).status_code == 403
    assert anna.post(f"/api/table/{table}/screen", json={"seat": "x"}).status_code == 400


def test_who_has_not_tapped_cannot_choose_and_is_told_why(house: House) -> None:
    table, anna = shared(house, "Anna", "Ben"), house.person("Anna")
    answer = anna.choose(table, "done")
    assert (answer.status_code, answer.json()["reason"]) == (
        403, "First tap the name of the player whose turn it is.",
    )  # fmt: skip
    assert house.run(house.tables.get(table)).match.history == []


def test_while_others_are_asked_any_hand_of_the_screen_can_be_looked_at_and_covered(house: House) -> None:
    table, anna = shared(house, "Carl", "Anna", "Ben"), house.person("Anna")
    page = anna.page(table)
    assert ">I am Anna<" in page
    assert ">I am Ben<" in page
    tap(anna, table, 3)
    assert sees(anna.page(table), hidden(house, table, 3))
    assert "Hide hand" in anna.page(table)
    tap(anna, table, 0)
    assert not sees(anna.page(table), hidden(house, table, 3))
    tap(anna, table, 3)
    house.person("Carl").choose(table, "done")  # now it is Anna's turn
    assert not sees(anna.page(table), hidden(house, table, 2) + hidden(house, table, 3))
    assert "Give the screen to Anna." in anna.page(table)


def test_secret_choices_of_others_cover_nothing(house: House) -> None:
    """Which of the others has chosen is not told by whose hand the screen shows."""
    screens, people = SharedScreens(), ["Anna", "Anna", "Carl", "Dora"]
    screens.show("Anna", 2, 3)
    screens.turn_passed(4, people)
    assert screens.seat("Anna") == 2
    screens.turn_passed(1, people)
    assert screens.seat("Anna") == 0


def test_a_turn_that_is_over_covers_the_hand_also_where_a_bot_is_next() -> None:
    screens, people = SharedScreens(), ["Anna", "Anna", ""]
    screens.show("Anna", 2, 2)
    screens.turn_passed(2, people)
    assert screens.seat("Anna") == 2
    screens.turn_passed(3, people)
    assert screens.seat("Anna") == 0


def test_whoever_has_one_seat_shares_nothing() -> None:
    assert Viewer(1, (1,)).can_hand_to(1) == ()
    assert Viewer(0, ()).can_hand_to(1) == ()
    assert Viewer(0, (1, 2)).can_hand_to(0) == ()


def test_after_a_restart_all_hands_are_covered(open_house: Opener) -> None:
    house = open_house()
    table = shared(house, "Anna", "Ben")
    tap(house.person("Anna"), table, 1)
    house.close()
    house = open_house()
    assert "Give the screen to Anna." in house.person("Anna").page(table)


def test_replay_follows_the_screen(house: House) -> None:
    table, anna = shared(house, "Anna", "Ben"), house.person("Anna")
    assert not sees(anna.get(f"/table/{table}/replay").text, hidden(house, table, 1))
    assert anna.get(f"/table/{table}/replay?view=1").status_code == 403
    tap(anna, table, 1)
    assert sees(anna.get(f"/table/{table}/replay").text, hidden(house, table, 1))
    assert anna.get(f"/table/{table}/replay?view=2").status_code == 403


@pytest.mark.parametrize("name", games())
def test_a_covered_screen_is_sent_what_everybody_sees_who_watches(house: House, name: str) -> None:
    table, anna, watching = shared(house, "Anna", "Ben", name=name, seed=4), house.person("Anna"), house.stranger()
    anna.post("/choices", data={"choices": "every", "back": "/"})
    covered, dice = 0, random.Random(4)
    for _ in range(12):
        look = anna.look(table)
        if not look["seat"]:
            seen = watching.look(table)
            assert [look[part] for part in PUBLIC] == [seen[part] for part in PUBLIC]
            assert not look["choices"]
            covered += 1
            tap(anna, table, house.run(house.tables.get(table)).shown.asked)
            look = anna.look(table)
        kept = [choice["choice"] for choice in look["choices"] if not choice["concedes"]]
        anna.choose(table, dice.choice(kept), look["version"])
    assert covered > 1


def test_it_goes_without_a_script(house: House) -> None:
    table, anna = shared(house, "Anna", "Ben"), house.person("Anna")
    assert re.search(rf'formaction="/table/{table}/screen" name="seat" value="1"', anna.page(table))
    answer = anna.post(f"/table/{table}/screen", data={"seat": "1", "version": "1"})
    assert answer.headers["location"] == f"/table/{table}"
    assert anna.look(table)["seat"] == 1


def test_two_play_a_whole_match_at_one_screen_with_a_bot_and_turn_seats(house: House) -> None:
    table, anna = shared(house, "Anna", "Ben", "bot"), house.person("Anna")
    for seat in (1, 2):
        tap(anna, table, seat)
        assert anna.choose(table, "done").is_success
    found: Table = house.run(house.tables.get(table))
    assert found.shown.over or found.shown.asked == 3
    for _ in range(200):
        if anna.look(table)["over"]:
            break
    page = anna.page(table)
    assert "Play again" in page
    following = anna.post(f"/table/{table}/again").headers["location"].removeprefix("/table/")
    names = [sitter.name for sitter in house.run(house.tables.get(following)).players]
    assert names == ["Bolt", "Anna", "Ben"]
    assert [len(house.run(house.tables.get(following)).people), anna.look(following)["mine"]] == [1, [2, 3]]


def test_somebody_beside_a_player_takes_an_open_seat(house: House) -> None:
    table, anna = shared(house, "Anna", ""), house.person("Anna")
    assert "Add friend on this device" in anna.page(table)
    sit = f"/table/{table}/sit"
    assert "different names" in anna.post(sit, data={"seat": "2", "beside": "ANNA"}).text
    assert "share their screen" in house.person("Carl").post(sit, data={"seat": "2", "beside": "Ben"}).text
    assert anna.post(sit, data={"seat": "2", "beside": "Ben"}).headers["location"] == f"/table/{table}"
    assert anna.look(table)["mine"] == [1, 2]
    assert "Give the screen to Anna." in anna.page(table)


def test_who_is_away_is_told_by_all_names_at_their_screen(house: House) -> None:
    table = shared(house, "Anna", "Ben", "Carl")
    assert "Anna and Ben are away." in house.person("Carl").page(table)
    assert "away" not in re.sub("Carl is away.", "", house.person("Anna").page(table).split("<main")[0])


def test_a_forfeit_said_by_one_is_not_that_of_the_other(house: House) -> None:
    table, anna = shared(house, "Anna", "Ben", name="mace"), house.person("Anna")
    found: Table = house.run(house.tables.get(table))
    tap(anna, table, found.shown.asked)
    anna.post(f"/table/{table}/forfeit", data={"forfeit": "yes"})
    anna.page(table)
    assert found.auto_choices.will_forfeit(found.shown.asked)
    assert not found.auto_choices.will_forfeit(3 - found.shown.asked)
