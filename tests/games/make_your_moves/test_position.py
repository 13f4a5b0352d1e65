"""Positions: fields and defaults, round trips, and the errors of bad positions."""

from typing import Any

import pytest

from games.make_your_moves.table import NAME, attacked, table
from sparring import BadPosition, Match, SparringError

ELIMINATION = {"match": "elimination"}


def position(**fields: Any) -> Match:
    return Match.from_position({"game": NAME, "seats": 3, **fields})


def test_an_empty_position_is_dealt_from_the_seed() -> None:
    one, other = position(seed=1), position(seed=2)
    assert one.position()["hands"] != other.position()["hands"]
    assert one.position() == position(seed=1).position()


def test_piles_can_be_given_as_numbers() -> None:
    t = table("Red1", None, draw_pile=12, points=[2, 1])
    assert t.piles == (12, 80 - 12 - 1 - 5 - 3)
    assert (t.point_cards(1), t.point_cards(2)) == (2, 1)
    t = table("Red1", None, draw_pile=None, discard_pile=7)
    assert t.piles == (80 - 7 - 1 - 5, 7)
    t = table("Red1", "Red2", draw_pile="Blue1", discard_pile=77)
    assert t.piles == (1, 77)


def test_hands_can_be_written_by_seat() -> None:
    match = position(hands={2: "Red1, Jaw", "3": ["Table"]})
    hands = match.position()["hands"]
    assert (len(hands[0]), hands[1:]) == (5, [["Jab", "Jaw"], ["Table"]])


def test_the_draw_pile_is_written_from_the_top() -> None:
    t = table("Red1", "Red1", phase="draw", draw_pile="Blue3 Blue2 Blue1 Yellow1 Green1 Green2 Green3 Yellow3 Red3")
    assert t.hand(1) == "Red1 Blue1 Blue2 Blue3 Yellow1"
    assert t.hand(2) == "Red1 Green1 Green2 Green3 Yellow3"


def test_the_player_follows_from_the_phase() -> None:
    assert attacked("Red1", "", "", "Blue1", phase="assist_card").to_move == "S3 assist_card"
    assert table("", "", "Blue1", phase="discard").to_move == "S3 discard"
    assert table("Red1", "", "", phase="attack").to_move == "S1 attack"
    assert attacked("Red1", "", "Green1 Green1 Green1 Green1 Green2", phase="four").to_move == "S2 four"
    t = attacked("Red1", "", "", "Red1", phase="assist_side", helping="Blue1", player=3)
    assert t.play("S3: attacker").to_move == "S3 discard"


def test_seats_before_the_player_are_not_asked_again() -> None:
    t = table("Red1", "Red1", "Red1", phase="discard", player=2).play("S2: done; S3: done")
    assert t.to_move == "S1 target"
    t = attacked("Red1", "", "Blue1", "Blue1", "Blue1", phase="assist_card", player=4).play("S4: pass")
    assert t.to_move == "S2 discard"


@pytest.mark.parametrize("seats", [2, 4, 6])
@pytest.mark.parametrize("options", [{}, {"match": "elimination", "wild_fours": "yes", "turn_limit": 20}])
def test_every_position_of_a_match_reads_back(seats: int, options: dict[str, Any]) -> None:
    match = Match.new(NAME, seats=seats, seed=5, options=options)
    for number in range(150):
        if match.over:
            break
        again = Match.from_position(match.position())
        assert again.state.tobytes() == match.state.tobytes()
        assert again.choices() == match.choices()
        legal = match.legal()
        match.choose(legal[number * 7 % len(legal)])
    assert Match.from_position(match.position()).position() == match.position()


