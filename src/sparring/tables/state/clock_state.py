"""Clock state: time left per seat, the start of the turn, absent players, and proposals.

A *turn* lasts from when a seat is asked until another one is. Everyone knows whose turn it is, in every game; nothing
else about a match influences the clocks, so they don't reveal what was chosen, or how often.
"""

from typing import Literal, Self

import msgspec
from msgspec.structs import replace

from sparring.scene.sentences import counted
from sparring.settings import DAY
from sparring.store.schema import TableRow

from .table_settings import TableSettings

#: Free time per turn in ms, as long as the page shows a result: players don't pay for watching.
FREE_TIME = 2000
#: How long players have to come back after a pause (ms).
RETURN_TIME = 60_000

#: What players can propose.
What = Literal["draw", "pause", "take-back"]
#: How long a bot waits for the answers to a take-back request before it plays on (ms).
BOT_WAITS = 60_000
#: Below this many milliseconds a clock shows tenths.
TENTHS = 10_000
#: How often a seat may propose each of them without success.
MAX_FAILED_PROPOSALS = 3


class Proposal(msgspec.Struct, frozen=True):
    """A seat's proposal, and the seats that agree. Answers name its id, so that none is meant for another proposal."""

    what: What
    by: int
    agreed: tuple[int, ...] = ()
    id: str = ""
    #: When it was made (ms since 1970).
    since: int = 0


class TakeBack(msgspec.Struct, frozen=True):
    """An agreed take-back: whose choice it was, and how many choices of the match were left."""

    seat: int
    left: int


class ClockState(msgspec.Struct, frozen=True, omit_defaults=True):
    """The clocks of a table; all times are milliseconds."""

    #: The start of the turn, and when something is due if the player does nothing (since 1970).
    since: int = 0
    due: int | None = None
    #: Time left per seat; empty if there are no clocks.
    left: tuple[int, ...] = ()
    #: Whether the clocks have started, which they do when all people have arrived; and the seats that have.
    begun: bool = False
    come: tuple[int, ...] = ()
    paused: bool = False
    #: Absent seats that a bot plays, with the start of their absence.
    absent: dict[int, int] = {}
    #: How long a bot played for seats that are back; shown until their turn ends.
    played_for: dict[int, int] = {}
    proposal: Proposal | None = None
    #: Failed proposals by kind and seat: `draw 1`.
    in_vain: dict[str, int] = {}
    #: The take-backs that the log shows: those of positions that the match still went through.
    take_backs: tuple[TakeBack, ...] = ()

    @classmethod
    def read(cls, stored: str, since: int, due: int | None) -> Self:
        """Read the state from the row; both times have their own columns, so that the database can shift them."""
        return replace(msgspec.json.decode(stored, type=cls), since=since, due=due)

    @property
    def stored(self) -> dict[str, object]:
        """Return the columns to write."""
        return {"clocks": msgspec.json.encode(replace(self, since=0, due=None)).decode(), "since": self.since,
                "due": self.due}  # fmt: skip

    # Transitions

    def started(self, settings: TableSettings, seats: int, now: int) -> Self:
        """Start the clocks: everyone has arrived."""
        return replace(self, begun=True, since=now, left=(settings.bank,) * seats if settings.bank else ())

    def used(self, now: int) -> int:
        """Return the time charged for the current turn so far (ms)."""
        return max(0, now - self.since - FREE_TIME)

    def stopped(self, seat: int, now: int) -> Self:
        """Stop a seat's clock and charge the time that it has used."""
        return replace(self, since=now, left=self._with(seat, self._rest(seat, now)))

    def charged(self, settings: TableSettings, seat: int, now: int) -> Self:
        """Charge a seat for its finished turn, and add the increment."""
        return replace(self, left=self._with(seat, self._rest(seat, now) + 1000 * settings.more))

    def turn_ended(self, seat: int) -> Self:
        """End a person's turn: a proposal they haven't agreed to lapses, and the notice of their absence goes away."""
        others = {other: duration for other, duration in self.played_for.items() if other != seat}
        state = replace(self, played_for=others) if self.played_for else self
        proposal = self.proposal
        return state.proposal_failed() if proposal and seat not in (proposal.by, *proposal.agreed) else state

    def turn_begun(self, settings: TableSettings, seat: int, now: int) -> Self:
        """Begin a turn."""
        return replace(self, since=now, left=self._with(seat, settings.bank) if settings.days else self.left)

    def taken_back(self, settings: TableSettings, seat: int, turn_seat: int, left: int, now: int) -> Self:
        """Give the turn back to a seat after an agreed take-back; `left` choices of the match are left.

        The increment that it got for its turn is taken back too. The seat whose turn it was meanwhile (`turn_seat`)
        isn't charged.
        """
        state = replace(
            self, proposal=None, take_backs=(*(each for each in self.take_backs if each.left < left),
                                             TakeBack(seat, left)),
        )  # fmt: skip
        if turn_seat == seat:
            return state
        if self.left and not settings.days:
            state = replace(state, left=self._with(seat, max(0, self.left[seat - 1] - 1000 * settings.more)))
        return state.turn_begun(settings, seat, now)

    def proposal_failed(self) -> Self:
        """Cancel the proposal and count it as failed."""
        if self.proposal is None:
            return self
        key = f"{self.proposal.what} {self.proposal.by}"
        return replace(self, proposal=None, in_vain={**self.in_vain, key: self.in_vain.get(key, 0) + 1})

    def may_propose(self, what: What, seat: int) -> bool:
        """Return whether a seat may propose this again."""
        return self.in_vain.get(f"{what} {seat}", 0) < MAX_FAILED_PROPOSALS

    def _rest(self, seat: int, now: int) -> int:
        return max(0, self.left[seat - 1] - self.used(now)) if self.left and seat else 0

    def _with(self, seat: int, left: int) -> tuple[int, ...]:
        return (*self.left[: seat - 1], left, *self.left[seat:]) if self.left and seat else self.left


def clock(left: int) -> str:
    """Return the text of a clock with `left` ms: `2 days`, `1:02:03`, `4:05`, `9.3`. The page counts down alike."""
    if left >= 2000 * DAY:
        return counted(-(-left // (1000 * DAY)), "day")
    if left < TENTHS:
        return f"{-(-left // 100) / 10:.1f}"
    minutes, seconds = divmod(-(-left // 1000), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def left_in_row(row: TableRow, timing: ClockState, now: int) -> str:
    """Return the time left to the player to move, from a table's row; empty if no clock runs."""
    bot_waits = timing.proposal and row.due == timing.proposal.since + BOT_WAITS
    if row.due is None or not row.turn_seat or not timing.left or bot_waits:
        return ""
    return f"{clock(max(0, timing.left[row.turn_seat - 1] - timing.used(now)))} left"
