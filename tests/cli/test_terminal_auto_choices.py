"""Choices that the terminal makes for a player: only choices and forfeits."""

from cli.fake_terminal import Keyboard, Screen, two_players
from sparring import Match
from wording import says


def test_the_table_makes_the_only_choice_and_says_so() -> None:
    match = two_players()
    told = Screen(match, "me,random", "Red1").play()
    assert match.history[:2] == [match.game.rules.ACTIONS.starts[1] + 1, 0]
    assert "Only one target: you attack" in told


def test_a_match_that_the_table_ends_tells_how() -> None:
    """One token is left, and one space that it can go to."""
    match = Match.from_position({
        "game": "untitled-movement", "seats": 4, "tokens": {"S": "0,4 0,5 0,6 1,7"}, "hands": {"S": "F L R"},
        "dice": [1],
    })  # fmt: skip
    told = Keyboard(match, "me,random,random,random", "roll; F").play()
    before, _, last_look = told.rpartition("Untitled Movement Game · ")
    assert says(" ".join(before.split()), "You move forward", "1,7", "0,7", "only space", "4 of 4 home")
    assert "You win" in last_look
    assert last_look.count("\n") < 24


def test_every_choice_can_be_asked() -> None:
    match = two_players()
    told = Screen(match, "me,random", every_choice=True).play()
    assert match.history == []
    assert "1 target 2" in told


def test_undo_includes_choices_that_the_terminal_made() -> None:
    """Undoing only the automatic choice of a target would repeat it."""
    told = Screen(two_players(), "me,random", "back").play()
    assert "You can't take this back" in told
    told = Screen(two_players(), "me,random", "target 2; back", every_choice=True).play()
    assert "Choice undone." in told


def a_round_of_mace() -> Match:
    return Match.from_position({"game": "mace", "momentum": ["KS", "QS"], "hands": ["2S 3H 4D", "2C 3C 4C"], "seed": 3})


def test_a_forfeit_takes_effect_at_the_end_of_the_round() -> None:
    match = a_round_of_mace()
    told = Screen(match, "me,me", "forfeit", "end", "", "end").play()
    assert says(told, "forfeit at the end of the Round")
    assert match.payoffs == {1: -1, 2: 1}


def test_a_forfeit_can_be_cancelled() -> None:
    match = a_round_of_mace()
    told = Screen(match, "me,me", "forfeit", "forfeit", "end", "", "end", "").play()
    assert "You won't forfeit." in told
    assert "You fight on." in told
    assert not match.over


def test_forfeit_is_refused_if_the_game_has_no_forfeits() -> None:
    assert "This game doesn't let you forfeit." in Screen(two_players(), "me,random", "forfeit").play()
