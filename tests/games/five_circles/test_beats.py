"""What people see between two choices: combat lane by lane, who falls and when, the turn that begins."""

import pytest

from games.five_circles.table import Table, table


def seen(t: Table, seat: int = 0) -> list[str]:
    """What the beats of the last choice are called, the table at rest as `-`."""
    return [beat.view.beat or "-" for beat in t.match.beats(seat)]


def test_a_lane_is_seen_fought_before_the_next_one() -> None:
    t = table("1 Ash 4/2; 2 Bea 2/2", "1 Dot 1/3", hand="Red", life=(9, 5)).play("done")
    assert seen(t) == ["combat", "destroyed", "lane", "life lost", "turn", "-"]
    damage = [[int(d) for d in beat.view.state.damage if d] for beat in t.match.beats(0)]
    assert damage == [[], [1, 4], [1], [1], [1], [1]]
    assert [beat.view.state.life.tolist() for beat in t.match.beats(0)][2:4] == [[9, 5], [9, 3]]


def test_whoever_is_destroyed_is_seen_once_more_with_the_damage() -> None:
    t = table("1 Ash 4/2", "1 Dot 1/3", hand="Red").play("done")
    beat = next(beat for beat in t.match.beats(2) if beat.view.beat == "destroyed")
    marks = {card.face.name: card.marks for row in beat.view.scene.exchange.parts for card in row.cards}
    assert marks == {"Ash": ("1 damage",), "Dot": ("4 damage",)}
    assert beat.lines == ("Lane 1: Ash takes 1, Dot takes 4, Dot is destroyed.",)


def test_a_blow_that_armour_stops_is_told_too() -> None:
    t = table("1 Ash 1/2 [Armor 2]", "1 Dot 1/2 [Armor 2]", hand="Red").play("done")
    assert "Lane 1: nothing gets through." in t.match.told(0)


def test_life_is_lost_before_the_match_ends() -> None:
    t = table("1 Ash 4/2", "", hand="Red", life=(9, 3)).play("done")
    assert seen(t) == ["combat", "life lost", "-"]
    lost, rest = t.match.beats(1)[1:]
    assert lost.lines == ("Lane 1: Ash gets through, Seat 2 loses 3 life, 0 left.",)
    assert rest.lines == ("You win: Seat 2 has no life left.",)


def test_an_ability_that_destroys_in_main_is_seen_outside_of_combat() -> None:
    t = table("1 Ash 1/2 [Fireball]", "1 Dot 1/2 (damage 2)", "1 Red", hand="Cid 1/2").play("use Ash: Fireball; Dot")
    assert seen(t)[0] == "destroyed"
    assert t.match.beats(0)[0].lines == ("Ash uses Fireball on Dot.", "Dot takes 1, Dot is destroyed.")
    assert t.match.beats(0)[0].view.scene.exchange is None


@pytest.mark.parametrize("brace", [False, True])
def test_damage_just_before_combat_belongs_to_no_lane(brace: bool) -> None:
    if brace:
        t = table("1 Ash 2/3", "1 Dot 1/5 [Fireball]", q_ready="1 Red").play("done; Q brace> use Dot: Fireball; Ash")
        told = ("Dot uses Fireball on Ash.", "Ash takes 1.", "Combat: Seat 1 attacks.")
    else:
        t = table("1 Ash 1/2 [Fireball]", "1 Dot 1/5", "1 Red").play("use Ash: Fireball; Dot")
        told = ("Ash uses Fireball on Dot.", "Dot takes 1.", "Combat: Seat 1 attacks.")
    assert t.match.beats(0)[0].lines == told


def test_self_destruct_is_told_with_both() -> None:
    t = table("1 Ash 1/2 [Self Destruct]", "1 Dot 1/2", "1 Red", hand="Cid 1/2").play("use Ash: Self Destruct")
    assert "Ash and Dot are destroyed." in t.match.told(0)


def test_with_reshuffle_the_new_deck_is_seen_where_it_is_made() -> None:
    t = table("1 Ash 1/2", "1 Dot 1/2", hand="Red", empty="reshuffle", draw_pile=[], discard_pile=["Extra", "Extra"])
    t.play("done")
    assert "reshuffled" in seen(t)


@pytest.mark.parametrize("seat", [1, 2])
def test_what_is_drawn_is_told_to_its_owner_alone(seat: int) -> None:
    t = table("1 Ash 1/2", "1 Dot 1/2", hand="Red", q_hand="Red").play("done")
    drawn = [line for line in t.match.told(seat) if line.startswith("You draw")]
    assert bool(drawn) == (seat == 2)
