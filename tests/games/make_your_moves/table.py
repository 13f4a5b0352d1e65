"""A table to test at: lay out hands, say what everybody chooses, and look at what lies there.

Cards are written by kind (`Red2`), choices as a case file has them: `S1: target S2; Red2; Blue3; done`.
"""

import re
from collections.abc import Sequence
from typing import Any

from sparring import ChoiceError, Match

NAME = "make-your-moves"


class Table:
    """A match with what a test asks about it; seats count from 1."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.kinds = {card.name: card.kind for card in match.box.content.cards}

    # Choosing

    def play(self, choices: str) -> "Table":
        """Make the choices in order; `S2:` before one says whose it must be."""
        for part in filter(None, re.split(r"[;.\n]\s*", choices.strip())):
            seat, words = re.fullmatch(r"(?:S(\d):)?\s*(.+?)\s*", part).groups()  # type: ignore[union-attr]
            assert seat is None or int(seat) == self.match.seat, f"{part}: it is {self.asked}"
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

    # Looking

    @property
    def asked(self) -> str:
        """Who is asked, and in which phase: `S2 respond`."""
        return "nobody: it is over" if self.match.over else f"S{self.match.seat} {self.match.phase}"

    @property
    def choices(self) -> str:
        """What can be chosen, cards by their kind: `Red1 Red2 done`."""
        return " ".join(self.kinds.get(choice.words, choice.words) for choice in self.match.choices())

    @property
    def outcome(self) -> str:
        """Points, and who is in control: `1-0, S1`."""
        points = "-".join(map(str, self.match.position()["points"]))
        return f"{points}, S{self.match.position()['control']}"

    @property
    def piles(self) -> tuple[int, int]:
        """How many cards are in the draw pile and in the discard pile."""
        position = self.match.position()
        return len(position["draw_pile"]), len(position["discard_pile"])

    def cards(self, field: str) -> str:
        """The cards of a field of the position, in order: `Red2 Blue3`."""
        return self._said(self.match.position()[field])

    def hand(self, seat: int) -> str:
        """The true hand of a seat, in the order of the deck."""
        return self._said(self.match.position()["hands"][seat - 1])

    def point_cards(self, seat: int) -> int:
        """How many cards lie face down before a seat."""
        return len(self.match.position()["point_cards"][seat - 1])

    @property
    def attack(self) -> int:
        """The attack power that lies on the table."""
        return self._power("attack", "help_attacker")

    @property
    def defence(self) -> int:
        """The defence power that lies on the table."""
        return self._power("defence", "help_defender")

    @property
    def payoffs(self) -> list[float]:
        """What each seat won or lost."""
        return list((self.match.payoffs or {}).values())

    def everybody_done(self) -> "Table":
        """Go through DISCARD with everybody keeping what they hold."""
        while not self.match.over and self.match.phase == "discard":
            self.match.choose("done")
        return self

    def _said(self, names: Sequence[str]) -> str:
        return " ".join(self.kinds[name] for name in names)

    def _power(self, *fields: str) -> int:
        position = self.match.position()
        return sum(int(self.kinds[name][-1]) for field in fields for name in position[field])


def table(*hands: str | None, options: dict[str, Any] | None = None, **position: Any) -> Table:
    """A table where these hands are held (None: five cards of chance), on turn 5 with 30 cards in the draw pile.

    Whatever else a position may say is said by name: `control=2`, `points=[1, 0]`, `phase="discard"`.
    """
    given = {"turn": 5, "draw_pile": 30, **position}
    return Table(Match.from_position(
        {"game": NAME, "seats": len(hands), "options": options or {}, "hands": list(hands), **given}
    ))  # fmt: skip


def attacked(attack: str, *hands: str | None, options: dict[str, Any] | None = None, **position: Any) -> Table:
    """The same once seat 1 has attacked seat 2 with these cards and the answer is due."""
    return table(*hands, options=options, **{"phase": "respond", "attack": attack, **position})
