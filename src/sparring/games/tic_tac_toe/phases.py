"""Tic-tac-toe: what the page asks, says and refuses in each phase, and the words of choices."""

from sparring.engine.game import Box
from sparring.scene import Phase
from sparring.scene.sentences import ResultLine, Voice

from .rules import ACROSS, FULL, State

#: What each seat puts on the board.
MARKS = ("X", "O")


def square_name(square: int) -> str:
    """Return a square's name: the column as a letter, the row as a number; a1 is at the upper left."""
    return f"{'abc'[square % ACROSS]}{square // ACROSS + 1}"


class Take(Phase):
    """A seat takes a square."""

    name = "take"
    waiting_text = "is choosing a square"
    question_text = "Take a square."

    def why_not(self, box: Box, state: State, block: str, number: int) -> str:
        """Say that the square is taken."""
        return f"{square_name(number)} is taken."

    def tell(self, box: Box, before: State, action: int, after: State, voice: Voice) -> list[str]:
        """Say who takes which square."""
        return [f"{voice.does(int(before.player), 'take', 'takes')} {square_name(action)}."]


PHASES = (Take(),)


def words(box: Box, state: State, action: int) -> str:
    """Return the words of a choice: `b3`."""
    return square_name(action)


def aliases(box: Box, state: State, action: int) -> tuple[str, ...]:
    """Return other words for a choice: `take b3`."""
    return (f"take {square_name(action)}",)


def tell(box: Box, before: State, action: int | None, after: State, seat: int, beat: str = "") -> list[str]:
    """Return what happened as sentences for `seat`: who takes which square, and how the match ended."""
    voice = Voice(seat)
    lines = [] if action is None else PHASES[before.phase].tell(box, before, action, after, voice)
    return [*lines, ResultLine(ending_text(after, voice))] if after.over else lines


def ending_text(state: State, voice: Voice) -> str:
    """Return how the match ended."""
    if state.ending == FULL:
        return "The board is full: a draw."
    winner = int(state.payoff[1] > 0)
    maker = int(state.player)  # who has made the row: with the option row=loses, not the winner
    verb = voice.verb(maker, "win", "wins") if maker == winner else voice.verb(maker, "lose", "loses")
    return f"{voice.does(maker, 'have', 'has')} three in a row and {verb}."