@pytest.mark.parametrize("words", ["counter", "dodge"])
def test_a_position_tells_what_a_four_is_for(words: str) -> None:
    match = attacked("Red1", "", "Green1 Green1 Green1 Green1 Green2", "Blue1").play(f"S2: {words}").match
    again = Match.from_position(match.position())
    assert (again.phase, again.state.tobytes()) == ("four", match.state.tobytes())


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"phase": "lunch"}, "phase must be one of target, attack, .*, discard, draw, not lunch"),
        ({"colour": 1}, "no field colour"),
        ({"turn": 0}, "turn must be a whole number from 1 to 200, not 0"),
        ({"turn": 201}, "turn must be a whole number from 1 to 200, not 201"),
        ({"control": 4}, "control: there is no seat 4; the seats are 1 to 3"),
        ({"hands": ["Red4", None, None]}, "hands: there is no card Red4"),
        ({"hands": ["Jab Jab", None, None]}, "hands: there is no Jab left; it is already somewhere else"),
        ({"hands": ["Red1 Red1 Red1 Red1 Red1 Red1", "", ""]}, "hands must have at most 5 cards, not 6"),
        ({"hands": ["Red1"]}, "hands must have 3 values, one for each seat"),
        ({"draw_pile": 66}, "draw_pile needs 66 cards, but only 65 are left"),
        ({"draw_pile": 10, "discard_pile": 3}, "Every card needs a place: say where to put .* more"),
        ({"points": [3, 0, 0]}, "Seat 1 has 3 points, so the match is over or"),
        ({"points": [3, 0, 0], "options": ELIMINATION}, "Seat 1 has 3 points"),
        ({"points": [0, 3, 0], "out": [2]}, "Seat 2 can be out only in an elimination match"),
        ({"points": [0, 2, 0], "out": [2], "options": ELIMINATION}, "Seat 2 can be out .* with 3 points and no hand"),
        ({"points": [3, 0, 0], "out": [1], "options": ELIMINATION}, "Seat 1 is out and can't be in control"),
        ({"points": [0, 3, 3], "out": [2, 3], "options": ELIMINATION}, "At least two seats"),
        ({"point_cards": [0, 1, 0]}, "point_cards: seat 2 has more cards than 0 points allow"),
        ({"points": [1, 0, 0], "point_cards": [1, 0, 0], "options": {"point_cards": "marker"}}, "point_cards: seat 1"),
        ({"phase": "attack", "attack": "Red1 Red2"}, "attack: at most three colours"),
        ({"phase": "attack", "attack": "Red1 Blue1 Green1 Yellow1"}, "attack: at most three colours"),
        ({"phase": "respond", "attack": "Red1", "defence": "Blue1"}, "defence must fit the attack: the same colours"),
        ({"phase": "respond", "attack": "Red1", "defence": "Red2 Red1"}, "defence must fit .* no more cards"),
        ({"phase": "respond"}, "Phase respond needs an attack"),
        ({"phase": "respond", "attack": "Wild1"}, "Phase respond needs an attack with a coloured card"),
        ({"phase": "respond", "attack": "Red1", "defender": 1}, "can't be the attacker"),
        ({"attack": "Red1"}, "In phase target no cards"),
        ({"phase": "attack", "fours": "Red1"}, "only the attack can be on the table"),
        ({"phase": "respond", "attack": "Red1", "helping": "Blue1"}, "helping must be"),
        ({"phase": "assist_side", "attack": "Red1", "helping": "Blue1"}, "needs the field player"),
        ({"phase": "assist_card", "attack": "Red1", "player": 2}, "Seat 2 has no choice to make in phase assist_card"),
        ({"phase": "respond", "attack": "Red1", "player": 3}, "Seat 3 has no choice to make in phase respond"),
        ({"hands": ["Wild1", "", ""]}, "The Attacker needs a coloured card"),
        ({"phase": "discard", "hands": ["", "", ""]}, "needs a player with a card"),
        ({"phase": "four", "attack": "Red1", "hands": ["", "Red1 Red1 Red1 Red1 Blue1", ""]}, "more than one set"),
        ({"phase": "dodge_to", "attack": "Red1", "seats": 2}, "no legal choice"),
        ({"phase": "four", "attack": "Red1", "hands": ["", "Red1 Red1 Red2 Red2 Red3", ""], "picked": "Jaw"}, "pick"),
        ({"known": {"wilds": [0, 1, 0]}, "hands": ["Red1", "Red1", ""]}, "known: the hand of seat 2"),
        ({"known": {"coloured": [0, 1, 0]}, "hands": ["Red1", "Wild1", ""]}, "known: the hand of seat 2"),
        ({"known": {"suits": [0, 0, 0]}}, "no field suits"),
        ({"point_cards": [["Red1"] * 4, 0, 0], "points": [3, 0, 0]}, "point_cards must have at most 3 cards, not 4"),
        ({"point_cards": [["Red1", 2], 0, 0], "points": [3, 0, 0]}, "point_cards must be a list of words"),
        ({"payoff": ["a", 0, 0]}, "payoff must be a number"),
        ({"ending": "tea"}, "ending must be one of none, points, last one in, turn limit, not tea"),
        ({"random": "abc"}, "random must be four whole numbers"),
        ({"random": [0, 0, 0, 0]}, "random must be four whole numbers that are not all 0"),
        ({"random": [1, 2, 3, 1 << 32]}, "random must be a whole number from 0 to 4294967295"),
    ],
)  # fmt: skip
def test_bad_positions_are_refused_with_a_reason(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(BadPosition, match=message):
        position(**fields)


@pytest.mark.parametrize(
    "fields", [{"game": "chess"}, {"seats": 7}, {"options": {"match": "tea"}}, {"options": 3}, {"seed": -1}]
)
def test_bad_headers_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(SparringError):
        position(**fields)


def test_a_position_needs_its_game() -> None:
    with pytest.raises(BadPosition, match="must name its game"):
        Match.from_position({"seats": 2})
