"""What the table in text answers for a player: only choices, and who forfeits."""

from cli.screens import Keyboard, Screen, two_players
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


def test_every_choice_is_asked_of_who_wants_that() -> None:
    match = two_players()
    told = Screen(match, "me,random", every_choice=True).play()
    assert match.history == []
    assert "1 target 2" in told


def test_what_the_table_chose_is_not_all_that_is_taken_back() -> None:
    """Going back to the only target would only name it again."""
    told = Screen(two_players(), "me,random", "back").play()
    assert "Nothing can be taken back" in told
    told = Screen(two_players(), "me,random", "target 2; back", every_choice=True).play()
    assert "Taken back." in told


def a_round_of_mace() -> Match:
    return Match.from_position({"game": "mace", "momentum": ["KS", "QS"], "hands": ["2S 3H 4D", "2C 3C 4C"], "seed": 3})


def test_a_fighter_is_given_up_at_the_end_of_the_round_if_that_was_said() -> None:
    match = a_round_of_mace()
    told = Screen(match, "me,me", "forfeit", "end", "", "end").play()
    assert "You forfeit at the end of the Round." in told
    assert match.payoffs == {1: -1, 2: 1}


def test_what_was_said_of_forfeiting_can_be_taken_back() -> None:
    match = a_round_of_mace()
    told = Screen(match, "me,me", "forfeit", "forfeit", "end", "", "end", "").play()
    assert "You do not forfeit." in told
    assert "You fight on." in told
    assert not match.over


def test_nobody_forfeits_where_the_game_knows_nothing_of_it() -> None:
    assert "Nobody can forfeit here." in Screen(two_players(), "me,random", "forfeit").play()
