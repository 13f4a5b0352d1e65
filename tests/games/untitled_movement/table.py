"""Test helper: a table set up from a position, played by words and compared field by field.

Seats are named by their side (S, W, N, E), spaces by row and column, cards by their kind, as in the worked cases.
"""

import re
from collections.abc import Sequence
from typing import Any

from sparring import ChoiceError, Match
from sparring.engine.squares import column_of, read_square, row_of

NAME = "untitled-movement"


class Table:
    """A match with shortcuts for what tests check."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.sides = ["SWNE"[side] for side in match.state.side[: match.seats].tolist()]

    # Choosing

    def play(self, choices: str) -> "Table":
        """Make the choices in order; a prefix such as `W:` asserts which seat chooses."""
        for part in filter(None, re.split(r";\s*", choices.strip())):
            side, words = re.fullmatch(r"(?:([SWNE]):)?\s*(.+?)\s*", part).groups()  # type: ignore[union-attr]
            assert side is None or side == self.seat, f"{part}: it is {self.to_move}"
            self.match.choose(words)
        return self

    def refuses(self, *choices: str) -> bool:
        """Return whether each choice is refused with a reason and changes nothing."""
        return all(self._refuses(words) for words in choices)

    def _refuses(self, words: str) -> bool:
        before = self.match.state.tobytes()
        try:
            self.match.choose(words)
        except ChoiceError as refused:
            return bool(str(refused)) and self.match.state.tobytes() == before
        return False

    def why_not(self, words: str) -> str:
        """Return the reason why a choice is refused."""
        try:
            self.match.read(words)
        except ChoiceError as refused:
            return str(refused)
        raise AssertionError(f"{words} is not refused")

    # Reading the table

    @property
    def seat(self) -> str:
        """The side of the seat to choose."""
        return self.sides[(self.match.seat or 0) - 1]

    @property
    def to_move(self) -> str:
        """The seat to choose and the phase: `S card`."""
        return "over" if self.match.over else f"{self.seat} {self.match.phase}"

    @property
    def choices(self) -> str:
        """The legal choices: `F, L, no move`."""
        return ", ".join(choice.words for choice in self.match.choices())

    @property
    def landings(self) -> set[str]:
        """Where the picked token can land, with the cost in moves: `4,9 [1]`."""
        scene = self.match.view(self.match.seat or 0).scene
        labels = [re.sub(r", costs (\d) moves?.*", r" [\1]", thing.label) for thing in scene.choosable]
        return {f"{row_and_column(name)} [{cost}" for name, cost in (label.split(" [") for label in labels)}

    @property
    def moves(self) -> int:
        """The number of moves left."""
        return int(self.match.state.moves)

    @property
    def idle(self) -> int:
        """The number of idle rounds in a row."""
        return int(self.match.state.idle)

    def hand(self, side: str) -> str:
        """Return the hand of a seat: `F L R`."""
        return " ".join(self.match.position()["hands"][self.sides.index(side)])

    def tokens(self, side: str) -> str:
        """Return the spaces of a seat's tokens on the board: `7,5 11,4`."""
        return " ".join(space for space in self.match.position()["tokens"][self.sides.index(side)] if space != "off")

    @property
    def discards(self) -> str:
        """The discard pile, top card last."""
        return " ".join(self.match.position()["discard_pile"])

    @property
    def deck(self) -> int:
        """The number of cards in the draw pile."""
        return len(self.match.position()["draw_pile"])

    @property
    def wins(self) -> dict[str, float]:
        """The payoff of each seat, by its side."""
        return dict(zip(self.sides, (self.match.payoffs or {}).values(), strict=True))


def row_and_column(name: str) -> str:
    """Return a space as positions name it: `9,4` for `e10`."""
    square = read_square(name)
    return f"{row_of(square)},{column_of(square)}"


def table(seats: int = 4, options: dict[str, Any] | None = None, content: Any = None, **position: Any) -> Table:
    """Return a table in a position; what it leaves out has its default or is random."""
    return Table(Match.from_position({"game": NAME, "seats": seats, "options": options or {}, **position}, content))


def rolled(face: int, tokens: str | Sequence[str], hand: str, side: str = "S", **more: Any) -> Table:
    """Return a table where a seat with these tokens and cards has just rolled `face`."""
    others = more.pop("others", {})
    t = table(player=side, tokens={side: tokens, **others}, hands={side: hand}, dice=[face], **more)
    return t.play("roll")
