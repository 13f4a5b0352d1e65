"""The rulings, one after the other, with every option and value."""

import pytest

from games.world_of_fighters.table import NAME, ROSTER, Table, show, table
from sparring import Match
from sparring.engine.errors import BadOption
from sparring.engine.game import game
from sparring.engine.squares import NOWHERE, heading, read_square
from sparring.games.world_of_fighters import moves, state


def test_the_options_their_values_and_defaults() -> None:
    options = {option.name: getattr(option, "values", None) for option in game(NAME).kit.OPTIONS}
    assert options == {
        "board": ("7x5", "5x5", "7x7"), "movement": ("exact", "upto"), "pass_through": ("no", "yes"),
        "punch_ends": ("fighter", "both"), "settle": ("order", "together"), "super_call": ("place", "reveal"),
        "super_score": ("flat", "plus"), "super_vs_block": ("always", "ringout"), "round_limit": None,
    }  # fmt: skip
    limit = game(NAME).kit.OPTIONS[-1]
    assert (limit.default, limit.read(10), limit.read(1000)) == (100, 10, 1000)
    for wrong in (9, 1001):
        with pytest.raises(BadOption):
            limit.read(wrong)


def test_r1_p1_moves_first_in_odd_rounds_and_p2_in_even_ones() -> None:
    assert table("Hai Wu a1 20", "Kenji g5 20", round=1).asked == "P1 move_card"
    assert table("Hai Wu a1 20", "Kenji g5 20", round=2).asked == "P2 move_card"


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


def test_r2_r8_how_many_ways_a_three_leaves_open() -> None:
    def ways(board: str, squares: str) -> list[int]:
        return [ways_from(board, square) for square in squares.split()]

    def ways_from(board: str, square: str) -> int:
        aside = "b2" if heading(read_square(square), read_square("b2")) == NOWHERE else "a3"
        t = table(f"Hai Wu {square} 20 Kick", f"Kenji {aside} 20 Kick", phase="move", movement=[3, 1],
                  options={"board": board, "pass_through": "yes"})  # fmt: skip
        return len(t.squares)

    assert ways("7x5", "b3 c3 d3 e3 f3 g3") == [1, 1, 2, 1, 1, 1]
    assert ways("5x5", "c3 d3 e3 c1 c4 c5") == [0, 1, 1, 1, 1, 1]
    assert ways("7x7", "d4 c3 d1 g7 g1") == [8, 3, 5, 3, 3]


def test_r3_p1_picks_then_p2_among_the_others() -> None:
    t = Table(Match.new(NAME, seed=1))
    assert t.choices.split("; ") == [f"pick {name}" for name in ROSTER]
    t.play("P1: Rosa Quintero")
    assert t.choices.split("; ") == [f"pick {name}" for name in ROSTER[:-1]]
    assert t.match.view(0).state.fighter.tolist() == [7, -1]


def test_r4_everybody_has_the_cards_1_2_3() -> None:
    t = Table(Match.new(NAME, seed=1)).play("Kenji Aoki; Hai Wu")
    assert t.choices == "move 1; move 2; move 3"
    t.play("P1: move 3")
    t.match.choose(t.match.legal()[0])
    assert t.asked == "P2 move_card"
    assert t.choices == "move 1; move 2; move 3"


def test_r5_both_commit_before_anything_is_turned() -> None:
    t = table("Hai Wu c3 20", "Kenji f4 20", "Kick Kick Punch", "Kick Punch Block")
    t.play("P1: move 1; kick")
    assert t.asked == "P2 move_card"
    assert t.sees(2).movement.tolist() == [-1, 0]
    assert t.sees(2).action.tolist() == [-1, 0]
    t.play("P2: move 2; block")
    assert t.sees(2).movement.tolist() == [1, 2]
    assert t.sees(2).action.tolist() == [-1, 4]
    assert t.sees(0).action.tolist() == [-1, -1]


def test_r6_two_cards_in_every_later_round() -> None:
    t = table("Hai Wu c3 20", "Kenji f4 20", resting=[1, 3])
    assert t.choices == "move 2; move 3"
    t.play("P1: move 2")
    t.match.choose(t.match.legal()[0])
    assert t.choices == "move 1; move 2"


