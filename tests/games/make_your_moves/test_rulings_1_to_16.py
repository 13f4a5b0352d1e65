"""Rulings R1 to R16 (attack, cards, defence): a position, choices, and the table afterwards."""

from collections import Counter

import pytest

from games.make_your_moves.table import NAME, Table, attacked, table
from sparring import BadOption, Match
from sparring.engine.game import game
from uniformity import are_uniform

ELIMINATION = {"match": "elimination"}

# The attack


def test_r1_one_two_or_three_colours() -> None:
    t = table("Red1 Green1 Blue1 Yellow1 Yellow2", None).play("target 2")
    assert t.choices == "Red1 Green1 Blue1 Yellow1 Yellow2"
    assert t.play("Red1").choices == "Green1 Blue1 Yellow1 Yellow2 done"
    assert t.play("Green1").choices == "Blue1 Yellow1 Yellow2 done"
    assert t.play("Blue1").choices == "done"
    assert t.refuses("Yellow1", "Yellow2")


def test_r2_a_player_who_can_attack_must() -> None:
    t = table("Red1 Wild1 Wild1 Wild2 Wild2", None, None)
    assert t.choices == "target 2 target 3"
    assert t.refuses("pass")


def test_r2_one_attack_per_turn() -> None:
    t = table("Red3 Blue3", "Green1").play("target 2; Red3; done; S2: done")
    assert t.outcome == "1-0, S1"
    assert t.match.state.turn == 5
    assert t.to_move == "S1 discard"
    t.play("S1: done; S2: done")
    assert t.match.state.turn == 6
    assert t.to_move == "S1 target"


def test_r2_a_pass_gives_control_to_the_next_player() -> None:
    t = table("Red3", "Green1", "Blue1", control=2, options={"pass_attack": "yes"})
    assert t.choices == "target 1 target 3 pass"
    t.play("S2: pass")
    assert t.outcome == "0-0-0, S3"
    t.play("S2: done; S3: done; S1: done")
    assert t.to_move == "S3 target"


def test_r2_a_pass_can_keep_control() -> None:
    t = table("Red3", "Green1", "Blue1", control=2, options={"pass_attack": "keep"})
    assert t.choices == "target 1 target 3 pass"
    t.play("S2: pass")
    assert t.outcome == "0-0-0, S2"
    t.play("S2: done; S3: done; S1: done")
    assert t.to_move == "S2 target"


def test_r2_a_pass_skips_a_player_who_is_out() -> None:
    options = {**ELIMINATION, "pass_attack": "yes"}
    t = table("Red3", "", "Blue1", options=options, points=[0, 3, 0], out=[2]).play("S1: pass")
    assert t.outcome == "0-3-0, S3"


def test_r3_no_attack_without_a_coloured_card() -> None:
    t = table("Wild1 Wild1 Wild2 Wild2 Wild3", "Red1", phase="draw")
    assert t.to_move == "S1 discard"
    assert t.outcome == "0-0, S2"


def test_r3_control_stays_with_the_option_by_which_a_pass_keeps_it() -> None:
    t = table("Wild1 Wild1 Wild2 Wild2 Wild3", "Red1", phase="draw", options={"pass_attack": "keep"},
              draw_pile="Blue1 Blue2 Green1 Green2 Red2 Red3")  # fmt: skip
    assert (t.to_move, t.outcome) == ("S1 discard", "0-0, S1")
    assert t.play("S1: Wild1; done; S2: done").to_move == "S1 target"


def test_r3_one_coloured_card_is_enough() -> None:
    assert table("Wild1 Wild1 Wild2 Wild2 Red1", "Red1", phase="draw").to_move == "S1 target"


def test_r4_the_first_seat_in_control_is_random() -> None:
    first = Counter(Match.new(NAME, seats=3, seed=seed).position()["control"] for seed in range(600))
    assert sorted(first) == [1, 2, 3]
    assert are_uniform(first.values())


def test_r4_seat_one_starts_in_control_with_the_option() -> None:
    matches = [Match.new(NAME, seats=4, seed=seed, options={"first_control": "seat1"}) for seed in range(40)]
    assert {match.position()["control"] for match in matches} == {1}


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_r5_two_to_six_players(seats: int) -> None:
    assert Match.new(NAME, seats=seats, seed=1).seats == seats


@pytest.mark.parametrize("seats", [0, 1, 7])
def test_r5_other_numbers_of_seats_are_refused(seats: int) -> None:
    with pytest.raises(BadOption, match="needs 2 to 6 seats, not"):
        Match.new(NAME, seats=seats)


def test_r5_no_dodge_and_no_help_with_two_players() -> None:
    t = attacked("Red1", "Blue1", "Red1 Red1 Red2 Red2")
    assert t.choices == "Red1 Red1 Red2 Red2 done counter"
    assert t.play("done").to_move == "S1 discard"


# Points and cards


