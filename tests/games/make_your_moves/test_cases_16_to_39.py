"""Worked cases M16 to M39, by id; letters are independent continuations of one situation."""

import pytest

from games.make_your_moves.table import Table, attacked, table
from sparring.scene import Row, things

# Counter and Dodge


def test_m16_a_counter() -> None:
    t = table("Red2 Yellow2 Blue1", "Green1 Green1 Green2 Green3 Red1", "Red1 Red2")
    t.play("S1: target S2; Red2; Yellow2; done")
    assert t.attack == 4
    discarded = t.piles[1]
    t.play("S2: counter")
    assert t.outcome == "0-0-0, S2"
    assert t.piles == (30, discarded + 6)
    assert t.hand(2) == "Red1"
    t.play("S1: done; S2: done; S3: done")
    assert t.to_move == "S2 target"


def test_the_four_of_a_counter_are_shown_with_a_title() -> None:
    t = attacked("Red2 Yellow2", "", "Green1 Green1 Green1 Green1 Blue1", None).play("S2: counter")
    seen = next(beat.view.scene for beat in t.match.beats(1) if beat.view.beat == "countered")
    titles = {row.key: row.title for row in things((seen.left, seen.middle, seen.right)) if isinstance(row, Row)}
    assert titles["fours"] == "Countered with"


def test_m17_a_choice_of_fours_is_asked() -> None:
    t = attacked("Red2 Yellow2", "", "Green1 Green1 Green1 Green2 Green3", None)
    t.play("S2: counter")
    assert t.to_move == "S2 four"
    t.play("S2: Green1; Green1; Green1; Green2")
    assert t.hand(2) == "Green3"
    assert t.outcome == "0-0-0, S2"


def test_m17_five_equal_cards_leave_no_choice_of_fours() -> None:
    t = attacked("Red2 Yellow2", "Blue1", "Green1 Green1 Green1 Green1 Green1", None).play("S2: counter")
    assert t.to_move == "S1 discard"
    assert t.hand(2) == "Green1"
    assert t.outcome == "0-0-0, S2"


def m19(hand: str, **options: str) -> Table:
    return attacked("Red3", "Blue1", hand, options=options)


def test_m19_a_a_wild_does_not_fill_in() -> None:
    assert m19("Red1 Red2 Red3 Wild1 Yellow1").refuses("counter")


def test_m19_b_with_the_option_it_does() -> None:
    t = m19("Red1 Red2 Red3 Wild1 Yellow1", wild_fours="yes").play("S2: counter")
    assert t.to_move == "S1 discard"
    assert t.outcome == "0-0, S2"
    assert t.hand(2) == "Yellow1"


def test_m19_c_and_may_leave_a_choice_of_fours() -> None:
    t = m19("Red1 Red2 Red3 Wild1 Wild2", wild_fours="yes").play("S2: counter")
    assert t.to_move == "S2 four"
    t.play("S2: Red1; Wild1; Wild2; Red2")
    assert t.hand(2) == "Red3"
    assert t.outcome == "0-0, S2"


def m20(*others: str) -> Table:
    return attacked("Red2", "Blue1", "Red1 Red1 Red2 Red3 Yellow1", *others)


def test_m20_too_late_once_a_card_is_played() -> None:
    t = m20().play("S2: Red1")
    assert t.refuses("counter", "dodge")
    assert t.defence == 1
    assert t.play("S2: done").outcome == "1-0, S1"


def test_m20_with_a_third_player_too() -> None:
    t = m20("Blue1")
    assert "counter dodge" in t.choices
    assert t.play("S2: Red1").refuses("counter", "dodge")


def test_m21_two_players_cannot_dodge() -> None:
    t = m20()
    assert t.refuses("dodge")
    assert t.play("S2: counter").outcome == "0-0, S2"


def m23(**options: str) -> Table:
    hands = ("Red3 Blue1", "Green1 Green1 Green2 Green2 Red2", "Yellow1 Yellow1 Yellow2 Yellow2 Blue1")
    t = table(*hands, options=options).play("S1: target S2; Red3; done")
    assert t.attack == 3
    t.play("S2: dodge; S3; S3: dodge")
    assert t.to_move == "S3 dodge_to"
    assert t.choices == "target 2"
    t.play("S3: S2")
    assert t.to_move == "S2 respond"
    assert t.refuses("dodge")
    t.play("S2: Red2; done")
    assert t.defence == 2
    assert t.to_move == "S3 assist_card"
    return t


def test_m23_a_the_dodger_does_not_help() -> None:
    assert m23().play("S3: pass").outcome == "1-0-0, S1"


def test_m23_b_the_dodger_helps_the_defender() -> None:
    t = m23().play("S3: Blue1; defender")
    assert t.outcome == "0-0-0, S1"


def test_m23_c_the_dodger_may_help_the_attacker_only() -> None:
    t = m23(assist_fit="match").play("S3: Blue1")
    assert t.refuses("defender")
    assert t.attack == 3
    assert t.play("S3: attacker").outcome == "1-0-0, S1"


# Assist


def m24(s4: str) -> Table:
    t = table("Red2 Blue2 Yellow1", "Green2 Yellow1", "Red3 Blue3 Yellow1", s4, control=3)
    t.play("S3: target S1; Red3; Blue3; done")
    assert t.attack == 6
    assert t.match.state.ceiling == 2
    t.play("S1: Red2; Blue2; done")
    assert t.defence == 4
    assert t.to_move == "S4 assist_card"
    return t


