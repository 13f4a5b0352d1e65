"""Rulings from R24 on (defence, Damage, the end): a position, choices, and the table afterwards."""

from typing import Any

import pytest

from games.mace.table import NAME, Table, adjacent, blasts, cards, table
from sparring import Match
from wording import says

FAR: dict[str, Any] = {"fighters": ["0,0", "6,0"]}


def struck(hand: str, spade: str = "10S", *, options: dict[str, Any] | None = None, **position: Any) -> Table:
    """Return a table where seat 1 has struck seat 2, who holds this hand."""
    t = adjacent(f"{spade} 2H 3D 4D 6D", hand, options=options, **position)
    return t.play(f"S1: strike {spade}; target 2")


# Defence


def test_r24_one_defence_for_each_attack() -> None:
    t = struck("7D 5D 5H 2S 3S", draw_pile="8C 8D ...").play("S2: block 7D")
    assert t.to_move == "S2 pay"
    assert "Pay" in t.refusal("block 5D")


def test_r24_the_defence_phase_comes_even_if_only_take_is_legal() -> None:
    t = struck("2S 3S 4S 5S 6S")
    assert t.to_move == "S2 defence"
    assert t.choices == ["take"]


def test_r24_defending_is_optional() -> None:
    assert struck("KD").choices == ["block KD", "take"]


def test_r24_defending_uses_up_nothing_of_the_next_turn() -> None:
    t = adjacent("10S 2H 3D 4D 6D", "QD 5C 5H 2S 3S", momentum=["9C", "8C"], draw_pile="8D 8S ...")
    t.play("S1: strike 10S; target 2; S2: block QD; S1: end")
    assert t.to_move == "S2 turn"
    assert {"strike 2S", "boost 5C"} <= set(t.choices)


def test_r24_only_the_target_may_defend() -> None:
    t = table("8S 2H 3D 4D 6D", None, "KD 2S 3S 4S 5S", fighters=["0,0", "1,0", "0,1"]).play("strike 8S; target 2")
    assert t.to_move == "S2 defence"


def test_r25_a_lower_heart_is_wasted() -> None:
    t = struck("4H 5D 9C 2S 3S", draw_pile="8C 8D ...").play("S2: dodge 4H")
    assert t.damage == 10
    assert t.hand(2) == cards("5D 9C 2S 3S 8D")
    assert t.discard == "10S 4H"


def test_r25_a_higher_heart_moves_free_of_reach() -> None:
    t = struck("QH 5D 9C 2S 3S").play("S2: dodge QH")
    assert t.to_move == "S2 dodge_move"
    assert "-1,0" not in t.places
    assert {"0,1", "0,2", "1,-1", "3,0"} <= set(t.places)
    assert "-1,1" in t.places  # two steps, both next to the attacker
    assert t.play("to -1,1").at(2) == "-1,1"
    assert t.to_move == "S1 turn"


def test_r26_a_joker_has_any_suit() -> None:
    t = struck("X1 5D 9C 2S 3S", discard_pile="4H")
    assert {"block X1", "dodge X1"} <= set(t.choices)
    assert t.play("S2: dodge X1").to_move == "S1 turn"
    far = table("X1 2H 3D 4D 6D", None, **FAR)
    assert "charge X1" in far.choices


# Damage


def test_r27_cards_one_by_one_until_it_is_enough() -> None:
    t = struck("9C 8C 7C 2S 3S").play("S2: take; pay 2S; pay 3S")
    assert t.field("paid") == 5
    assert set(t.choices) == {"pay 9C", "pay 8C", "pay 7C"}
    assert t.play("pay 9C").to_move == "S1 turn"


def test_r27_a_hand_that_is_not_enough_is_discarded_whole() -> None:
    t = struck("2C 3C").play("S2: take; pay 3C")
    assert t.to_move == "S2 pay"
    assert t.play("pay 2C").match.over


def test_r28_one_charge_is_lost_with_damage() -> None:
    t = struck("KC 8C 7C 2S 3S", charges=["", "4C X2 9C"]).play("S2: take; pay KC")
    assert t.choices == ["drop 4C", "drop 9C", "drop X2"]
    t.play("drop X2")
    assert t.charges(2) == "4C 9C"
    assert t.discard == "10S KC X2"


