"""Positions: defaults, errors, and reading back what a match writes."""

import random
from typing import Any

import pytest

from games.world_of_fighters.table import NAME, Table, show, table
from sparring import Match
from sparring.engine.errors import BadPosition


def read(**fields: Any) -> Table:
    return Table(Match.from_position({"game": NAME, **fields}))


def test_an_empty_position_is_dealt_from_the_seed() -> None:
    t = read()
    assert t.status == "P1 move_card"
    assert t["fighters"] == ["Hai Wu", "Milton Brown"]
    assert t["squares"] == ["b2", "f4"]
    assert t.health == (20, 20)
    assert t.piles == (30, 0)
    assert t.hand(1) != read(seed=5).hand(1) or t.hand(2) != read(seed=5).hand(2)


def test_a_position_before_the_picks() -> None:
    t = read(phase="pick", seed=2)
    assert t.status == "P1 pick"
    assert read(phase="pick", fighters=["Rosa Quintero", ""]).status == "P2 pick"
    t.play("Kenji Aoki; Hai Wu")
    assert t.status == "P1 move_card"
    assert t.piles == (30, 0)


def test_hands_may_be_given_in_part() -> None:
    t = read(hands=["Block", []], phase="show", action=["Kick", "Kick"], squares=["a1", "g5"], draw_pile=20)
    assert "Block" in t.hand(1).split()
    assert t.match.state.last_action.tolist() == [2, 2]
    t = read(hands=[["Block", "Block"], []], phase="move", action=["Kick", "Punch"], movement=[1, 1])
    assert t.hand(1) == "Kick Block Block"
    assert "Punch" in t.hand(2)


def test_piles_are_given_as_cards_or_numbers() -> None:
    t = read(draw_pile=10)
    assert t.piles == (10, 20)
    t = read(draw_pile=["Block", "Kick", "Kick"], discard_pile=27)
    assert t["draw_pile"] == ["Block", "Kick", "Kick"]
    t = read(discard_pile="Kick Kick Punch", draw_pile=27)
    assert t["discard_pile"] == ["Kick", "Kick", "Punch"]
    t = read(discard_pile="Kick Kick Punch")
    assert t.piles == (27, 3)


def test_the_start_of_a_fighters_name_is_enough() -> None:
    assert read(fighters=["Kenji", "duke"])["fighters"] == ["Kenji Aoki", "Duke Rafferty"]


def test_the_player_follows_from_the_phase() -> None:
    committed = {"movement": [1, 2], "action": ["Kick", "Block"], "squares": ["c3", "e3"]}
    assert read(round=5, phase="action_card", movement=[1, 0]).status == "P1 action_card"
    assert read(round=6, phase="action_card", movement=[0, 1]).status == "P2 action_card"
    assert read(round=5, movement=[1, 0], action=["Kick", ""]).status == "P2 move_card"
    assert read(round=5, phase="move", **committed).status == "P1 move"
    assert read(round=6, phase="move", **committed).status == "P2 move"
    assert read(round=6, phase="counter", **committed).status == "P2 counter"
    assert read(round=6, phase="move", player=1, **committed).status == "P1 move"


def test_a_position_before_a_counter() -> None:
    t = read(phase="counter", round=9, fighters=["Ingrid Solberg", "Hai Wu"], squares=["d2", "d3"], health=[14, 10],
             movement=[1, 2], action=["Grapple", "Block"], hands=[[], ["Punch", "Grapple"]])  # fmt: skip
    assert t.choices == "counter punch; counter grapple; pass"
    assert t.play("counter grapple").health == (10, 10)
    assert t["resting"] == [1, 2]


@pytest.mark.parametrize(
    "options",
    [{}, {"super_call": "reveal", "movement": "upto", "settle": "together"}, {"round_limit": 10, "board": "7x7"}],
)
def test_every_position_of_a_match_reads_back(options: dict[str, Any]) -> None:
    chance = random.Random(3)
    for seed in range(4):
        match = Match.new(NAME, seed=seed, options=options)
        while not match.over:
            match.choose(chance.choice(match.legal()))
            again = Match.from_position(match.position())
            assert again.state.tobytes() == match.state.tobytes()


