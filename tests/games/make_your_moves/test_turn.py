"""The turn by phases: which seat chooses what and in which order; set-up, options and reasons for refusals."""

from typing import Any

import pytest

from games.make_your_moves.table import NAME, attacked, table
from sparring import IllegalChoice, InvalidChoice, Match
from sparring.engine.game import game
from sparring.engine.options import ChoiceOption, NumberOption
from sparring.games.make_your_moves.state import SEAT
from wording import says


def test_the_options_their_values_and_defaults() -> None:
    options = game(NAME).options()
    numbers = [
        (option.name, option.default, option.low, option.high) for option in options if isinstance(option, NumberOption)
    ]
    assert numbers == [("turn_limit", 200, 20, 1000)]
    values = {option.name: option.values for option in options if isinstance(option, ChoiceOption)}
    assert values == {
        "match": ("points", "elimination"), "pass_attack": ("no", "yes", "keep"), "defence_wilds": ("any", "one"),
        "wild_fours": ("no", "yes"), "assist_fit": ("any", "match"), "point_cards": ("deck", "marker"),
        "first_control": ("random", "seat1"),
    }  # fmt: skip
    assert Match.new(NAME).setup.options == {name: named[0] for name, named in values.items()} | {"turn_limit": 200}


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_the_set_up(seats: int) -> None:
    match = Match.new(NAME, seats=seats, seed=11)
    position = match.position()
    assert [len(hand) for hand in position["hands"]] == [5] * seats
    assert len(position["draw_pile"]) == 80 - 5 * seats
    assert position["discard_pile"] == []
    assert position["points"] == [0] * seats
    assert position["turn"] == 1
    assert match.seat == position["control"] == position["attacker"]
    assert match.phase == "target"


def test_every_shuffle_is_different() -> None:
    piles = {tuple(Match.new(NAME, seed=seed).position()["draw_pile"]) for seed in range(50)}
    assert len(piles) == 50


def test_a_turn_from_the_first_choice_to_the_next_turn() -> None:
    t = table("Red2 Blue1", "Red1 Green1", "Yellow1", "Wild1", draw_pile=40)
    steps = [
        ("S1 target", "target 2 target 3 target 4", "target 3"),
        ("S1 attack", "Red2 Blue1", "Red2"),
        ("S1 attack", "Blue1 done", "Blue1"),
        ("S1 attack", "done", "done"),
        ("S3 respond", "done", "done"),
        ("S2 assist_card", "Red1 Green1 pass", "Green1"),
        ("S2 assist_side", "help attacker help defender", "defender"),
        ("S4 assist_card", "Wild1 pass", "pass"),
        ("S2 discard", "Red1 done", "Red1"),
        ("S3 discard", "Yellow1 done", "done"),
        ("S4 discard", "Wild1 done", "done"),
    ]
    for to_move, choices, choice in steps:
        assert t.to_move == to_move
        assert t.choices == choices
        t.play(choice)
    assert t.outcome == "1-0-0-0, S1"
    assert t.match.state.turn == 6
    assert [len(hand) for hand in t.match.position()["hands"]] == [5, 5, 5, 5]


def test_done_must_be_chosen_even_with_an_empty_hand() -> None:
    t = table("Red1", "").play("S1: target 2; Red1")
    assert (t.to_move, t.choices) == ("S1 attack", "done")
    t.play("done")
    assert (t.to_move, t.choices) == ("S2 respond", "done")


def test_the_next_turn_begins_at_once_if_all_hands_are_empty() -> None:
    t = attacked("Red1", "", "Red1").play("S2: Red1; done")
    assert t.match.state.turn == 6
    assert t.to_move == "S1 target"


def test_clockwise_wraps_around() -> None:
    t = table("Red1", "Red1", "Red1", "Red1", control=4, options={"pass_attack": "yes"}).play("S4: pass")
    assert t.outcome.endswith("S1")
    t.play("S4: done; S1: done; S2: done; S3: done")
    assert t.to_move == "S1 target"


