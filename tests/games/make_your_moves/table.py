"""Test helper: a table set up from a position, played by words and compared field by field.

Cards are written by kind (`Red2`), choices as in case files: `S1: target S2; Red2; Blue3; done`.
"""

import re
from collections.abc import Sequence
from typing import Any

from sparring import ChoiceError, Match

NAME = "make-your-moves"


class Table:
    """A match with shortcuts for what tests check; seats count from 1."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.kinds = {card.name: card.kind for card in match.setup.content.cards}

    # Choosing

    def play(self, choices: str) -> "Table":
        """Make the choices in order; a prefix such as `S2:` asserts which seat chooses."""
        for part in filter(None, re.split(r"[;.\n]\s*", choices.strip())):
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
        """The seat to choose and the phase: `S2 respond`."""
        return "over" if self.match.over else f"S{self.match.seat} {self.match.phase}"

    @property
    def choices(self) -> str:
        """The legal choices, cards by kind: `Red1 Red2 done`."""
        return " ".join(self.kinds.get(choice.words, choice.words) for choice in self.match.choices())

    @property
    def outcome(self) -> str:
        """The points and the seat in control: `1-0, S1`."""
        points = "-".join(map(str, self.match.position()["points"]))
        return f"{points}, S{self.match.position()['control']}"

    @property
    def piles(self) -> tuple[int, int]:
        """The number of cards in the draw pile and in the discard pile."""
        position = self.match.position()
        return len(position["draw_pile"]), len(position["discard_pile"])

    def cards(self, field: str) -> str:
        """Return the cards of a field of the position, in order: `Red2 Blue3`."""
        return self._kinds(self.match.position()[field])

    def hand(self, seat: int) -> str:
        """Return the true hand of a seat, in the order of the deck."""
        return self._kinds(self.match.position()["hands"][seat - 1])

    def point_cards(self, seat: int) -> int:
        """Return how many point cards a seat has."""
        return len(self.match.position()["point_cards"][seat - 1])

    @property
    def attack(self) -> int:
        """The total of the attack on the table."""
        return self._power("attack", "help_attacker")

    @property
    def defence(self) -> int:
        """The total of the defence on the table."""
        return self._power("defence", "help_defender")

    @property
    def payoffs(self) -> list[float]:
        """The payoff of each seat."""
        return list((self.match.payoffs or {}).values())

    def everyone_done(self) -> "Table":
        """Go through DISCARD with everyone keeping their hands."""
        while not self.match.over and self.match.phase == "discard":
            self.match.choose("done")
        return self

    def _kinds(self, names: Sequence[str]) -> str:
        return " ".join(self.kinds[name] for name in names)

    def _power(self, *fields: str) -> int:
        position = self.match.position()
        return sum(int(self.kinds[name][-1]) for field in fields for name in position[field])


def table(*hands: str | None, options: dict[str, Any] | None = None, **position: Any) -> Table:
    """Return a table with these hands (None: five random cards), on turn 5 with 30 cards in the draw pile.

    Other fields of the position are keywords: `control=2`, `points=[1, 0]`, `phase="discard"`.
    """
    given = {"turn": 5, "draw_pile": 30, **position}
    return Table(Match.from_position(
        {"game": NAME, "seats": len(hands), "options": options or {}, "hands": list(hands), **given}
    ))  # fmt: skip


def attacked(attack: str, *hands: str | None, options: dict[str, Any] | None = None, **position: Any) -> Table:
    """Return a table where seat 1 has attacked seat 2 with these cards, and seat 2 is to respond."""
    return table(*hands, options=options, **{"phase": "respond", "attack": attack, **position})
