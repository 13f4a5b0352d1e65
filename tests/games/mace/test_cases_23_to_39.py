"""Worked cases M23 to M39, named by their ids; letters are independent continuations of one situation."""

from typing import Any

import pytest

from games.mace.table import Table, adjacent, blasts, cards, table

PLAY_CLUB: dict[str, Any] = {"blast_cost": "play_club"}
REVEAL: dict[str, Any] = {"blast_cost": "reveal_only"}


# M23 to M33: what Damage does


def test_m23_knocked_out_ends_the_combat_at_once() -> None:
    t = adjacent("AS 2H 3H 4C 9D", "5C 4H", momentum=[None, "6D"], charges=["", "9C"])
    t.play("S1: strike AS; target 2; S2: take; pay 5C; pay 4H")
    assert t.discard == "AS 5C 4H 9C 6D"
    assert t.match.over
    assert t.match.ending == "last one in"
    assert t.payoffs == [1, -1]


def test_m25_losing_a_charge() -> None:
    t = adjacent("5S 2H 3H 8C 9D", "6C 7H 2D 3D KD", charges=["", "10C 4C"])
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
def test_m27_no_blast_next_to_an_opponent(options: dict[str, Any]) -> None:
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
    assert t.field("knock")["length"] == 4
    assert t.at(2) == "2,2"
    assert hit("2C", "9D").at(2) == "0,1"


def test_m29_the_path_of_the_knock_back() -> None:
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
    assert t.field("knock")["length"] == 4
    assert (t.at(2), t.at(3)) == ("3,0", "4,0")
    assert not t.is_down(2)
    assert len(t.hand(3)) == 5


@pytest.mark.parametrize(("rounding", "place", "down"), [("down", "5,0", False), ("up", "6,0", True)])
def test_m33_rounding(rounding: str, place: str, down: bool) -> None:
    t = adjacent("9S 2H 3D 4D 5D", "JC 7D 5C 3C 2S", options={"knockback_rounding": rounding})
    t.play("S1: strike 9S; target 2; S2: take; pay JC")
    assert t.at(2) == place
    assert t.is_down(2) is down


@pytest.mark.parametrize(("rounding", "place"), [("down", "1,0"), ("up", "2,0")])
def test_m33_rounding_of_one(rounding: str, place: str) -> None:
    t = adjacent("7S 2H 3D 4D 5D", "JC 6D 5C 3C 2S", options={"knockback_rounding": rounding})
    t.play("S1: strike 7S; target 2; S2: block 6D")
    assert t.damage == 1
    t.play("S2: pay 2S")
    assert t.at(2) == place


# M35 to M39: Down, the deck, stalling


def m35(boost: str) -> Table:
    """Seat 2 has taken its Turn and goes Down at the edge, where it stays next to seat 1."""
    t = table(f"10S 9S {boost} 4D 5D", "JC QD 5C 3C 2S", momentum=["9C", "KH"], fighters=["5,0", "6,0"])
    return t.play("S1: strike 10S; target 2; S2: take; pay JC")


def test_m35_down_after_its_turn() -> None:
    t = m35("2H")
    assert t.field("order") == [2, 1]
    assert t.is_down(2)
    t.play("S1: end; stay; stay")
    assert t.field("round") == 2
    assert t.to_move == "S1 turn"
    assert not t.is_down(2)
    assert t.play("strike 9S; target 2").to_move == "S2 defence"


def test_m35_down_before_its_turn() -> None:
    t = m35("AD").play("S1: boost AD; stay; stay; stay")
    assert t.field("order") == [1, 2]
    assert t.is_down(2)
    t.play("S1: strike 9S; target 2")
    assert t.to_move == "S2 pay"
    t.play("pay QD")
    t.play("S1: end")
    assert t.field("round") == 2
    assert t.to_move == "S1 forfeit"
    assert not t.is_down(2)


def m37(hands: list[str], **more: Any) -> Table:
    return adjacent(*hands, momentum=["2C", "2D"], **{"discard_pile": "...", **more})


def test_m37_the_deck_runs_out() -> None:
    t = m37(["5S 2H 3H 4H 5H", "6H 7H 8H 9H 10H"])
    before = set(t.field("discard_pile"))
    assert (t.deck, len(before)) == (0, 42)
    t.play("S1: strike 5S")
    assert t.hand(1) - cards("2H 3H 4H 5H") <= before
    assert len(t.hand(1)) == 5
    assert (t.deck, t.discard) == (41, "5S")


def test_m37_a_joker_is_read_before_the_reshuffle() -> None:
    t = m37(["X1 2H 3H 4H 5H", "X2 7H 8H 9H 10H"], discard_pile="... KD")
    before = set(t.field("discard_pile"))
    t.play("S1: strike X1; target 2")
    assert t.field("attack") == 13
    assert t.hand(1) - cards("2H 3H 4H 5H") <= before
    assert (t.deck, t.discard) == (41, "X1")
    t.play("S2: block X2")
    assert t.damage == 13
    assert (t.deck, t.discard) == (40, "X1 X2")


def m39(hands: list[str], result: str = "leader") -> Table:
    """Rounds 1 and 2 were quiet; in Round 3 seat 1 strikes and is blocked."""
    t = adjacent(
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
    assert t.to_move == "S1 forfeit"
    t.play("S1: stay; S2: stay")
    assert t.match.over
    assert t.match.ending == ending
    assert t.payoffs == payoffs


def test_m39_damage_resets_the_count() -> None:
    t = adjacent("7S 2H 3H 4H 5H", "6D 7D 8D 9D", momentum=["AC", "2D"], round=3, quiet=2, options={"stall_rounds": 3})
    t.play("S1: strike 7S; target 2; S2: block 6D; pay 7D; S1: end; S2: end; S1: stay; S2: stay")
    assert (t.field("quiet"), t.field("round")) == (0, 4)
