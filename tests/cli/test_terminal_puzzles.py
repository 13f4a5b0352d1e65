"""Puzzles in the terminal: right and wrong answers, commands that aren't allowed, leaving."""

import io
from collections.abc import Callable
from datetime import date

import pytest
from rich.console import Console

from sparring.engine.game import game
from sparring.games.high_card import GAME as HIGH_CARD
from sparring.puzzles import BadPuzzle, collection_of
from sparring.terminal.learning import TerminalPuzzle, solve_daily, solve_streak
from wording import says

GAME = game("untitled-movement")
PUZZLE = collection_of(GAME).puzzles[0]
DAY = date(2026, 11, 27)


def solved(*lines: str) -> tuple[bool, str]:
    """Return whether the puzzle was solved, and the terminal's output, when these lines are typed."""
    text, typed = io.StringIO(), list(lines)
    console = Console(file=text, width=100, force_terminal=False)
    right = TerminalPuzzle(GAME, PUZZLE, console, lambda prompt: typed.pop(0)).solve()
    return right, text.getvalue()


def test_the_best_choice_solves_a_puzzle() -> None:
    right, text = solved(PUZZLE.best.words)
    assert right
    assert says(text, "leads by", f"{100 * PUZZLE.margin:.1f}")


def test_another_choice_is_explained() -> None:
    right, text = solved(PUZZLE.second.words)
    assert not right
    assert says(text, "not quite", "best choice is")


@pytest.mark.parametrize("command", ["hint", "back", "forfeit"])
def test_commands_that_would_give_the_answer_away_are_refused(command: str) -> None:
    right, text = solved(command, "nonsense", PUZZLE.best.words)
    assert right
    assert says(text, "puzzle")


def test_leaving_ends_the_streak() -> None:
    text = io.StringIO()
    solve_streak(GAME, Console(file=text, width=100, force_terminal=False), lambda prompt: "quit")
    assert says(text.getvalue(), "streak", 0)


def daily(*lines: str) -> str:
    """Return the terminal's output when these lines are typed at the daily puzzle."""
    text, typed = io.StringIO(), list(lines)
    solve_daily(GAME, Console(file=text, width=100, force_terminal=False), lambda prompt: typed.pop(0), DAY)
    assert not typed
    return text.getvalue()


def test_the_daily_puzzle_can_be_tried_again_until_it_is_solved() -> None:
    puzzle = collection_of(GAME).daily(DAY)
    text = daily(puzzle.second.words, puzzle.best.words)
    assert says(text, "daily puzzle", "27 November 2026")
    assert text.index("Not quite") < text.index("try again".capitalize()) < text.index("That's it")


def test_one_can_leave_the_daily_puzzle() -> None:
    assert says(daily("quit"), "left")


@pytest.mark.parametrize("solve", [solve_daily, solve_streak])
def test_a_game_without_puzzles_says_how_to_make_some(solve: Callable[..., None]) -> None:
    with pytest.raises(BadPuzzle) as problem:
        solve(HIGH_CARD, Console(file=io.StringIO()))
    assert says(str(problem.value), "sparring puzzles high-card")
