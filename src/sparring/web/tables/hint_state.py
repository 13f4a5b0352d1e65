"""What is kept of hints at a casual table: who took one, and what somebody was told who still looks at it."""

from typing import Annotated, Self

import msgspec

from sparring.engine.hints import Hint
from sparring.engine.views import View
from sparring.web.storage.json_column import JsonColumn

from .clocks.early_endings import Seat

#: Of how many choices it is told.
TOLD = 3
#: No record that can be brought holds more of them.
MOST = 100_000


class HintTaken(msgspec.Struct, frozen=True):
    """A hint that was taken: from which seat, and after how many choices of the match."""

    seat: Seat
    after: Annotated[int, msgspec.Meta(ge=0, le=MOST)]


class HintedAction(msgspec.Struct, frozen=True):
    """What a bot thinks of a choice: the chance to win (or what is paid) and where that lies with 95% certainty."""

    action: int
    words: str
    value: float | None
    low: float
    high: float


class HintGiven(msgspec.Struct, frozen=True):
    """What somebody was told who is asked; `place` is the match up to there, of which nothing can be read."""

    seat: Seat
    place: str
    promises: tuple[HintedAction, ...]
    #: What is paid, as chips; empty: the chance to win is told.
    unit: str = ""

    @classmethod
    def of(cls, hint: Hint, view: View, place: str) -> Self:
        """The best of a hint, in the words that the seat has for its choices."""
        words, payoffs = dict(view.choices), view.box.game.payoffs
        told = [
            HintedAction(one.action, words[one.action], one.value, one.low, one.high) for one in hint.choices[:TOLD]
        ]
        return cls(hint.seat, place, tuple(told), payoffs.unit if payoffs else "")

    def lines(self) -> list[tuple[str, str, str]]:
        """Choices, what they are worth in words, and where that lies."""
        return [(one.words, *_worth(one, self.unit)) for one in self.promises]


class TableHints(JsonColumn, frozen=True):
    """All hints that were taken at a table, and the one that its owner still looks at."""

    taken: tuple[HintTaken, ...] = ()
    given: HintGiven | None = None


AllTaken = Annotated[tuple[HintTaken, ...], msgspec.Meta(max_length=MOST)]


def _worth(one: HintedAction, unit: str) -> tuple[str, str]:
    if one.value is None:
        return "was never tried", ""
    if unit:
        return f"{one.value:+.1f} {unit}", f"({one.low:+.1f} to {one.high:+.1f})"
    return f"{one.value:.0%} to win", f"({one.low:.0%} to {one.high:.0%})"
