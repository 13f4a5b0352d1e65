"""The worked cases by their ids; letters are alternative continuations of one situation."""

from collections import Counter

import pytest

from games.world_of_fighters.table import KINDS, NAME, Table, show, table
from sparring import Match
from sparring.engine.squares import distance, read_square
from sparring.games.world_of_fighters import moves

# Set-up and commitments


def test_w01_picks_and_set_up() -> None:
    t = Table(Match.new(NAME, seed=1))
    assert t.status == "P1 pick"
    t.play("P1: Hai Wu")
    assert t.refuses("Hai Wu", "pick Hai Wu")
    t.play("P2: pick Milton Brown")
    assert t["squares"] == ["b2", "f4"]
    assert int(moves.range_now(t.match.state)) == 4
    assert t.health == (20, 20)
    assert t["resting"] == [0, 0]
    assert t.choices == "move 1; move 2; move 3"
    assert [len(hand) for hand in t["hands"]] == [3, 3]
    assert t.piles == (30, 0)
    cards = Counter([*t["draw_pile"], *t["hands"][0], *t["hands"][1]])
    assert [cards[kind] for kind in KINDS] == [10, 10, 10, 6]
    assert t["round"] == 1
    assert t.status == "P1 move_card"


def test_w03_a_used_movement_card_rests_one_round() -> None:
    t = table("Hai Wu a1 20", "Kenji g5 20", round=6, options={"board": "7x7", "movement": "upto"}, seed=4)

    def p2_choices() -> str:
        while t.status != "P2 move_card":
            t.match.choose(t.match.legal()[0])
        return t.choices

    assert p2_choices() == "move 1; move 2; move 3"
    t.play("P2: move 2")
    assert t["round"] == 6
    assert p2_choices() == "move 1; move 3"
    assert t.refuses("move 2", "2")
    t.play("P2: move 3")
    assert t["round"] == 7
    assert p2_choices() == "move 1; move 2"
    assert t.refuses("move 3")
    t.play("P2: move 1")
    assert t["round"] == 8
    assert p2_choices() == "move 2; move 3"


# Movement


def moving(one: str, other: str, steps: int, **options: str) -> Table:
    """Return a table where P1 has to move with a Movement card."""
    return table(
        f"{one} 20 Kick", f"{other} 20 Kick", phase="move", movement=[steps, 1], options=options
    )  # fmt: skip


@pytest.mark.parametrize(
    ("steps", "squares"),
    [
        (1, "c2 c3 c4 d2 d4 e2 e3 e4"),
        (2, "b1 b3 b5 d1 d5 f1 f3 f5"),
        (3, "a3 g3"),
    ],
)
def test_w05_exact_moves_in_eight_directions(steps: int, squares: str) -> None:
    t = moving("Hai Wu d3", "Kenji g5", steps)
    assert t.squares == set(squares.split())
    assert t.refuses("to d3", "to c3" if steps > 1 else "to b3", "g5")


@pytest.mark.parametrize(
    ("opponent", "squares"), [("e5", "e2 b5"), ("c3", "e2 b5"), ("d2", "b5 e5"), ("e3", "e2 b5 e5")]
)
def test_w07_the_opponent_is_in_the_way(opponent: str, squares: str) -> None:
    t = moving("Hai Wu b2", f"Kenji {opponent}", 3)
    assert t.squares == set(squares.split())
    assert t.refuses(opponent)


def test_w09_forced_off() -> None:
    t = table("Hai Wu b3 20", "Kenji d3 20", round=5, hands=["Kick Kick Punch", "Kick Punch Grapple"])
    t.play("P1: move 3; kick")
    t.play("P2: move 1; kick")
    assert t.status == "P2 by forced off"
    assert t["squares"] == ["b3", "d3"]
    assert t["action"] == ["Kick", "Kick"]
    assert not t["shown"]


def test_w11_up_to_the_number() -> None:
    t = moving("Hai Wu b2", "Kenji g5", 2, movement="upto")
    assert " ".join(sorted(t.squares)) == "a1 a2 a3 b1 b3 b4 c1 c2 c3 d2 d4"
    assert t.refuses("b2")