def test_r7_r8_up_to_the_number_nobody_is_ever_forced_off() -> None:
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
    assert t.asked == "P1 by forced off"
    assert t["squares"] == ["d3", "b3"]
    assert not t["shown"]
    assert t.sees(1).action.tolist() == [2, -1]


@pytest.mark.parametrize(("pass_through", "squares"), [("no", "e2 b5"), ("yes", "e2 b5 e5")])
def test_r9_walking_through(pass_through: str, squares: str) -> None:
    options = {"pass_through": pass_through}
    t = table("Hai Wu b2 20 Kick", "Kenji c3 20 Kick", phase="move", movement=[3, 1], options=options)
    assert t.squares == set(squares.split())


def test_r9_the_destination_counts_even_then() -> None:
    t = table("Hai Wu b2 20 Kick", "Kenji e5 20 Kick", phase="move", movement=[3, 1], options={"pass_through": "yes"})
    assert t.squares == {"e2", "b5"}


def test_r9_up_to_the_number_stops_before_the_opponent() -> None:
    here = {"one": "Hai Wu b2 20 Kick", "other": "Kenji d2 20 Kick", "phase": "move", "movement": [3, 1]}
    barred = table(**here, options={"movement": "upto"})  # type: ignore[arg-type]
    assert {"c2"} == barred.squares & {"c2", "d2", "e2"}
    through = table(**here, options={"movement": "upto", "pass_through": "yes"})  # type: ignore[arg-type]
    assert {"c2", "e2"} == through.squares & {"c2", "d2", "e2"}


def test_r10_tokens_move_in_order_and_the_second_sees_the_first_in_its_new_place() -> None:
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
    hurts = []
    for square in ("b3", "c3", "d3", "e3"):
        t = show(f"{fighter} a3 20 Punch", f"Duke {square} 20 Kick", options={"punch_ends": punch_ends})
        hurts.append(20 - t.health[1])
    assert hurts == scores


def test_r15_r16_nobody_is_healed_by_a_block() -> None:
    t = show("Hai Wu c3 15 Grapple", "Milton e3 12 Block", counter="Kick Kick")  # 1 + 2 less 3
    assert t.health == (15, 12)
    assert t.asked == "P2 counter"
    t = show("Amara c3 15 Grapple", "Milton e3 12 Block", counter="Kick Kick")  # 1 + 0 less 3
    assert t.health == (15, 12)


@pytest.mark.parametrize(
    ("settle", "outcome", "health"), [("order", "P1 by knock-out", (2, 0)), ("together", "draw by knock-out", (0, 0))]
)
def test_r17_in_order_or_together(settle: str, outcome: str, health: tuple[int, int]) -> None:
    t = show("Duke d3 2 Punch", "Rosa e4 4 Grapple", options={"settle": settle})
    assert t.asked == outcome
    assert t.health == health
    assert list((t.match.payoffs or {}).values()) == ([0, 0] if settle == "together" else [1, -1])


def test_r17_the_second_mover_strikes_first_in_even_rounds() -> None:
    t = show("Duke d3 2 Punch", "Rosa e4 4 Grapple", round=6)
    assert t.asked == "P2 by knock-out"
    assert t.health == (0, 4)


@pytest.mark.parametrize("settle", ["order", "together"])
def test_r17_one_who_falls_alone_loses(settle: str) -> None:
    t = show("Duke d3 20 Punch", "Rosa e4 4 Grapple", options={"settle": settle})
    assert t.asked == "P1 by knock-out"
    assert t.health == ((20, 0) if settle == "order" else (15, 0))


@pytest.mark.parametrize(
    ("round_", "hands"), [(7, ["Kick Kick Block", "Punch Kick Kick"]), (8, ["Punch Kick Kick", "Kick Kick Block"])]
)
def test_r18_the_first_mover_draws_first(round_: int, hands: list[str]) -> None:
    t = show("Amara b2 20 Kick", "Kenji f4 20 Kick", round=round_, draw_pile="Block Punch Kick",
             hands=["Kick Kick Kick", "Kick Kick Kick"])  # fmt: skip
    assert [t.hand(1), t.hand(2)] == hands


def test_r19_the_pile_is_made_anew_the_moment_it_is_empty() -> None:
    t = show("Amara b2 20 Kick", "Kenji f4 20 Punch", round=7, draw_pile="Block")
    assert "Block" in t.hand(1).split()
    left, discarded = t.piles
    assert discarded == 0
    assert left == 30  # the 29 discards and both used cards, less the one that P2 drew from them
    t = show("Amara b2 20 Kick", "Kenji f4 20 Punch", round=7, draw_pile="Block Punch")
    assert t.piles == (30, 0)


