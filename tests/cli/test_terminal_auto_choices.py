"""Choices that the terminal makes for a player: forced choices and forfeits."""

from cli.fake_terminal import FakeTerminal, SmallTerminal, two_players
from sparring import Match
from wording import says


def test_the_terminal_makes_a_forced_choice_and_says_so() -> None:
    match = two_players()
    told = FakeTerminal(match, "me,random", "Red1").play()
    assert match.history[:2] == [match.game.rules.ACTIONS.starts[1] + 1, 0]
    assert "Only one target: you attack" in told


def test_the_end_is_explained_after_a_forced_last_choice() -> None:
    """One token is left, with one space to go to."""
    match = Match.from_position({
        "game": "untitled-movement", "seats": 4, "tokens": {"S": "0,4 0,5 0,6 1,7"}, "hands": {"S": "F L R"},
        "dice": [1],
    })  # fmt: skip
    told = SmallTerminal(match, "me,random,random,random", "roll; F").play()
    before, _, last_look = told.rpartition("Untitled Movement Game · ")
    assert says(" ".join(before.split()), "only one space", "you move forward", "h2", "h1", "4 of 4 home")
    assert "You win" in last_look
    assert last_look.count("\n") < 24


def test_auto_choices_can_be_turned_off() -> None:
    match = two_players()
    told = FakeTerminal(match, "me,random", every_choice=True).play()
    assert match.history == []
    assert "1 target 2" in told


def test_undo_includes_choices_that_the_terminal_made() -> None:
    """Undoing only the automatic choice of a target would repeat it."""
    told = FakeTerminal(two_players(), "me,random", "back").play()
    assert "You can't take this back" in told
    told = FakeTerminal(two_players(), "me,random", "target 2; back", every_choice=True).play()
    assert "Choice undone." in told


def round_of_mace() -> Match:
    return Match.from_position({"game": "mace", "momentum": ["KS", "QS"], "hands": ["2S 3H 4D", "2C 3C 4C"], "seed": 3})


def test_a_forfeit_takes_effect_at_the_end_of_the_round() -> None:
    match = round_of_mace()
    told = FakeTerminal(match, "me,me", "forfeit", "end", "", "end").play()
    assert says(told, "forfeit at the end of the Round")
    assert match.payoffs == {1: -1, 2: 1}


def test_a_forfeit_can_be_cancelled() -> None:
    match = round_of_mace()
    told = FakeTerminal(match, "me,me", "forfeit", "forfeit", "end", "", "end", "").play()
    assert "You won't forfeit." in told
    assert "You fight on" in told
    assert not match.over


def test_forfeit_is_refused_if_the_game_has_no_forfeits() -> None:
    assert "This game doesn't let you forfeit." in FakeTerminal(two_players(), "me,random", "forfeit").play()