def test_r28_no_charge_is_lost_without_damage() -> None:
    t = struck("KD 8C 7C 2S 3S", charges=["", "4C"]).play("S2: block KD")
    assert t.to_move == "S1 turn"
    assert t.charges(2) == "4C"


def test_r29_an_empty_hand_is_out_even_if_all_is_paid() -> None:
    t = struck("JC", "10S").play("S2: take; pay JC")
    assert t.match.over
    assert t.payoffs == [1, -1]


def test_r30_all_cards_of_a_fighter_that_is_out_are_discarded() -> None:
    t = table(
        "KS 2H 3D 4D 6D", "4C 2D", "5H 6H 7H 8H 9H", fighters=["0,0", "1,0", "4,0"], momentum=["2S", "6S", "3C"],
        charges=["", "9C X2 8C", ""],
    )  # fmt: skip
    t.play("S1: strike KS; target 2; S2: take; pay 4C; pay 2D")
    assert t.discard == "KS 4C 2D 9C X2 8C 6S"
    assert t.field("out") == [2]
    assert t.to_move == "S1 turn"
    assert [token.seat for token in t.match.view(1).scene.middle[0].tokens if token.state != "out"] == [1, 3]


def test_r30_the_discard_order_after_a_forfeit() -> None:
    t = table(
        "X2 KD 4H X1 4C", "4S 2D", "5H 6H 7H 8H 9H", momentum=["2S", "6S", "3C"], phase="forfeit",
        charges=["9C 8C", "", ""], order=[1, 2, 3],
    )  # fmt: skip
    t.play("S1: forfeit")
    assert t.discard == "X1 X2 4C 4H KD 9C 8C 2S"
    assert t.to_move == "S2 forfeit"


def test_r30_a_fighter_that_is_out_has_no_hex_and_no_reach() -> None:
    t = table(
        "5C 2H 3D 4D 6D", "", "5H 6H 7H 8H 9H", fighters=["0,0", "1,0", "6,0"], momentum=["2C", "", "3C"], out=[2]
    )
    assert "charge 5C" in t.choices
    t.play("boost 5C")
    assert {"1,0", "2,0", "3,0"} <= set(t.places)


def test_r30_a_fighter_that_is_out_stops_no_knock_back() -> None:
    t = table(
        "8S 2H 3D 4D 6D", "9C 9S 9H QH KH", "", fighters=["0,0", "1,0", "3,0"], momentum=["2C", "3C", ""], out=[3]
    )
    assert t.play("strike 8S; target 2; take; pay 9C").at(2) == "5,0"


def test_r31_no_damage_is_no_damage() -> None:
    t = struck("10D 8C 7C 2S 3S", charges=["", "4C"]).play("S2: block 10D")
    assert (t.to_move, t.at(2), t.charges(2), t.field("hurt")) == ("S1 turn", "1,0", "4C", False)


# Knockback and Knockdown


@pytest.mark.parametrize(("rounding", "place"), [("down", "3,0"), ("up", "4,0")])
def test_r32_half_of_what_is_left_after_the_block(rounding: str, place: str) -> None:
    t = struck("5D 8C 7C 2S 3S", options={"knockback_rounding": rounding}).play("S2: block 5D; pay 8C")
    assert t.damage == 0
    assert t.at(2) == place


def test_r33_the_source_is_the_attackers_hex() -> None:
    t = table("8C 2H 3D 4D 6D", "9C 9S 9H QH KH", fighters=["0,0", "2,-1"], charges=["3C", ""])
    t.play("blast 3C; 8C; target 2; take; pay 9C")
    assert t.at(2) == "6,-3"


@pytest.mark.parametrize(
    ("place", "end"),
    [("1,0", "4,0"), ("0,1", "0,4"), ("-1,1", "-4,4"), ("-1,0", "-4,0"), ("0,-1", "0,-4"), ("1,-1", "4,-4")],
)
def test_r33_straight_on_in_each_direction(place: str, end: str) -> None:
    t = table("6S 2H 3D 4D 6D", "9C 9S 9H QH KH", fighters=["0,0", place])
    assert t.play("strike 6S; target 2; take; pay 9C").at(2) == end


