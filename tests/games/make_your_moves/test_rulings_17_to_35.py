"""Rulings R17 to R35 (fours, help, points, ends): a position, choices, and the table afterwards."""

import pytest

from games.make_your_moves.table import Table, attacked, table

ELIMINATION = {"match": "elimination"}

# Counter and Dodge


@pytest.mark.parametrize("colour", ["Red", "Green", "Blue", "Yellow", "Wild"])
def test_r17_four_of_any_colour_attacked_or_not(colour: str) -> None:
    t = attacked("Red3", "Blue1", " ".join([f"{colour}1", f"{colour}1", f"{colour}2", f"{colour}2"])).play("counter")
    assert t.outcome == "0-0, S2"
    assert t.hand(2) == ""


@pytest.mark.parametrize("hand", ["Red1 Red1 Red2 Green1 Green1", "Red1 Red1 Red2", "Red1 Red2 Red3 Wild1 Wild2"])
def test_r17_three_of_a_colour_are_not_enough(hand: str) -> None:
    assert attacked("Red3", "", hand, "").refuses("counter", "dodge")


def test_r17_exactly_four_are_played_and_the_fifth_stays_in_hand() -> None:
    t = attacked("Red3", "Blue1", "Red1 Red2 Red2 Red2 Red3").play("counter")
    assert t.choices == "Red1 Red2 Red2 Red2 Red3"
    t.play("S2: Red3; Red2; Red2")
    assert t.choices == "Red1 Red2"
    t.play("S2: Red2")
    assert t.hand(2) == "Red1"
    assert sorted(t.cards("discard_pile").split()[-4:]) == ["Red2", "Red2", "Red2", "Red3"]


@pytest.mark.parametrize(
    ("hand", "to_move"),
    [
        ("Red1 Red1 Red1 Wild1", "S1 discard"),
        ("Red1 Wild1 Wild1 Wild2", "S1 discard"),
        ("Red1 Red1 Red1 Wild1 Blue1", "S1 discard"),
        ("Red1 Red1 Red1 Red1 Wild1", "S2 four"),
        ("Red1 Wild1 Wild1 Wild2 Wild2", "S2 four"),
        ("Red1 Blue1 Wild1 Wild1 Wild2", "S2 four"),
    ],
)
def test_r17_wilds_complete_the_four_with_the_option(hand: str, to_move: str) -> None:
    assert attacked("Red3", "Blue1", hand, options={"wild_fours": "yes"}).play("counter").to_move == to_move


def test_r17_two_colours_are_never_four_of_a_colour() -> None:
    options = {"wild_fours": "yes"}
    assert attacked("Red3", "", "Red1 Red1 Blue1 Blue1 Wild1", options=options).refuses("counter")
    t = attacked("Red3", "Blue1", "Red1 Blue1 Wild1 Wild1 Wild2", options=options).play("counter; Red1")
    assert t.choices == "Wild1 Wild1 Wild2"


def test_r18_a_counter_ends_the_attack_at_once() -> None:
    t = attacked("Red3", "Blue1", "Green1 Green1 Green2 Green2 Red3", "Wild3").play("counter")
    assert t.to_move == "S1 discard"
    assert t.outcome == "0-0-0, S2"
    assert t.cards("attack") == t.cards("defence") == t.cards("fours") == ""


@pytest.mark.parametrize("choice", ["counter", "dodge"])
def test_r18_only_before_a_card_is_played(choice: str) -> None:
    t = attacked("Red3", "", "Red1 Red1 Red2 Red2 Wild1", "")
    assert choice in t.choices.split()
    assert t.play("Wild1").refuses(choice)


def test_r19_the_dodger_picks_any_seat_but_the_attacker() -> None:
    t = attacked("Red3", "", "Red1 Red1 Red2 Red2", "Green1", "Blue1").play("dodge")
    assert t.to_move == "S2 dodge_to"
    assert t.choices == "target 3 target 4"
    t.play("target 4")
    assert t.to_move == "S4 respond"
    assert t.attack == 3
    assert t.cards("fours") == "Red1 Red1 Red2 Red2"
    t.play("S4: done")
    assert t.to_move == "S3 assist_card"


def test_r19_no_dodge_to_a_seat_that_is_out_or_without_a_third_player() -> None:
    hands = ("", "Red1 Red1 Red2 Red2", "Green1", "")
    t = attacked("Red3", *hands, options=ELIMINATION, points=[0, 0, 0, 3], out=[4]).play("dodge")
    assert t.choices == "target 3"
    t = attacked("Red3", *hands[:2], "", options=ELIMINATION, points=[0, 0, 3], out=[3])
    assert t.choices == "Red1 Red1 Red2 Red2 done counter"