def test_r7_a_point_is_the_unseen_top_card_of_the_draw_pile() -> None:
    t = attacked("Red2", "", "Green1", draw_pile="Blue3 Yellow1").play("done")
    assert t.match.position()["point_cards"] == [["Skull"], []]
    assert t.cards("draw_pile") == "Yellow1"
    for seat in (0, 1, 2):
        assert t.match.view(seat).state.point_cards[0].tolist() == [1, -1, 0, 0]


def test_r7_points_leave_the_deck_untouched_with_the_option() -> None:
    t = attacked("Red2", "", "Green1", draw_pile="Blue3 Yellow1", options={"point_cards": "marker"}).play("done")
    assert t.outcome == "1-0, S1"
    assert t.point_cards(1) == 0
    assert t.cards("draw_pile") == "Blue3 Yellow1"


def test_r8_each_player_draws_up_to_five_in_turn_from_control_on() -> None:
    drawn = "Blue1 Red1 Green1", "Blue2 Yellow2 Green2 Red2 Yellow1", "Red3"
    t = table("", "Wild1 Wild1 Wild1 Wild2", "Wild2 Wild2", control=3, phase="draw", draw_pile=" ".join(drawn))
    assert t.hand(3) == "Red1 Green1 Blue1 Wild2 Wild2"
    assert t.hand(1) == "Red2 Green2 Blue2 Yellow1 Yellow2"
    assert t.hand(2) == "Red3 Wild1 Wild1 Wild1 Wild2"


def test_r8_all_discards_become_the_new_draw_pile() -> None:
    t = table("Red1", "Red1 Red2 Red3 Green1 Green2", phase="draw", draw_pile="Blue3 Yellow3")
    discarded = 80 - 6 - 2
    assert "Blue3" in t.hand(1)
    assert "Yellow3" in t.hand(1)
    assert t.piles == (discarded - 2, 0)


def test_r8_the_discards_are_shuffled_only_when_a_card_is_needed() -> None:
    full = "Red1 Red1 Red2 Red2 Red3"
    t = table(full, full, phase="draw", draw_pile=0)
    assert t.piles == (0, 70)


def test_r8_drawing_the_last_card_does_not_shuffle_the_discards() -> None:
    t = table("Red1 Red1 Red2 Red2", "Red1 Red2 Red3 Green1 Green2", phase="draw", draw_pile="Blue3")
    assert "Blue3" in t.hand(1)
    assert t.piles == (0, 70)


def test_r8_the_discards_are_shuffled() -> None:
    names = [card.name for card in table("Red1", "Red1").match.setup.content.cards]
    piles = []
    for seed in range(4):
        t = table(*(", ".join(names[place : place + 4]) for place in (0, 4)), phase="draw", seed=seed,
                  draw_pile=[], discard_pile=names[8:])  # fmt: skip
        piles.append(t.match.position()["draw_pile"])
    assert all(len(pile) == 70 for pile in piles)
    assert len(set(map(tuple, piles))) == 4


def short_deck() -> object:
    """Return a deck of thirty cards, so that six hands take them all."""
    rows = [
        {"name": f"{colour} no. {number}", "colour": colour, "power": 1}
        for colour in ("Red", "Green", "Blue", "Yellow", "Wild")
        for number in range(6)
    ]
    return game(NAME).content_from({"cards": rows}, "short.toml")


def test_r8_with_no_cards_left_hands_stay_short_and_play_continues() -> None:
    t = Table(Match.from_position({
        "game": NAME, "seats": 6, "phase": "respond", "attack": "Red1", "draw_pile": 0,
        "hands": ["Red1 Red1 Green1 Green1", *[None] * 5],
    }, short_deck()))  # fmt: skip
    t.play("S2: done; S3: pass; S4: pass; S5: pass; S6: pass")
    assert t.outcome == "1-0-0-0-0-0, S1"
    assert t.piles == (0, 0)
    t.everyone_done()
    assert t.to_move == "S1 target"
    assert t.hand(1) == "Red1 Red1 Green1 Green1"


def test_r3_r8_no_attack_with_an_empty_hand() -> None:
    t = Table(Match.from_position({
        "game": NAME, "seats": 6, "phase": "draw", "draw_pile": 0, "hands": ["", *[None] * 5],
        "points": [1, 1, 1, 1, 1, 0],
    }, short_deck()))  # fmt: skip
    assert t.piles == (0, 0)
    assert t.to_move == "S2 discard"
    assert t.outcome == "1-1-1-1-1-0, S2"


def test_r9_the_target_is_chosen_first_and_openly() -> None:
    t = table("Red1 Blue1", None, None)
    assert t.refuses("Red1", "Blue1", "done", "target 1")
    t.play("target 3")
    assert t.match.view(2).state.defender == 2
    assert t.choices == "Red1 Blue1"


# The defence


