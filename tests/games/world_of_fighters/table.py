"""A ring to test in: say who stands where with which cards, what is chosen, and look at what came of it.

Fighters are written as in the case files: `Kenji c2 20` is a fighter, a square and a health; at SHOW the committed
Action card follows, as in `Hai Wu d3 5 Grapple +super`. Choices are `P1: move 1; punch`.
"""

import re
from typing import Any

from sparring import ChoiceError, Match

NAME = "world-of-fighters"
KINDS = ("Punch", "Kick", "Grapple", "Block")
ROSTER = [
    "Hai Wu", "Milton Brown", "Beatriz Lima", "Duke Rafferty", "Ingrid Solberg", "Kenji Aoki", "Amara Diallo",
    "Rosa Quintero",
]  # fmt: skip


class Table:
    """A match with what a test asks about it; seats count from 1."""

    def __init__(self, match: Match) -> None:
        self.match = match

    # Choosing

    def play(self, choices: str) -> "Table":
        """Make the choices in order; `P2:` before one says whose it must be."""
        for part in filter(None, re.split(r"[;\n]\s*", choices.strip())):
            seat, words = re.fullmatch(r"(?:P(\d):)?\s*(.+?)\s*", part).groups()  # type: ignore[union-attr]
            assert seat is None or int(seat) == self.match.seat, f"{part}: it is {self.asked}"
            self.match.choose(words)
        return self

    def refuses(self, *choices: str) -> bool:
        """Whether each choice is refused with a reason, and leaves everything as it was."""
        before = self.match.state.tobytes()
        for words in choices:
            try:
                self.match.choose(words)
            except ChoiceError as refused:
                reason = str(refused)
            else:
                return False
            assert reason.endswith((".", "?"))
            assert self.match.state.tobytes() == before
        return True

    # Looking

    @property
    def asked(self) -> str:
        """Who is asked, and in which phase: `P2 move_card`; or who won, and how: `P1 by ring-out`."""
        if not self.match.over:
            return f"P{self.match.seat} {self.match.phase}"
        winners = [seat for seat, payoff in (self.match.payoffs or {}).items() if payoff > 0]
        return f"{f'P{winners[0]}' if winners else 'draw'} by {self.match.ending}"

    @property
    def choices(self) -> str:
        """What can be chosen, `; ` between."""
        return "; ".join(choice.words for choice in self.match.choices())

    @property
    def squares(self) -> set[str]:
        """The squares that can be moved to."""
        return {choice.words.removeprefix("to ") for choice in self.match.choices()}

    def __getitem__(self, field: str) -> Any:
        """A field of the position."""
        return self.match.position()[field]

    @property
    def health(self) -> tuple[int, int]:
        """The health of both."""
        one, other = self["health"]
        return one, other

    @property
    def used(self) -> tuple[bool, bool]:
        """Whose super is used up."""
        one, other = self["super_used"]
        return one, other

    @property
    def piles(self) -> tuple[int, int]:
        """How many cards are in the draw pile and in the discard pile."""
        return len(self["draw_pile"]), len(self["discard_pile"])

    def hand(self, seat: int) -> str:
        """The true hand of a seat."""
        return " ".join(self["hands"][seat - 1])

    def sees(self, seat: int) -> Any:
        """What a seat knows; 0 only watches."""
        return self.match.view(seat).state


def read_fighter(words: str) -> dict[str, Any]:
    """`Hai Wu d3 5 Grapple +super` in parts."""
    found = re.fullmatch(r"(\D+?) ([a-g][1-7]) (\d+)(?:,? (Punch|Kick|Grapple|Block))?( \+super)?", words)
    assert found, words
    name = next(name for name in ROSTER if name.startswith(found[1]))
    return {
        "fighters": name, "squares": found[2], "health": int(found[3]), "action": found[4] or "",
        "called": bool(found[5]),
    }  # fmt: skip


def table(one: str, other: str, *hands: str, options: dict[str, Any] | None = None, **position: Any) -> Table:
    """A table with these fighters, hands of chance where none is told, in round 5 (seat 1 moves first)."""
    parts = [read_fighter(words) for words in (one, other)]
    told = {key: [part[key] for part in parts] for key in parts[0]}
    given = {"round": 5, "hands": [*hands, *[[]] * (2 - len(hands))], **told, **position}
    return Table(Match.from_position({"game": NAME, "options": options or {}, **given}))


def show(one: str, other: str, *, counter: str = "", options: dict[str, Any] | None = None, **position: Any) -> Table:
    """The same at SHOW: both have moved, the cards are turned up; `counter` is the rest of a blocker's hand."""
    hands = [counter if words.split(" +")[0].endswith("Block") else "" for words in (one, other)]
    return table(one, other, *hands, options=options, phase="show", **position)
