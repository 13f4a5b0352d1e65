"""Rulings 1 to 23, in order, with every option value."""

import pytest

from games.world_of_fighters.table import NAME, ROSTER, Table, show, table
from sparring import Match
from sparring.engine.squares import NOWHERE, heading, read_square


def test_r1_p1_moves_first_in_odd_rounds_and_p2_in_even_ones() -> None:
    assert table("Hai Wu a1 20", "Kenji g5 20", round=1).status == "P1 move_card"
    assert table("Hai Wu a1 20", "Kenji g5 20", round=2).status == "P2 move_card"


def test_r1_the_action_deck_is_shuffled() -> None:
    dealt = [Table(Match.new(NAME, seed=seed)).play("Hai Wu; Kenji Aoki") for seed in range(4)]
    assert len({tuple(t["draw_pile"]) for t in dealt}) == 4


@pytest.mark.parametrize(
    ("board", "squares", "last"),
    [("7x5", ["b2", "f4"], "g1"), ("5x5", ["a2", "e4"], "e1"), ("7x7", ["b4", "f4"], "g1")],
)
def test_r2_the_boards(board: str, squares: list[str], last: str) -> None:
    t = Table(Match.new(NAME, seed=1, options={"board": board})).play("Kenji Aoki; Hai Wu")
    assert t["squares"] == squares
    cells = t.match.view(1).scene.middle[0].cells
    assert cells[-1].label == f"{last}, edge"
    columns, rows = int(board[0]), int(board[2])
    assert len(cells) == columns * rows
    assert sum("edge" in cell.tone.split() for cell in cells) == 2 * (columns + rows) - 4
    assert sum("red" in cell.tone.split() for cell in cells) == 2


def test_r2_r8_how_many_moves_a_three_has() -> None:
    def counts(board: str, squares: str) -> list[int]:
        return [count_from(board, square) for square in squares.split()]

    def count_from(board: str, square: str) -> int:
        aside = "b2" if heading(read_square(square), read_square("b2")) == NOWHERE else "a3"
        t = table(f"Hai Wu {square} 20 Kick", f"Kenji {aside} 20 Kick", phase="move", movement=[3, 1],
                  options={"board": board, "pass_through": "yes"})  # fmt: skip
        return len(t.squares)

    assert counts("7x5", "b3 c3 d3 e3 f3 g3") == [1, 1, 2, 1, 1, 1]
    assert counts("5x5", "c3 d3 e3 c1 c4 c5") == [0, 1, 1, 1, 1, 1]
    assert counts("7x7", "d4 c3 d1 g7 g1") == [8, 3, 5, 3, 3]


def test_r3_p1_picks_then_p2_among_the_others() -> None:
    t = Table(Match.new(NAME, seed=1))
    assert t.choices.split("; ") == [f"pick {name}" for name in ROSTER]
    t.play("P1: Rosa Quintero")
    assert t.choices.split("; ") == [f"pick {name}" for name in ROSTER[:-1]]
    assert t.match.view(0).state.fighter.tolist() == [7, -1]


def test_r4_everyone_has_the_cards_1_2_3() -> None:
    t = Table(Match.new(NAME, seed=1)).play("Kenji Aoki; Hai Wu")
    assert t.choices == "move 1; move 2; move 3"
    t.play("P1: move 3")
    t.match.choose(t.match.legal()[0])
    assert t.status == "P2 move_card"
    assert t.choices == "move 1; move 2; move 3"


def test_r5_both_commit_before_anything_is_revealed() -> None:
    t = table("Hai Wu c3 20", "Kenji f4 20", "Kick Kick Punch", "Kick Punch Block")
    t.play("P1: move 1; kick")
    assert t.status == "P2 move_card"
    assert t.state_for(2).movement.tolist() == [-1, 0]
    assert t.state_for(2).action.tolist() == [-1, 0]
    t.play("P2: move 2; block")
    assert t.state_for(2).movement.tolist() == [1, 2]
    assert t.state_for(2).action.tolist() == [-1, 4]
    assert t.state_for(0).action.tolist() == [-1, -1]


def test_r6_two_cards_in_every_later_round() -> None:
    t = table("Hai Wu c3 20", "Kenji f4 20", resting=[1, 3])
    assert t.choices == "move 2; move 3"
    t.play("P1: move 2")
    t.match.choose(t.match.legal()[0])
    assert t.choices == "move 1; move 2"


def test_r7_r8_with_upto_no_seat_is_forced_off() -> None:
    for here in ("a1", "d3", "g5", "c3"):
        for other in ("b2", "d4", "f4", "b3"):
            t = table(f"Hai Wu {here} 20 Kick", f"Kenji {other} 20 Kick", phase="move", movement=[1, 1],
                      options={"movement": "upto"})  # fmt: skip
            assert t.squares


