"""Rulings R1 to R23 (set-up, cards, Turns, Actions): a position, choices, and the table afterwards."""

from typing import Any

import pytest

from games.mace.table import NAME, Table, adjacent, cards, distance, table
from sparring import BadOption, Match, SparringError
from sparring.engine.game import game
from sparring.printing.print_job import inventory_of
from wording import says

AFTER: dict[str, Any] = {"discard_timing": "after_attack"}
REVEAL: dict[str, Any] = {"blast_cost": "reveal_only"}
FAR: dict[str, Any] = {"fighters": ["0,0", "6,0"]}


def pack(t: Table) -> set[str]:
    """Return every card, wherever it is."""
    piles = [t.field("draw_pile"), t.field("discard_pile"), t.field("table"), *t.field("hands"), *t.field("charges")]
    return {card for pile in piles for card in pile} | {card for card in t.field("momentum") if card}


# Set-up


def test_r1_every_other_fighter_is_an_opponent() -> None:
    t = table("8S 2H 3D 4D 5D", None, None, None, fighters=["0,0", "1,0", "0,1", "-4,0"]).play("strike 8S")
    assert t.choices == ["target 2", "target 3"]


@pytest.mark.parametrize("seats", [1, 5])
def test_r1_two_to_four_players(seats: int) -> None:
    with pytest.raises(SparringError, match="2 to 4"):
        Match.new(NAME, seats=seats)


@pytest.mark.parametrize("jokers", [0, 1, 2, 3, 4])
def test_r2_jokers(jokers: int) -> None:
    t = Table(Match.new(NAME, seats=4, seed=1, options={"jokers": jokers}))
    assert len(pack(t)) == 52 + jokers
    assert {card for card in pack(t) if card[0] == "X"} == {f"X{number}" for number in range(1, jokers + 1)}


def test_r2_two_jokers_by_default_and_four_at_most() -> None:
    assert game(NAME).setup().options["jokers"] == 2
    with pytest.raises(BadOption, match="0 to 4"):
        Match.new(NAME, options={"jokers": 5})


@pytest.mark.parametrize(("radius", "hexes"), [(5, 91), (6, 127), (8, 217), (10, 331)])
def test_r3_the_board(radius: int, hexes: int) -> None:
    match = Match.new(NAME, seed=1, options={"radius": radius})
    assert len(match.view(1).scene.middle[0].cells) == hexes


def test_r3_the_edge_is_closed() -> None:
    t = table("3C 4D 8H 9D QC", None, fighters=["6,0", "-6,0"], momentum=["5H", None]).play("boost 3C")
    assert set(t.places) == {"5,0", "4,0", "6,-1", "6,-2", "5,-1", "5,1", "4,1", "4,2"}
    assert "edge" in t.refusal("to 7,0")


@pytest.mark.parametrize(("radius", "end"), [(5, "5,0"), (6, "6,0"), (8, "7,0")])
def test_r3_a_smaller_or_larger_board(radius: int, end: str) -> None:
    t = adjacent("KS AC 3D 4D 5D", "AS 2S 3S 4S 6S", momentum=["2C", None], options={"radius": radius})
    t.play("strike KS; target 2; take; pay AS")
    assert t.at(2) == end
    t.play("boost AC")
    assert max(distance("0,0", place) for place in t.places) == radius
    assert {f"0,{radius}", f"0,{-radius}", f"{-radius},0"} <= set(t.places)


def test_r4_start_hexes_have_equal_distances() -> None:
    starts = Table(Match.new(NAME, seats=3, seed=1)).field("fighters")
    assert {distance(one, other) for one in starts for other in starts if one != other} == {6}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_r4_the_printed_board_numbers_the_start_hexes(seats: int) -> None:
    (board,) = inventory_of(game(NAME).setup(), seats).boards
    marked = {cell.text: cell.name for cell in board.cells if cell.text}
    starts = Table(Match.new(NAME, seats=seats, seed=1)).field("fighters")
    assert marked == {str(number): place for number, place in enumerate(starts, 1)}


def test_r5_the_first_momentum_card_is_replaced() -> None:
    t = Table(Match.new(NAME, seats=2, seed=5))
    assert t.deck == 44
    played = t.choices[0]
    t.play(f"S1: {played}")
    assert t.momentum(1) == played
    assert len(t.hand(1)) == 5
    assert t.deck == 43