@pytest.mark.parametrize(
    ("squares", "range_"),
    [
        ("a1-b2", 1), ("d3-d4", 1), ("a1-c2", 2), ("c3-e1", 2), ("a1-d3", 3), ("b2-e5", 3), ("c3-f4", 3), ("a1-e2", 4),
        ("b2-f4", 4), ("a3-g3", 6),
    ],
)  # fmt: skip
def test_w13_the_range_between_two_squares(squares: str, range_: int) -> None:
    one, other = map(read_square, squares.split("-"))
    assert distance(one, other) == distance(other, one) == range_


# Scores


@pytest.mark.parametrize(
    ("kind", "scores"), [("Punch", [0, 4, 3, 0]), ("Kick", [0, 4, 5, 0]), ("Grapple", [2, 1, 0, 0])]
)
def test_w15_every_score_of_amara(kind: str, scores: list[int]) -> None:
    damage = []
    for square in ("b3", "c3", "d3", "e3"):  # ranges 1 to 4 from a3
        t = show(f"Amara a3 20 {kind}", f"Kenji {square} 20 Grapple", round=7)
        damage.append(20 - t.health[1])
    assert damage == scores


def test_w17_the_worked_example_of_the_document() -> None:
    t = table("Kenji c2 20", "Milton f2 20", "Punch Kick Grapple", "Block Kick Grapple", resting=[2, 3])
    assert t.status == "P1 move_card"
    assert t.choices == "move 1; move 3"
    discarded, left = t.piles[1], t.piles[0]
    t.play("P1: move 1; punch")
    assert t.choices == "move 1; move 2"
    t.play("P2: move 1; block; P1: to d2; P2: to f3")
    assert int(moves.range_now(t.match.state)) == 2
    assert t.health == (20, 19)
    assert t.status == "P2 counter"
    assert t.choices == "counter kick; counter grapple; pass"
    t.play("P2: pass")
    assert t.piles == (left - 2, discarded + 2)
    assert [len(hand) for hand in t["hands"]] == [3, 3]
    assert t["round"] == 6
    assert t["resting"] == [1, 1]
    assert t.status == "P2 move_card"
    assert t.choices == "move 2; move 3"
    t.play("P2: move 2; kick")
    assert t.choices == "move 2; move 3"


def test_w19_both_attack() -> None:
    t = show("Duke d3 12 Punch", "Rosa e4 11 Grapple", round=7)
    assert t.health == (7, 7)


def test_w21_out_of_range() -> None:
    t = show("Amara b2 20 Kick", "Kenji f4 20 Grapple", round=7)
    assert t.health == (20, 20)
    assert t["discard_pile"][-2:] == ["Kick", "Grapple"]
    assert t["round"] == 8


# Block and Counter


def w23() -> Table:
    t = show("Ingrid d2 14 Grapple", "Hai Wu d3 13 Block", counter="Punch Grapple", round=9, draw_pile=25)
    assert t.health == (14, 10)
    assert t.status == "P2 counter"
    return t


@pytest.mark.parametrize(
    ("letter", "choice", "health", "spent"),
    [("a", "counter grapple", (10, 10), 3), ("b", "counter punch", (14, 10), 3), ("c", "pass", (14, 10), 2)],
)
def test_w23_a_counter(letter: str, choice: str, health: tuple[int, int], spent: int) -> None:
    t = w23()
    left, discarded = t.piles
    t.play(f"P2: {choice}")
    assert t.health == health, letter
    assert t.piles == (left - spent, discarded + spent)
    assert [len(hand) for hand in t["hands"]] == [3, 3]


def test_w23_p1_draws_before_p2_draws_two() -> None:
    t = show("Ingrid d2 14 Grapple", "Hai Wu d3 13 Block", counter="Punch Grapple", round=9,
             draw_pile="Block Kick Kick Punch", hands=["Punch Punch", "Punch Grapple"])  # fmt: skip
    t.play("P2: counter grapple")
    assert t.hand(1) == "Punch Punch Block"
    assert t.hand(2) == "Punch Kick Kick"
    assert t["draw_pile"] == ["Punch"]


def test_w25_no_counter_after_a_knock_out() -> None:
    t = show("Ingrid d2 14 Grapple", "Hai Wu d3 3 Block", counter="Punch Grapple", round=8)
    assert t.health == (14, 0)
    assert t.status == "P1 by knock-out"


