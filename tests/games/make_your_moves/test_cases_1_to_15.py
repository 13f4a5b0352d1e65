"""Worked cases M01 to M15, by id; letters are independent continuations of one situation."""

import pytest

from games.make_your_moves.table import Table, table

# The document's worked examples


def after_m01(hand: str = "Red2 Red2 Yellow2 Green3 Blue1") -> Table:
    return table("Red2 Blue3 Yellow1 Green1 Wild1", hand).play("S1: target S2; Red2; Blue3; Yellow1; done")


def test_m01_an_attack_of_three_colours() -> None:
    t = after_m01()
    assert t.attack == 6
    assert t.cards("attack") == "Red2 Blue3 Yellow1"
    assert t.match.state.ceiling == 3
    assert t.hand(1) == "Green1 Wild1"
    assert t.to_move == "S2 respond"


def test_m02_a_defence_that_blocks() -> None:
    t = after_m01().play("S2: Red2; Red2; Yellow2")
    discarded = t.piles[1]
    assert t.refuses("Blue1", "Green3")
    assert t.defence == 6
    t.play("done")
    assert t.outcome == "0-0, S1"
    assert t.piles == (30, discarded + 6)


def test_m03_a_defence_with_a_stack() -> None:
    t = after_m01("Red1 Red1 Red1 Yellow2 Yellow1")
    discarded = t.piles[1]
    t.play("S2: Red1; Red1; Red1; Yellow2; Yellow1")
    assert t.defence == 6
    t.play("S2: done")
    assert t.outcome == "0-0, S1"
    assert t.piles == (30, discarded + 8)
    assert t.hand(2) == ""
    assert t.to_move == "S1 discard"
    t.play("S1: done")
    assert t.match.state.turn == 6


def m04(**options: str) -> Table:
    t = table("Wild2 Red3 Green1 Green2 Yellow1", "Red3 Red2 Wild2 Wild1 Yellow2", options=options)
    return t.play("S1: target S2; Wild2; Red3; done")


def test_m04_a_wild_in_the_attack_does_not_raise_the_limit() -> None:
    t = m04()
    assert t.attack == 5
    assert t.match.state.ceiling == 1
    assert t.choices == "Red2 Red3 Wild1 Wild2 done"


@pytest.mark.parametrize(
    ("letter", "choices", "power", "outcome"),
    [
        ("a", "Red3; done", 3, "1-0, S1"),
        ("b", "Red3; Wild2; done", 5, "0-0, S1"),
        ("c", "Wild2; done", 2, "1-0, S1"),
        ("f", "Red3; Wild2; Wild1; done", 6, "0-0, S2"),
        ("g", "done", 0, "1-0, S1"),
    ],
)
def test_m04_defences(letter: str, choices: str, power: int, outcome: str) -> None:
    t = m04().play(choices.removesuffix("done"))
    assert t.defence == power
    assert t.play("done").outcome == outcome


def test_m04_d_two_reds_are_one_too_many() -> None:
    assert m04().play("S2: Red3").refuses("Red2")


def test_m04_e_a_colour_that_is_not_in_the_attack() -> None:
    assert m04().refuses("Yellow2")


def test_m04_h_one_wild_only() -> None:
    t = m04(defence_wilds="one").play("S2: Wild2")
    assert t.refuses("Wild1")
    t.play("S2: Red3")
    assert t.defence == 5
    assert t.play("S2: done").outcome == "0-0, S1"


# Attack


def test_m05_wilds_alone_are_not_an_attack() -> None:
    t = table("Wild1 Wild2 Red1 Green1 Blue1", None).play("S1: target S2; Wild1; Wild2")
    assert t.refuses("done")
    t.play("S1: Red1; done")
    assert t.attack == 4
    assert t.match.state.ceiling == 1
    assert t.to_move == "S2 respond"


def test_m07_a_fourth_colour_is_refused_and_a_wild_is_not() -> None:
    t = table("Red1 Green2 Blue1 Yellow3 Wild1", None).play("S1: target S2; Red1; Green2; Blue1")
    assert t.refuses("Yellow3")
    t.play("S1: Wild1; done")
    assert t.attack == 5
    assert t.match.state.ceiling == 3
    assert t.cards("attack") == "Red1 Green2 Blue1 Wild1"


def test_m09_no_attack_on_yourself_or_on_a_player_who_is_out() -> None:
    t = table(None, None, None, options={"match": "elimination"}, points=[0, 0, 3], out=[3])
    assert t.refuses("target S1", "target S3")
    assert t.play("S1: target S2").to_move == "S1 attack"


def test_m11_a_hand_of_wilds_passes_control() -> None:
    t = table("Red1 Red1", "Wild1 Wild1 Wild2 Wild2 Wild3", "Red2 Red2", control=2, phase="draw")
    assert t.match.state.turn == 5
    assert t.outcome == "0-0-0, S3"
    t.play("S2: done; S3: done; S1: done")
    assert t.outcome == "0-0-0, S3"
    assert t.match.state.turn == 6
    assert t.to_move == "S3 target"


# Defence


def test_m13_the_limit_is_a_total() -> None:
    t = table("Red1 Blue1", "Red2 Red3 Blue1 Green1 Wild1").play("S1: target S2; Red1; Blue1; done")
    assert t.attack == 2
    assert t.match.state.ceiling == 2
    t.play("S2: Red2; Red3")
    assert t.refuses("Blue1")
    assert t.defence == 5
    assert t.play("S2: done").outcome == "0-1, S2"


def m14(choices: str, **options: str) -> Table:
    t = table("Red2 Blue3 Yellow1", "Red3 Blue3 Yellow1 Wild1 Wild2", options=options)
    t.play("S1: target S2; Red2; Blue3; Yellow1; done")
    assert t.attack == 6
    return t.play(choices)


M14 = [
    ("a", "Blue3; Yellow1", 4, "1-0, S1", 29),
    ("b", "Red3; Blue3", 6, "0-0, S1", 30),
    ("c", "Red3; Blue3; Yellow1", 7, "0-0, S2", 30),
    ("d", "Red3; Blue3; Yellow1; Wild1", 8, "0-1, S2", 29),
    ("e", "Red3; Blue3; Yellow1; Wild1; Wild2", 10, "0-1, S2", 29 - 10),  # all hands are empty: the next turn has begun
]


@pytest.mark.parametrize(("letter", "choices", "power", "outcome", "draw_pile"), M14)
def test_m14_every_margin(letter: str, choices: str, power: int, outcome: str, draw_pile: int) -> None:
    t = m14(choices)
    assert t.defence == power
    assert t.play("done").outcome == outcome
    assert t.piles[0] == draw_pile
    assert f"{t.point_cards(1)}-{t.point_cards(2)}" == outcome[:3]


def test_m14_f_points_are_only_counted() -> None:
    t = m14("Blue3; Yellow1; done", point_cards="marker")
    assert t.outcome == "1-0, S1"
    assert t.piles[0] == 30
    assert t.point_cards(1) == 0


@pytest.mark.parametrize(
    ("letter", "choices", "outcome"),
    [
        (letter, choices, outcome)
        for (letter, choices, _, _, _), outcome in zip(
            M14, ["0-1, S1", "0-0, S1", "0-0, S2", "1-0, S2", "1-0, S2"], strict=True
        )
    ],
)
def test_m15_the_same_in_an_elimination_match(letter: str, choices: str, outcome: str) -> None:
    assert m14(f"{choices}; done", match="elimination").outcome == outcome
