"""A table to test at: lay out hands, Fighters and piles, say what is chosen, and look at what lies there.

Hexes and cards are written as at the table (`2,-1`, `KS`, `X1`); choices as a case file has them:
`S1: strike KS; target 2; S2: take`.
"""

import re
from typing import Any

from sparring import ChoiceError, Match
from sparring.engine import hexes

NAME = "mace"


class Table:
    """A match with what a test asks about it; seats count from 1."""

    def __init__(self, match: Match) -> None:
        self.match = match

    # Choosing

    def play(self, choices: str) -> "Table":
        """Make the choices in order; `S2:` before one says whose it must be."""
        for part in filter(None, re.split(r"[;\n]\s*", choices.strip())):
            seat, words = re.fullmatch(r"(?:S(\d):)?\s*(.+?)\s*", part).groups()  # type: ignore[union-attr]
            assert seat is None or int(seat) == self.match.seat, f"{part}: it is {self.asked}"
            self.match.choose(words)
        return self

    def refuses(self, *choices: str) -> bool:
        """Whether each choice is refused with a reason, and leaves everything as it was."""
        return all(self.refusal(words) for words in choices)

    def refusal(self, words: str) -> str:
        """The reason why a choice is refused; nothing if it is not, or if it changes anything."""
        before = self.match.state.tobytes()
        try:
            self.match.choose(words)
        except ChoiceError as refused:
            return str(refused) if self.match.state.tobytes() == before else ""
        return ""

    # Looking

    @property
    def asked(self) -> str:
        """Who is asked, and in which phase: `S2 defence`."""
        return "nobody: it is over" if self.match.over else f"S{self.match.seat} {self.match.phase}"

    @property
    def choices(self) -> list[str]:
        """What can be chosen, in words."""
        return [choice.words for choice in self.match.choices()]

    @property
    def places(self) -> list[str]:
        """The hexes that can be chosen."""
        return [words.removeprefix("to ") for words in self.choices if words.startswith("to ")]

    def says(self, field: str) -> Any:
        """A field of the position."""
        return self.match.position()[field]

    def hand(self, seat: int) -> set[str]:
        """The true hand of a seat."""
        return set(self.says("hands")[seat - 1])

    def charges(self, seat: int) -> str:
        """The true Charge row of a seat, oldest first."""
        return " ".join(self.says("charges")[seat - 1])

    def momentum(self, seat: int) -> str:
        return str(self.says("momentum")[seat - 1])

    @property
    def discard(self) -> str:
        """The discard pile, bottom first."""
        return " ".join(self.says("discard_pile"))

    @property
    def deck(self) -> int:
        """How many cards are in the deck."""
        return len(self.says("draw_pile"))

    def at(self, seat: int) -> str:
        """Where a Fighter stands."""
        return str(self.says("fighters")[seat - 1])

    def is_down(self, seat: int) -> bool:
        return seat in self.says("down")

    @property
    def payoffs(self) -> list[float]:
        """What each seat won or lost."""
        return list((self.match.payoffs or {}).values())

    @property
    def damage(self) -> int:
        """What the attack will cost as things stand."""
        return int(self.says("damage"))


def table(*hands: str | None, options: dict[str, Any] | None = None, **position: Any) -> Table:
    """A table where these hands are held (None: five cards of chance) and seat 1 has its Turn.

    Whatever else a position may say is said by name: `fighters=["0,0", "1,0"]`, `discard_pile="5H QC"`.
    """
    return Table(Match.from_position(
        {"game": NAME, "seats": len(hands), "options": options or {}, "hands": list(hands), **position}
    ))  # fmt: skip


def beside(*hands: str | None, options: dict[str, Any] | None = None, **position: Any) -> Table:
    """The same for two seats with the Fighters side by side, on 0,0 and 1,0."""
    return table(*hands, options=options, **{"fighters": ["0,0", "1,0"], **position})


def cards(words: str) -> set[str]:
    """Some cards."""
    return set(words.split())


def apart(one: str, other: str) -> int:
    """How far two hexes lie apart."""
    (q, r), (x, y) = (map(int, place.split(",")) for place in (one, other))
    return int(hexes.size(q - x, r - y))


def blasts(t: Table) -> set[str]:
    """The Blasts that may be chosen."""
    return {words for words in t.choices if words.startswith("blast")}
