"""Test helper: a table set up from a position, played by words and compared field by field.

Fighters are written as in case files: `Kenji c2 20` is a fighter, its square and its health. A committed Action card
may follow, perhaps with a called super: `Hai Wu d3 5 Grapple +super`. Choices are written `P1: move 1; punch`.
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
    """A match with shortcuts for what tests check; seats count from 1.

    What the rules do at once in a new position, such as a reveal, is part of its start and so in no log.
    """

    def __init__(self, match: Match) -> None:
        self.match = match

    # Choices

    def play(self, choices: str) -> "Table":
        """Make the choices in order; a prefix such as `P2:` asserts which seat chooses."""
        for part in filter(None, re.split(r"[;\n]\s*", choices.strip())):
            seat, words = re.fullmatch(r"(?:P(\d):)?\s*(.+?)\s*", part).groups()  # type: ignore[union-attr]
            assert seat is None or int(seat) == self.match.seat, f"{part}: it is {self.status}"
            self.match.choose(words)
        return self

    def refuses(self, *choices: str) -> bool:
        """Return whether each choice is refused with a reason and changes nothing."""
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

    # Reading the table

    @property
    def status(self) -> str:
        """The seat to choose and the phase: `P2 move_card`; after the end, the result: `P1 by ring-out`."""
        if not self.match.over:
            return f"P{self.match.seat} {self.match.phase}"
        winners = [seat for seat, payoff in (self.match.payoffs or {}).items() if payoff > 0]
        return f"{f'P{winners[0]}' if winners else 'draw'} by {self.match.ending}"

    @property
    def choices(self) -> str:
        """The legal choices in words, joined by `; `."""
        return "; ".join(choice.words for choice in self.match.choices())

    @property
    def squares(self) -> set[str]:
        """The squares that can be chosen."""
        return {choice.words.removeprefix("to ") for choice in self.match.choices()}

    def __getitem__(self, field: str) -> Any:
        """Return a field of the position."""
        return self.match.position()[field]

    @property
    def health(self) -> tuple[int, int]:
        """The health of both seats."""
        one, other = self["health"]
        return one, other

    @property
    def used(self) -> tuple[bool, bool]:
        """Whether each seat's super is used up."""
        one, other = self["super_used"]
        return one, other

    @property
    def piles(self) -> tuple[int, int]:
        """The number of cards in the draw pile and the discard pile."""
        return len(self["draw_pile"]), len(self["discard_pile"])

    def hand(self, seat: int) -> str:
        """Return the true hand of a seat."""
        return " ".join(self["hands"][seat - 1])

    def state_for(self, seat: int) -> Any:
        """Return the redacted state for a seat; 0 is a spectator."""
        return self.match.view(seat).state


def read_fighter(words: str) -> dict[str, Any]:
    """Return the position fields in `Hai Wu d3 5 Grapple +super`."""
    found = re.fullmatch(r"(\D+?) ([a-g][1-7]) (\d+)(?:,? (Punch|Kick|Grapple|Block))?( \+super)?", words)
    assert found, words
    name = next(name for name in ROSTER if name.startswith(found[1]))
    return {
        "fighters": name, "squares": found[2], "health": int(found[3]), "action": found[4] or "",
        "called": bool(found[5]),
    }  # fmt: skip


def table(one: str, other: str, *hands: str, options: dict[str, Any] | None = None, **position: Any) -> Table:
    """Return a table with these fighters in round 5 (seat 1 moves first); hands left out are dealt."""
    parts = [read_fighter(words) for words in (one, other)]
    fighters = {key: [part[key] for part in parts] for key in parts[0]}
    fields = {"round": 5, "hands": [*hands, *[[]] * (2 - len(hands))], **fighters, **position}
    return Table(Match.from_position({"game": NAME, "options": options or {}, **fields}))


def show(one: str, other: str, *, counter: str = "", options: dict[str, Any] | None = None, **position: Any) -> Table:
    """Return a table just after Action cards are revealed; `counter` is the rest of a blocker's hand."""
    hands = [counter if words.split(" +")[0].endswith("Block") else "" for words in (one, other)]
    return table(one, other, *hands, options=options, phase="show", **position)