def test_r20_an_attack_out_of_range_can_be_blocked_and_countered() -> None:
    t = show("Amara b2 20 Kick", "Kenji f4 20 Block", counter="Kick Kick", round=7)
    assert t.asked == "P2 counter"
    assert t.choices == "counter kick; pass"
    left, discarded = t.piles
    t.play("counter kick")
    assert t.health == (20, 20)
    assert t.piles == (left - 3, discarded + 3)


def test_r20_a_counter_may_knock_out() -> None:
    t = show("Amara d3 4 Kick", "Kenji e3 9 Block", counter="Grapple Block", round=7)  # Kick has no base at range 1
    assert t.choices == "counter grapple; pass"
    t.play("counter grapple")
    assert t.asked == "P2 by knock-out"


def test_r20_asked_even_if_nothing_but_pass_is_left() -> None:
    t = show("Amara d3 9 Grapple", "Kenji e3 9 Block", counter="Block Block", round=7)
    assert t.asked == "P2 counter"
    assert t.choices == "pass"


def test_r20_the_first_mover_counters_too_after_the_attack() -> None:
    t = show("Kenji e3 9 Block", "Amara d3 9 Grapple", counter="Grapple Punch", round=7)
    assert t.health == (8, 9)
    assert t.asked == "P1 counter"
    assert t.play("counter punch").health == (8, 6)


def test_r22_a_second_block_is_no_counter() -> None:
    t = show("Amara d3 9 Grapple", "Kenji e3 9 Block", counter="Block Kick", round=7)
    assert t.choices == "counter kick; pass"
    assert t.refuses("block", "counter block")


def test_r23_two_blocks() -> None:
    t = show("Kenji e3 9 Block", "Amara d3 9 Block", counter="Grapple Punch", round=7)
    assert t.health == (9, 9)
    assert t.asked == "P2 move_card"
    assert t["discard_pile"][-2:] == ["Block", "Block"]


def test_r23_a_super_block_against_a_block_is_used_up_for_nothing() -> None:
    t = show("Milton d3 6 Block +super", "Ingrid e3 12 Block", round=7)
    assert t.health == (6, 12)
    assert t.used == (True, False)
    assert t["round"] == 8


def test_r23_a_ring_out_comes_before_two_blocks() -> None:
    t = show("Milton f3 6 Block +super", "Ingrid g3 12 Block", round=7)
    assert t.asked == "P1 by ring-out"


@pytest.mark.parametrize(
    ("health", "used", "hand", "offered"),
    [
        (7, False, "Grapple Kick Kick", True), (1, False, "Grapple Kick Kick", True),
        (8, False, "Grapple Kick Kick", False),
        (7, True, "Grapple Kick Kick", False), (7, False, "Punch Kick Kick", False),
    ],
)  # fmt: skip
def test_r24_when_a_super_can_be_called(health: int, used: bool, hand: str, offered: bool) -> None:
    t = table(f"Hai Wu c3 {health}", "Kenji f4 20", hand, super_used=[used, False]).play("P1: move 1")
    assert ("call grapple" in t.choices) == offered
    if not offered:
        assert t.refuses("call grapple", "Climbing Monkey")


def test_r24_a_call_is_announced_when_both_have_placed_and_tells_the_kind() -> None:
    t = table("Hai Wu a3 7", "Duke f4 15", "Grapple Kick Kick", "Kick Punch Block", round=11)
    t.play("P1: move 2; call grapple")
    assert t.sees(2).called.tolist() == [0, 0]
    t.play("P2: move 1; kick")
    assert t.sees(2).called.tolist() == [1, 0]
    assert t.sees(2).action.tolist() == [3, 2]
    assert t.sees(0).action.tolist() == [3, -1]


def test_r24_both_may_claim_first_mover_first_even_if_a_ring_out_is_sure() -> None:
    t = show("Hai Wu d3 5 Grapple", "Amara a3 6 Kick", round=12, options={"super_call": "reveal"})
    assert t.asked == "P2 claim"
    t.play("P2: claim")
    assert t.asked == "P1 claim"
    assert t.sees(1).performed.tolist() == [0, 1]
    t.play("P1: claim")
    assert t.asked == "P1 by ring-out"
    t = show("Hai Wu d3 5 Grapple", "Amara a3 6 Kick", round=11, options={"super_call": "reveal"})
    assert t.asked == "P1 claim"
    t.play("P1: claim")
    assert t.asked == "P2 claim"
    assert t.play("P2: no").asked == "P1 by ring-out"


