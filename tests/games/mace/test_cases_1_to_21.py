"""Worked cases M01 to M21, named by their ids; letters are independent continuations of one situation."""

from typing import Any

import pytest

from games.mace.table import Table, adjacent, cards, distance, table
from sparring import Match

PLAY_CLUB: dict[str, Any] = {"blast_cost": "play_club"}
REVEAL: dict[str, Any] = {"blast_cost": "reveal_only"}
AFTER: dict[str, Any] = {"discard_timing": "after_attack"}


# M01 to M03: set-up and order


@pytest.mark.parametrize(
    ("seats", "jokers", "deck"), [(2, 2, 42), (3, 2, 36), (4, 2, 30), (2, 0, 40), (3, 0, 34), (4, 0, 28)]
)
def test_m01_set_up_counts(seats: int, jokers: int, deck: int) -> None:
    t = Table(Match.new("mace", seats=seats, seed=4, options={"jokers": jokers}))
    while t.match.phase == "momentum":
        t.match.choose(t.choices[0])
    assert t.deck == deck
    assert [len(t.hand(seat)) for seat in range(1, seats + 1)] == [5] * seats
    assert t.discard == ""


def test_m01_start_hexes() -> None:
    starts = {seats: Table(Match.new("mace", seats=seats, seed=4)).field("fighters") for seats in (2, 3, 4)}
    assert starts == {2: ["-3,0", "3,0"], 3: ["3,0", "-3,3", "0,-3"], 4: ["4,0", "-2,4", "-4,0", "2,-4"]}
    assert distance(*starts[2]) == 6
    assert {distance(one, other) for one in starts[3] for other in starts[3] if one != other} == {6}
    assert [distance(starts[4][0], other) for other in starts[4][1:]] == [6, 8, 6]


@pytest.mark.parametrize(("momentum", "order"), [("9C QS QH 9D", [3, 2, 4, 1]), ("7C 7S 7D 7H", [4, 3, 2, 1])])
def test_m03_turn_order(momentum: str, order: list[int]) -> None:
    t = table(None, None, None, None, phase="round", momentum=momentum.split())
    assert t.field("order") == order
    assert t.to_move == f"S{order[0]} turn"


# M05 to M09: the Boost


def test_m05_seven_to_three_is_four_hexes() -> None:
    t = table(
        "3S 4C 8H 9D QC", None, fighters=["0,0", "6,0"], momentum=["7D", None], discard_pile="5S", draw_pile="2H ..."
    )
    t.play("S1: boost 3S")
    assert t.hand(1) == cards("4C 8H 9D QC 2H")
    assert t.momentum(1) == "3S"
    assert t.discard == "5S 7D"
    assert t.to_move == "S1 move"
    assert len(t.places) == 60
    assert t.choices[-1] == "stay"
    assert {"4,0", "2,2", "-4,4", "1,0"} <= set(t.places)
    assert t.refuses("to 5,0", "to 3,2", "to 0,0")


def test_m07_into_reach_and_not_through() -> None:
    t = table("3C 4D 8H 9D QC", None, fighters=["0,0", "3,0"], momentum=["7H", None]).play("S1: boost 3C")
    assert len(t.places) == 56
    near = {f"{q},{r}" for q in range(-4, 5) for r in range(-4, 5) if 0 < distance("0,0", f"{q},{r}") <= 4}
    assert set(t.places) == near - {"3,0", "3,1", "4,0", "4,-1"}
    assert {"2,0", "2,1", "3,-1", "2,2", "4,-2", "4,-4"} <= set(t.places)


M09: dict[str, Any] = {"momentum": ["8D", None]}


def test_m09_one_action_and_one_boost() -> None:
    t = adjacent("9S 4S 6C 2H 5D", "JC 7D 5C 3C 2S", draw_pile="8C ...", **M09)
    t.play("S1: strike 9S; target 2; S2: take; pay JC")
    assert t.at(2) == "5,0"
    assert t.to_move == "S1 turn"
    assert set(t.choices) == {"boost 2H", "boost 5D", "boost 4S", "boost 6C", "boost 8C", "end"}
    assert t.refuses("strike 4S", "charge 6C")
    t.play("boost 5D; stay")
    assert (t.to_move, t.field("round")) == ("S2 forfeit", 1)


def test_m09_boost_first_and_action_second() -> None:
    t = adjacent("9S 4S 6C 2H 5D", "JC 7D 5C 3C 2S", **M09).play("S1: boost 5D; stay")
    assert t.to_move == "S1 turn"
    assert t.choices[:2] == ["strike 4S", "strike 9S"]
    t.play("strike 9S; target 2; S2: take; pay JC")
    assert t.to_move != "S1 turn"


def test_m09_a_turn_may_end_at_once() -> None:
    assert adjacent("9S 4S 6C 2H 5D", None, **M09).play("S1: end").to_move != "S1 turn"


# M11 to M21: Strikes and Jokers


