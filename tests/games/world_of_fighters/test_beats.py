"""Beats: the steps that each seat sees between one choice and the next."""

from typing import Any

from games.world_of_fighters.table import Table, show, table
from sparring.scene import Banner, Effect
from wording import says


def beats_of(t: Table, seat: int) -> list[tuple[str, Any]]:
    """Return the name of each beat of the last choice, and the state as that seat saw it."""
    return [(beat.view.beat, beat.view.state) for beat in t.match.beats(seat)]


def before_the_last_move(one: str, other: str, **options: str) -> Table:
    """Return a table where P2 has to move before Action cards are revealed."""
    return table(one, other, phase="move", player=2, movement=[1, 1], options=options)


def test_two_attacks_have_a_beat_each() -> None:
    t = before_the_last_move("Ingrid d3 14 Grapple", "Rosa e4 13 Grapple").play("e3")
    for seat in (0, 1, 2):
        assert [(name, s.health.tolist()) for name, s in beats_of(t, seat)] == [
            ("moved", [14, 13]), ("shown", [14, 13]), ("first blow", [14, 8]), ("second blow", [9, 8]), ("", [9, 8]),
        ]  # fmt: skip


def test_the_token_moves_before_the_cards_are_revealed() -> None:
    moved, shown = beats_of(before_the_last_move("Ingrid d3 14 Grapple", "Rosa e4 13 Grapple").play("e3"), 1)[:2]
    assert moved[1].square.tolist() == shown[1].square.tolist()
    assert [int(s.action[1]) for _, s in (moved, shown)] == [-1, 3]
    assert [int(s.shown) for _, s in (moved, shown)] == [0, 1]


def test_a_knocked_out_fighter_does_not_attack_back() -> None:
    t = before_the_last_move("Duke d3 2 Punch", "Rosa e4 4 Grapple").play("e3")
    assert [name for name, _ in beats_of(t, 0)] == ["moved", "shown", "first blow", ""]
    attack, result = t.match.beats(0)[2].lines
    assert says(attack, "Seat 1's Punch", "4 damage", "1 + 3", "Seat 2", "0 health")
    assert says(result, "Seat 2", "knocked out")
    (end,) = t.match.beats(0)[3].lines
    assert says(end, "Seat 1 wins", "knock-out")


def test_both_attacks_hit_with_settle_together() -> None:
    t = before_the_last_move("Duke d3 2 Punch", "Rosa e4 4 Grapple", settle="together").play("e3")
    assert [name for name, _ in beats_of(t, 0)] == ["moved", "shown", "first blow", "second blow", ""]


def test_an_attack_on_a_block_is_the_attackers_beat() -> None:
    """P1 moves first in round 5, so P2's attack is the second one."""
    t = before_the_last_move("Kenji d3 14 Block", "Rosa e4 13 Grapple").play("e3")
    assert [name for name, _ in beats_of(t, 2)] == ["moved", "shown", "second blow", ""]
    assert t.status == "P1 counter"


def test_a_counter_has_a_beat_before_the_clean_up() -> None:
    t = show("Ingrid d3 14 Grapple", "Hai Wu e3 13 Block", counter="Punch Grapple").play("counter grapple")
    (name, s), (rest, after) = beats_of(t, 1)
    assert (name, rest) == ("counter", "")
    assert int(s.counter) == 3
    assert int(after.counter) == 0


def test_a_ring_out_and_two_blocks_have_a_beat() -> None:
    t = before_the_last_move("Ingrid f3 7 Grapple +super", "Hai Wu f4 13 Block").play("g4")
    assert [name for name, _ in beats_of(t, 2)] == ["moved", "shown", "thrown out", ""]
    t = before_the_last_move("Kenji d3 14 Block", "Hai Wu e4 13 Block").play("e3")
    assert [name for name, _ in beats_of(t, 2)] == ["moved", "shown", "two blocks", ""]


def test_a_ring_out_throws_the_fighter_off_the_ring_and_is_called_out() -> None:
    t = before_the_last_move("Ingrid f3 7 Grapple +super", "Hai Wu f4 13 Block").play("g4")
    thrown, end = (beat.effects for beat in t.match.beats(2)[-2:])
    assert Effect("throw", "token 1", "token 2") in thrown
    assert [effect.kind for effect in end] == ["call_out", "win"]
    assert t.match.view(2).scene.banner == Banner("end", "Ring-out")


def test_only_the_first_ring_out_is_logged_unless_settled_together() -> None:
    fighters = ("Ingrid a3 7 Grapple +super", "Duke a5 7 Punch +super")
    thrown, end = before_the_last_move(*fighters).play("a4").match.sentences(0)[2:]
    assert says(thrown, "Glacier Slam", "Seat 2", "out of the ring")
    assert says(end, "Seat 1 wins", "ring-out")
    first, second, end = before_the_last_move(*fighters, settle="together").play("a4").match.sentences(0)[2:]
    assert says(first, "Glacier Slam", "Seat 2", "out of the ring")
    assert says(second, "Haymaker", "Seat 1", "out of the ring")
    assert says(end, "draw")


def test_the_exchange_shows_cards_and_sums() -> None:
    t = before_the_last_move("Ingrid d3 14 Grapple", "Rosa e4 13 Kick").play("e3")
    exchanges = {beat.view.beat: beat.view.scene.exchange for beat in t.match.beats(0)}
    assert [name for name, exchange in exchanges.items() if exchange] == ["first blow", "second blow"]
    rows = exchanges["second blow"].parts
    assert [(row.cards[-1].face.name, row.total) for row in rows] == [("Grapple", "2 + 3 = 5"), ("Kick", "0")]


def test_a_reshuffle_has_a_beat() -> None:
    """The draw pile has one card and two are needed: it is reshuffled between the two draws."""
    t = table("Ingrid d3 14 Grapple", "Rosa e4 13 Kick", "Punch Punch", "Kick Kick", phase="move", player=2,
              movement=[1, 1], draw_pile="Block").play("e3")  # fmt: skip
    beats = t.match.beats(1)
    assert [beat.view.beat for beat in beats][-2:] == ["reshuffled", ""]
    drawn, reshuffled = beats[-2].lines
    assert says(drawn, "You draw", "Block")
    assert says(reshuffled, "shuffled", "draw pile")
    assert beats[-2].view.state.discard[0] == 0
