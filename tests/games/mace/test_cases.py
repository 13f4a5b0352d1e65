"""The worked cases, each by its id; letters are independent continuations of one situation."""

from typing import Any

import pytest

from games.mace.table import Table, apart, beside, cards, table
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
    starts = {seats: Table(Match.new("mace", seats=seats, seed=4)).says("fighters") for seats in (2, 3, 4)}
    assert starts == {2: ["-3,0", "3,0"], 3: ["3,0", "-3,3", "0,-3"], 4: ["4,0", "-2,4", "-4,0", "2,-4"]}
    assert apart(*starts[2]) == 6
    assert {apart(one, other) for one in starts[3] for other in starts[3] if one != other} == {6}
    assert [apart(starts[4][0], other) for other in starts[4][1:]] == [6, 8, 6]


@pytest.mark.parametrize(("momentum", "order"), [("9C QS QH 9D", [3, 2, 4, 1]), ("7C 7S 7D 7H", [4, 3, 2, 1])])
def test_m03_turn_order(momentum: str, order: list[int]) -> None:
    t = table(None, None, None, None, phase="round", momentum=momentum.split())
    assert t.says("order") == order
    assert t.asked == f"S{order[0]} turn"


# M05 to M09: the Boost


def test_m05_seven_to_three_is_four_hexes() -> None:
    t = table(
        "3S 4C 8H 9D QC", None, fighters=["0,0", "6,0"], momentum=["7D", None], discard_pile="5S", draw_pile="2H ..."
    )
    t.play("S1: boost 3S")
    assert t.hand(1) == cards("4C 8H 9D QC 2H")
    assert t.momentum(1) == "3S"
    assert t.discard == "5S 7D"
    assert t.asked == "S1 move"
    assert len(t.places) == 60
    assert t.choices[-1] == "stay"
    assert {"4,0", "2,2", "-4,4", "1,0"} <= set(t.places)
    assert t.refuses("to 5,0", "to 3,2", "to 0,0")


def test_m07_into_reach_and_not_through() -> None:
    t = table("3C 4D 8H 9D QC", None, fighters=["0,0", "3,0"], momentum=["7H", None]).play("S1: boost 3C")
    assert len(t.places) == 56
    near = {f"{q},{r}" for q in range(-4, 5) for r in range(-4, 5) if 0 < apart("0,0", f"{q},{r}") <= 4}
    assert set(t.places) == near - {"3,0", "3,1", "4,0", "4,-1"}
    assert {"2,0", "2,1", "3,-1", "2,2", "4,-2", "4,-4"} <= set(t.places)


M09: dict[str, Any] = {"momentum": ["8D", None]}


def test_m09_one_action_and_one_boost() -> None:
    t = beside("9S 4S 6C 2H 5D", "JC 7D 5C 3C 2S", draw_pile="8C ...", **M09)
    t.play("S1: strike 9S; target 2; S2: take; pay JC")
    assert t.at(2) == "5,0"
    assert t.asked == "S1 turn"
    assert set(t.choices) == {"boost 2H", "boost 5D", "boost 4S", "boost 6C", "boost 8C", "end"}
    assert t.refuses("strike 4S", "charge 6C")
    t.play("boost 5D; stay")
    assert t.match.seat == 2 or t.says("round") == 2
    assert t.says("active") == 2 or t.asked.endswith("forfeit")


def test_m09_boost_first_and_action_second() -> None:
    t = beside("9S 4S 6C 2H 5D", "JC 7D 5C 3C 2S", **M09).play("S1: boost 5D; stay")
    assert t.asked == "S1 turn"
    assert t.choices[:2] == ["strike 4S", "strike 9S"]
    t.play("strike 9S; target 2; S2: take; pay JC")
    assert t.asked != "S1 turn"


def test_m09_a_turn_may_end_at_the_very_start() -> None:
    assert beside("9S 4S 6C 2H 5D", None, **M09).play("S1: end").asked != "S1 turn"


# M11 to M21: Strikes and Jokers