COMMITTED = {"movement": [1, 1], "action": ["Kick", "Kick"]}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"height": 3}, "no field height"),
        ({"last": {"hit": 3}}, "no field hit"),
        ({"phase": "fight"}, "phase must be one of .* not fight"),
        ({"fighters": ["Hai Wu", "Hai Wu"]}, "fighters: both seats have the same fighter"),
        ({"fighters": ["Hai Wu", "Bruce"]}, "there is no fighter Bruce"),
        ({"fighters": ["Hai Wu", ""]}, "fighters: a fighter has no name"),
        ({"fighters": ["Hai Wu", "--"]}, "fighters: a fighter has no name"),
        ({"fighters": ["Hai Wu"]}, "2 values, one for each seat"),
        ({"squares": ["h3", "a1"]}, "h3 is not on this board"),
        ({"squares": ["a6", "a1"]}, "a6 is not on this board"),
        ({"squares": ["a1", "a1"]}, "squares: two fighters can't be on the same square"),
        ({"health": [21, 3]}, "health must be a whole number from 1 to 20"),
        ({"health": [5, 0]}, "health must be a whole number from 1 to 20, not 0"),
        ({"round": 11, "options": {"round_limit": 10}}, "round must be a whole number from 1 to 10"),
        ({"round": 0}, "round must be a whole number from 1 to 100"),
        ({"phase": "pick", "round": 2}, "round must be a whole number from 0 to 1"),
        ({"resting": [4, 0]}, "resting must be a whole number from 0 to 3"),
        ({"resting": [1, 0], "movement": [1, 0]}, "movement: seat 1 .* resting card"),
        ({"super_used": [1, 0]}, "super_used must be true or false"),
        ({"action": ["Slap", ""]}, "action: Slap is not a kind of Action card"),
        ({"hands": [["Kick", "Kick", "Kick", "Kick"], []]}, "hands: seat 1 .* at most 3 cards, not 4"),
        ({"hands": [["Punch", "Kick", "Kick"], []], "action": ["Block", ""]}, "hands: seat 1 has played a Block"),
        ({"hands": ["Block Block Block", "Block Block Block"], "discard_pile": "Block"}, "there is no Block left"),
        ({"draw_pile": 31}, "draw_pile needs 31 cards, but only 30 are left"),
        ({"draw_pile": 5, "discard_pile": 5}, "Every card needs a place: say where to put .*, or"),
        ({"draw_pile": []}, "draw_pile can't be empty"),
        ({"phase": "action_card"}, "movement: in phase action_card, seat 1 must have"),
        ({"phase": "move"}, "movement, action: in phase move, both seats"),
        ({"phase": "show"}, "action: in phase show, each seat"),
        ({"player": 2}, "movement, action: seat 1 must play both cards before seat 2"),
        ({"phase": "counter", **COMMITTED}, "player: only a seat that has played the only Block can counter"),
        ({"phase": "move", **COMMITTED, "called": [True, False]}, "called: the super of seat 1 needs another kind"),
        ({"movement": [0, 2]}, "movement, action: .* later in the round"),
        (
            {"phase": "action_card", "player": 1, "movement": [1, 0], "action": ["Kick", ""]},
            "movement, action: .* later in the round",
        ),
        (COMMITTED, "movement, action: .* later in the round"),
        ({"phase": "pick", "player": 2}, "player: seat 1 picks a fighter first"),
        ({"phase": "pick", "fighters": ["Hai Wu", "Kenji"]}, "fighters: seat 2 has already picked"),
        ({"shown": "yes"}, "shown must be true or false"),
        ({"phase": "move", **COMMITTED, "shown": True}, "shown: .* only in phases claim and counter"),
        ({"counter": "Kick"}, "performed, counter: .* face up"),
        ({"performed": [True, False], "super_used": [True, False]}, "performed, counter: .* face up"),
    ],
)
def test_bad_positions_are_refused_with_a_reason(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(BadPosition, match=message):
        read(**fields)


CALLED = {"phase": "show", "action": ["Grapple", "Kick"], "called": [True, False], "squares": ["c3", "f3"]}
BLOCKED = {
    "phase": "counter", "action": ["Grapple", "Block"], "squares": ["c3", "f3"], "health": [5, 5],
    "performed": [True, False],
}  # fmt: skip
CLAIMING = {"phase": "claim", "round": 5, "fighters": ["Duke", "Hai Wu"], "action": ["Kick", "Grapple"],
            "squares": ["c3", "f3"]}  # fmt: skip
REVEAL = {"super_call": "reveal"}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({**CALLED, "health": [8, 20]}, "called: seat 1 can't call a super"),
        ({**CALLED, "health": [7, 20], "super_used": [True, False]}, "called: seat 1 can't call a super"),
        ({**CALLED, "health": [7, 20], "options": REVEAL}, "called: seat 1 can't call a super"),
        (BLOCKED, "super_used must be true for seat 1"),
        ({**BLOCKED, "super_used": [True, False]}, "phase: a Block that a super overrules"),
        ({**CLAIMING, "health": [7, 8], "options": REVEAL}, "player: seat [12] has no super to claim"),
        ({**CLAIMING, "health": [7, 7]}, "player: seat [12] has no super to claim"),
    ],
)
def test_bad_supers_are_refused_with_a_reason(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(BadPosition, match=message):
        read(**fields)


def test_legal_supers_are_accepted() -> None:
    assert read(**{**CALLED, "health": [7, 20]}).used == (True, False)
    ringout = {"options": {"super_vs_block": "ringout"}, "super_used": [True, False]}
    assert read(**BLOCKED, **ringout).status == "P2 counter"
    assert read(**CLAIMING, health=[7, 7], options=REVEAL).status == "P2 claim"


def test_the_first_round_begins_after_the_picks() -> None:
    t = read(phase="pick", round=1).play("Duke Rafferty; Hai Wu")
    assert t["round"] == 1
    assert t.status == "P1 move_card"


@pytest.mark.parametrize(
    ("player", "squares", "movement", "winner"), [(1, ["b3", "d3"], [3, 1], 2), (2, ["d3", "b3"], [1, 3], 1)]
)
def test_a_seat_without_a_move_is_forced_off_at_once(
    player: int, squares: list[str], movement: list[int], winner: int
) -> None:
    t = read(phase="move", player=player, squares=squares, movement=movement, action=["Kick", "Kick"])
    assert t.status == f"P{winner} by forced off"
    assert Match.from_position(t.match.position()).ending == "forced off"


def test_a_match_from_a_position_is_recorded() -> None:
    t = table("Hai Wu c3 7", "Ingrid e3 6", seed=4).play("move 2")
    assert Match.from_record(t.match.record()).state.tobytes() == t.match.state.tobytes()
    over = show("Hai Wu d3 5 Grapple +super", "Ingrid g4 20 Block")
    assert Match.from_record(over.match.record()).over
