"""What players see between two choices: combat lane by lane, destruction, life, the next turn."""

import pytest

from games.five_circles.table import Table, table
from wording import says


def seen(t: Table, seat: int = 0) -> list[str]:
    """Return the beats of the last choice, and `-` for the table at rest."""
    return [beat.view.beat or "-" for beat in t.match.beats(seat)]


def test_each_lane_is_shown_before_the_next_one() -> None:
    t = table("1 Ash 4/2; 2 Bea 2/2", "1 Dot 1/3", hand="Red", life=(9, 5)).play("done")
    assert seen(t) == ["combat", "destroyed", "lane", "life lost", "turn", "-"]
    damage = [[int(d) for d in beat.view.state.damage if d] for beat in t.match.beats(0)]
    assert damage == [[], [1, 4], [1], [1], [1], [1]]
    assert [beat.view.state.life.tolist() for beat in t.match.beats(0)][2:4] == [[9, 5], [9, 3]]


def test_a_destroyed_character_is_shown_with_its_damage() -> None:
    t = table("1 Ash 4/2", "1 Dot 1/3", hand="Red").play("done")
    beat = next(beat for beat in t.match.beats(2) if beat.view.beat == "destroyed")
    marks = {card.face.name: card.marks for row in beat.view.scene.exchange.parts for card in row.cards}
    assert marks == {"Ash": ("1 damage",), "Dot": ("4 damage",)}
    assert {card.face.lowered for row in beat.view.scene.exchange.parts for card in row.cards} == {("health",)}
    assert says(beat.lines, "Lane 1", "Ash", 1, "Dot", 4, "destroyed")


def test_equal_damage_is_one_sentence() -> None:
    t = table("1 Ash 3/3; 2 Bea 2/1", "1 Dot 3/3; 2 Eve 2/2", hand="Red").play("done")
    assert says(t.match.sentences(0), "Lane 1", "Ash", "Dot", 3, "each other")
    assert says(t.match.sentences(0), "Lane 2", "Bea", "Eve", 2, "each other", "Bea", "destroyed")


def test_reflected_damage_is_not_part_of_an_even_exchange() -> None:
    t = table("1 Ash 2/5", "1 Dot 1/5 [Reflect]", hand="Red").play("done")
    assert says(t.match.sentences(0), "Lane 1", "Ash takes 2", "Dot takes 2")


def test_a_turn_with_nothing_to_play_is_logged_for_its_player_only() -> None:
    t = table("1 Ash 1/2", "1 Dot 1/2", hand="Red", q_hand="Bea 3/3", phase="resources", draw_pile=[]).play("done")
    assert says(t.match.sentences(2), "nothing to play", "attack")
    assert not says(t.match.sentences(1), "nothing")
    assert not says(t.match.sentences(0), "nothing")


def test_a_turn_without_any_play_is_logged_for_everyone() -> None:
    t = table("", "1 Dot 1/2", hand="Bea 3/3", phase="main", draw_pile=["Red"]).play("done")
    for seat, words in ((0, "Seat 1 passes"), (1, "You pass"), (2, "Seat 1 passes")):
        lines = t.match.sentences(seat)
        assert says(lines, words)
        assert lines.index(next(line for line in lines if says(line, words))) == 0, "before the next turn's heading"


@pytest.mark.parametrize("first", [True, False])
def test_a_turn_with_a_play_is_no_pass(first: bool) -> None:
    t = table("", "1 Dot 1/2", hand="Red", phase="resources", draw_pile=["Red"]) if first else table(
        "1 Ash 1/2", "1 Dot 1/2", hand="Red", draw_pile=["Red"])  # fmt: skip
    t.play("resource red" if first else "done")
    assert not says([*t.match.log(2), *t.match.sentences(2)], "passes")


def test_a_lane_without_damage_is_logged() -> None:
    t = table("1 Ash 1/2 [Armor 2]", "1 Dot 1/2 [Armor 2]", hand="Red").play("done")
    assert says(t.match.sentences(0), "Lane 1", "no damage")


def test_characters_that_close_ranks_are_named_before_the_next_turn() -> None:
    t = table("1 Ash 4/2", "1 Dot 1/3; 2 Eve 1/3; 3 Fay 1/3", hand="Red").play("done")
    lines = t.match.sentences(1)
    moved = [next(i for i, line in enumerate(lines) if says(line, name, "moves up", lane))
             for name, lane in (("Eve", "lane 1"), ("Fay", "lane 2"))]  # fmt: skip
    fallen = next(i for i, line in enumerate(lines) if says(line, "Dot", "destroyed"))
    turn = next(i for i, line in enumerate(lines) if says(line, "turn"))
    assert fallen < moved[0] < moved[1] < turn
    assert not says(lines, "Ash moves up")


def test_life_is_lost_before_the_match_ends() -> None:
    t = table("1 Ash 4/2", "", hand="Red", life=(9, 3)).play("done")
    assert seen(t) == ["combat", "life lost", "-"]
    lost, rest = t.match.beats(1)[1:]
    assert says(lost.lines, "Lane 1", "Ash", "Seat 2 loses 3 life", 0)
    assert says(rest.lines, "You win", "Seat 2", "no life")


def test_destruction_in_main_is_shown_outside_combat() -> None:
    t = table("1 Ash 1/2 [Fireball]", "1 Dot 1/2 (damage 2)", "Fireball", hand="Cid 1/2").play("use Ash: Fireball; Dot")
    assert seen(t)[0] == "destroyed"
    assert says(t.match.beats(0)[0].lines, "Ash uses Fireball on Dot")
    assert says(t.match.beats(0)[0].lines, "Fireball", "Dot takes 1", "destroyed")
    assert t.match.beats(0)[0].view.scene.exchange is None


@pytest.mark.parametrize("brace", [False, True])
def test_damage_just_before_combat_belongs_to_no_lane(brace: bool) -> None:
    if brace:
        t = table("1 Ash 2/3", "1 Dot 1/5 [Fireball]", q_ready="Fireball").play("done; Q brace> use Dot: Fireball; Ash")
        user, target = "Dot", "Ash"
    else:
        t = table("1 Ash 1/2 [Fireball]", "1 Dot 1/5", "Fireball").play("use Ash: Fireball; Dot")
        user, target = "Ash", "Dot"
    lines = t.match.beats(0)[0].lines
    assert says(lines, f"{user} uses Fireball on {target}")
    assert says(lines, "Fireball", f"{target} takes 1")
    assert says(lines, "Seat 1 attacks")
    assert not says(lines, "lane")


def test_self_destruct_names_both_characters() -> None:
    t = table("1 Ash 1/2 [Self Destruct]", "1 Dot 1/2", "Self Destruct", hand="Cid 1/2").play("use Ash: Self Destruct")
    assert says(t.match.sentences(0), "Ash", "Dot", "destroyed")


def test_a_reshuffle_has_its_own_beat() -> None:
    t = table("1 Ash 1/2", "1 Dot 1/2", hand="Red", empty="reshuffle", draw_pile=[], discard_pile=["Extra", "Extra"])
    t.play("done")
    assert "reshuffled" in seen(t)


@pytest.mark.parametrize("seat", [1, 2])
def test_drawn_cards_are_logged_for_their_owner_only(seat: int) -> None:
    t = table("1 Ash 1/2", "1 Dot 1/2", hand="Red", q_hand="Red").play("done")
    drawn = [line for line in t.match.sentences(seat) if line.startswith("You draw")]
    assert bool(drawn) == (seat == 2)