def test_r8_the_second_mover_may_be_forced_off_too() -> None:
    t = table("Hai Wu e2 20", "Kenji b3 20", "Kick Kick Kick", "Kick Kick Kick")
    t.play("P1: move 1; kick; P2: move 3; kick")
    assert "d3" in t.squares
    t.play("P1: to d3")
    assert t.status == "P1 by forced off"
    assert t["squares"] == ["d3", "b3"]
    assert not t["shown"]
    assert t.state_for(1).action.tolist() == [2, -1]


@pytest.mark.parametrize(("pass_through", "squares"), [("no", "e2 b5"), ("yes", "e2 b5 e5")])
def test_r9_passing_through(pass_through: str, squares: str) -> None:
    options = {"pass_through": pass_through}
    t = table("Hai Wu b2 20 Kick", "Kenji c3 20 Kick", phase="move", movement=[3, 1], options=options)
    assert t.squares == set(squares.split())


def test_r9_a_move_cannot_end_on_the_opponent() -> None:
    t = table("Hai Wu b2 20 Kick", "Kenji e5 20 Kick", phase="move", movement=[3, 1], options={"pass_through": "yes"})
    assert t.squares == {"e2", "b5"}


def test_r9_with_upto_a_move_stops_before_the_opponent() -> None:
    here = {"one": "Hai Wu b2 20 Kick", "other": "Kenji d2 20 Kick", "phase": "move", "movement": [3, 1]}
    barred = table(**here, options={"movement": "upto"})  # type: ignore[arg-type]
    assert {"c2"} == barred.squares & {"c2", "d2", "e2"}
    through = table(**here, options={"movement": "upto", "pass_through": "yes"})  # type: ignore[arg-type]
    assert {"c2", "e2"} == through.squares & {"c2", "d2", "e2"}


def test_r10_the_second_mover_meets_the_first_on_its_new_square() -> None:
    t = table("Hai Wu c3 20", "Kenji e3 20", "Kick Kick Kick", "Kick Kick Kick")
    t.play("P1: move 1; kick; P2: move 1; kick; P1: to d3")
    assert "d3" not in t.squares
    assert "c3" not in t.squares
    assert t.refuses("to d3")


@pytest.mark.parametrize(
    ("punch_ends", "fighter", "scores"),
    [
        ("fighter", "Kenji", [3, 4, 0, 0]), ("fighter", "Rosa", [0, 3, 2, 0]),
        ("both", "Kenji", [3, 4, 3, 0]), ("both", "Rosa", [2, 3, 2, 0]),
    ],
)  # fmt: skip
def test_r12_r13_r14_punches(punch_ends: str, fighter: str, scores: list[int]) -> None:
    damage = []
    for square in ("b3", "c3", "d3", "e3"):
        t = show(f"{fighter} a3 20 Punch", f"Duke {square} 20 Kick", options={"punch_ends": punch_ends})
        damage.append(20 - t.health[1])
    assert damage == scores


def test_r13_a_card_out_of_range_is_used_up() -> None:
    t = show("Amara d3 20 Kick", "Kenji e3 20 Kick", round=7, draw_pile=20)
    assert (t.health, t["round"]) == ((20, 20), 8)
    assert t["discard_pile"][-2:] == ["Kick", "Kick"]


def test_r15_r16_a_counter_adds_the_stat_and_is_not_blocked() -> None:
    t = show("Kenji e3 9 Block", "Amara d3 9 Grapple", hands=["Punch Kick", "Block Block"], round=7)
    assert t.play("P1: counter punch").health == (8, 6)  # 1 + 2
    assert t.status == "P2 move_card"


def test_r15_r16_a_block_never_heals() -> None:
    t = show("Hai Wu c3 15 Grapple", "Milton e3 12 Block", counter="Kick Kick")  # 1 + 2 − 3
    assert t.health == (15, 12)
    assert t.status == "P2 counter"
    t = show("Amara c3 15 Grapple", "Milton e3 12 Block", counter="Kick Kick")  # 1 + 0 − 3
    assert t.health == (15, 12)


@pytest.mark.parametrize(
    ("settle", "status", "health"), [("order", "P1 by knock-out", (2, 0)), ("together", "draw by knock-out", (0, 0))]
)
def test_r17_in_order_or_together(settle: str, status: str, health: tuple[int, int]) -> None:
    t = show("Duke d3 2 Punch", "Rosa e4 4 Grapple", options={"settle": settle})
    assert t.status == status
    assert t.health == health
    assert list((t.match.payoffs or {}).values()) == ([0, 0] if settle == "together" else [1, -1])


def test_r17_p2_attacks_first_in_even_rounds() -> None:
    t = show("Duke d3 2 Punch", "Rosa e4 4 Grapple", round=6)
    assert t.status == "P2 by knock-out"
    assert t.health == (0, 4)


