"""Rulings from 24 on, in order, with every option value."""

import pytest

from games.world_of_fighters.table import NAME, show, table
from sparring.engine.game import game
from sparring.games.world_of_fighters import moves, state


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


def test_r24_a_call_is_announced_with_its_kind_after_both_commit() -> None:
    t = table("Hai Wu a3 7", "Duke f4 15", "Grapple Kick Kick", "Kick Punch Block", round=11)
    t.play("P1: move 2; call grapple")
    assert t.state_for(2).called.tolist() == [0, 0]
    t.play("P2: move 1; kick")
    assert t.state_for(2).called.tolist() == [1, 0]
    assert t.state_for(2).action.tolist() == [3, 2]
    assert t.state_for(0).action.tolist() == [3, -1]


def test_r24_a_call_can_be_heard_at_once() -> None:
    hands = "Grapple Kick Kick", "Kick Punch Block"
    t = table("Hai Wu a3 7", "Duke f4 15", *hands, round=11, options={"super_call": "heard"})
    t.play("P1: move 2; call grapple")
    assert t.status == "P2 move_card"
    assert (t.state_for(2).called.tolist(), t.state_for(2).action.tolist()) == ([1, 0], [3, 0])
    assert t.state_for(2).movement.tolist()[0] < 0
    assert t.match.log(2)[-2:] == [
        "Seat 1 plays two cards face down.",
        "Seat 1 calls Climbing Monkey, a Grapple at range 3!",
    ]
    t = table("Hai Wu a3 7", "Duke f4 15", *hands, round=11, options={"super_call": "heard"}).play(
        "P1: move 2; grapple"
    )
    assert t.state_for(2).action.tolist()[0] < 0


def test_r24_both_may_claim_even_if_a_ring_out_is_certain() -> None:
    t = show("Hai Wu d3 5 Grapple", "Amara a3 6 Kick", round=12, options={"super_call": "reveal"})
    assert t.status == "P2 claim"
    t.play("P2: claim")
    assert t.status == "P1 claim"
    assert t.state_for(1).performed.tolist() == [0, 1]
    t.play("P1: claim")
    assert t.status == "P1 by ring-out"
    t = show("Hai Wu d3 5 Grapple", "Amara a3 6 Kick", round=11, options={"super_call": "reveal"})
    assert t.status == "P1 claim"
    t.play("P1: claim")
    assert t.status == "P2 claim"
    assert t.play("P2: no").status == "P1 by ring-out"


def test_r24_the_second_mover_may_claim_alone() -> None:
    t = show("Hai Wu d3 5 Grapple", "Amara a3 7 Kick", round=11, options={"super_call": "reveal"})
    t.play("P1: no; P2: claim")
    assert t.status == "P2 by knock-out"  # 6 against 5; d3 is not on the edge
    assert t.used == (False, True)


def test_r24_a_block_super_can_be_claimed_but_only_once() -> None:
    fighters = ("Milton d3 6 Block", "Ingrid e3 12 Grapple")
    t = show(*fighters, counter="Punch Kick", options={"super_call": "reveal"})
    assert t.status == "P1 claim"
    assert t.play("P1: claim").health == (6, 12)
    assert t.status == "P1 counter"
    t = show(*fighters, counter="Punch Kick", options={"super_call": "reveal"}, super_used=[True, False])
    assert t.status == "P1 counter"
    assert t.health == (4, 12)  # 2 + 3 − 3


def test_r25_a_super_that_was_not_performed_can_be_called_again() -> None:
    t = show("Duke b3 7 Punch +super", "Rosa d3 20 Kick", round=6, hands=["Punch Kick", []])  # range 2, not 1
    assert t.status == "P1 move_card"
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
def test_r27_a_block_super_subtracts_six_and_does_no_damage(super_score: str) -> None:
    t = show("Milton d3 6 Block +super", "Ingrid e3 7 Grapple", options={"super_score": super_score})
    assert t.health == (6, 7)
    assert t.status == "P1 counter"


def test_r27_with_plus_both_supers_add_the_stat() -> None:
    t = show("Milton d3 6 Block +super", "Ingrid e3 7 Grapple +super", options={"super_score": "plus"})
    assert t.health == (6, 7)  # 6 + 3 − (6 + 3)
    t = show("Milton c3 6 Kick", "Hai Wu f3 7 Grapple +super", options={"super_score": "plus"})
    assert t.health == (0, 4)  # Milton attacks first, then takes 6 + 2


@pytest.mark.parametrize(
    ("super_vs_block", "super_score", "health", "status"),
    [
        ("always", "flat", 6, "P2 move_card"), ("ringout", "flat", 8, "P2 counter"),
        ("always", "plus", 3, "P2 move_card"), ("ringout", "plus", 5, "P2 counter"),
    ],
)  # fmt: skip
def test_r28_a_super_against_a_block(super_vs_block: str, super_score: str, health: int, status: str) -> None:
    t = show("Ingrid d3 5 Grapple +super", "Hai Wu e3 12 Block", round=7,
             options={"super_vs_block": super_vs_block, "super_score": super_score})  # fmt: skip
    assert t.health == (5, health)
    assert t.status == status