def test_m11_a_strike_taken() -> None:
    t = beside("9S 2H 3H 4C 5D", "JC 7D 5C 3C 2S", discard_pile="4S", draw_pile="6C ...")
    t.play("S1: strike 9S; target B; S2: take")
    assert t.damage == 9
    t.play("S2: pay JC")
    assert t.hand(1) == cards("2H 3H 4C 5D 6C")
    assert t.hand(2) == cards("7D 5C 3C 2S")
    assert t.discard == "4S 9S JC"
    assert t.says("knock") == {"seat": 2, "source": "0,0", "start": "1,0", "length": 4, "turn": 1}
    assert t.at(2) == "5,0"
    assert not t.is_down(2)
    assert t.asked == "S1 turn"


def test_m13_block_in_part() -> None:
    t = beside("KS 2H 2D 4C 5D", "6D 8C 2C 4H 9H", draw_pile="3H 10C ...").play("S1: strike KS; target 2; S2: block 6D")
    assert "3H" in t.hand(1)
    assert "10C" in t.hand(2)
    assert t.damage == 7
    assert t.discard == "KS 6D"
    assert set(t.choices) == {"pay 8C", "pay 2C", "pay 4H", "pay 9H", "pay 10C"}
    t.play("S2: pay 8C")
    assert t.hand(2) == cards("2C 4H 9H 10C")
    assert t.says("knock")["length"] == 3
    assert t.at(2) == "4,0"
    assert not t.is_down(2)


def test_m15_a_dodge_with_an_equal_card() -> None:
    t = beside("8S 2H 2D 4C 5D", "8H 8C 2C 4H 9H").play("S1: strike 8S; target 2; S2: dodge 8H")
    assert t.asked == "S1 turn"
    assert t.at(2) == "1,0"
    assert len(t.hand(2)) == 5
    assert t.discard == "8S 8H"


def test_m17_a_dodge_too_low() -> None:
    t = beside("10S 2H 3D 4C 5D", "4H KC 5C 6C 7C", draw_pile="9D 2D ...").play(
        "S1: strike 10S; target 2; S2: dodge 4H"
    )
    assert t.hand(2) == cards("KC 5C 6C 7C 2D")
    assert t.discard == "10S 4H"
    assert t.damage == 10
    assert t.asked == "S2 pay"
    assert t.refuses("block 2D")
    t.play("S2: pay KC")
    assert len(t.hand(2)) == 4
    assert t.at(2) == "6,0"
    assert t.is_down(2)


def test_m19_a_joker_as_strike() -> None:
    t = beside("X1 2H 3H 4C 5D", None, discard_pile="5H QC").play("S1: strike X1; target 2")
    assert t.says("attack") == 12
    assert t.discard == "5H QC X1"
    t.play("S2: take")
    assert t.damage == 12


def test_m19_a_joker_sees_the_momentum_that_a_boost_discards() -> None:
    position: dict[str, Any] = {"discard_pile": "2C", "momentum": ["KH", None]}
    t = beside("X1 2H 3H 4C 9D", None, **position).play("S1: boost 9D; stay")
    assert t.discard == "2C KH"
    assert t.play("strike X1; target 2").says("attack") == 13
    assert beside("X1 2H 3H 4C 9D", None, **position).play("S1: strike X1; target 2").says("attack") == 2


def test_m21_a_joker_looks_past_a_joker() -> None:
    assert beside("X2 2H 3H 4C 9D", None, discard_pile="7C X1").play("strike X2; target 2").says("attack") == 7


def test_m21_a_joker_on_nothing() -> None:
    t = beside("X1 2H 3H 4C 9D", None, draw_pile="8C ...").play("S1: strike X1")
    assert t.says("attack") == 0
    assert "8C" in t.hand(1)
    assert t.asked == "S1 target"
    t.play("target 2")
    assert t.asked == "S1 turn"
    assert t.discard == "X1"
    assert t.at(2) == "1,0"
    assert t.refuses("charge 4C", "charge 8C")


@pytest.mark.parametrize("options", [PLAY_CLUB, REVEAL])
def test_m21_a_joker_without_range(options: dict[str, Any]) -> None:
    two_away: dict[str, Any] = {"fighters": ["0,0", "2,0"], "charges": ["X1", ""], "options": options}
    assert table("4C 2H 9H 5D 6D", None, **two_away).refuses("blast X1")
    t = table("4C 2H 9H 5D 6D", None, discard_pile="3H", **two_away).play("S1: blast X1")
    assert t.says("range") == 3
    assert t.discard == "3H X1"
    if options is PLAY_CLUB:
        t.play("4C")
        assert t.says("attack") == 4
        assert t.discard == "3H X1 4C"
    else:
        assert t.says("attack") == 3


