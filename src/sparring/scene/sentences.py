"""Sentences for one listener: `you` is you, everybody else is `Seat 2` (see `Names` in markup)."""

from collections.abc import Sequence


def listed(words: Sequence[str], last: str = "and") -> str:
    """`a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else ""


class Voice:
    """Speaks to the one at `seat` (counted from 0; negative: somebody who only watches) about seats (from 0)."""

    def __init__(self, seat: int) -> None:
        self.seat = seat

    def name(self, who: int) -> str:
        """Whom a sentence begins with."""
        return "You" if who == self.seat else f"Seat {who + 1}"

    def whom(self, who: int) -> str:
        """Whom a sentence speaks about further on."""
        return "you" if who == self.seat else f"Seat {who + 1}"

    def verb(self, who: int, yours: str, theirs: str) -> str:
        """`attack` or `attacks`."""
        return yours if who == self.seat else theirs

    def does(self, who: int, yours: str, theirs: str) -> str:
        """`You attack`, `Seat 2 attacks`."""
        return f"{self.name(who)} {self.verb(who, yours, theirs)}"

    def then(self, who: int, yours: str, theirs: str) -> str:
        """The same inside a sentence: `you attack`."""
        return f"{self.whom(who)} {self.verb(who, yours, theirs)}"
