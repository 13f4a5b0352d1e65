"""Shared screens: which player's hand a device shows.

A person may hold several seats for friends at the same device. Their screen shows the spectators' view until one of
them taps their name. Then it shows that seat's view until another of their seats is asked, or theirs isn't any more.
Actions of other seats hide nothing, since that would reveal when they chose in secret.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Viewer:
    """How a person sees a table."""

    #: The seat whose view is shown; 0 for the spectators' view.
    seat: int = 0
    #: All seats of the person.
    seats: tuple[int, ...] = ()
    #: Whether the person opened the table.
    host: bool = False
    #: Whether the host or a player has blocked the person: to them, every seat is taken.
    blocked: bool = False
    #: The seats that are kept for the person.
    offered: tuple[int, ...] = ()

    @property
    def shares(self) -> bool:
        """Return whether several players share this screen."""
        return len(self.seats) > 1

    def can_hand_to(self, asked: int) -> tuple[int, ...]:
        """Return the seats the screen can be handed to while seat `asked` is to choose."""
        if not self.shares or not asked:
            return ()
        return tuple(seat for seat in ((asked,) if asked in self.seats else self.seats) if seat != self.seat)


class SharedScreens:
    """Which hands shared screens show. Kept in memory only: after a restart all are hidden."""

    def __init__(self) -> None:
        self._shown: dict[str, int] = {}
        self._asked = 0

    def seat(self, person: str) -> int:
        """Return the seat that a person's shared screen shows; 0 if none."""
        return self._shown.get(person, 0)

    def show(self, person: str, seat: int, asked: int) -> None:
        """Show a seat's hand on a person's screen, or hide all (0), while seat `asked` is to choose."""
        self._shown[person], self._asked = seat, asked

    def turn_passed(self, asked: int, people: Sequence[str]) -> None:
        """Hide hands as needed when the turn passes to a seat; `people` are the persons by seat."""

        def theirs(person: str, seat: int) -> int:
            return seat if seat and people[seat - 1] == person else 0

        self._shown = {
            person: seat
            for person, seat in self._shown.items()
            if seat == theirs(person, asked) or theirs(person, asked) == theirs(person, self._asked)
        }
        self._asked = asked
