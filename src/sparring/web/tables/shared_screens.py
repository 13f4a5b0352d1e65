"""One screen for several people: whose hand it shows.

Somebody may hold several seats of a table, for friends who sit beside them. Their screen shows what everybody sees who
watches, until the name of one of them is tapped; then what that seat sees, until another of their seats is asked, or
theirs is asked no more. What seats of others do covers nothing, since that would tell when they chose in secret.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Viewer:
    """With whose eyes somebody looks at a table."""

    #: The seat whose view they are shown; 0 for that of who watches.
    seat: int = 0
    #: All seats that are theirs.
    seats: tuple[int, ...] = ()
    #: Whether they opened the table.
    host: bool = False

    @property
    def shares(self) -> bool:
        """Whether several people look at this screen."""
        return len(self.seats) > 1

    def next(self, asked: int) -> tuple[int, ...]:
        """To whom the screen can be given while a seat is asked."""
        if not self.shares or not asked:
            return ()
        return tuple(seat for seat in ((asked,) if asked in self.seats else self.seats) if seat != self.seat)


class SharedScreens:
    """Whose hands are shown at a table. It lives in memory alone: after a restart all are covered."""

    def __init__(self) -> None:
        self._shown: dict[str, int] = {}
        self._asked = 0

    def seat(self, person: str) -> int:
        """The seat that the screen of a person with several seats shows; 0: none."""
        return self._shown.get(person, 0)

    def show(self, person: str, seat: int, asked: int) -> None:
        """The screen of a person shows a seat, or is covered (0), while a seat is asked."""
        self._shown[person], self._asked = seat, asked

    def asks(self, asked: int, people: Sequence[str]) -> None:
        """A seat is asked now; `people` are those who hold the seats."""

        def theirs(person: str, seat: int) -> int:
            return seat if seat and people[seat - 1] == person else 0

        self._shown = {
            person: seat
            for person, seat in self._shown.items()
            if seat == theirs(person, asked) or theirs(person, asked) == theirs(person, self._asked)
        }
        self._asked = asked