@pytest.mark.parametrize(("place", "end"), [("5,0", "6,0"), ("6,0", "6,0")])
def test_r34_the_edge_stops_it(place: str, end: str) -> None:
    t = table("8S 2H 3D 4D 6D", "9C 9S 9H QH KH", fighters=[f"{int(place[0]) - 1},0", place])
    t.play("strike 8S; target 2; take; pay 9C")
    assert t.at(2) == end
    assert not t.is_down(2)


@pytest.mark.parametrize(("rule", "place"), [("ignores", "5,0"), ("stops", "3,0")])
def test_r35_reach_and_knock_back(rule: str, place: str) -> None:
    t = table(
        "8S 2H 3D 4D 6D", "9C 9S 9H QH KH", None, fighters=["0,0", "1,0", "4,-1"], options={"knockback_reach": rule},
    )  # fmt: skip
    t.play("strike 8S; target 2; take; pay 9C")
    assert t.at(2) == place


def test_r35_the_attackers_own_reach_stops_nothing() -> None:
    t = adjacent("8S 2H 3D 4D 6D", "9C 9S 9H QH KH", options={"knockback_reach": "stops"})
    assert t.play("strike 8S; target 2; take; pay 9C").at(2) == "5,0"


def test_r35_a_knock_back_that_begins_in_reach_leaves_it() -> None:
    t = table(
        "6C 2H 3D 4D 6D", "9C 9S 9H QH KH", None, fighters=["-3,0", "0,0", "0,-1"], charges=["3C", "", ""],
        options={"knockback_reach": "stops"},
    )  # fmt: skip
    assert t.play("blast 3C; 6C; target 2; take; pay 9C").at(2) == "3,0"


def test_r36_a_wall_does_not_protect() -> None:
    t = table("10S 2H 3D 4D 6D", "KC 9S 9H QH", fighters=["5,0", "6,0"]).play("strike 10S; target 2; take; pay KC")
    assert t.at(2) == "6,0"
    assert t.is_down(2)


def test_r36_strictly_more_hexes_than_cards() -> None:
    t = table("8S 2H 3D 4D 6D", "KC 9S 9H QH JH", fighters=["5,0", "6,0"]).play("strike 8S; target 2; take; pay KC")
    assert not t.is_down(2)
    t = table("8S 2H 3D 4D 6D", "KC 9S 9H QH", fighters=["5,0", "6,0"]).play("strike 8S; target 2; take; pay KC")
    assert t.is_down(2)


def test_r36_charges_do_not_count_as_cards_left() -> None:
    t = struck("KC 9S 9H QH JH", charges=["", "4C 9C"]).play("S2: take; pay KC; drop 4C")
    assert (len(t.hand(2)), t.charges(2), t.is_down(2)) == (4, "9C", True)


def test_r37_the_next_place_in_this_round() -> None:
    t = table("10S 2H 3D 4D 6D", "KC 9S 9H QH", None, fighters=["5,0", "6,0", "-3,0"], momentum=["AC", "KD", "2C"])
    t.play("S1: strike 10S; target 2; S2: take; pay KC; S1: end")
    assert t.to_move == "S3 turn"
    assert not t.is_down(2)


def test_r38_down_means_no_defence_and_nothing_more() -> None:
    position: dict[str, Any] = {"momentum": ["AC", "KH", "2C"], "down": [2], "order": [1, 2, 3]}
    t = table("8S 2H 3D 4D 6D", "KC 9S QD QH", None, fighters=["0,0", "1,0", "-3,0"], **position)
    t.play("S1: strike 8S; target 2")
    assert t.to_move == "S2 pay"
    t.play("S2: pay KC")
    assert t.at(2) == "5,0"
    assert t.is_down(2)
    t.play("S1: end")
    assert t.to_move == "S3 turn"
    assert not t.is_down(2)