def test_r28_a_super_that_was_not_performed_overrules_nothing() -> None:
    t = show("Ingrid c3 5 Grapple +super", "Hai Wu e3 12 Block", round=7)  # range 2, not 1
    assert t.health == (5, 12 - (1 + 3 - 2))
    assert t.status == "P2 counter"
    assert t.used == (False, False)


@pytest.mark.parametrize("square", ["a1", "a3", "d1", "g5", "g3", "d5"])
def test_r29_every_edge_square(square: str) -> None:
    near = {"a1": "b2", "a3": "b3", "d1": "d2", "g5": "f4", "g3": "f3", "d5": "d4"}[square]
    t = show(f"Ingrid {near} 5 Grapple +super", f"Hai Wu {square} 20 Kick", round=7)
    assert t.status == "P1 by ring-out"


def test_r29_a_fighter_that_left_the_edge_is_safe() -> None:
    t = table("Hai Wu a3 7", "Duke g3 15", "Grapple Kick Kick", "Kick Punch Block")
    t.play("P1: move 2; call grapple; P2: move 1; kick; P1: to c3; P2: to f3")
    assert t.health == (4, 9)
    assert not t.match.over


@pytest.mark.parametrize("settle", ["order", "together"])
def test_r29_only_a_performed_super_forces_a_ring_out(settle: str) -> None:
    t = show("Ingrid g3 5 Grapple +super", "Duke g4 7 Punch", options={"settle": settle})
    assert t.status == "P1 by ring-out"


def test_r29_the_performer_may_be_on_the_edge() -> None:
    t = show("Ingrid g3 5 Grapple +super", "Hai Wu f3 20 Kick", round=7)
    assert t.health == (5, 14)
    assert not t.match.over


def test_r30_an_ordinary_card_forces_no_ring_out() -> None:
    t = show("Ingrid f3 5 Grapple", "Hai Wu g3 20 Kick", round=7)
    assert t.health == (5, 15)
    assert not t.match.over


@pytest.mark.parametrize(
    ("settle", "round_", "status"),
    [("order", 7, "P1 by ring-out"), ("order", 8, "P2 by ring-out"), ("together", 7, "draw by ring-out")],
)
def test_r31_both_on_the_edge(settle: str, round_: int, status: str) -> None:
    t = show("Ingrid g3 5 Grapple +super", "Duke g4 7 Punch +super", round=round_, options={"settle": settle})
    assert t.status == status
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
    ("health", "status"),
    [((9, 8), "P1 by round limit"), ((3, 8), "P2 by round limit"), ((8, 8), "draw by round limit")],
)
def test_r33_the_higher_health_wins_at_the_limit(health: tuple[int, int], status: str) -> None:
    one, other = (f"Amara b2 {health[0]} Kick", f"Kenji f4 {health[1]} Punch")
    t = show(one, other, round=10, options={"round_limit": 10}, draw_pile=25)
    assert t.status == status
    assert t["round"] == 10
    assert [len(hand) for hand in t["hands"]] == [3, 3]
    assert t.piles == (23, 7)
    assert not show(one, other, round=9, options={"round_limit": 10}).match.over
    assert not show(one, other, round=10, options={"round_limit": 11}).match.over


def test_r33_the_last_round_counts() -> None:
    t = show("Duke d3 8 Punch", "Rosa e4 10 Grapple", round=10, options={"round_limit": 10})  # 4 against 5
    assert t.health == (3, 6)
    assert t.status == "P2 by round limit"
    t = show("Amara d3 9 Grapple", "Kenji e3 9 Block", counter="Grapple Kick", round=10, options={"round_limit": 10})
    assert t.status == "P2 counter"
    assert t.play("counter grapple").status == "P2 by round limit"


def test_scores_and_budgets_of_all_fighters() -> None:
    setup = game(NAME).setup()
    for number, fighter in enumerate(setup.content.fighters):
        scores = []
        for kind in (state.PUNCH, state.KICK, state.GRAPPLE):
            for range_ in (1, 2, 3):
                base = moves.base_value(setup.params, number, kind, range_)
                scores.append(int(base + setup.params.stat[number, kind]) if base else 0)
        assert sum(fighter.stats) == 7
        assert sum(scores) + 2 * fighter.block == 23
        assert max(scores) <= 5


def test_r35_the_6_of_a_super_is_not_added_to_base_and_stat() -> None:
    t = show("Ingrid d3 5 Grapple +super", "Duke e3 20 Punch", round=7)  # base 2 and stat 3
    assert t.health[1] == 14


@pytest.mark.parametrize(("round_", "status"), [(7, "P2 by forced off"), (8, "P1 by forced off")])
def test_r36_if_neither_can_move_the_first_mover_is_forced_out(round_: int, status: str) -> None:
    options = {"board": "5x5"}
    one, other = "Hai Wu c3 20 Kick", "Kenji b3 20 Kick"
    assert table(one, other, phase="move", movement=[3, 3], round=round_, options=options).status == status
