"""How a table stands in time: what is left to every seat, since when one is asked, who is away, what is proposed.

A *turn* is the time from when a seat is asked until another one is. Everybody knows who is asked, in every game; and
nothing here hangs on anything else of a match, so no clock tells what was chosen, or how often.
"""

from typing import Literal, Self

import msgspec
from msgspec.structs import replace

from sparring.web.tables.table_settings import TableSettings

#: What of every turn is free (milliseconds): as long as the page tells a result; what others did costs nobody time.
FREE = 2000
#: How long everybody has to come back to the table after a pause.
RESPITE = 60_000

#: What can be agreed between people.
What = Literal["draw", "pause"]
#: How often one may propose each of it in vain.
MOST_IN_VAIN = 3


class Proposal(msgspec.Struct, frozen=True):
    """What a seat proposes, and who has agreed."""

    what: What
    by: int
    agreed: tuple[int, ...] = ()


class ClockState(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table in time; all times are milliseconds."""

    #: Since when who is asked is asked (since 1970); and when something is to happen if they do nothing.
    since: int = 0
    due: int | None = None
    #: What every seat has left; empty where there are no clocks.
    left: tuple[int, ...] = ()
    #: Whether time runs: from when all people have come. Until then, and from later comers, which seats' have.
    begun: bool = False
    come: tuple[int, ...] = ()
    paused: bool = False
    #: The seats for whose people a bot plays while they are away: since when.
    absent: dict[int, int] = {}
    #: For how long a bot played for who is back, told until their turn is over.
    played_for: dict[int, int] = {}
    proposal: Proposal | None = None
    #: How often a seat proposed something in vain: `draw 1`.
    in_vain: dict[str, int] = {}

    @classmethod
    def read(cls, stored: str, since: int, due: int | None) -> Self:
        """As it was stored: the two moments stand apart, where a database can move them."""
        return replace(msgspec.json.decode(stored, type=cls), since=since, due=due)

    @property
    def stored(self) -> dict[str, object]:
        """The columns of it."""
        return {"clocks": msgspec.json.encode(replace(self, since=0, due=None)).decode(), "since": self.since,
                "due": self.due}  # fmt: skip

    # What happens in time

    def started(self, terms: TableSettings, seats: int, now: int) -> Self:
        """Everybody has come."""
        return replace(self, begun=True, since=now, left=(terms.bank,) * seats if terms.bank else ())

    def used(self, now: int) -> int:
        """What the turn that goes on has cost so far."""
        return max(0, now - self.since - FREE)

    def stopped(self, seat: int, now: int) -> Self:
        """The clock of a seat stands still: what it has used is gone."""
        return replace(self, since=now, left=self._with(seat, self._rest(seat, now)))

    def charged(self, terms: TableSettings, seat: int, now: int) -> Self:
        """A seat's turn is over, during which its clock ran."""
        return replace(self, left=self._with(seat, self._rest(seat, now) + 1000 * terms.more))

    def answered(self, seat: int) -> Self:
        """Somebody's turn is over: what is proposed lapses without their consent, and they know who played for them."""
        told = {who: long for who, long in self.played_for.items() if who != seat}
        known = replace(self, played_for=told) if self.played_for else self
        proposal = self.proposal
        return known.in_vain_again() if proposal and seat not in (proposal.by, *proposal.agreed) else known

    def asking(self, terms: TableSettings, seat: int, now: int) -> Self:
        """A turn begins."""
        return replace(self, since=now, left=self._with(seat, terms.bank) if terms.days else self.left)

    def in_vain_again(self) -> Self:
        """What is proposed is off."""
        if self.proposal is None:
            return self
        mark = f"{self.proposal.what} {self.proposal.by}"
        return replace(self, proposal=None, in_vain={**self.in_vain, mark: self.in_vain.get(mark, 0) + 1})

    def may_propose(self, what: What, seat: int) -> bool:
        """Whether a seat has not proposed this in vain too often."""
        return self.in_vain.get(f"{what} {seat}", 0) < MOST_IN_VAIN

    def _rest(self, seat: int, now: int) -> int:
        return max(0, self.left[seat - 1] - self.used(now)) if self.left and seat else 0

    def _with(self, seat: int, left: int) -> tuple[int, ...]:
        return (*self.left[: seat - 1], left, *self.left[seat:]) if self.left and seat else self.left