def test_m21_e_a_joker_of_nothing_for_a_blast() -> None:
    t = table("X1 2H 9H 5D 6D", None, fighters=["0,0", "5,0"], charges=["10C", ""], options={**AFTER, **PLAY_CLUB})
    t.play("S1: blast 10C; X1")
    assert t.says("attack") == 0
    assert t.says("table") == ["10C", "X1"]
    t.play("target 2")
    assert t.asked == "S1 turn"
    assert t.discard == "10C X1"
    assert t.refuses("charge X1")


# M23 to M33: what Damage does


def test_m23_knocked_out_ends_the_combat_at_once() -> None:
    t = beside("AS 2H 3H 4C 9D", "5C 4H", momentum=[None, "6D"], charges=["", "9C"])
    t.play("S1: strike AS; target 2; S2: take; pay 5C; pay 4H")
    assert t.discard == "AS 5C 4H 9C 6D"
    assert t.match.over
    assert t.match.ending == "last one in"
    assert t.payoffs == [1, -1]


def test_m25_losing_a_charge() -> None:
    t = beside("5S 2H 3H 8C 9D", "6C 7H 2D 3D KD", charges=["", "10C 4C"])
    t.play("S1: strike 5S; target 2; S2: take; pay 6C")
    assert set(t.choices) == {"drop 10C", "drop 4C"}
    deck = t.deck
    t.play("S2: drop 4C")
    assert t.charges(2) == "10C"
    assert t.discard == "5S 6C 4C"
    assert t.deck == deck
    assert t.at(2) == "3,0"
    assert not t.is_down(2)


def m27(other: str, hand: str = "2C 4H 5H 6H 7D", charges: str = "3C 6C", options: dict[str, Any] = PLAY_CLUB) -> Table:
    return table(hand, None, fighters=["0,0", other], charges=[charges, ""], options=options)


def blasts(t: Table) -> set[str]:
    return {words for words in t.choices if words.startswith("blast")}


@pytest.mark.parametrize("options", [PLAY_CLUB, REVEAL])
def test_m27_a_blast_reaches_as_far_as_its_charge(options: dict[str, Any]) -> None:
    hand = "2C 4H 5H 6H 7D" if options is PLAY_CLUB else "9S 4H 5H 6H 7D"
    assert blasts(m27("0,4", hand, options=options)) == {"blast 6C"}
    assert blasts(m27("0,3", hand, options=options)) == {"blast 3C", "blast 6C"}
    assert blasts(m27("0,1", hand, options=options)) == set()
    assert blasts(m27("0,4", hand, charges="", options=options)) == set()
    assert m27("0,4", hand, options=options).refuses("blast 3C")


def test_m27_no_club_no_blast() -> None:
    assert all(blasts(m27(place, "9S 4H 5H 6H 7D")) == set() for place in ("0,4", "0,3", "0,1"))


@pytest.mark.parametrize("options", [PLAY_CLUB, REVEAL])
def test_m27_nobody_is_blasted_with_an_opponent_beside(options: dict[str, Any]) -> None:
    t = table("2C 4H 5H 6H 7D", None, None, fighters=["0,0", "1,0", "0,5"], charges=["3C 6C", "", ""], options=options)
    assert t.refuses("blast 3C", "blast 6C")


def test_m29_knock_back_and_a_tie() -> None:
    def hit(club: str, paid: str) -> Table:
        t = table(
            f"{club} 2H 3D 4D 5D", f"{paid} 9S 9C 9H QH", fighters=["-1,-1", "0,0"], charges=["3C", ""],
            draw_pile="7S ...", discard_pile="2S", options=PLAY_CLUB,
        )  # fmt: skip
        return t.play(f"S1: blast 3C; {club}; target 2; S2: take; pay {paid}")

    t = hit("8C", "9D")
    assert t.hand(1) == cards("2H 3D 4D 5D 7S")
    assert t.discard == "2S 3C 8C 9D"
    assert t.says("knock")["length"] == 4
    assert t.at(2) == "2,2"
    assert hit("2C", "9D").at(2) == "0,1"


