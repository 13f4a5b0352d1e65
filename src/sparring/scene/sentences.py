"""Phrase sentences for one reader, who is `you`; others are `Seat 2` and so on (see `markup.SeatNames`).

A sentence is a string whose class shows its importance: a `ResultLine` says what was decided, an `AsideLine` reports
something minor, a `TurnLine` is the heading of a turn, and plain strings are in between.
"""

from collections.abc import Sequence


def listed(words: Sequence[str], last: str = "and") -> str:
    """Join words: `a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else ""


def counted(number: int, what: str) -> str:
    """Return a number with its noun: `1 card`, `2 cards`."""
    return f"{number} {what}{'' if number == 1 else 's'}"


class Voice:
    """Phrases sentences for the reader at `seat` (from 0; negative for spectators) about seats (from 0)."""

    def __init__(self, seat: int) -> None:
        self.seat = seat

    def name(self, who: int) -> str:
        """Return the subject that starts a sentence: `You` or `Seat 2`."""
        return "You" if who == self.seat else f"Seat {who + 1}"

    def whom(self, who: int) -> str:
        """Return a seat inside a sentence: `you` or `Seat 2`."""
        return "you" if who == self.seat else f"Seat {who + 1}"

    def verb(self, who: int, yours: str, theirs: str) -> str:
        """Return the verb form for a seat: `attack` or `attacks`."""
        return yours if who == self.seat else theirs

    def does(self, who: int, yours: str, theirs: str) -> str:
        """Return subject and verb: `You attack`, `Seat 2 attacks`."""
        return f"{self.name(who)} {self.verb(who, yours, theirs)}"

    def then(self, who: int, yours: str, theirs: str) -> str:
        """Return subject and verb inside a sentence: `you attack`."""
        return f"{self.whom(who)} {self.verb(who, yours, theirs)}"


class ResultLine(str):  # noqa: SLOT000 - it keeps its attributes in a dict
    """A sentence that says what was decided; it is shown longest.

    `hit` marks a blow that landed, for which the browser plays a hit sound; other results get a neutral one.

    >>> ResultLine("5 against 4: a hit.", hit=True).hit, ResultLine("5 against 5: blocked.").hit
    (True, False)
    """

    hit: bool

    def __new__(cls, sentence: str, *, hit: bool = False) -> "ResultLine":
        """Create the sentence."""
        result = super().__new__(cls, sentence)
        result.hit = hit
        return result


class AsideLine(str):  # noqa: SLOT000 - it keeps its attributes in a dict
    """A minor event such as a draw or a discard: shown briefly, and never in place of another sentence.

    `merge_asides` merges consecutive asides with the same beginning.

    >>> AsideLine("You draw", "Jab", "Hook")
    'You draw Jab and Hook.'
    """

    stem: str
    items: tuple[str, ...]

    def __new__(cls, stem: str, *items: str) -> "AsideLine":
        """Create it from a whole sentence, or from its beginning and the items that follow."""
        aside = super().__new__(cls, f"{stem} {listed(items)}." if items else stem)
        aside.stem, aside.items = stem, items
        return aside


class TurnLine(str):
    """The heading of a turn or round in the log, such as `Turn 3: you are in control`."""

    __slots__ = ()


def importance_of(line: str) -> str | None:
    """Return the class of a sentence in HTML: `result`, `aside` or `turn`; None for a plain one.

    >>> importance_of(TurnLine("Round 2."))
    'turn'
    """
    names = {ResultLine: "result", AsideLine: "aside", TurnLine: "turn"}
    return next((name for kind, name in names.items() if isinstance(line, kind)), None)


def can_merge(line: str, following: str) -> bool:
    """Return whether two consecutive sentences can be merged."""
    if isinstance(line, AsideLine) and isinstance(following, AsideLine):
        return bool(line.items and following.items) and line.stem == following.stem
    return False


def merge_asides(lines: Sequence[str]) -> list[str]:
    """Merge consecutive asides with the same beginning.

    >>> merge_asides([AsideLine("Seat 2 discards", "Jab"), AsideLine("Seat 2 discards", "Hook"), "Seat 1 attacks."])
    ['Seat 2 discards Jab and Hook.', 'Seat 1 attacks.']
    """
    merged: list[str] = []
    for line in lines:
        last = merged[-1] if merged else ""
        if isinstance(line, AsideLine) and isinstance(last, AsideLine) and can_merge(last, line):
            merged[-1] = AsideLine(line.stem, *last.items, *line.items)
        else:
            merged.append(line)
    return merged