def test_r38_a_fighter_that_is_down_can_lose_charges_and_be_knocked_out() -> None:
    position: dict[str, Any] = {"down": [2], "charges": ["", "9C"]}
    t = struck("KC 9S QD", **position).play("S2: pay KC; drop 9C")
    assert (t.to_move, t.at(2), t.is_down(2)) == ("S1 turn", "6,0", True)
    assert struck("KC", **position).play("S2: pay KC").match.over


def test_r38_a_fighter_that_is_down_keeps_its_reach() -> None:
    t = table("5C 2H 3D 4D 6D", None, fighters=["0,0", "2,0"], momentum=["2C", None], down=[2]).play("boost 5C")
    assert "1,0" in t.places
    assert "2,-1" in t.places
    assert "3,-1" not in t.places


def test_r38_a_fighter_that_is_down_and_knocked_out_is_out() -> None:
    t = table("KS 2H 3D 4D 6D", "4C 2D", None, fighters=["0,0", "1,0", "4,0"], momentum=["AS", "KH", "3C"], down=[2])
    t.play("S1: strike KS; target 2; S2: pay 4C; pay 2D")
    assert (t.field("out"), t.field("down"), t.to_move) == ([2], [], "S1 turn")


def test_r39_a_fighter_knocked_out_before_its_turn_has_none() -> None:
    t = table("KS 2H 3D 4D 6D", "4C 2D", None, fighters=["0,0", "1,0", "4,0"], momentum=["AS", "KH", "3C"])
    t.play("S1: strike KS; target 2; S2: take; pay 4C; pay 2D; S1: boost 2H; stay")
    assert t.to_move == "S3 turn"


def test_r40_the_round_ends_when_all_have_taken_or_missed_their_turn() -> None:
    t = table(None, None, None, momentum=["AS", "KH", "3C"], down=[3]).play("S1: end; S2: end")
    assert t.to_move == "S1 forfeit"


# The end


def test_r41_forfeits_are_asked_in_the_order_of_the_round() -> None:
    t = table(None, None, None, momentum=["3C", "AS", "KH"], phase="round").play("S2: end; S3: end; S1: end")
    t.play("S2: stay; S3: forfeit")
    assert t.to_move == "S1 forfeit"
    t.play("S1: stay")
    assert t.field("order") == [2, 1]


def test_r41_a_fighter_that_is_down_is_asked_too() -> None:
    t = table(None, None, momentum=["AC", "3S"], down=[1], active=2).play("S2: end")
    assert t.to_move == "S1 forfeit"
    assert t.is_down(1)


def test_r41_a_fighter_knocked_out_this_round_is_not_asked() -> None:
    t = table("KS 2H 3D 4D 6D", "4C 2D", None, fighters=["0,0", "1,0", "4,0"], momentum=["AS", "KH", "3C"])
    t.play("S1: strike KS; target 2; S2: take; pay 4C; pay 2D; S1: end; S3: end; S1: stay")
    assert t.to_move == "S3 forfeit"


def test_r41_the_last_fighter_wins_and_is_not_asked() -> None:
    t = table(None, None, momentum=["3C", "AS"], phase="round").play("S2: end; S1: end; S2: forfeit")
    assert t.match.over
    assert t.payoffs == [1, -1]
    assert t.match.ending == "last one in"


def test_r41_no_forfeits() -> None:
    t = table(None, None, momentum=["3C", "AS"], phase="round", options={"forfeits": "off"}).play("S2: end; S1: end")
    assert t.to_move == "S2 turn"
    assert t.field("round") == 2
    assert "end of a Round" in t.refusal("forfeit")


@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_r42_quiet_rounds_end_the_combat(rounds: int) -> None:
    t = Table(Match.new(NAME, seed=1, options={"stall_rounds": rounds, "forfeits": "off"}))
    for _ in range(2):
        t.match.choose(t.choices[0])
    for number in range(rounds):
        assert (t.field("round"), t.field("quiet")) == (number + 1, number)
        t.play("end; end")
    assert t.match.over


