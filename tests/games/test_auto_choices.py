"""Forced choices: the table makes them in open phases only, where that reveals nothing."""

import random

import pytest

from sparring import Match, games
from sparring.scene.sentences import is_result
from wording import says

MYM, MACE, UMG = "make-your-moves", "mace", "untitled-movement"


def match_at(name: str, *phases: str) -> Match:
    """Return a random match at a forced choice in one of these phases."""
    rng, seed = random.Random(1), 0
    match = Match.new(name, seed=seed)
    while match.forced_action() is None or match.phase not in phases:
        match.choose(rng.choice([action for action in match.legal() if action not in match.game.conceding]))
        if match.over:
            seed += 1
            match = Match.new(name, seed=seed)
    return match


def reason(match: Match) -> str:
    """Return the reason that the game gives for the auto choice."""
    return match.game.forced_texts[int(match.state.phase)].partition("{choice")[0]


def test_the_only_target_is_chosen_automatically() -> None:
    match = Match.from_position({"game": MYM, "hands": ["Red1 Blue1", "Red2"]})
    assert match.forced_action() == match.read("target 2")
    match.choose("target 2")
    assert match.sentences(1) == ["Only one target: you attack Seat 2."]
    assert match.sentences(2) == ["Seat 1 attacks you."]


def test_a_decisive_auto_choice_is_logged_as_a_result() -> None:
    match = Match.from_position(
        {"game": UMG, "seats": 4, "tokens": {"S": "0,4 0,5 1,6"}, "hands": {"S": "F L L"}, "dice": [1]}
    )
    match.play("roll; F; token 1,6")
    match.choose(match.forced_action() or 0)
    (told,) = (line for beat in match.beats(1) for line in beat.lines if "home" in str(line))
    assert says(told, "only one space", "you move forward", "g2", "g1", "3 of 4 home")
    assert is_result(told)


def test_two_targets_require_a_choice() -> None:
    match = Match.from_position({"game": MYM, "seats": 3, "hands": ["Red1 Blue1", "Red2", "Red2"]})
    assert match.forced_action() is None
    match.choose("target 2")
    assert match.sentences(1) == ["You attack Seat 2."]


def test_a_forced_choice_that_would_reveal_a_hand_is_asked() -> None:
    """Seat 2 has no card that fits; an auto choice would reveal that."""
    match = Match.from_position({"game": MYM, "hands": ["Red1 Blue1", "Yellow2"]})
    match.play("target 2; Red1; done")
    assert (match.seat, match.phase) == (2, "respond")
    assert [choice.words for choice in match.choices()] == ["done"]
    assert match.forced_action() is None


def test_undo_skips_auto_choices() -> None:
    match = Match.from_position({"game": MYM, "hands": ["Red1 Blue1 Green1", "Red2"]})
    match.choose("target 2")
    assert (match.can_take_back, match.steps_to_take_back) == (True, 0)
    match = match_at("untitled-movement", "token")
    assert match.steps_to_take_back == 1
    match.choose(match.forced_action() or 0)
    assert match.steps_to_take_back == 2


def test_a_fighter_stays_unless_the_player_forfeits() -> None:
    match = Match.from_position({"game": MACE, "phase": "forfeit"})
    assert match.forced_action() == match.read("stay")
    assert match.forced_action(concede=True) == match.read("forfeit")
    seat = match.seat or 0
    match.choose("stay")
    assert match.sentences(seat)[0].startswith("You fight on")


def test_no_auto_choice_after_the_end() -> None:
    match = Match.from_position({"game": MACE, "phase": "forfeit"})
    match.choose("forfeit")
    assert match.over
    assert match.forced_action() is None


@pytest.mark.parametrize("name", [game.name for game in games().values() if game.forced_texts])
def test_only_the_player_concerned_sees_the_reason(name: str) -> None:
    game = games()[name]
    match = match_at(name, *(game.rules.PHASES[phase] for phase, why in game.forced_texts.items() if "{choice" in why))
    seat, why = match.seat or 0, reason(match)
    match.choose(match.forced_action() or 0)
    assert match.sentences(seat)[0].startswith(why)
    assert not any(why in line for other in range(match.seats + 1) if other != seat for line in match.sentences(other))
