"""The turn, clocks and early endings: time left per seat, absent players, proposals, and why a match ended.

A *turn* lasts from when a seat is asked until another one is. Everyone knows whose turn it is, in every game; nothing
else about a match influences the clocks, so they don't reveal what was chosen, or how often.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, Self

import msgspec
from msgspec.structs import replace

from sparring.engine.match import Match
from sparring.scene.sentences import Text, Voice, listed, mention, say
from sparring.settings import DAY
from sparring.store.schema import TableRow
from sparring.tables.state.table_settings import JsonColumn

from .table_settings import TableSettings

Why = Literal["gave up", "time", "away"]

#: An upper bound on the seats of a table.
Seat = Annotated[int, msgspec.Meta(ge=1, le=64)]

#: Why a moderator or the operator closed a table: one line.
Reason = Annotated[str, msgspec.Meta(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]

#: Why a player lost, as that player and the others read it.
REASONS: dict[str, tuple[str, str]] = {
    "gave up": ("You gave up", "{who} gave up"),
    "time": ("Your time ran out", "{who} ran out of time"),
    "away": ("You were away for too long", "{who} was away for too long"),
}

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


class SeatLeft(msgspec.Struct, frozen=True):
    """A seat that has lost before the end; a bot plays it while the match goes on."""

    seat: Seat
    why: Why


class EarlyEnding(JsonColumn, frozen=True):
    """Seats that have left the match, in order, and how the match ended early, if it did."""

    left: Annotated[tuple[SeatLeft, ...], msgspec.Meta(max_length=64)] = ()
    how: Literal["", "left", "draw", "closed"] = ""
    #: The reason for closing the table.
    why: Reason = ""
    #: Whether a table is closed because its studio set was deleted.
    set_deleted: bool = False

    @property
    def seats(self) -> tuple[int, ...]:
        """Return the seats that have lost."""
        return tuple([left.seat for left in self.left])

    def leaving(self, seat: int, why: Why, seats: int, people: Collection[int]) -> Self:
        """Remove a seat from the match, which ends if fewer than two seats, or none of `people`, are left."""
        lost = replace(self, left=(*self.left, SeatLeft(seat, why)))
        stay = lost.staying(seats)
        return replace(lost, how="left") if len(stay) < 2 or not set(stay) & set(people) else lost

    def staying(self, seats: int) -> tuple[int, ...]:
        """Return the seats that haven't left."""
        return tuple(seat for seat in range(1, seats + 1) if seat not in self.seats)

    def winners(self, match: Match) -> tuple[int, ...]:
        """Return the winners; none during the match, if all draw, or at a closed table."""
        staying = self.staying(match.seats)
        if self.how == "left" or (self.how == "draw" and self.left):
            return staying
        if not match.over or self.how:
            return ()
        payoffs = {seat: (match.payoffs or {})[seat] for seat in staying}
        won = tuple(seat for seat in staying if payoffs[seat] == max(payoffs.values()))
        return match.winners if match.winners and set(match.winners) <= set(staying) else won

    def sentence(self, match: Match, viewer: int) -> str:
        """Return how the match ended, as a seat sees it (0: spectators); empty if the rules have their own sentence."""
        if self.how == "draw":
            return say("All players agreed to a draw.")
        if self.set_deleted:
            return say("The studio set of this table was deleted, so the match ended without a winner.")
        if self.how == "closed":
            closed = say("A moderator closed this table: {why}.", why=self.why)
            return closed if self.why else say("A moderator closed this table.")
        won = self.winners(match) if self.left else ()
        if not won or (not self.how and match.winners == won):
            return ""
        last = next((left for left in self.left if left.seat in match.winners), self.left[-1])
        values = {"reason": reason_of(last, viewer), "win": _win(won, viewer)}
        return say("{reason}: {win}.", **values) if self.how else say("{reason} before the end: {win}.", **values)


def reason_of(left: SeatLeft, viewer: int) -> str:
    """Return why a seat has lost, without a full stop."""
    if left.seat == viewer:
        return say(REASONS[left.why][0])
    return say(REASONS[left.why][1], who=mention(left.seat - 1))


def _win(seats: Sequence[int], viewer: int) -> str:
    voice = Voice(viewer - 1)
    alone = len(seats) == 1 and seats[0] != viewer
    viewer_first = sorted(seats, key=lambda seat: seat != viewer)
    winners = listed([voice.item(seat - 1) for seat in viewer_first])
    return say("{who} wins", who=winners) if alone else say("{who} win", who=winners)


def turn_seat_of(match: Match, ended: EarlyEnding) -> int:
    """Return the seat whose turn it is in a match; 0 if it is over."""
    return 0 if ended.how else match.seat or 0


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

    def notes(self, viewer: int) -> dict[int, Text]:
        """Return the log's sentences about take-backs that all agreed to, by the number of choices before them."""
        return {
            each.left: Text("You took back your choice, as everyone agreed.") if each.seat == viewer
            else Text("{who} took back a choice, as everyone agreed.", who=mention(each.seat - 1))
            for each in self.take_backs
        }  # fmt: skip

    def _rest(self, seat: int, now: int) -> int:
        return max(0, self.left[seat - 1] - self.used(now)) if self.left and seat else 0

    def _with(self, seat: int, left: int) -> tuple[int, ...]:
        return (*self.left[: seat - 1], left, *self.left[seat:]) if self.left and seat else self.left


@dataclass(frozen=True)
class ShownState:
    """The state of the match as viewers see it."""

    #: The seat whose turn it is; 0 when the match is over.
    turn_seat: int
    #: Whether that seat may take back its last choice.
    may_take_back: bool
    #: Whether the match is paused by agreement.
    paused: bool = False

    @classmethod
    def of(cls, match: Match, ended: EarlyEnding, timing: ClockState, *, final: bool = False) -> Self:
        """Return the published state of a match; `final` choices can't be taken back."""
        may_take_back = match.steps_to_take_back > 0 and not final
        return cls(turn_seat_of(match, ended), may_take_back, timing.paused)

    @property
    def over(self) -> bool:
        """Return whether the match has ended."""
        return not self.turn_seat


def clock(left: int) -> str:
    """Return the text of a clock with `left` ms: `2 days`, `1:02:03`, `4:05`, `9.3`. The page counts down alike."""
    if left >= 2000 * DAY:
        return say("{n} day", "{n} days", n=-(-left // (1000 * DAY)))
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