def test_r10_the_limit_is_a_total_for_all_colours() -> None:
    t = attacked("Red1 Blue1 Yellow1", "", "Red2 Red2 Red3 Blue2 Green1").play("Red2; Red2; Red3")
    assert t.choices == "done"
    assert t.refuses("Blue2", "Green1")


def test_r10_fewer_colours_allow_fewer_cards() -> None:
    t = attacked("Red1 Blue1", "", "Red2 Blue2 Blue3").play("Red2; Blue2")
    assert t.refuses("Blue3")


def test_r11_wilds_in_the_attack_do_not_raise_the_limit() -> None:
    t = attacked("Wild2 Wild1 Red3", "", "Red3 Red2 Red2").play("Red3")
    assert t.choices == "done"


def test_r12_singles_of_a_colour_are_one_unit_of_the_attack() -> None:
    t = table("Red1 Red1 Blue1 Yellow1 Green1", "Red2 Blue2 Blue3 Yellow2")
    t.play("S1: target 2; Red1; Red1; Blue1; Yellow1")
    assert t.refuses("Green1")
    t.play("S1: done; S2: Red2; Blue2; Blue3")
    assert t.refuses("Yellow2")


def test_r12_a_stack_alone_allows_one_unit() -> None:
    t = attacked("Red1 Red1 Red1", "", "Red2 Red3").play("Red2")
    assert t.refuses("Red3")


def test_r12_only_singles_stack_in_the_attack() -> None:
    t = table("Red1 Red1 Red2 Blue2 Blue3", None).play("target 2; Red1")
    assert t.choices == "Red1 Blue2 Blue3 done"
    t.play("Blue2")
    assert t.choices == "Red1 done"
    t = table("Red1 Red1 Red2 Red3 Blue2", None).play("target 2; Red2")
    assert t.choices == "Blue2 done"


def test_r12_singles_of_a_colour_are_one_unit_of_the_defence_in_any_order() -> None:
    t = attacked("Red2 Blue2", "", "Red1 Red1 Red1 Blue2 Blue3").play("Red1; Blue2; Red1; Red1")
    assert t.defence == 5
    assert t.refuses("Blue3")


def test_r12_singles_of_two_colours_are_two_units() -> None:
    t = attacked("Red2 Blue2", "", "Red1 Blue1 Red2").play("Red1; Blue1")
    assert t.refuses("Red2")


@pytest.mark.parametrize(("first", "second"), [("Yellow2", "Yellow1"), ("Yellow1", "Yellow2"), ("Yellow2", "Yellow2")])
def test_r13_a_single_does_not_stack_with_a_stronger_card(first: str, second: str) -> None:
    assert attacked("Yellow1", "", f"{first} {second}").play(first).refuses(second)


def test_r13_two_units_of_one_colour() -> None:
    t = attacked("Yellow1 Red1", "", "Yellow2 Yellow1 Yellow1 Red1").play("Yellow2; Yellow1; Yellow1")
    assert t.refuses("Red1")
    assert t.play("done").outcome == "0-1, S2"


@pytest.mark.parametrize("choices", ["", "Wild1", "Wild1; Wild1; Wild2; Wild2", "Red2; Wild1", "Wild1; Red2"])
def test_r14_any_number_of_wilds_with_and_without_a_card(choices: str) -> None:
    t = attacked("Red3 Wild2", "", "Red2 Wild1 Wild1 Wild2 Wild2").play(f"{choices}; done")
    assert t.to_move != "S2 respond"


def test_r14_any_number_of_wilds_in_an_attack() -> None:
    t = table("Red1 Wild1 Wild1 Wild2 Wild3", None).play("target 2; Wild1; Red1; Wild1; Wild2; Wild3; done")
    assert t.attack == 8


def test_r14_only_one_wild_in_a_defence_with_the_option() -> None:
    t = attacked("Red3", "Wild2", "Red2 Wild1 Wild1", "Wild2", options={"defence_wilds": "one"}).play("Wild1")
    assert t.refuses("Wild1")
    t.play("Red2; done; S3: Wild2; defender")  # a Wild that a helper adds doesn't count
    assert t.outcome == "0-1-0, S2"


def test_r14_the_option_does_not_limit_an_attack() -> None:
    t = table("Red1 Wild1 Wild1", None, options={"defence_wilds": "one"}).play("target 2; Wild1; Wild1; Red1; done")
    assert t.attack == 3


def test_r15_wilds_alone_can_defend_but_not_attack() -> None:
    t = table("Red1 Wild3", "Wild1 Wild2").play("target 2; Wild3")
    assert t.refuses("done")
    t.play("Red1; done; S2: Wild1; Wild2; done")
    assert t.outcome == "1-0, S1"


def test_r16_no_defence_counts_as_0() -> None:
    t = attacked("Red1", "", "Red3").play("done")
    assert t.hand(2) == "Red3"
    assert t.outcome == "1-0, S1"
