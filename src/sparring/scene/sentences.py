"""Sentences for one listener: `you` is you, everybody else is `Seat 2` (see `Names` in markup).

A sentence is a string. What it is worth is told by its class: a `Result` says what was decided, an `Aside` what happens
in passing; anything else lies between the two.
"""

from collections.abc import Sequence


def listed(words: Sequence[str], last: str = "and") -> str:
    """`a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else ""


def counted(number: int, what: str) -> str:
    """`1 card`, `2 cards`."""
    return f"{number} {what}{'' if number == 1 else 's'}"


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


class ResultLine(str):  # noqa: SLOT000 - a string of slots can have none of its own
    """A sentence that says what was decided; it is shown longest.

    `hit` says that a blow landed: the table plays the sound of a hit for it, and a neutral one for every other result.

    >>> Result("5 against 4: a hit.", hit=True).hit, Result("5 against 5: blocked.").hit
    (True, False)
    """

    hit: bool

    def __new__(cls, sentence: str, *, hit: bool = False) -> "ResultLine":
        """Create the sentence."""
        result = super().__new__(cls, sentence)
        result.hit = hit
        return result


class AsideLine(str):  # noqa: SLOT000 - a string of slots can have none of its own
    """A sentence in passing, as of a draw or a discard: shown shortly, and never in the place of another.

    Asides with the same beginning that follow each other can be told as one: see `together`.

    >>> Aside("You draw", "Jab", "Hook")
    'You draw Jab and Hook.'
    """

    stem: str
    items: tuple[str, ...]

    def __new__(cls, stem: str, *items: str) -> "AsideLine":
        """A whole sentence; or its beginning, and the things that follow it."""
        aside = super().__new__(cls, f"{stem} {listed(items)}." if items else stem)
        aside.stem, aside.items = stem, items
        return aside


def belong_together(line: str, following: str) -> bool:
    """Return whether two sentences that follow each other are told as one."""
    if isinstance(line, AsideLine) and isinstance(following, AsideLine):
        return bool(line.items and following.items) and line.stem == following.stem
    return False


def together(lines: Sequence[str]) -> list[str]:
    """The same sentences, with asides that belong together told as one.

    >>> together([Aside("Seat 2 discards", "Jab"), Aside("Seat 2 discards", "Hook"), "Seat 1 attacks."])
    ['Seat 2 discards Jab and Hook.', 'Seat 1 attacks.']
    """
    told: list[str] = []
    for line in lines:
        last = told[-1] if told else ""
        if isinstance(line, AsideLine) and isinstance(last, AsideLine) and belong_together(last, line):
            told[-1] = AsideLine(line.stem, *last.items, *line.items)
        else:
            told.append(line)
    return told