def test_r6_momentum_is_hidden_until_all_have_picked() -> None:
    t = Table(Match.new(NAME, seats=3, seed=5))
    t.play(f"S1: {t.choices[0]}").play(f"S2: {t.choices[0]}")
    one, two = t.momentum(1), t.momentum(2)
    assert one in str(t.match.view(1).scene)
    assert two not in str(t.match.view(1).scene)
    assert all(card not in str(t.match.view(seat).scene) for seat in (0, 3) for card in (one, two))
    t.play(f"S3: {t.choices[0]}")
    assert all(card in str(t.match.view(0).scene) for card in (one, two, t.momentum(3)))
    assert t.discard == ""


def test_r7_a_joker_is_never_momentum() -> None:
    t = table("X1 X2 3H 4C 5D", None, phase="momentum", momentum=["", ""])
    assert t.choices == ["3H", "4C", "5D"]
    assert "Joker" in t.refusal("X1")
    t = table("X1 X2 3H 4C 5D", None, **FAR)
    assert "Joker" in t.refusal("boost X1")


# Cards


def test_r8_at_once_a_joker_in_defence_copies_the_attack() -> None:
    t = adjacent("10S 2H 3D 4D 5D", "X1 2S 3S 4S 5S", discard_pile="2D").play("strike 10S; target 2; S2: block X1")
    assert t.to_move == "S1 turn"
    assert t.discard == "2D 10S X1"


def test_r8_after_the_attack_a_joker_does_not_see_it() -> None:
    t = adjacent("10S 2H 3D 4D 5D", "X1 2S 3S 4S 5S", discard_pile="4H", options=AFTER)
    t.play("strike 10S; target 2; S2: block X1")
    assert t.damage == 6
    assert t.discard == "4H"
    assert t.field("table") == ["10S", "X1"]
    t.play("S2: pay 5S; pay 4S")
    assert t.discard == "4H 5S 4S 10S X1"


def test_r8_after_the_attack_is_after_the_dodge_has_moved() -> None:
    t = adjacent("8S 2H 3D 4D 5D", "QH 2S 3S 4S 5S", discard_pile="4H", options=AFTER)
    t.play("strike 8S; target 2; S2: dodge QH")
    assert (t.to_move, t.discard, t.field("table")) == ("S2 dodge_move", "4H", ["8S", "QH"])
    t.play("S2: to 5,0")
    assert (t.discard, t.field("table")) == ("4H 8S QH", [])


def test_r8_a_joker_attack_that_emptied_the_pile_leaves_nothing_to_copy() -> None:
    t = adjacent("X1 2H 3D 4D 5D", "X2 2S 3S 4S 5S", momentum=["2C", "3C"], discard_pile="... KD")
    t.play("strike X1; target 2; S2: block X2")
    assert t.damage == 13


def test_r9_a_full_deck_is_not_reshuffled() -> None:
    t = adjacent("5S 2H 3D 4D 5D", None, draw_pile="9C ...", discard_pile="2D 3S").play("strike 5S")
    assert t.discard == "2D 3S 5S"


def test_r9_an_empty_deck_stays_empty_until_a_draw_needs_it() -> None:
    t = adjacent("5S 2H 3D 4D 5D", "6D 2S 3S 4S 6S", draw_pile="9C", discard_pile="2C ...")
    t.play("S1: strike 5S; target 2")
    assert "9C" in t.hand(1)
    assert (t.deck, len(t.field("discard_pile"))) == (0, 42)
    t.play("S2: block 6D")
    assert (t.deck, t.discard) == (41, "6D")


def test_r9_the_old_momentum_is_discarded_after_the_draw() -> None:
    t = adjacent("5D 2H 3D 4D 6D", None, momentum=["8D", None], discard_pile="...").play("boost 5D")
    assert (t.deck, t.discard) == (41, "8D")


def test_r9_paying_draws_nothing() -> None:
    t = adjacent("9S 2H 3D 4D 5D", "JC 7D 5C 3C 2S").play("strike 9S; target 2; take")
    deck = t.deck
    assert t.play("pay JC").deck == deck


def test_r10_a_joker_looks_down_past_jokers() -> None:
    t = adjacent("X3 2H 3D 4D 5D", None, discard_pile="6C X1 X2", options={"jokers": 3})
    assert t.play("strike X3").field("attack") == 6


def test_r11_an_attack_of_0_has_no_defence() -> None:
    t = adjacent("X1 2H 3D 4D 5D", None).play("strike X1; target 2")
    assert t.to_move == "S1 turn"
    assert len(t.hand(2)) == 5