def test_m11_a_strike_taken() -> None:
    t = adjacent("9S 2H 3H 4C 5D", "JC 7D 5C 3C 2S", discard_pile="4S", draw_pile="6C ...")
    t.play("S1: strike 9S; target B; S2: take")
    assert t.damage == 9
    t.play("S2: pay JC")
    assert t.hand(1) == cards("2H 3H 4C 5D 6C")
    assert t.hand(2) == cards("7D 5C 3C 2S")
    assert t.discard == "4S 9S JC"
    assert t.field("knock") == {"seat": 2, "source": "0,0", "start": "1,0", "length": 4, "turn": 1}
    assert t.at(2) == "5,0"
    assert not t.is_down(2)
    assert t.to_move == "S1 turn"


def test_m13_block_in_part() -> None:
    t = adjacent("KS 2H 2D 4C 5D", "6D 8C 2C 4H 9H", draw_pile="3H 10C ...").play(
        "S1: strike KS; target 2; S2: block 6D"
    )
    assert "3H" in t.hand(1)
    assert "10C" in t.hand(2)
    assert t.damage == 7
    assert t.discard == "KS 6D"
    assert set(t.choices) == {"pay 8C", "pay 2C", "pay 4H", "pay 9H", "pay 10C"}
    t.play("S2: pay 8C")
    assert t.hand(2) == cards("2C 4H 9H 10C")
    assert t.field("knock")["length"] == 3
    assert t.at(2) == "4,0"
    assert not t.is_down(2)


def test_m15_a_dodge_with_an_equal_card() -> None:
    t = adjacent("8S 2H 2D 4C 5D", "8H 8C 2C 4H 9H").play("S1: strike 8S; target 2; S2: dodge 8H")
    assert t.to_move == "S1 turn"
    assert t.at(2) == "1,0"
    assert len(t.hand(2)) == 5
    assert t.discard == "8S 8H"


def test_m17_a_dodge_too_low() -> None:
    t = adjacent("10S 2H 3D 4C 5D", "4H KC 5C 6C 7C", draw_pile="9D 2D ...").play(
        "S1: strike 10S; target 2; S2: dodge 4H"
    )
    assert t.hand(2) == cards("KC 5C 6C 7C 2D")
    assert t.discard == "10S 4H"
    assert t.damage == 10
    assert t.to_move == "S2 pay"
    assert t.refuses("block 2D")
    t.play("S2: pay KC")
    assert len(t.hand(2)) == 4
    assert t.at(2) == "6,0"
    assert t.is_down(2)


def test_m19_a_joker_as_strike() -> None:
    t = adjacent("X1 2H 3H 4C 5D", None, discard_pile="5H QC").play("S1: strike X1; target 2")
    assert t.field("attack") == 12
    assert t.discard == "5H QC X1"
    t.play("S2: take")
    assert t.damage == 12


def test_m19_a_joker_sees_the_momentum_that_a_boost_discards() -> None:
    position: dict[str, Any] = {"discard_pile": "2C", "momentum": ["KH", None]}
    t = adjacent("X1 2H 3H 4C 9D", None, **position).play("S1: boost 9D; stay")
    assert t.discard == "2C KH"
    assert t.play("strike X1; target 2").field("attack") == 13
    assert adjacent("X1 2H 3H 4C 9D", None, **position).play("S1: strike X1; target 2").field("attack") == 2


def test_m21_a_joker_looks_past_a_joker() -> None:
    assert adjacent("X2 2H 3H 4C 9D", None, discard_pile="7C X1").play("strike X2; target 2").field("attack") == 7


def test_m21_a_joker_on_nothing() -> None:
    t = adjacent("X1 2H 3H 4C 9D", None, draw_pile="8C ...").play("S1: strike X1")
    assert t.field("attack") == 0
    assert "8C" in t.hand(1)
    assert t.to_move == "S1 target"
    t.play("target 2")
    assert t.to_move == "S1 turn"
    assert t.discard == "X1"
    assert t.at(2) == "1,0"
    assert t.refuses("charge 4C", "charge 8C")


@pytest.mark.parametrize("options", [PLAY_CLUB, REVEAL])
def test_m21_a_joker_without_range(options: dict[str, Any]) -> None:
    two_away: dict[str, Any] = {"fighters": ["0,0", "2,0"], "charges": ["X1", ""], "options": options}
    assert table("4C 2H 9H 5D 6D", None, **two_away).refuses("blast X1")
    t = table("4C 2H 9H 5D 6D", None, discard_pile="3H", **two_away).play("S1: blast X1")
    assert t.field("range") == 3
    assert t.discard == "3H X1"
    if options is PLAY_CLUB:
        t.play("4C")
        assert t.field("attack") == 4
        assert t.discard == "3H X1 4C"
    else:
        assert t.field("attack") == 3


def test_m21_e_a_joker_of_nothing_for_a_blast() -> None:
    t = table("X1 2H 9H 5D 6D", None, fighters=["0,0", "5,0"], charges=["10C", ""], options={**AFTER, **PLAY_CLUB})
    t.play("S1: blast 10C; X1")
    assert t.field("attack") == 0
    assert t.field("table") == ["10C", "X1"]
    t.play("target 2")
    assert t.to_move == "S1 turn"
    assert t.discard == "10C X1"
    assert t.refuses("charge X1")
