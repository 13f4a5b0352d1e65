"""Hints: a bot's estimate for each legal action of a seat, from that seat's view alone.

A hint is plain data for programs and pages; `str()` returns it as text. `bots.hint_reader` computes hints.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from .messages import StoredText, say

#: The maximum number of choices in a hint as text; the others were hardly tried.
MAX_SHOWN = 8


@dataclass(frozen=True)
class ActionEstimate:
    """The estimated value of an action: its mean return in simulated matches, with a 95% confidence interval.

    `value` is the win probability from 0 to 1 (a win shared by k seats counts 1/k, a draw one seat's equal share), or
    the payoff in a game with `Payoffs`; None if the action was never tried.
    """

    action: int
    words: str
    value: float | None
    #: The ends of the interval.
    low: float
    high: float
    #: The number of simulated matches that took this action.
    tried: int
    #: The action's probability for a mixed-strategy bot (0 to 1); None for other bots, which take the first action.
    share: float | None = None


class ExpectedChoice(NamedTuple):
    """An action of the expected line, in words as the advised seat would observe it."""

    seat: int
    #: Empty for a secret choice.
    words: str
    #: Its share of the visits (0 to 1).
    share: float


@dataclass(frozen=True)
class Hint:
    """Advice for a seat (from 1): its actions, most visited or most probable first."""

    seat: int
    choices: tuple[ActionEstimate, ...]
    #: The most visited line of play, starting with the seat's own action.
    line: tuple[ExpectedChoice, ...]
    #: The number of simulated matches.
    imagined: int
    #: The unit of `value` in a game with `Payoffs`, such as chips; empty: it is a win probability.
    unit: str = ""
    #: Why the first of `choices` beats the second, and what it leads to, in one or two sentences; None if unclear.
    why: StoredText | None = None

    @property
    def reason(self) -> str:
        """Return `why` in the reader's language; empty if it is unclear."""
        return str(self.why.text) if self.why else ""

    def lines(self) -> list[str]:
        """Return the hint as lines of text; seats are called by their numbers."""
        lines = [
            say(
                "Given what you know, in {n:,} simulated match:",
                "Given what you know, in {n:,} simulated matches:", n=self.imagined,
            )
        ]  # fmt: skip
        width = max((len(estimate.words) for estimate in self.choices[:MAX_SHOWN]), default=0)
        lines += [f"  {estimate.words:{width}}  {self._value(estimate)}" for estimate in self.choices[:MAX_SHOWN]]
        if len(self.choices) > MAX_SHOWN:
            more = len(self.choices) - MAX_SHOWN
            lines.append(f"  {say('and {n} more, which look worse or were hardly tried', n=more)}")
        if reason := self.reason:
            lines.append(reason)
        if self.line:
            turns = [self._turn(seat, list(steps)) for seat, steps in groupby(self.line, lambda step: step.seat)]
            lines.append(say("Expected line: {turns}.", turns=say("; ").join(turns)))
        return lines

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _value(self, estimate: ActionEstimate) -> str:
        if estimate.value is None:
            return say("never tried")
        values = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
        if self.unit:
            worth = say("{value:+.2f} {unit} ({low:+.2f} to {high:+.2f})", **values, unit=self.unit)
        else:
            worth = say("{value:.0%} to win ({low:.0%} to {high:.0%})", **values)
        if estimate.share is None:
            return worth
        return say("{worth}, chosen {share:.0%} of the time", worth=worth, share=estimate.share)

    def _turn(self, seat: int, steps: Sequence[ExpectedChoice]) -> str:
        choices = say(", ").join(step.words or say("a secret choice") for step in steps)
        if seat == self.seat:
            return say("you: {choices}", choices=choices)
        return say("{who}: {choices}", who=f"Seat {seat}", choices=choices)
