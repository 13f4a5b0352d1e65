"""Puzzles in the terminal: right and wrong answers, commands that aren't allowed, leaving."""

import io

import pytest
from rich.console import Console

from sparring.engine.game import game
from sparring.games.high_card import GAME as HIGH_CARD
from sparring.puzzles import BadPuzzle, collection_of
from sparring.terminal_puzzles import TerminalPuzzle, solve_puzzles
from wording import says

GAME = game("untitled-movement")
PUZZLE = collection_of(GAME).puzzles[0]


def solved(*lines: str) -> tuple[bool, str]:
    """Return whether the puzzle was solved, and the terminal's output, when these lines are typed."""
    text, typed = io.StringIO(), list(lines)
    console = Console(file=text, width=100, force_terminal=False)
    right = TerminalPuzzle(GAME, PUZZLE, console, lambda prompt: typed.pop(0)).solve()
    return right, text.getvalue()


def test_the_best_choice_solves_a_puzzle() -> None:
    right, text = solved(PUZZLE.best.words)
    assert right
    assert says(text, "margin", f"{100 * PUZZLE.margin:.1f}")


def test_another_choice_is_explained() -> None:
    right, text = solved(PUZZLE.second.words)
    assert not right
    assert says(text, "best choice is", PUZZLE.best.words)


@pytest.mark.parametrize("command", ["hint", "back", "forfeit"])
def test_commands_that_would_give_the_answer_away_are_refused(command: str) -> None:
    right, text = solved(command, "nonsense", PUZZLE.best.words)
    assert right
    assert says(text, "puzzle")


def test_leaving_ends_the_streak() -> None:
    text = io.StringIO()
    solve_puzzles(GAME, Console(file=text, width=100, force_terminal=False), lambda prompt: "quit")
    assert says(text.getvalue(), "streak", 0)


def test_a_game_without_puzzles_says_how_to_make_some() -> None:
    with pytest.raises(BadPuzzle) as problem:
        solve_puzzles(HIGH_CARD, Console(file=io.StringIO()))
    assert says(str(problem.value), "sparring puzzles high-card")