def test_m24_helpers_raise_a_defence() -> None:
    t = m24("Yellow2 Red1").play("S4: Yellow2; defender")
    assert t.to_move == "S2 assist_card"
    t.play("S2: Green2; defender")
    assert t.outcome == "1-0-0-0, S1"


def test_m25_one_card_and_no_stack() -> None:
    t = m24("Red1 Red1 Blue1 Wild2 Yellow3").play("S4: Red1; attacker")
    assert t.attack == 7
    assert t.to_move == "S2 assist_card"
    assert t.hand(4) == "Red1 Blue1 Yellow3 Wild2"


@pytest.mark.parametrize(
    ("attack", "card", "sides"),
    [
        ("Red2 Green2 Blue2", "Red1", "help defender"),
        ("Red2 Green2 Blue2", "Yellow2", "help attacker"),
        ("Red2", "Wild1", "help attacker help defender"),
        ("Red2 Green2", "Blue1", "help attacker"),
    ],
)
def test_m27_any_card_may_be_played_and_its_colour_decides_the_side(attack: str, card: str, sides: str) -> None:
    t = attacked(attack, "", "", card, options={"assist_fit": "match"}).play("S2: done")
    assert t.to_move == "S3 assist_card"
    assert t.choices == f"{card} pass"
    t.play(card)
    assert t.choices == sides
    assert t.refuses(*(side for side in ("attacker", "defender") if side not in sides))


# End of match


def test_m29_the_third_point_wins_at_once() -> None:
    t = table("Red2 Blue1", "Red1", points=[2, 1]).play("S1: target S2; Red2; done; S2: done")
    assert t.match.over
    assert t.outcome == "3-1, S1"
    assert t.payoffs == [1, -1]
    assert t.match.ending == "points"
    assert t.refuses("done", "Blue1", "pass")


def test_m31_the_third_damage_eliminates() -> None:
    t = table(
        "Red3 Blue2 Yellow1", "Red3 Red1 Green2", "Red1", options={"match": "elimination"}, points=[0, 2, 1]
    ).play("S1: target S2; Red3; Blue2; done; S2: Red3")
    assert (t.attack, t.defence) == (5, 3)
    assert t.hand(2) == "Red1 Green2"
    t.play("S2: done; S3: pass")
    assert t.outcome == "0-3-1, S1"
    assert t.hand(2) == ""
    assert sorted(t.cards("discard_pile").split()[-2:]) == ["Green2", "Red1"]
    t.play("S1: done; S3: done")
    assert t.to_move == "S1 target"
    assert [len(hand) for hand in t.match.position()["hands"]] == [5, 0, 5]
    assert t.choices == "target 3"


def test_m33_the_last_one_in_wins() -> None:
    t = attacked(
        "Red2", "", "Red1", "Blue1", options={"match": "elimination"},
        control=3, attacker=3, defender=2, points=[3, 2, 0], out=[1],
    ).play("S2: done")  # fmt: skip
    assert t.match.over
    assert t.outcome == "3-3-0, S3"
    assert t.payoffs == [-1, -1, 2]
    assert t.match.ending == "last one in"


# Cards and turn order


def test_m35_the_player_in_control_draws_first() -> None:
    t = table(
        "Green2 Green2 Green2", "Blue2 Blue2", "Yellow2 Yellow2 Yellow2 Yellow2 Yellow2", control=2, phase="draw",
        draw_pile="Red1 Green1 Blue1 Yellow1 Wild1 Red2",
    )  # fmt: skip
    assert t.hand(1) == "Green2 Green2 Green2 Yellow1 Wild1"
    assert t.hand(2) == "Red1 Green1 Blue1 Blue2 Blue2"
    assert t.hand(3) == "Yellow2 Yellow2 Yellow2 Yellow2 Yellow2"
    assert t.cards("draw_pile") == "Red2"
    assert t.to_move == "S2 target"


def test_m37_the_discard_pile_becomes_the_draw_pile() -> None:
    t = attacked("Red3 Blue3 Yellow3", "Green1 Green1", "Green2 Green2 Green2", draw_pile=0, defence="Red1 Blue1")
    assert t.piles == (0, 70)
    t.play("S2: done")
    assert t.piles == (74, 0)
    assert t.point_cards(1) == 1
    assert t.outcome == "1-0, S1"


def test_m39_what_each_seat_sees() -> None:
    t = table("Red1 Red2 Green1 Blue1 Wild1", "Red3 Green3 Blue3 Yellow3 Wild2", phase="attack", points=[1, 2])
    t.play("S1: Red2")
    mine, yours = (t.match.view(seat) for seat in (1, 2))
    truth = t.match.state
    assert yours.state.hand[1].tolist() == truth.hand[1].tolist()
    assert yours.state.hand[0].tolist() == [4, -1, -1, -1, -1, 0]
    assert yours.state.attack.tolist() == truth.attack.tolist()
    assert yours.state.discard.tolist() == truth.discard.tolist()
    assert yours.state.deck[0] == 30
    assert set(yours.state.deck[1:31].tolist()) == {-1}
    assert yours.state.points.tolist() == truth.points.tolist()
    assert yours.state.control == truth.control
    assert yours.choices == []
    assert yours.scene.actions() == []
    assert mine.choices
    for view in (mine, yours):
        assert [view.state.point_cards[seat, 1:3].tolist() for seat in (0, 1)] == [[-1, 0], [-1, -1]]
        assert view.state.rng.tolist() == [0, 0, 0, 0]