def test_m29_the_way_of_the_knock_back() -> None:
    ends = []
    for length in range(1, 5):
        club = f"{2 * length}C"
        t = table(f"{club} 2H 3D 4D 5D", "9D 9S 9H QH KH", fighters=["-1,-1", "0,0"], charges=["3C", ""])
        ends.append(t.play(f"blast 3C; {club}; target 2; take; pay 9D").at(2))
    assert ends == ["0,1", "1,1", "1,2", "2,2"]


def test_m31_knock_back_into_a_fighter() -> None:
    t = table("8S 2H 3D 4D 5D", "8C 9S 9C 9H QH", "2C 3C 4C 5C 6C", fighters=["0,0", "1,0", "4,0"])
    t.play("S1: strike 8S")
    assert t.choices == ["target 2"]
    t.play("target 2; S2: take; pay 8C")
    assert t.says("knock")["length"] == 4
    assert (t.at(2), t.at(3)) == ("3,0", "4,0")
    assert not t.is_down(2)
    assert len(t.hand(3)) == 5


@pytest.mark.parametrize(("rounding", "place", "down"), [("down", "5,0", False), ("up", "6,0", True)])
def test_m33_rounding(rounding: str, place: str, down: bool) -> None:
    t = beside("9S 2H 3D 4D 5D", "JC 7D 5C 3C 2S", options={"knockback_rounding": rounding})
    t.play("S1: strike 9S; target 2; S2: take; pay JC")
    assert t.at(2) == place
    assert t.is_down(2) is down


@pytest.mark.parametrize(("rounding", "place"), [("down", "1,0"), ("up", "2,0")])
def test_m33_rounding_of_one(rounding: str, place: str) -> None:
    t = beside("7S 2H 3D 4D 5D", "JC 6D 5C 3C 2S", options={"knockback_rounding": rounding})
    t.play("S1: strike 7S; target 2; S2: block 6D")
    assert t.damage == 1
    t.play("S2: pay 2S")
    assert t.at(2) == place


# M35 to M39: Down, the deck, stalling


def m35(boost: str) -> Table:
    """Seat 2 has had its Turn, and is put Down at the edge, where it stays beside seat 1."""
    t = table(f"10S 9S {boost} 4D 5D", "JC QD 5C 3C 2S", momentum=["9C", "KH"], fighters=["5,0", "6,0"])
    return t.play("S1: strike 10S; target 2; S2: take; pay JC")


def test_m35_down_with_its_turn_already_had() -> None:
    t = m35("2H")
    assert t.says("order") == [2, 1]
    assert t.is_down(2)
    t.play("S1: end; stay; stay")
    assert t.says("round") == 2
    assert t.asked == "S1 turn"
    assert not t.is_down(2)
    assert t.play("strike 9S; target 2").asked == "S2 defence"


def test_m35_down_with_its_turn_still_to_come() -> None:
    t = m35("AD").play("S1: boost AD; stay; stay; stay")
    assert t.says("order") == [1, 2]
    assert t.is_down(2)
    t.play("S1: strike 9S; target 2")
    assert t.asked == "S2 pay"
    t.play("pay QD")
    t.play("S1: end")
    assert t.says("round") == 2
    assert t.asked == "S1 forfeit"
    assert not t.is_down(2)


def m37(hands: list[str], **more: Any) -> Table:
    return beside(*hands, momentum=["2C", "2D"], **{"discard_pile": "...", **more})


def test_m37_the_deck_runs_out() -> None:
    t = m37(["5S 2H 3H 4H 5H", "6H 7H 8H 9H 10H"])
    before = set(t.says("discard_pile"))
    assert (t.deck, len(before)) == (0, 42)
    t.play("S1: strike 5S")
    assert t.hand(1) - cards("2H 3H 4H 5H") <= before
    assert len(t.hand(1)) == 5
    assert (t.deck, t.discard) == (41, "5S")


def test_m37_a_joker_is_read_before_the_reshuffle() -> None:
    t = m37(["X1 2H 3H 4H 5H", "X2 7H 8H 9H 10H"], discard_pile="... KD")
    before = set(t.says("discard_pile"))
    t.play("S1: strike X1; target 2")
    assert t.says("attack") == 13
    assert t.hand(1) - cards("2H 3H 4H 5H") <= before
    assert (t.deck, t.discard) == (41, "X1")
    t.play("S2: block X2")
    assert t.damage == 13
    assert (t.deck, t.discard) == (40, "X1 X2")


