"""A hint: what whoever thinks ahead for a seat makes of its choices, from what that seat knows alone.

It is plain data, for programs and pages; printed it gives lines for people. Who gives hints is not known here
(`bots.hints`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

#: How many choices a hint tells in words; the others were hardly tried.
TOLD = 8


@dataclass(frozen=True)
class ActionEstimate:
    """What a choice promises: the mean of the imagined matches that went on with it, and how sure that is.

    `value` is the chance to win, from 0 to 1 (a win that is shared counts as the share, a draw between all as one
    seat's share of it), or in a game with payoffs of its own the payoff. None: it was never tried.
    """

    action: int
    words: str
    value: float | None
    #: Where the mean lies with 95% certainty.
    low: float
    high: float
    #: How many of the imagined matches went on with it.
    tried: int
    #: How often a bot that mixes would make it (0 to 1); None: whoever gives the hint makes one choice, the first.
    share: float | None = None


class ExpectedChoice(NamedTuple):
    """A choice that is expected to follow, in the words in which the seat would see it made."""

    seat: int
    #: Empty: the seat chooses in secret then.
    words: str
    #: How often just this followed, of all the times that something was chosen there (0 to 1).
    share: float


@dataclass(frozen=True)
class Hint:
    """What a seat (from 1) is advised, from what it knows alone: its choices, those made or tried most often first."""

    seat: int
    choices: tuple[ActionEstimate, ...]
    #: What is most often expected to follow, beginning with the seat's own choice.
    line: tuple[ExpectedChoice, ...]
    #: How many matches were imagined.
    imagined: int
    #: What `value` counts in a game with payoffs of its own, as chips; empty: it is the chance to win.
    unit: str = ""

    def lines(self) -> list[str]:
        """The hint in words, line by line; seats are called by their numbers."""
        matches = "1 match" if self.imagined == 1 else f"{self.imagined:,} matches"
        told = [f"From what you know, in {matches} imagined:"]
        wide = max((len(prospect.words) for prospect in self.choices[:TOLD]), default=0)
        told += [f"  {prospect.words:{wide}}  {self._worth(prospect)}" for prospect in self.choices[:TOLD]]
        if len(self.choices) > TOLD:
            told.append(f"  and {len(self.choices) - TOLD} more that promise less or were hardly tried")
        if self.line:
            turns = [self._turn(seat, list(steps)) for seat, steps in groupby(self.line, lambda step: step.seat)]
            told.append(f"Most often expected: {'; '.join(turns)}.")
        return told

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _worth(self, prospect: ActionEstimate) -> str:
        if prospect.value is None:
            return "never tried"
        often = "" if prospect.share is None else f", made {prospect.share:.0%} of the time"
        if self.unit:
            return f"{prospect.value:+.2f} {self.unit} (from {prospect.low:+.2f} to {prospect.high:+.2f}){often}"
        return f"{prospect.value:.0%} to win (from {prospect.low:.0%} to {prospect.high:.0%}){often}"

    def _turn(self, seat: int, steps: Sequence[ExpectedChoice]) -> str:
        who = "you" if seat == self.seat else f"Seat {seat}"
        return f"{who}: {', '.join(step.words or 'something in secret' for step in steps)}"
