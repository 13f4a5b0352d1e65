"""A table to test at: put tokens down, hand out cards, say what the die shows and what everybody chooses.

Seats are named by their side (S, W, N, E), spaces by row and column, cards by their kind, as in the worked cases.
"""

import re
from collections.abc import Sequence
from typing import Any

from sparring import ChoiceError, Match

NAME = "untitled-movement"


class Table:
    """A match with what a test asks about it."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.sides = ["SWNE"[side] for side in match.state.side[: match.seats].tolist()]

    # Choosing

    def play(self, choices: str) -> "Table":
        """Make the choices in order; `W:` before one says whose it must be."""
        for part in filter(None, re.split(r";\s*", choices.strip())):
            side, words = re.fullmatch(r"(?:([SWNE]):)?\s*(.+?)\s*", part).groups()  # type: ignore[union-attr]
            assert side is None or side == self.seat, f"{part}: it is {self.asked}"
            self.match.choose(words)
        return self

    def refuses(self, *choices: str) -> bool:
        """Whether each choice is refused with a reason, and leaves everything as it was."""
        return all(self._refuses(words) for words in choices)

    def _refuses(self, words: str) -> bool:
        before = self.match.state.tobytes()
        try:
            self.match.choose(words)
        except ChoiceError as refused:
            return bool(str(refused)) and self.match.state.tobytes() == before
        return False

    def why_not(self, words: str) -> str:
        """The reason for which a choice is refused."""
        try:
            self.match.read(words)
        except ChoiceError as refused:
            return str(refused)
        raise AssertionError(f"{words} is not refused")

    # Looking

    @property
    def seat(self) -> str:
        """The side of the seat that is to choose."""
        return self.sides[(self.match.seat or 0) - 1]

    @property
    def asked(self) -> str:
        """Who is asked, and in which phase: `S card`."""
        return "nobody: it is over" if self.match.over else f"{self.seat} {self.match.phase}"

    @property
    def choices(self) -> str:
        """What can be chosen: `F, L, no move`."""
        return ", ".join(choice.words for choice in self.match.choices())

    @property
    def landings(self) -> set[str]:
        """Where the picked token can land, with what it costs, as the board says: `4,9 [1]`."""
        scene = self.match.view(self.match.seat or 0).scene
        labels = [thing.label for thing in scene.choosable]
        return {re.sub(r"^(\S+), for (\d) moves?.*", r"\1 [\2]", label) for label in labels}

    @property
    def moves(self) -> int:
        """How many moves are left."""
        return int(self.match.state.moves)

    @property
    def idle(self) -> int:
        """How many idle rounds there were."""
        return int(self.match.state.idle)

    def hand(self, side: str) -> str:
        """The hand of a seat: `F L R`."""
        return " ".join(self.match.position()["hands"][self.sides.index(side)])

    def tokens(self, side: str) -> str:
        """Where the tokens of a seat stand: `7,5 11,4`, those that are off the board left out."""
        return " ".join(space for space in self.match.position()["tokens"][self.sides.index(side)] if space != "off")

    @property
    def discards(self) -> str:
        """The discard pile, the top card last."""
        return " ".join(self.match.position()["discard_pile"])

    @property
    def deck(self) -> int:
        """How many cards are in the deck."""
        return len(self.match.position()["draw_pile"])

    @property
    def wins(self) -> dict[str, float]:
        """What each seat won or lost, by its side."""
        return dict(zip(self.sides, (self.match.payoffs or {}).values(), strict=True))


def table(seats: int = 4, options: dict[str, Any] | None = None, content: Any = None, **position: Any) -> Table:
    """A table in the position that is told; the rest is as the worked cases have it, or left to chance."""
    return Table(Match.from_position({"game": NAME, "seats": seats, "options": options or {}, **position}, content))


def rolled(face: int, tokens: str | Sequence[str], hand: str, side: str = "S", **more: Any) -> Table:
    """The same where a seat with these tokens and cards has rolled."""
    others = more.pop("others", {})
    t = table(player=side, tokens={side: tokens, **others}, hands={side: hand}, dice=[face], **more)
    return t.play("roll")