def test_r12_a_joker_keeps_its_value_when_its_draw_reshuffles() -> None:
    t = adjacent("X1 2H 3D 4D 5D", None, momentum=["2C", "3C"], discard_pile="... KD").play("strike X1")
    assert (t.field("attack"), t.discard) == (13, "X1")


def test_r12_a_joker_that_pays_is_read_before_it_is_discarded() -> None:
    t = adjacent("5S 2H 3D 4D 5D", "X1 2D 3S 4S 6S", discard_pile="9H").play("strike 5S; target 2; take; pay X1")
    assert t.to_move == "S1 turn"
    t = adjacent("5S 2H 3D 4D 5D", "X1 2D 3S 4S 6S", discard_pile="9H").play("strike 5S; target 2; take; pay 2D")
    assert t.field("paid") == 2
    t.play("pay X1")
    assert t.to_move == "S2 pay"
    assert t.play("pay 3S").to_move == "S1 turn"


# Rounds and Turns


def test_r13_a_boost_changes_the_next_round_only() -> None:
    t = table("AC 2H 3D 4D 5D", None, momentum=["5C", "9C"], phase="round", **FAR)
    assert t.field("order") == [2, 1]
    t.play("S2: end; S1: boost AC; stay; end; S2: stay; S1: stay")
    assert t.field("order") == [1, 2]


def test_r14_action_and_boost_in_either_order() -> None:
    hand = "3C 9H 3D 4D 5D"
    for choices in ("charge 3C; boost 9H; stay", "boost 9H; stay; charge 3C"):
        t = table(hand, None, momentum=["5C", "2C"], **FAR).play(choices)
        assert t.match.seat == 2
        assert t.charges(1) == "3C"
    assert t.momentum(1) == "9H"


def test_r14_at_most_one_of_each_and_both_optional() -> None:
    t = table("3C 4C 3D 4D 5D", None, momentum=["5C", "2C"], **FAR)
    t.play("charge 3C")
    assert says(t.refusal("charge 4C"), "used", "Action")
    t = table("3C 4C 3D 4D 5D", None, momentum=["5C", "2C"], **FAR).play("boost 4C; stay")
    assert says(t.refusal("boost 3C"), "used", "Boost")
    assert table("3C 4C 3D 4D 5D", None, momentum=["5C", "2C"], **FAR).play("end").match.seat == 2


def test_r14_the_move_of_a_boost_is_made_in_one_go() -> None:
    t = adjacent("9S 2H 3D 4D 5D", "JC 7D 5C 3C 2S", momentum=["2C", "2D"]).play("boost 5D")
    assert t.to_move == "S1 move"
    assert says(t.refusal("strike 9S"), "move")
    assert t.play("to 0,1").refuses("to 0,2", "stay")


def test_r15_the_difference_is_a_maximum() -> None:
    t = table("9C 2H 3D 4D 5D", None, momentum=["6C", None], **FAR)
    assert {"1,0", "2,0", "3,0", "stay"} <= {words.removeprefix("to ") for words in t.play("boost 9C").choices}
    assert t.play("stay").at(1) == "0,0"


def test_r16_a_boost_with_an_equal_card_does_not_move() -> None:
    t = table("7C 2H 3D 4D 5D", None, momentum=["7H", None], **FAR).play("boost 7C")
    assert t.to_move == "S1 turn"
    assert t.momentum(1) == "7C"
    assert t.discard == "7H"


def test_r17_leaving_reach_and_the_first_step_along_it() -> None:
    t = adjacent("9C 2H 3D 4D 5D", None, momentum=["6C", None]).play("boost 9C")
    assert "-3,0" in t.places
    assert "0,1" in t.places
    assert "1,1" not in t.places
    assert "Reach" in t.refusal("to 1,1")


def test_r18_fighters_block_the_way() -> None:
    t = table("5C 2H 3D 4D 5D", "9C", "8C", fighters=["6,0", "5,0", "6,-1"], momentum=["2C", None, None])
    t.play("boost 5C")
    assert t.places == ["5,1"]
    assert says(t.refusal("to 5,0"), "Seat 2")


def test_r18_a_hemmed_in_fighter_may_only_stay() -> None:
    corner: dict[str, Any] = {"fighters": ["6,0", "5,0", "6,-1", "5,1"], "momentum": ["2C", "3C", "2D", "3D"]}
    t = table("5C 2H 3H 4D 5D", "4S 9D", None, None, **corner).play("boost 5C")
    assert (t.to_move, t.choices) == ("S1 move", ["stay"])
    t = table("KH 2H 3H 4D 5D", "4S 9D", None, None, active=2, **corner).play("strike 4S; target 1; S1: dodge KH")
    assert (t.to_move, t.choices) == ("S1 dodge_move", ["stay"])
    assert t.play("stay").to_move == "S2 turn"