def test_r19_an_earlier_dodger_may_be_picked() -> None:
    t = attacked("Red3", "", "Red1 Red1 Red2 Red2 Blue1", "Green1 Green1 Green2 Green2", "Blue1")
    t.play("S2: dodge; target 3; S3: dodge")
    assert t.choices == "target 2 target 4"
    t.play("S3: target 2")
    assert t.to_move == "S2 respond"
    assert t.choices == "done"


def test_r19_the_new_target_may_counter() -> None:
    t = attacked("Red3", "Blue1", "Red1 Red1 Red2 Red2", "Green1 Green1 Green2 Green2").play("dodge; target 3")
    assert t.choices == "done counter dodge"
    t.play("S3: counter")
    assert t.outcome == "0-0-0, S3"


def test_r19_r25_the_new_target_takes_the_damage() -> None:
    t = attacked("Red3", "", "Red1 Red1 Red2 Red2", "Green1", options=ELIMINATION)
    assert t.play("dodge; target 3; done").outcome == "0-0-1, S1"


def test_r20_a_dodger_may_help_with_the_card_that_is_left() -> None:
    t = attacked("Red3", "", "Red1 Red1 Red2 Red2 Wild3", "Green1").play("dodge; target 3; S3: done")
    assert t.to_move == "S2 assist_card"
    assert t.play("S2: Wild3; defender").outcome == "0-0-0, S1"


def test_r20_a_dodger_without_a_card_is_not_asked() -> None:
    t = attacked("Red3", "", "Red1 Red1 Red2 Red2", "Green1").play("dodge; target 3; S3: done")
    assert t.outcome == "1-0-0, S1"


# Help


def test_r21_bystanders_are_asked_once_each_after_the_defence_clockwise_from_the_attacker() -> None:
    t = table("Blue1", "Blue1", "Red1", "Blue1", "Blue1", control=3)
    t.play("S3: target 5; Red1; done; S5: done; S4: pass; S1: pass; S2: pass")
    assert t.outcome == "0-0-1-0-0, S3"


def test_r21_help_is_open() -> None:
    t = attacked("Red1", "", "", "Blue2", "Blue1").play("S2: done; S3: Blue2")
    assert t.match.view(4).state.helping.tolist() == t.match.state.helping.tolist()
    t.play("S3: attacker")
    assert t.to_move == "S4 assist_card"
    assert t.match.view(4).state.help_attack[0] == 1


def test_r21_a_seat_without_cards_is_not_asked() -> None:
    t = attacked("Red1", "", "", "", "Blue1", "").play("S2: done")
    assert t.to_move == "S4 assist_card"


def test_r22_one_card_of_any_colour_for_either_side() -> None:
    t = attacked("Red1", "", "", "Blue1 Blue1 Wild3").play("S2: done")
    assert t.choices == "Blue1 Blue1 Wild3 pass"
    t.play("S3: Wild3")
    assert t.choices == "help attacker help defender"
    assert t.play("S3: defender").outcome == "0-1-0, S2"


def test_r22_only_fitting_colours_with_the_option() -> None:
    options = {"assist_fit": "match"}
    t = attacked("Red1 Blue1", "", "", "Red2", options=options).play("done; Red2")
    assert t.choices == "help defender"
    t = attacked("Red1 Blue1", "", "", "Green2", options=options).play("done; Green2")
    assert t.choices == "help attacker"
    # An earlier helper's card doesn't change the colours of the attack.
    t = attacked("Red1", "", "", "Green2", "Green2", options=options).play("done; Green2; attacker; S4: Green2")
    assert t.choices == "help attacker"


def test_r23_helpers_never_score() -> None:
    t = attacked("Red1", "", "", "Wild3").play("done; Wild3; defender")
    assert t.outcome == "0-1-0, S2"
    t = attacked("Red1", "", "", "Wild3").play("done; Wild3; attacker")
    assert t.outcome == "1-0-0, S1"


# Points


@pytest.mark.parametrize(
    ("attack", "defence", "points", "elimination"),
    [
        ("Red3 Blue3 Yellow3", "", "1-0, S1", "0-1, S1"),
        ("Red2", "Red1", "1-0, S1", "0-1, S1"),
        ("Red2", "Red2", "0-0, S1", "0-0, S1"),
        ("Red1", "Red2", "0-0, S2", "0-0, S2"),
        ("Red1", "Red3", "0-1, S2", "1-0, S2"),
        ("Red1", "Red3 Wild2 Wild3", "0-1, S2", "1-0, S2"),
    ],
)
def test_r24_r25_points_and_control_by_margin(attack: str, defence: str, points: str, elimination: str) -> None:
    assert attacked(attack, "Blue1", "Blue1", defence=defence).play("done").outcome == points
    assert attacked(attack, "Blue1", "Blue1", defence=defence, options=ELIMINATION).play("done").outcome == elimination