def test_r42_after_a_round_with_damage_quiet_rounds_are_counted_again() -> None:
    t = adjacent("10S 2H 3D 4D 6D", "KC 9S 9H QH", momentum=["AC", "KH"], quiet=4, options={"forfeits": "off"})
    t.play("S1: strike 10S; target 2; S2: take; pay KC; S1: end")  # seat 2 is Down and misses this Round
    assert (t.field("round"), t.field("quiet")) == (2, 0)
    t.play("S1: end; S2: end")
    assert (t.field("round"), t.field("quiet")) == (3, 1)


def test_r43_three_seats_and_a_tie() -> None:
    position: dict[str, Any] = {"momentum": ["AC", "KH", "3C"], "quiet": 4}
    hands = ["2H 3H 4H", "2D 3D 4D", "5S 6S"]
    t = table(*hands, options={"stall_rounds": 5, "forfeits": "off"}, **position).play("end; end; end")
    assert t.payoffs == [0.5, 0.5, -1]
    assert t.match.ending == "stalled"
    t = table(*hands, options={"stall_rounds": 5, "forfeits": "off", "stall_result": "draw"}, **position)
    assert t.play("end; end; end").payoffs == [0, 0, 0]


def test_r43_charges_do_not_count() -> None:
    t = table(
        "2H 3H", "2D 3D 4D", momentum=["AC", "KH"], charges=["4C 5C 6C", ""], quiet=4,
        options={"stall_rounds": 5, "forfeits": "off"},
    )  # fmt: skip
    assert t.play("end; end").payoffs == [-1, 1]


def test_r43_a_forfeit_in_the_last_quiet_round_gets_no_share() -> None:
    t = table(
        "2H 3H", "2D 3D 4D", "5S 6S", momentum=["AC", "KH", "3C"], quiet=4, options={"stall_rounds": 5},
    )  # fmt: skip
    t.play("S1: end; S2: end; S3: end; S1: stay; S2: forfeit; S3: stay")
    assert t.payoffs == [0.5, -1, 0.5]


def test_r43_fighters_that_are_out_share_no_draw() -> None:
    t = table(
        "2H 3H", "", "5S 6S", momentum=["AC", "", "3C"], out=[2], quiet=4,
        options={"stall_rounds": 5, "forfeits": "off", "stall_result": "draw"},
    )  # fmt: skip
    assert t.play("S1: end; S3: end").payoffs == [0.5, -1, 0.5]


def test_r44_nothing_is_played_out_of_turn() -> None:
    t = struck("KC 9S 9H QH 3C")
    assert says(t.refusal("boost 3C"), "attack", "block, dodge or take")
    t.play("S2: take")
    assert "Pay" in t.refusal("boost 3C")


def test_r45_a_boost_is_face_up() -> None:
    t = table("9C 2H 3D 4D 6D", None, momentum=["6C", None], **FAR).play("boost 9C")
    assert "9C" in str(t.match.view(2).scene)


def test_r46_momentum_and_charges_stay_until_replaced_or_used() -> None:
    t = table("9C 2C 3D 4D 6D", None, momentum=["6C", "2D"], **FAR).play("charge 9C; end")
    assert t.discard == ""
    assert (t.momentum(1), t.charges(1)) == ("6C", "9C")


def test_r47_the_attacker_draws_before_the_target_is_chosen() -> None:
    t = adjacent("10S 2H 3D 4D 5D", None, draw_pile="9C ...").play("strike 10S")
    assert t.to_move == "S1 target"
    assert t.hand(1) == cards("9C 2H 3D 4D 5D")


@pytest.mark.parametrize(("charge", "legal"), [("5C", False), ("6C", True)])
def test_r48_a_charge_is_not_revealed_with_no_one_in_range(charge: str, legal: bool) -> None:
    t = table("2C 2H 3D 4D 5D", None, charges=[charge, ""], fighters=["-3,0", "3,0"])
    assert bool(blasts(t)) == legal


def test_r49_any_number_of_charges_may_lie_there() -> None:
    t = table("2C 2H 3D 4D 5D", None, charges=["3C 4C 5C 6C 7C 8C 9C", ""], **FAR).play("charge 2C")
    assert t.charges(1) == "3C 4C 5C 6C 7C 8C 9C 2C"