@pytest.mark.parametrize("settle", ["order", "together"])
def test_r17_a_single_knock_out_loses(settle: str) -> None:
    t = show("Duke d3 20 Punch", "Rosa e4 4 Grapple", options={"settle": settle})
    assert t.status == "P1 by knock-out"
    assert t.health == ((20, 0) if settle == "order" else (15, 0))


@pytest.mark.parametrize(
    ("round_", "hands"), [(7, ["Kick Kick Block", "Punch Kick Kick"]), (8, ["Punch Kick Kick", "Kick Kick Block"])]
)
def test_r18_the_first_mover_draws_first(round_: int, hands: list[str]) -> None:
    t = show("Amara b2 20 Kick", "Kenji f4 20 Kick", round=round_, draw_pile="Block Punch Kick",
             hands=["Kick Kick Kick", "Kick Kick Kick"])  # fmt: skip
    assert [t.hand(1), t.hand(2)] == hands


def test_r19_the_discards_are_reshuffled_as_soon_as_the_pile_is_empty() -> None:
    t = show("Amara b2 20 Kick", "Kenji f4 20 Punch", round=7, draw_pile="Block")
    assert "Block" in t.hand(1).split()
    left, discarded = t.piles
    assert discarded == 0
    assert left == 30  # the 29 discards and both used cards, minus the one that P2 drew
    t = show("Amara b2 20 Kick", "Kenji f4 20 Punch", round=7, draw_pile="Block Punch")
    assert t.piles == (30, 0)


def test_r19_the_discards_are_shuffled() -> None:
    discards = ["Punch"] * 7 + ["Kick"] * 8 + ["Grapple"] * 9 + ["Block"] * 5
    piles = []
    for seed in range(4):
        t = table("Amara b2 20", "Kenji f4 20", "Kick Punch Punch", "Punch Kick Grapple", seed=seed,
                  draw_pile="Block", discard_pile=discards)  # fmt: skip
        t.play("move 1; punch; move 1; punch; to a1; to g5")
        piles.append(t["draw_pile"])
    assert all(len(pile) == 30 for pile in piles)
    assert len(set(map(tuple, piles))) == 4


def test_r20_an_attack_out_of_range_can_be_blocked_and_countered() -> None:
    t = show("Amara b2 20 Kick", "Kenji f4 20 Block", counter="Kick Kick", round=7)
    assert t.status == "P2 counter"
    assert t.choices == "counter kick; pass"
    left, discarded = t.piles
    t.play("counter kick")
    assert t.health == (20, 20)
    assert t.piles == (left - 3, discarded + 3)


def test_r20_a_counter_may_knock_out() -> None:
    t = show("Amara d3 4 Kick", "Kenji e3 9 Block", counter="Grapple Block", round=7)  # Kick has no base at range 1
    assert t.choices == "counter grapple; pass"
    t.play("counter grapple")
    assert t.status == "P2 by knock-out"


def test_r20_a_blocker_is_asked_even_with_no_attack_left() -> None:
    t = show("Amara d3 9 Grapple", "Kenji e3 9 Block", counter="Block Block", round=7)
    assert t.status == "P2 counter"
    assert t.choices == "pass"


def test_r20_a_first_mover_counters_after_the_attack() -> None:
    t = show("Kenji e3 9 Block", "Amara d3 9 Grapple", counter="Grapple Punch", round=7)
    assert t.health == (8, 9)
    assert t.status == "P1 counter"
    assert t.play("counter punch").health == (8, 6)


def test_r22_nothing_is_drawn_before_a_counter() -> None:
    t = show("Amara b2 20 Kick", "Kenji f4 20 Block", counter="Kick Kick", round=7, draw_pile="Punch Grapple Punch")
    assert t.choices == "counter kick; pass"
    t.play("counter kick")
    assert t.hand(2) == "Punch Kick Grapple"


def test_r22_a_block_cannot_be_a_counter() -> None:
    t = show("Amara d3 9 Grapple", "Kenji e3 9 Block", counter="Block Kick", round=7)
    assert t.choices == "counter kick; pass"
    assert t.refuses("block", "counter block")


def test_r23_two_blocks() -> None:
    t = show("Kenji e3 9 Block", "Amara d3 9 Block", counter="Grapple Punch", round=7)
    assert t.health == (9, 9)
    assert t.status == "P2 move_card"
    assert t["discard_pile"][-2:] == ["Block", "Block"]


def test_r23_a_block_super_against_a_block_is_wasted() -> None:
    t = show("Milton d3 6 Block +super", "Ingrid e3 12 Block", round=7)
    assert t.health == (6, 12)
    assert t.used == (True, False)
    assert t["round"] == 8


def test_r23_a_ring_out_comes_before_two_blocks() -> None:
    t = show("Milton f3 6 Block +super", "Ingrid g3 12 Block", round=7)
    assert t.status == "P1 by ring-out"
