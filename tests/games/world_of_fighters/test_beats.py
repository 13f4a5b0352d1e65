"""What people see between two choices: the move, the cards turned up, each blow by itself, the draw."""

from typing import Any

from games.world_of_fighters.table import Table, show, table


def seen(t: Table, seat: int) -> list[tuple[str, Any]]:
    """The beats of the last choice: what each is called, and the state as that seat saw it."""
    return [(beat.view.beat, beat.view.state) for beat in t.match.beats(seat)]


def last_to_move(one: str, other: str, **options: str) -> Table:
    """P2 has one move left before the cards are shown."""
    return table(one, other, phase="move", player=2, movement=[1, 1], options=options)


def test_two_attacks_are_two_blows_each_with_the_health_it_leaves() -> None:
    t = last_to_move("Ingrid d3 14 Grapple", "Rosa e4 13 Grapple").play("e3")
    for seat in (0, 1, 2):
        assert [(name, s.health.tolist()) for name, s in seen(t, seat)] == [
            ("moved", [14, 13]), ("shown", [14, 13]), ("first blow", [14, 8]), ("second blow", [9, 8]), ("", [9, 8]),
        ]  # fmt: skip


def test_the_token_stands_on_its_square_before_the_cards_are_turned_up() -> None:
    moved, shown = seen(last_to_move("Ingrid d3 14 Grapple", "Rosa e4 13 Grapple").play("e3"), 1)[:2]
    assert moved[1].square.tolist() == shown[1].square.tolist()
    assert [int(s.action[1]) for _, s in (moved, shown)] == [-1, 3]
    assert [int(s.shown) for _, s in (moved, shown)] == [0, 1]


def test_whoever_is_down_strikes_no_second_blow() -> None:
    t = last_to_move("Duke d3 2 Punch", "Rosa e4 4 Grapple").play("e3")
    assert [name for name, _ in seen(t, 0)] == ["moved", "shown", "first blow", ""]
    assert t.match.beats(0)[2].lines == (
        "Seat 1's Punch: 1 + 3 = 4. Seat 2 has 0 left.", "Seat 2 is down before striking back.",
    )  # fmt: skip
    assert t.match.beats(0)[3].lines == ("Seat 1 wins by knock-out.",)


def test_together_both_blows_fall() -> None:
    t = last_to_move("Duke d3 2 Punch", "Rosa e4 4 Grapple", settle="together").play("e3")
    assert [name for name, _ in seen(t, 0)] == ["moved", "shown", "first blow", "second blow", ""]


def test_a_blow_at_a_block_is_its_owners() -> None:
    """P1 moves first in round 5, so a blow of P2 is the second one."""
    t = last_to_move("Kenji d3 14 Block", "Rosa e4 13 Grapple").play("e3")
    assert [name for name, _ in seen(t, 2)] == ["moved", "shown", "second blow", ""]
    assert t.asked == "P1 counter"


def test_a_counter_is_seen_before_the_table_is_cleared() -> None:
    t = show("Ingrid d3 14 Grapple", "Hai Wu e3 13 Block", counter="Punch Grapple").play("counter grapple")
    (name, s), (rest, after) = seen(t, 1)
    assert (name, rest) == ("counter", "")
    assert int(s.counter) == 3
    assert int(after.counter) == 0


def test_a_ring_out_and_two_blocks_are_seen_before_what_follows() -> None:
    t = last_to_move("Ingrid f3 7 Grapple +super", "Hai Wu f4 13 Block").play("g4")
    assert [name for name, _ in seen(t, 2)] == ["moved", "shown", "thrown out", ""]
    t = last_to_move("Kenji d3 14 Block", "Hai Wu e4 13 Block").play("e3")
    assert [name for name, _ in seen(t, 2)] == ["moved", "shown", "two blocks", ""]


def test_with_both_thrown_out_in_order_only_the_first_throw_is_told() -> None:
    words = ("Ingrid a3 7 Grapple +super", "Duke a5 7 Punch +super")
    assert last_to_move(*words).play("a4").match.told(0)[2:] == [
        "Glacier Slam on the edge: Seat 2 flies out of the ring!", "Seat 1 wins by ring-out.",
    ]  # fmt: skip
    assert last_to_move(*words, settle="together").play("a4").match.told(0)[2:] == [
        "Glacier Slam on the edge: Seat 2 flies out of the ring!",
        "Haymaker on the edge: Seat 1 flies out of the ring!",
        "A draw: both fighters are out of the ring.",
    ]


def test_what_was_decided_lies_in_the_exchange_with_its_sum() -> None:
    t = last_to_move("Ingrid d3 14 Grapple", "Rosa e4 13 Kick").play("e3")
    exchanges = {beat.view.beat: beat.view.scene.exchange for beat in t.match.beats(0)}
    assert [name for name, exchange in exchanges.items() if exchange] == ["first blow", "second blow"]
    rows = exchanges["second blow"].parts
    assert [(row.cards[-1].face.name, row.total) for row in rows] == [("Grapple", "2 + 3 = 5"), ("Kick", "0")]


def test_a_reshuffle_is_seen_where_it_happens() -> None:
    """One card is left to draw, and two are needed: in between the discards become the pile."""
    t = table("Ingrid d3 14 Grapple", "Rosa e4 13 Kick", "Punch Punch", "Kick Kick", phase="move", player=2,
              movement=[1, 1], draw_pile="Block").play("e3")  # fmt: skip
    beats = t.match.beats(1)
    assert [beat.view.beat for beat in beats][-2:] == ["reshuffled", ""]
    assert beats[-2].lines == ("You draw a Block.", "The discards are shuffled: they are the draw pile now.")
    assert beats[-2].view.state.discard[0] == 0