def test_r26_three_points_win_a_points_match() -> None:
    t = attacked("Red1", "", "Red3 Blue1", "Blue1", points=[1, 2, 2]).play("Red3; done; S3: pass")
    assert t.match.over
    assert t.match.ending == "points"
    assert t.payoffs == [-1, 2, -1]
    assert t.hand(2) == "Blue1"


def test_r26_three_damage_eliminate_and_the_others_play_on() -> None:
    t = attacked("Red1", "Blue1", "Red3", "Blue1", options=ELIMINATION, points=[2, 0, 2]).play("Red3; done; S3: pass")
    assert not t.match.over
    assert t.outcome == "3-0-2, S2"
    assert t.to_move == "S3 discard"
    assert t.match.position()["out"] == [1]


def test_r27_a_player_who_is_out_is_always_skipped() -> None:
    t = table("Red1", "", "Blue1", "Blue2", options=ELIMINATION, points=[0, 3, 0, 0], out=[2])
    assert t.choices == "target 3 target 4"
    t.play("S1: target 3; Red1; done; S3: done; S4: pass; S3: done; S4: done")
    assert t.to_move == "S1 target"
    assert t.hand(2) == ""
    assert t.point_cards(2) == 3


def test_r27_the_hand_is_discarded_after_the_point_card_is_taken() -> None:
    t = attacked(
        "Red3 Blue3", "Green1", "Green2 Yellow2", "", options=ELIMINATION, points=[0, 2, 0], draw_pile=0
    ).play("done")  # fmt: skip
    assert t.outcome == "0-3-0, S1"
    assert t.cards("discard_pile") == "Green2 Yellow2"
    assert t.point_cards(2) == 3


# The end of a turn, and of the match


def test_r28_each_player_may_discard_any_number_openly_in_turn() -> None:
    t = attacked("Red1", "Blue1 Blue2 Blue3", "Red2 Green1", "Yellow1").play("Red2; done; S3: pass")
    assert t.outcome == "0-0-0, S2"
    assert t.choices == "Blue1 Blue2 Blue3 done"
    t.play("S1: Blue3; Blue1")
    assert t.cards("discard_pile").split()[-2:] == ["Blue3", "Blue1"]
    t.play("S1: done; S2: Green1; S3: done")
    assert t.to_move == "S2 target"
    assert t.match.state.turn == 6


def test_r28_a_player_with_an_empty_hand_is_done() -> None:
    t = attacked("Red1", "Blue1", "Red2").play("Red2; done; S1: Blue1")
    assert t.to_move == "S2 target"


def test_r28_no_discards_after_the_match_is_over() -> None:
    t = attacked("Red1", "Blue1", "Blue2", points=[2, 0]).play("done")
    assert t.to_move == "over"
    assert t.hand(1) == "Blue1"


def test_r29_all_cards_played_are_discarded() -> None:
    t = attacked("Red3 Wild1", "Blue1", "Green1 Green1 Green2 Green2", "Red2", "Yellow1", "Yellow2", draw_pile=40)
    t.play("dodge; target 3; Red2; done; S4: Yellow1; attacker; S5: Yellow2; defender")
    fours = ["Green1", "Green1", "Green2", "Green2"]
    assert sorted(t.cards("discard_pile").split()[-9:]) == sorted(
        ["Red3", "Wild1", "Red2", *fours, "Yellow1", "Yellow2"]
    )
    assert all(t.cards(field) == "" for field in ("attack", "defence", "fours", "help_attacker", "help_defender"))


def at_the_limit(points: list[int], *, match: str = "points", out: tuple[int, ...] = ()) -> Table:
    options = {"turn_limit": 20, "match": match}
    others = ["" if seat in out else "Blue1" for seat in range(3, len(points) + 1)]
    hands = ["", "Red1 Red1 Red2 Red2", *others]
    return attacked("Red3", *hands, options=options, turn=20, points=points, out=list(out))


def test_r30_the_most_points_win() -> None:
    t = at_the_limit([1, 2, 0]).play("counter")
    assert t.match.ending == "turn limit"
    assert t.payoffs == [-1, 2, -1]


def test_r30_a_tie_is_a_draw_between_the_leaders() -> None:
    assert at_the_limit([1, 2, 2]).play("counter").payoffs == [-1, 0.5, 0.5]
    assert at_the_limit([1, 1, 1]).play("counter").payoffs == [0, 0, 0]


def test_r30_the_point_of_the_last_turn_counts() -> None:
    assert at_the_limit([1, 1, 0]).play("done; S3: pass").payoffs == [2, -1, -1]


