"""Tic-tac-toe: what the page asks, says and refuses in each phase, and the words of choices."""

from sparring.engine.game import GameSetup
from sparring.scene import Phase
from sparring.scene.sentences import Text, Voice, result

from .rules import ACROSS, FULL, State

#: What each seat puts on the board.
MARKS = ("X", "O")


def square_name(square: int) -> str:
    """Return a square's name: the column as a letter, the row as a number; a1 is at the upper left."""
    return f"{'abc'[square % ACROSS]}{square // ACROSS + 1}"


class Take(Phase):
    """A seat takes a square."""

    name = "take"
    waiting_text = "{who} is choosing a square."
    question_text = "Take a square."

    def why_not(self, setup: GameSetup, state: State, block: str, number: int) -> Text:
        """Say that the square is taken."""
        return Text("{square} is taken.", square=square_name(number))

    def tell(self, setup: GameSetup, before: State, action: int, after: State, voice: Voice) -> list[Text]:
        """Say who takes which square."""
        return [
            voice.text("You take {square}.", "{who} takes {square}.", who=before.player, square=square_name(action))
        ]


PHASES = (Take(),)


def words(setup: GameSetup, state: State, action: int) -> str:
    """Return the words of a choice: `b3`."""
    return square_name(action)


def aliases(setup: GameSetup, state: State, action: int) -> tuple[str, ...]:
    """Return other words for a choice: `take b3`."""
    return (f"take {square_name(action)}",)


def tell(setup: GameSetup, before: State, action: int | None, after: State, seat: int, beat: str = "") -> list[Text]:
    """Return what happened as sentences for `seat`: who takes which square, and how the match ended."""
    voice = Voice(seat)
    lines = [] if action is None else PHASES[before.phase].tell(setup, before, action, after, voice)
    return [*lines, result(ending_text(after, voice))] if after.over else lines


def ending_text(state: State, voice: Voice) -> Text:
    """Return how the match ended."""
    if state.ending == FULL:
        return Text("The board is full: a draw.")
    maker = int(state.player)  # who has made the row: with the option row=loses, not the winner
    if state.payoff[maker] > 0:
        return voice.text("You have three in a row and win.", "{who} has three in a row and wins.", who=maker)
    return voice.text("You have three in a row and lose.", "{who} has three in a row and loses.", who=maker)