def m39(hands: list[str], result: str = "leader") -> Table:
    """Rounds 1 and 2 were quiet; in Round 3 seat 1 strikes and is blocked."""
    t = beside(
        *hands, momentum=["AC", "2D"], round=3, quiet=2, options={"stall_rounds": 3, "stall_result": result}
    )  # fmt: skip
    return t.play("S1: strike 4S; target 2; S2: block 6D; S1: end; S2: end")


@pytest.mark.parametrize(
    ("hand", "result", "ending", "payoffs"),
    [
        ("6D 7D 8D 9D", "leader", "most cards", [1, -1]),
        ("6D 7D 8D 9D 10D", "leader", "stalled", [0, 0]),
        ("6D 7D 8D 9D", "draw", "stalled", [0, 0]),
        ("6D 7D 8D 9D 10D", "draw", "stalled", [0, 0]),
    ],
)
def test_m39_stalling(hand: str, result: str, ending: str, payoffs: list[float]) -> None:
    t = m39(["4S 2H 3H 4H 5H", hand], result)
    assert t.asked == "S1 forfeit"
    t.play("S1: stay; S2: stay")
    assert t.match.over
    assert t.match.ending == ending
    assert t.payoffs == payoffs


def test_m39_damage_begins_the_count_anew() -> None:
    t = beside("7S 2H 3H 4H 5H", "6D 7D 8D 9D", momentum=["AC", "2D"], round=3, quiet=2, options={"stall_rounds": 3})
    t.play("S1: strike 7S; target 2; S2: block 6D; pay 7D; S1: end; S2: end; S1: stay; S2: stay")
    assert (t.says("quiet"), t.says("round")) == (0, 4)


# M41 to M49: Blasts


def m41(options: dict[str, Any]) -> Table:
    return table(
        "KC 2H 3H 5D 6D", None, "9D 4C QH 2S 3S", fighters=["0,0", "0,4", "3,0"], charges=["3C", "", ""],
        draw_pile="7S JD ...", discard_pile="9H", options=options,
    )  # fmt: skip


def test_m41_range_from_the_revealed_card_and_damage_from_the_played_one() -> None:
    t = m41(PLAY_CLUB).play("S1: blast 3C")
    assert t.discard == "9H 3C"
    t.play("KC")
    assert t.hand(1) == cards("2H 3H 5D 6D 7S")
    assert t.discard == "9H 3C KC"
    assert t.choices == ["target 3"]
    assert t.refuses("target 2")


def test_m41_a_taken() -> None:
    t = m41(PLAY_CLUB).play("blast 3C; KC; target C; S3: take; pay QH")
    assert t.asked == "S3 pay"
    t.play("pay 2S")
    assert t.hand(3) == cards("9D 4C 3S")
    assert t.says("knock")["length"] == 6
    assert t.at(3) == "6,0"
    assert t.is_down(3)
    assert t.discard == "9H 3C KC QH 2S"


def test_m41_b_blocked() -> None:
    t = m41(PLAY_CLUB).play("blast 3C; KC; target 3; S3: block 9D")
    assert t.damage == 4
    assert "JD" in t.hand(3)
    assert t.discard == "9H 3C KC 9D"
    t.play("pay 4C")
    assert t.says("knock")["length"] == 2
    assert t.at(3) == "5,0"


def test_m41_with_the_charge_as_the_whole_cost() -> None:
    t = m41(REVEAL).play("S1: blast 3C; target 3")
    assert t.says("attack") == 3
    assert t.play("S3: block 9D").asked == "S1 turn"


def m43(hand: str, options: dict[str, Any], charges: str = "10C 9C") -> Table:
    return table(
        hand, "QS QC QD QH KS", fighters=["0,0", "0,5"], charges=[charges, ""], discard_pile="KD",
        momentum=["2S", "2C"], options=options,
    )  # fmt: skip


def test_m43_a_second_charge_pays_for_no_blast() -> None:
    t = m43("9S 2H 3H 5D 6D", PLAY_CLUB)
    assert set(t.choices) == {"boost 9S", "boost 2H", "boost 3H", "boost 5D", "boost 6D", "end"}
    assert t.refuses("blast 10C", "blast 9C")


def test_m43_a_joker_pays_for_a_blast() -> None:
    t = m43("X1 2H 3H 5D 6D", PLAY_CLUB)
    boosts = {"boost 2H", "boost 3H", "boost 5D", "boost 6D"}
    assert set(t.choices) == {"charge X1", "blast 10C", "blast 9C", "end"} | boosts
    assert t.play("blast 10C").choices == ["X1"]