def test_r24_a_claim_alone_after_a_no() -> None:
    t = show("Hai Wu d3 5 Grapple", "Amara a3 7 Kick", round=11, options={"super_call": "reveal"})
    t.play("P1: no; P2: claim")
    assert t.asked == "P2 by knock-out"  # 6 against 5; d3 is no edge square
    assert t.used == (False, True)


def test_r24_a_block_may_be_claimed_and_a_used_super_is_not_asked_for() -> None:
    fighters = ("Milton d3 6 Block", "Ingrid e3 12 Grapple")
    t = show(*fighters, counter="Punch Kick", options={"super_call": "reveal"})
    assert t.asked == "P1 claim"
    assert t.play("P1: claim").health == (6, 12)
    assert t.asked == "P1 counter"
    t = show(*fighters, counter="Punch Kick", options={"super_call": "reveal"}, super_used=[True, False])
    assert t.asked == "P1 counter"
    assert t.health == (4, 12)  # 2 + 3 less 3


def test_r25_a_super_that_was_not_performed_can_be_called_again() -> None:
    t = show("Duke b3 7 Punch +super", "Rosa d3 20 Kick", round=6, hands=["Punch Kick", []])  # range 2, not 1
    assert t.asked == "P1 move_card"
    t.play("P1: move 1")
    assert "call punch" in t.choices


@pytest.mark.parametrize(
    ("super_score", "square", "health", "used"),
    [("flat", "c3", 14, True), ("plus", "c3", 11, True), ("flat", "d3", 15, False), ("plus", "d3", 15, False)],
)
def test_r25_r26_the_score_of_a_super(super_score: str, square: str, health: int, used: bool) -> None:
    t = show("Duke b3 7 Punch +super", f"Rosa {square} 20 Kick", options={"super_score": super_score})
    assert t.health[1] == health
    assert t.used == (used, False)


@pytest.mark.parametrize("super_score", ["flat", "plus"])
def test_r27_a_super_block_takes_six_off_and_hurts_nobody(super_score: str) -> None:
    t = show("Milton d3 6 Block +super", "Ingrid e3 7 Grapple", options={"super_score": super_score})
    assert t.health == (6, 7)
    assert t.asked == "P1 counter"


def test_r27_with_the_stat_both_supers_grow() -> None:
    t = show("Milton d3 6 Block +super", "Ingrid e3 7 Grapple +super", options={"super_score": "plus"})
    assert t.health == (6, 7)  # 6 + 3 less 6 + 3
    t = show("Milton c3 6 Kick", "Hai Wu f3 7 Grapple +super", options={"super_score": "plus"})
    assert t.health == (0, 4)  # Milton strikes first, and 6 + 2 come back


@pytest.mark.parametrize(
    ("super_vs_block", "super_score", "health", "asked"),
    [
        ("always", "flat", 6, "P2 move_card"), ("ringout", "flat", 8, "P2 counter"),
        ("always", "plus", 3, "P2 move_card"), ("ringout", "plus", 5, "P2 counter"),
    ],
)  # fmt: skip
def test_r28_a_super_against_a_block(super_vs_block: str, super_score: str, health: int, asked: str) -> None:
    t = show("Ingrid d3 5 Grapple +super", "Hai Wu e3 12 Block", round=7,
             options={"super_vs_block": super_vs_block, "super_score": super_score})  # fmt: skip
    assert t.health == (5, health)
    assert t.asked == asked


def test_r28_a_super_that_was_not_performed_overrules_nothing() -> None:
    t = show("Ingrid c3 5 Grapple +super", "Hai Wu e3 12 Block", round=7)  # range 2, not 1
    assert t.health == (5, 12 - (1 + 3 - 2))
    assert t.asked == "P2 counter"
    assert t.used == (False, False)


