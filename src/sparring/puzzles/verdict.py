"""Judge an answer to a puzzle and explain it. Sentences name seats by number, as a game's log does."""

from typing import NamedTuple

from sparring.bots.hint_reasons import contrast
from sparring.engine.views import View
from sparring.scene.locations import text_of_choice

from .puzzle import AnswerValue, Puzzle


class Verdict(NamedTuple):
    """The result of an answer: a title, and paragraphs that explain it."""

    right: bool
    title: str
    paragraphs: tuple[str, ...]


def judge(puzzle: Puzzle, view: View, action: int) -> Verdict:
    """Return the verdict on an action. `view` is the puzzle's view."""
    right = action == puzzle.best.action
    rival = puzzle.tempting.action if right else action
    paragraphs = [_compared(puzzle, view), *_expected("Expected after", view, puzzle.best)]
    if why := contrast(view, puzzle.best.action, rival):
        paragraphs.insert(0, f"{quoted(view, puzzle.best.action)} or {quoted(view, rival)}? {why}")
    others = {answer.action: answer for answer in (puzzle.second, puzzle.tempting)}
    if right:
        paragraphs += _expected("Expected after the tempting", view, puzzle.tempting)
    elif action in others:
        paragraphs += _expected("Expected after your", view, others[action])
    else:
        paragraphs.append(f"The searches rated your {quoted(view, action)} below both.")
    paragraphs.append(f"The best choice leads by {margin_in_words(puzzle, view)}.")
    title = "That's it!" if right else f"Not quite. The best choice is {quoted(view, puzzle.best.action)}"
    return Verdict(right, title, (*paragraphs,))


def quoted(view: View, action: int) -> str:
    """Return what a choice is called on the table, in quotation marks: as a hint calls it."""
    words = view.box.game.scene.words(view.box, view.state, action)
    return f"“{text_of_choice(view.scene, action, words)}”"


def worth(view: View, value: float) -> str:
    """Return a return from 0 to 1 in words: a win probability, or a payoff in the game's unit."""
    payoffs = view.box.game.payoffs
    if payoffs is None:
        return f"{value:.0%} to win"
    return f"{payoffs.low + value * (payoffs.high - payoffs.low):+.1f} {payoffs.unit}"


def margin_in_words(puzzle: Puzzle, view: View) -> str:
    """Return the margin with its 95% interval."""
    payoffs = view.box.game.payoffs
    span, unit = (payoffs.high - payoffs.low, payoffs.unit) if payoffs else (100.0, "percentage points")
    margin, low, high = (span * value for value in (puzzle.margin, puzzle.low, puzzle.high))
    return f"{margin:.1f} {unit} (95% interval {low:.1f} to {high:.1f})"


def _compared(puzzle: Puzzle, view: View) -> str:
    best, second = puzzle.best, puzzle.second
    return (
        f"{quoted(view, best.action)}: {worth(view, best.value)}. The next best, {quoted(view, second.action)}: "
        f"{worth(view, second.value)}."
    )


def _expected(what: str, view: View, answer: AnswerValue) -> list[str]:
    return [f"{what} {quoted(view, answer.action)}: {' '.join(answer.line)}"] if answer.line else []