def test_m43_no_club_is_needed_where_the_charge_is_the_whole_cost() -> None:
    assert blasts(m43("9S 2H 3H 5D 6D", REVEAL)) == {"blast 10C", "blast 9C"}


def test_m43_the_opponent_sees_the_same_either_way() -> None:
    views = [m43(hand, PLAY_CLUB).match.view(2) for hand in ("9S 2H 3H 5D 6D", "X1 2H 3H 5D 6D")]
    assert views[0].state.tobytes() == views[1].state.tobytes()
    assert str(views[0].scene) == str(views[1].scene)
    assert views[0].legal == views[1].legal == ()


def m45(pile: str, options: dict[str, Any] | None = None) -> Table:
    return table(
        "5C X2 3H 5D 6D", "X3 QC QD QH KS", fighters=["0,0", "0,5"], charges=["X1", ""], discard_pile=pile,
        options={"jokers": 3, **(options or {})},
    )  # fmt: skip


def test_m45_a_joker_laid_as_a_charge_has_no_value_yet() -> None:
    t = table("X1 2H 3H 5D 6D", None, fighters=["0,0", "0,5"], discard_pile="2D").play("S1: charge X1")
    assert t.discard == "2D"
    assert t.charges(1) == "X1"


def test_m45_a_joker_as_the_charge() -> None:
    t = m45("2D 9H", PLAY_CLUB).play("S1: blast X1")
    assert t.says("range") == 9
    assert t.discard == "2D 9H X1"
    assert t.choices == ["5C", "X2"]


def test_m45_a_and_b() -> None:
    t = m45("2D 9H", PLAY_CLUB).play("S1: blast X1; 5C; target 2")
    assert t.says("attack") == 5
    assert t.discard == "2D 9H X1 5C"
    assert t.play("S2: block X3").asked == "S1 turn"
    assert m45("2D 9H", PLAY_CLUB).play("S1: blast X1; X2").says("attack") == 9


def test_m45_c_and_d() -> None:
    assert m45("9H 4D", PLAY_CLUB).refuses("blast X1")
    t = m45("2D 9H", REVEAL).play("S1: blast X1")
    assert (t.says("range"), t.says("attack")) == (9, 9)


def m47(options: dict[str, Any]) -> Table:
    t = table(
        "4C 2H 3H 5D 6D", "X1 6C 8H 10S AS", fighters=["0,0", "0,5"], charges=["10C", ""], momentum=["2S", "2C"],
        discard_pile="...", options={**PLAY_CLUB, **options},
    )  # fmt: skip
    assert (t.deck, len(t.says("discard_pile"))) == (0, 41)
    return t.play("S1: blast 10C; 4C; target 2")


def test_m47_a_the_revealed_charge_is_shuffled_in() -> None:
    t = m47({})
    assert (t.deck, t.discard) == (41, "4C")
    assert "10C" in [*t.says("draw_pile"), *t.hand(1)]
    t.play("S2: block X1")
    assert t.asked == "S1 turn"
    assert (t.deck, t.discard) == (40, "4C X1")


def test_m47_b_after_the_attack() -> None:
    t = m47(AFTER)
    assert (t.deck, t.discard) == (40, "")
    assert t.says("table") == ["10C", "4C"]
    t.play("S2: block X1")
    assert t.damage == 4
    assert t.deck == 39
    t.play("pay 6C")
    assert t.discard == "6C 10C 4C X1"


@pytest.mark.parametrize(
    ("options", "pile"),
    [({}, "10C AC 5C 4H 9C 8D"), (AFTER, "5C 4H 9C 8D 10C AC")],
)
def test_m49_knocked_out_by_a_blast(options: dict[str, Any], pile: str) -> None:
    t = table(
        "AC 2H 3H 5D 6D", "5C 4H", fighters=["0,0", "0,5"], charges=["10C", "9C"], momentum=["2S", "8D"],
        options={**PLAY_CLUB, **options},
    )  # fmt: skip
    t.play("S1: blast 10C; AC; target 2; S2: take; pay 5C; pay 4H")
    assert t.match.over
    assert t.payoffs == [1, -1]
    assert t.discard == pile