@pytest.mark.parametrize("square", ["a1", "a3", "d1", "g5", "g3", "d5"])
def test_r29_every_edge_square(square: str) -> None:
    near = {"a1": "b2", "a3": "b3", "d1": "d2", "g5": "f4", "g3": "f3", "d5": "d4"}[square]
    t = show(f"Ingrid {near} 5 Grapple +super", f"Hai Wu {square} 20 Kick", round=7)
    assert t.asked == "P1 by ring-out"


def test_r29_who_was_moved_off_the_edge_is_not_thrown_out() -> None:
    t = table("Hai Wu a3 7", "Duke g3 15", "Grapple Kick Kick", "Kick Punch Block")
    t.play("P1: move 2; call grapple; P2: move 1; kick; P1: to c3; P2: to f3")
    assert t.health == (4, 9)
    assert not t.match.over


@pytest.mark.parametrize("settle", ["order", "together"])
def test_r29_only_the_performer_throws_out(settle: str) -> None:
    t = show("Ingrid g3 5 Grapple +super", "Duke g4 7 Punch", options={"settle": settle})
    assert t.asked == "P1 by ring-out"


def test_r29_one_who_performs_may_stand_on_the_edge() -> None:
    t = show("Ingrid g3 5 Grapple +super", "Hai Wu f3 20 Kick", round=7)
    assert t.health == (5, 14)
    assert not t.match.over


def test_r30_an_ordinary_card_throws_nobody_out() -> None:
    t = show("Ingrid f3 5 Grapple", "Hai Wu g3 20 Kick", round=7)
    assert t.health == (5, 15)
    assert not t.match.over


@pytest.mark.parametrize(
    ("settle", "round_", "outcome"),
    [("order", 7, "P1 by ring-out"), ("order", 8, "P2 by ring-out"), ("together", 7, "draw by ring-out")],
)
def test_r31_both_on_the_edge(settle: str, round_: int, outcome: str) -> None:
    t = show("Ingrid g3 5 Grapple +super", "Duke g4 7 Punch +super", round=round_, options={"settle": settle})
    assert t.asked == outcome
    assert t.used == (True, True)
    assert t.health == (5, 7)


def test_r32_once_a_match() -> None:
    t = show("Ingrid d3 5 Grapple +super", "Hai Wu e3 20 Grapple", round=7, hands=["Grapple Grapple Grapple", []])
    assert t.health == (1, 14)
    assert t.used == (True, False)
    t.play("P2: move 2")
    t.match.choose(t.match.legal()[0])
    t.play("P1: move 1")
    assert "call" not in t.choices


@pytest.mark.parametrize(
    ("health", "outcome"),
    [((9, 8), "P1 by round limit"), ((3, 8), "P2 by round limit"), ((8, 8), "draw by round limit")],
)
def test_r33_the_higher_health_wins_at_the_limit(health: tuple[int, int], outcome: str) -> None:
    one, other = (f"Amara b2 {health[0]} Kick", f"Kenji f4 {health[1]} Punch")
    t = show(one, other, round=10, options={"round_limit": 10}, draw_pile=25)
    assert t.asked == outcome
    assert t["round"] == 10
    assert [len(hand) for hand in t["hands"]] == [3, 3]
    assert t.piles == (23, 7)
    assert not show(one, other, round=9, options={"round_limit": 10}).match.over
    assert not show(one, other, round=10, options={"round_limit": 11}).match.over


def test_r33_what_happens_in_the_last_round_counts() -> None:
    t = show("Duke d3 8 Punch", "Rosa e4 10 Grapple", round=10, options={"round_limit": 10})  # 4 against 5
    assert t.health == (3, 6)
    assert t.asked == "P2 by round limit"
    t = show("Amara d3 9 Grapple", "Kenji e3 9 Block", counter="Grapple Kick", round=10, options={"round_limit": 10})
    assert t.asked == "P2 counter"
    assert t.play("counter grapple").asked == "P2 by round limit"


def test_ordinary_scores_run_from_1_to_5_and_every_fighter_has_the_same_budget() -> None:
    box = game(NAME).box()
    for number, fighter in enumerate(box.content.fighters):
        scores = []
        for kind in (state.PUNCH, state.KICK, state.GRAPPLE):
            for apart in (1, 2, 3):
                base = moves.base(box.kit, number, kind, apart)
                scores.append(int(base + box.kit.stat[number, kind]) if base else 0)
        assert sum(fighter.stats) == 7
        assert sum(scores) + 2 * fighter.block == 23
        assert max(scores) <= 5
