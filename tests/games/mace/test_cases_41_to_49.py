"""Worked cases M41 to M49 (Blasts), named by their ids; letters are independent continuations of one situation."""

from typing import Any

import pytest

from games.mace.table import Table, blasts, cards, table

PLAY_CLUB: dict[str, Any] = {"blast_cost": "play_club"}
REVEAL: dict[str, Any] = {"blast_cost": "reveal_only"}
AFTER: dict[str, Any] = {"discard_timing": "after_attack"}


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
    assert t.to_move == "S3 pay"
    t.play("pay 2S")
    assert t.hand(3) == cards("9D 4C 3S")
    assert t.field("knock")["length"] == 6
    assert t.at(3) == "6,0"
    assert t.is_down(3)
    assert t.discard == "9H 3C KC QH 2S"


def test_m41_b_blocked() -> None:
    t = m41(PLAY_CLUB).play("blast 3C; KC; target 3; S3: block 9D")
    assert t.damage == 4
    assert "JD" in t.hand(3)
    assert t.discard == "9H 3C KC 9D"
    t.play("pay 4C")
    assert t.field("knock")["length"] == 2
    assert t.at(3) == "5,0"


def test_m41_reveal_only() -> None:
    t = m41(REVEAL).play("S1: blast 3C; target 3")
    assert t.field("attack") == 3
    assert t.play("S3: block 9D").to_move == "S1 turn"


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


def test_m43_reveal_only_needs_no_club() -> None:
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


def test_m45_a_joker_played_as_a_charge_has_no_value_yet() -> None:
    t = table("X1 2H 3H 5D 6D", None, fighters=["0,0", "0,5"], discard_pile="2D").play("S1: charge X1")
    assert t.discard == "2D"
    assert t.charges(1) == "X1"


def test_m45_a_joker_as_the_charge() -> None:
    t = m45("2D 9H", PLAY_CLUB).play("S1: blast X1")
    assert t.field("range") == 9
    assert t.discard == "2D 9H X1"
    assert t.choices == ["5C", "X2"]


def test_m45_a_and_b() -> None:
    t = m45("2D 9H", PLAY_CLUB).play("S1: blast X1; 5C; target 2")
    assert t.field("attack") == 5
    assert t.discard == "2D 9H X1 5C"
    assert t.play("S2: block X3").to_move == "S1 turn"
    assert m45("2D 9H", PLAY_CLUB).play("S1: blast X1; X2").field("attack") == 9


def test_m45_c_and_d() -> None:
    assert m45("9H 4D", PLAY_CLUB).refuses("blast X1")
    t = m45("2D 9H", REVEAL).play("S1: blast X1")
    assert (t.field("range"), t.field("attack")) == (9, 9)


def m47(options: dict[str, Any]) -> Table:
    t = table(
        "4C 2H 3H 5D 6D", "X1 6C 8H 10S AS", fighters=["0,0", "0,5"], charges=["10C", ""], momentum=["2S", "2C"],
        discard_pile="...", options={**PLAY_CLUB, **options},
    )  # fmt: skip
    assert (t.deck, len(t.field("discard_pile"))) == (0, 41)
    return t.play("S1: blast 10C; 4C; target 2")


def test_m47_a_the_revealed_charge_is_shuffled_in() -> None:
    t = m47({})
    assert (t.deck, t.discard) == (41, "4C")
    assert "10C" in [*t.field("draw_pile"), *t.hand(1)]
    t.play("S2: block X1")
    assert t.to_move == "S1 turn"
    assert (t.deck, t.discard) == (40, "4C X1")


def test_m47_b_after_the_attack() -> None:
    t = m47(AFTER)
    assert (t.deck, t.discard) == (40, "")
    assert t.field("table") == ["10C", "4C"]
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
