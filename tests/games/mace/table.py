"""Test helper: a table set up from a position, played by words and compared field by field.

Hexes and cards are written as at the table (`2,-1`, `KS`, `X1`), choices as in case files:
`S1: strike KS; target 2; S2: take`.
"""

import re
from typing import Any

from sparring import ChoiceError, Match
from sparring.engine import hexes

NAME = "mace"


class Table:
    """A match with shortcuts for what tests check; seats count from 1."""

    def __init__(self, match: Match) -> None:
        self.match = match

    # Choosing

    def play(self, choices: str) -> "Table":
        """Make the choices in order; a prefix such as `S2:` asserts which seat chooses."""
        for part in filter(None, re.split(r"[;\n]\s*", choices.strip())):
            seat, words = re.fullmatch(r"(?:S(\d):)?\s*(.+?)\s*", part).groups()  # type: ignore[union-attr]
            assert seat is None or int(seat) == self.match.seat, f"{part}: it is {self.to_move}"
            self.match.choose(words)
        return self

    def refuses(self, *choices: str) -> bool:
        """Return whether each choice is refused with a reason and changes nothing."""
        return all(self.refusal(words) for words in choices)

    def refusal(self, words: str) -> str:
        """Return the reason why a choice is refused; nothing if it is accepted or changes anything."""
        before = self.match.state.tobytes()
        try:
            self.match.choose(words)
        except ChoiceError as refused:
            return str(refused) if self.match.state.tobytes() == before else ""
        return ""

    # Reading the table

    @property
    def to_move(self) -> str:
        """The seat to choose and the phase: `S2 defence`."""
        return "over" if self.match.over else f"S{self.match.seat} {self.match.phase}"

    @property
    def choices(self) -> list[str]:
        """The legal choices in words."""
        return [choice.words for choice in self.match.choices()]

    @property
    def places(self) -> list[str]:
        """The hexes that can be chosen."""
        return [words.removeprefix("to ") for words in self.choices if words.startswith("to ")]

    def field(self, name: str) -> Any:
        """Return a field of the position."""
        return self.match.position()[name]

    def hand(self, seat: int) -> set[str]:
        """Return the true hand of a seat."""
        return set(self.field("hands")[seat - 1])

    def charges(self, seat: int) -> str:
        """Return the true Charge row of a seat, oldest first."""
        return " ".join(self.field("charges")[seat - 1])

    def momentum(self, seat: int) -> str:
        return str(self.field("momentum")[seat - 1])

    @property
    def discard(self) -> str:
        """The discard pile, bottom first."""
        return " ".join(self.field("discard_pile"))

    @property
    def deck(self) -> int:
        """The number of cards in the deck."""
        return len(self.field("draw_pile"))

    def at(self, seat: int) -> str:
        """Return the hex of a Fighter."""
        return str(self.field("fighters")[seat - 1])

    def is_down(self, seat: int) -> bool:
        return seat in self.field("down")

    @property
    def payoffs(self) -> list[float]:
        """What each seat won or lost."""
        return list((self.match.payoffs or {}).values())

    @property
    def damage(self) -> int:
        """The Damage left of the attack."""
        return int(self.field("damage"))


def table(*hands: str | None, options: dict[str, Any] | None = None, **position: Any) -> Table:
    """Return a table with these hands (None: five random cards) in seat 1's Turn.

    Further fields of the position are keyword arguments: `fighters=["0,0", "1,0"]`, `discard_pile="5H QC"`.
    """
    return Table(Match.from_position(
        {"game": NAME, "seats": len(hands), "options": options or {}, "hands": list(hands), **position}
    ))  # fmt: skip


def adjacent(*hands: str | None, options: dict[str, Any] | None = None, **position: Any) -> Table:
    """Return the same for two seats with adjacent Fighters, on 0,0 and 1,0."""
    return table(*hands, options=options, **{"fighters": ["0,0", "1,0"], **position})


def cards(words: str) -> set[str]:
    """Return the cards in a text."""
    return set(words.split())


def distance(one: str, other: str) -> int:
    """Return the distance between two hexes."""
    (q, r), (x, y) = (map(int, place.split(",")) for place in (one, other))
    return int(hexes.size(q - x, r - y))


def blasts(t: Table) -> set[str]:
    """Return the legal Blasts."""
    return {words for words in t.choices if words.startswith("blast")}