def test_r30_in_an_elimination_match_the_least_damage_wins() -> None:
    assert at_the_limit([1, 2, 0], match="elimination").play("counter").payoffs == [-1, -1, 2]
    assert at_the_limit([1, 1, 2], match="elimination").play("counter").payoffs == [0.5, 0.5, -1]
    assert at_the_limit([2, 1, 1, 3], match="elimination", out=(4,)).play("counter").payoffs == [-1, 1, 1, -1]


def test_r30_a_player_who_goes_out_in_the_last_turn_loses() -> None:
    t = at_the_limit([1, 2, 0], match="elimination").play("done; S3: pass")
    assert t.match.ending == "turn limit"
    assert t.match.position()["out"] == [2]
    assert t.payoffs == [-1, -1, 2]


def test_r30_the_match_goes_on_until_the_limit() -> None:
    t = attacked("Red3", "Blue1", "Red1", options={"turn_limit": 20}, turn=19).play("done; done; done")
    assert t.to_move == "S1 target"
    assert t.match.state.turn == 20


def test_r30_a_turn_without_an_attack_counts() -> None:
    t = table("Wild1 Wild1 Wild2 Wild2 Wild3", "Red1", phase="draw", turn=20, points=[0, 1], options={"turn_limit": 20})
    assert t.match.ending == "turn limit"
    assert t.payoffs == [-1, 1]


def test_r30_a_pass_counts() -> None:
    t = table("Red1", "Red1", turn=20, options={"turn_limit": 20, "pass_attack": "yes"}).play("pass")
    assert t.payoffs == [0, 0]


def test_r30_a_third_point_at_the_limit_wins_by_points() -> None:
    t = at_the_limit([2, 2, 0]).play("done; S3: pass")
    assert t.match.ending == "points"
    assert t.payoffs == [2, -1, -1]


# The story


def test_r31_names_have_no_effect() -> None:
    names = ("Suplex", "Dropkick")
    one, other = (attacked("Piledriver", "Blue1", f"{name}, Jab").play(f"{name}; done") for name in names)
    assert one.outcome == other.outcome == "1-0, S1"
    assert one.piles == other.piles


def test_r31_the_names_of_its_cards_make_up_the_name_of_the_move() -> None:
    t = table("Elbow, Piledriver, Thunderous", None).play("target 2; Elbow; Piledriver; Thunderous; done")
    banner = t.match.view(2).scene.banner
    assert banner is not None
    assert banner.text == "Thunderous Elbow Piledriver"


def test_r31_a_helpers_card_joins_the_name() -> None:
    t = attacked("Elbow, Piledriver", None, "Suplex", "Ladder", "Grit")
    t.play("Suplex; done; S3: Ladder; help attacker; S4: Grit")
    [attack, defence] = t.match.view(0).named_moves
    assert (attack.seat, attack.name) == (1, "Elbow Piledriver with the Ladder")
    assert {"Elbow", "Piledriver", "Ladder"} < set(attack.words)
    assert (defence.seat, defence.name) == (2, "Suplex")
    assert t.match.view(2).scene.banner.text == attack.name
    t.play("help defender")
    compared = next(beat.view for beat in t.match.beats(0) if beat.view.beat == "compared")
    assert [move.name for move in compared.named_moves] == [attack.name, "Suplex plus Grit"]


def test_r32_the_discard_pile_is_open_to_everyone() -> None:
    t = table("Red1", "Red1", draw_pile=20)
    truth = t.match.state.discard.tolist()
    assert truth[0] == 58
    for seat in (0, 1, 2):
        assert t.match.view(seat).state.discard.tolist() == truth


def test_r33_wilds_alone_may_answer_the_example() -> None:
    t = attacked("Wild2 Red3", None, "Wild2 Wild3 Red1").play("Wild2; Wild3; done")
    assert t.outcome == "0-0, S1"


def test_r34_helpers_wait_for_the_defence() -> None:
    t = attacked("Red3", None, "Red1 Blue1", "Red2 Blue2").play("Red1")
    assert t.to_move == "S2 respond"
    assert t.play("done").to_move == "S3 assist_card"


def test_r35_a_move_can_be_described_from_its_first_card() -> None:
    """Not only after the comparison: the description is heard before the defence."""
    t = table("Elbow, Piledriver", "Suplex").play("target 2")
    assert t.match.view(0).named_moves == ()
    names = [t.play(choice).match.view(0).named_moves[0].name for choice in ("Elbow", "Piledriver", "done")]
    assert names == ["Elbow", "Elbow Piledriver", "Elbow Piledriver"]
    assert t.to_move == "S2 respond"
    assert t.play("done").match.view(0).named_moves == ()