@pytest.mark.parametrize(("choice", "health"), [("grapple", (9, 3)), ("punch", (7, 3))])
def test_w27_a_counter_is_never_a_super(choice: str, health: tuple[int, int]) -> None:
    t = show("Amara c3 9 Kick", "Hai Wu f3 6 Block", counter="Grapple Punch", round=9)
    assert t.health == (9, 3)
    assert t.choices == "counter punch; counter grapple; pass"
    t.play(f"P2: {choice}")
    assert t.health == health
    assert t.used == (False, False)


# Supers


def w29(call: str = "call grapple", **options: str) -> Table:
    t = table("Hai Wu a3 7", "Duke f4 15", "Grapple Kick Kick", "Kick Punch Block", round=11, resting=[3, 3],
              options=options)  # fmt: skip
    t.play("P1: move 2")
    if options.get("super_call") == "reveal":
        assert t.choices == "kick; grapple"
    else:
        assert t.choices == "kick; grapple; call grapple"
    t.play(f"P1: {call}; P2: move 1; kick")
    assert t.status == "P1 move"
    assert t.state_for(2).called.tolist() == [int(call.startswith("call")), 0]
    assert t.state_for(0).called.tolist() == [int(call.startswith("call")), 0]
    return t.play("P1: to c3")


def test_w29_a_performed() -> None:
    t = w29().play("P2: to f3")
    assert t.health == (4, 9)
    assert t.used == (True, False)


def test_w29_b_not_performed() -> None:
    t = w29().play("P2: to e3")
    assert t.health == (5, 12)
    assert t.used == (False, False)


def test_w29_c_not_called() -> None:
    t = w29("grapple").play("P2: to f3")
    assert t.health == (4, 15)
    assert t.used == (False, False)


def test_w29_d_with_the_stat() -> None:
    assert w29(super_score="plus").play("P2: to f3").health == (4, 7)


@pytest.mark.parametrize(("answer", "health", "used"), [("claim", (4, 9), True), ("no", (4, 15), False)])
def test_w31_a_claimed_when_revealed(answer: str, health: tuple[int, int], used: bool) -> None:
    t = w29("grapple", super_call="reveal").play("P2: to f3")
    assert t.status == "P1 claim"
    assert t.choices == "claim; no"
    t.play(f"P1: {answer}")
    assert t.health == health
    assert t.used == (used, False)


def test_w31_a_seat_that_may_not_claim_is_not_asked() -> None:
    t = w29("grapple", super_call="reveal").play("P2: to e3")
    assert t["round"] == 12
    t = show("Hai Wu c3 8 Grapple", "Duke f3 15 Kick", options={"super_call": "reveal"}, round=11)
    assert t["round"] == 12
    assert t.health == (5, 15)


@pytest.mark.parametrize("super_vs_block", ["always", "ringout"])
def test_w33_a_ring_out_through_a_block(super_vs_block: str) -> None:
    t = show("Hai Wu d3 5 Grapple +super", "Ingrid g4 20 Block", round=11, options={"super_vs_block": super_vs_block})
    assert t.status == "P1 by ring-out"
    assert t.health == (5, 20)


def test_w35_a_ring_out_comes_before_scores() -> None:
    t = show("Hai Wu d3 4 Grapple +super", "Amara a3 9 Kick", round=12)
    assert t.status == "P1 by ring-out"
    assert t.health == (4, 9)


@pytest.mark.parametrize(("choice", "health"), [("counter punch", (6, 9)), ("counter kick", (6, 12))])
def test_w37_miltons_block_super(choice: str, health: tuple[int, int]) -> None:
    t = show("Milton d3 6 Block +super", "Ingrid e3 12 Grapple", counter="Punch Kick", round=10)
    assert t.health == (6, 12)
    assert t.used == (True, False)
    assert t.status == "P1 counter"
    t.play(choice)
    assert t.health == health


def test_w39_a_super_against_a_block_super() -> None:
    t = show("Milton d3 6 Block +super", "Ingrid e3 7 Grapple +super", counter="Punch Kick", round=11)
    assert t.health == (6, 7)
    assert t.used == (True, True)
    assert t.status == "P1 counter"


def test_w39_b_on_the_edge() -> None:
    t = show("Milton g3 6 Block +super", "Ingrid f3 7 Grapple +super", counter="Punch Kick", round=11)
    assert t.status == "P2 by ring-out"