@pytest.mark.parametrize(
    ("phase", "more", "words", "parts"),
    [
        ("target", {}, "target 1", ["target", "yourself"]),
        ("target", {}, "pass", ["must attack"]),
        ("target", {}, "Red1", ["target", "first"]),
        ("attack", {"attack": "Red2"}, "Red1", ["already", "Red", "power 1", "stack"]),
        ("attack", {"attack": "Green1 Blue1 Yellow1"}, "Red1", ["already", "three colours", "Wilds"]),
        ("attack", {}, "done", ["coloured card", "first", "Wilds"]),
        ("attack", {}, "Ladder", ["not in your hand"]),
        ("respond", {"attack": "Green1"}, "Blue2", ["no Blue", "Green or Wild"]),
        ("respond", {"attack": "Blue1", "defence": "Blue3"}, "Blue2", ["one card", "stack", "Wilds"]),
        ("respond", {"attack": "Red1 Blue1", "defence": "Red2 Red2"}, "Blue2", ["2 cards"]),
        ("respond", {"attack": "Red1"}, "counter", ["four cards of one colour", "counter"]),
        ("respond", {"attack": "Blue1", "defence": "Blue3"}, "dodge", ["dodge", "only before"]),
        ("assist_card", {"attack": "Blue1"}, "done", ["help", "pass"]),
        ("assist_card", {"attack": "Blue1"}, "attacker", ["first", "card", "then", "side"]),
        ("assist_card", {"attack": "Blue1"}, "help defender", ["first", "card", "then", "side"]),
        ("assist_side", {"attack": "Blue1", "helping": "Green1", "player": 3}, "pass", ["side", "first"]),
        ("dodge_to", {"attack": "Blue1"}, "dodge", ["dodging", "target", "first"]),
        ("dodge_to", {"attack": "Blue1"}, "done", ["dodging", "target", "first"]),
        ("target", {}, "done", ["target", "first"]),
        ("attack", {}, "pass", ["coloured card", "first"]),
        ("attack", {"attack": "Green1"}, "pass", ["can't pass", "attack", "done"]),
        ("respond", {"attack": "Red1"}, "pass", ["can't pass", "defence", "done"]),
        ("discard", {}, "pass", ["can't pass", "discarding", "done"]),
        ("discard", {}, "target 2", ["can't", "target", "now"]),
    ],
)
def test_refusals_give_a_reason(phase: str, more: dict[str, Any], words: str, parts: list[str]) -> None:
    t = table("Red1 Wild1", "Blue2 Wild1", "Yellow2", phase=phase, **more)
    with pytest.raises(IllegalChoice) as refused:
        t.match.choose(words)
    assert says(str(refused.value), *parts)


def test_a_seat_that_is_not_at_the_table_is_no_target() -> None:
    t = table("Red1", None, None)
    with pytest.raises(IllegalChoice, match="only 3 seats"):
        t.match.choose(SEAT + 3)
    with pytest.raises(InvalidChoice, match="choose target 2 or target 3"):
        t.match.choose("target 4")


def test_the_full_name_of_another_card_is_not_an_abbreviation() -> None:
    t = table("Hip Toss, Wrist Tape, Earth-Shaking", None).play("target 2")
    for name in ("Hip", "Wrist", "Ear"):
        with pytest.raises(IllegalChoice, match="not in your hand"):
            t.match.choose(name)
    assert t.play("Hip T; Wrist T; Earth").choices == "done"


def test_equal_cards_are_separate_choices() -> None:
    t = table("Jab, Chop, Slap", None).play("target 2")
    assert [choice.words for choice in t.match.choices()] == ["Jab", "Chop", "Slap"]
    t.play("Slap")
    assert t.match.position()["attack"] == ["Slap"]


def test_a_kind_stands_for_any_of_its_cards() -> None:
    t = table("Jab, Chop, Suplex", None).play("target 2; red 1; Red1")
    assert t.match.position()["hands"][0] == ["Suplex"]
