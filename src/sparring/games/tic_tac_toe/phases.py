"""Tic-tac-toe: what the page asks, says and refuses in each phase, and the words of choices."""

from sparring.engine.game import GameSetup
from sparring.scene import Phase
from sparring.scene.sentences import Text, Voice

from .rules import ACROSS, State

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