# Actions


def test_r19_a_strike_needs_an_adjacent_opponent() -> None:
    t = table("9S X1 3D 4D 5D", None, fighters=["0,0", "2,0"])
    assert says(t.refusal("strike 9S"), "opponent", "next to you")
    assert "strike X1" not in t.choices
    assert {"strike 9S", "strike X1"} <= set(adjacent("9S X1 3D 4D 5D", None).choices)


def test_r19_only_neighbours_can_be_struck() -> None:
    t = table("9S X1 3D 4D 5D", None, None, fighters=["0,0", "1,0", "2,0"]).play("strike 9S")
    assert t.choices == ["target 2"]
    assert says(t.refusal("target 3"), "2 hexes away")
    assert says(t.refusal("target 1"), "yourself")


def test_r20_a_blast_costs_a_club_as_well() -> None:
    position: dict[str, Any] = {"fighters": ["0,0", "0,3"], "charges": ["9C", ""]}
    t = table("2C 2H 3D 4D 5D", None, **position).play("blast 9C")
    assert t.to_move == "S1 blast_card"
    assert t.choices == ["2C"]
    assert t.play("2C").field("attack") == 2
    t = table("2C 2H 3D 4D 5D", None, options=REVEAL, **position).play("blast 9C")
    assert t.to_move == "S1 target"
    assert t.field("attack") == 9
    assert "2C" in t.hand(1)


@pytest.mark.parametrize(("charge", "club", "asked"), [("10C", "4C", "S2 dodge_move"), ("3C", "9C", "S2 pay")])
def test_r20_a_dodge_must_match_the_club(charge: str, club: str, asked: str) -> None:
    t = table(f"{club} 2H 3D 4D 5D", "5H 2S 3S 4S 6S", fighters=["0,0", "0,3"], charges=[charge, ""], discard_pile="2D")
    assert t.play(f"blast {charge}; {club}; target 2; S2: dodge 5H").to_move == asked


def test_r21_a_fighter_in_between_does_not_stop_a_blast() -> None:
    t = table("2C 2H 3D 4D 5D", None, None, fighters=["0,0", "2,0", "4,0"], charges=["5C", "", ""])
    assert t.play("blast 5C; 2C").choices == ["target 2", "target 3"]


def test_r21_a_fighter_that_is_out_is_no_target() -> None:
    t = table(
        "2C 2H 3D 4D 5D", None, "", fighters=["0,0", "0,3", "2,0"], charges=["5C", "", ""], momentum=["2S", "3S", ""],
        out=[3],
    )  # fmt: skip
    assert t.play("blast 5C; 2C").choices == ["target 2"]


def test_r21_a_blast_reaches_to_its_range_and_no_further() -> None:
    t = table("2C 2H 3D 4D 5D", None, None, fighters=["0,0", "0,3", "4,0"], charges=["3C 4C", "", ""])
    assert t.play("blast 3C; 2C").choices == ["target 2"]
    t = table("2C 2H 3D 4D 5D", None, None, fighters=["0,0", "0,3", "4,0"], charges=["3C 4C", "", ""])
    assert t.play("blast 4C; 2C").choices == ["target 2", "target 3"]


def test_r22_only_a_club_or_joker_is_a_charge() -> None:
    t = table("2C X1 3D 4H 5S", None, **FAR)
    assert {words for words in t.choices if words.startswith("charge")} == {"charge 2C", "charge X1"}
    assert "Club" in t.refusal("charge 3D")
    assert adjacent("2C X1 3D 4H 5S", None).refuses("charge 2C", "charge X1")


def test_r22_a_charge_is_played_face_down_and_replaced() -> None:
    t = table("2C X1 3D 4H 5S", None, draw_pile="9H ...", **FAR).play("charge 2C")
    assert t.charges(1) == "2C"
    assert t.hand(1) == cards("X1 3D 4H 5S 9H")
    assert "2C" not in str(t.match.view(2).scene)
    assert "2C" in str(t.match.view(1).scene)


def test_r23_revealing_draws_nothing_and_takes_one_charge() -> None:
    t = table("2C 2H 3D 4D 5D", None, fighters=["0,0", "0,3"], charges=["9C 8C", ""])
    deck = t.deck
    t.play("blast 8C")
    assert t.deck == deck
    assert t.charges(1) == "9C"
    assert t.play("2C").deck == deck - 1
