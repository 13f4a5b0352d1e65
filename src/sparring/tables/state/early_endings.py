"""Early endings: a player gave up, lost on time or was away, all agreed to a draw, or the table was closed."""

from collections.abc import Collection, Sequence
from typing import Annotated, Literal, Self

import msgspec
from msgspec.structs import replace

from sparring.engine.match import Match
from sparring.scene.sentences import Voice, listed
from sparring.store.tables.json_column import JsonColumn

Why = Literal["gave up", "time", "away"]

#: An upper bound on the seats of a table.
Seat = Annotated[int, msgspec.Meta(ge=1, le=64)]

#: Why a moderator or the operator closed a table: one line.
Reason = Annotated[str, msgspec.Meta(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]

#: Why a player lost, as that player and the others read it.
REASONS: dict[str, tuple[str, str]] = {
    "gave up": ("You gave up", "{} gave up"),
    "time": ("Your time ran out", "{} ran out of time"),
    "away": ("You were away for too long", "{} was away for too long"),
}


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
            return "All players agreed to a draw."
        if self.set_deleted:
            return "The studio set of this table was deleted, so the match ended without a winner."
        if self.how == "closed":
            return f"A moderator closed this table{f': {self.why}' if self.why else ''}."
        won = self.winners(match) if self.left else ()
        if not won or (not self.how and match.winners == won):
            return ""
        last = next((left for left in self.left if left.seat in match.winners), self.left[-1])
        before = "" if self.how else " before the end"
        return f"{reason_of(last, viewer)}{before}: {_win(won, viewer)}."


def reason_of(left: SeatLeft, viewer: int) -> str:
    """Return why a seat has lost, without a full stop."""
    yours, theirs = REASONS[left.why]
    return yours if left.seat == viewer else theirs.format(f"Seat {left.seat}")


def _win(seats: Sequence[int], viewer: int) -> str:
    voice = Voice(viewer - 1)
    alone = len(seats) == 1 and seats[0] != viewer
    viewer_first = sorted(seats, key=lambda seat: seat != viewer)
    return f"{listed([voice.whom(seat - 1) for seat in viewer_first])} {'wins' if alone else 'win'}"
