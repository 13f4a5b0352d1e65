"""How a match ends besides its rules: somebody left it to the others, all agreed on a draw, or the table was closed."""

from collections.abc import Collection, Sequence
from typing import Annotated, Literal, Self

import msgspec
from msgspec.structs import replace

from sparring.engine.match import Match
from sparring.scene.sentences import Voice, listed
from sparring.web.storage.json_column import JsonColumn

Why = Literal["gave up", "time", "away"]

#: No table has more seats.
Seat = Annotated[int, msgspec.Meta(ge=1, le=64)]

#: Why a table was closed: one line.
Reason = Annotated[str, msgspec.Meta(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]

#: What is said of who left a match, to them and to the others.
SAID: dict[str, tuple[str, str]] = {
    "gave up": ("You gave up", "{} gave up"),
    "time": ("Your time ran out", "The time of {} ran out"),
    "away": ("You were away for too long", "{} was away for too long"),
}


class SeatLeft(msgspec.Struct, frozen=True):
    """Somebody has lost before the end; a bot plays on for their seat while the match goes on."""

    seat: Seat
    why: Why


class EarlyEnding(JsonColumn, frozen=True):
    """Who has left a match, in that order; and whether it ended by that, by a draw that was agreed, or was closed."""

    left: Annotated[tuple[SeatLeft, ...], msgspec.Meta(max_length=64)] = ()
    how: Literal["", "left", "draw", "closed"] = ""
    #: What whoever runs the server says of having closed it.
    why: Reason = ""

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that have lost already."""
        return tuple([left.seat for left in self.left])

    def leaving(self, seat: int, why: Why, seats: int, people: Collection[int]) -> Self:
        """A seat leaves the match to the others; it ends if fewer than two are left, or none of the `people`."""
        lost = replace(self, left=(*self.left, SeatLeft(seat, why)))
        stay = lost.staying(seats)
        return replace(lost, how="left") if len(stay) < 2 or not set(stay) & set(people) else lost

    def staying(self, seats: int) -> tuple[int, ...]:
        """The seats of so many that have not left."""
        return tuple(seat for seat in range(1, seats + 1) if seat not in self.seats)

    def winners(self, match: Match) -> tuple[int, ...]:
        """Who has won; nobody while it goes on, in a draw between all, and where the table was closed."""
        stay = self.staying(match.seats)
        if self.how == "left" or (self.how == "draw" and self.left):
            return stay
        if not match.over or self.how:
            return ()
        payoffs = {seat: (match.payoffs or {})[seat] for seat in stay}
        won = tuple(seat for seat in stay if payoffs[seat] == max(payoffs.values()))
        return match.winners if match.winners and set(match.winners) <= set(stay) else won

    def sentence(self, match: Match, viewer: int) -> str:
        """How it ended, for a seat (0: who watches); empty where the rules say it."""
        if self.how == "draw":
            return "It is a draw: everybody agreed to it."
        if self.how == "closed":
            return f"Whoever runs this server has closed the table{f': {self.why}' if self.why else ''}."
        won = self.winners(match) if self.left else ()
        if not won or (not self.how and match.winners == won):
            return ""
        last = next((left for left in self.left if left.seat in match.winners), self.left[-1])
        before = "" if self.how else " before the end"
        return f"{said(last, viewer)}{before}: {_win(won, viewer)}."


def said(left: SeatLeft, viewer: int) -> str:
    """Why somebody has lost, without an end."""
    yours, theirs = SAID[left.why]
    return yours if left.seat == viewer else theirs.format(f"Seat {left.seat}")


def _win(seats: Sequence[int], viewer: int) -> str:
    voice = Voice(viewer - 1)
    alone = len(seats) == 1 and seats[0] != viewer
    ordered = sorted(seats, key=lambda seat: seat != viewer)
    return f"{listed([voice.whom(seat - 1) for seat in ordered])} {'wins' if alone else 'win'}"
