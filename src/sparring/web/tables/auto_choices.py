"""What the people at a table want it to do for them: make only choices, and say for them that they forfeit."""

from sparring.web.identity import Person


class AutoChoices:
    """The wishes of those who have come to a table. Of others the table knows none, and waits for them.

    A wish lives in its owner's browser, which tells it again with every visit; so none is lost when a server stops.
    """

    def __init__(self) -> None:
        self._every_choice: dict[int, bool] = {}
        self._forfeits: set[int] = set()

    def hear(self, seat: int, person: Person) -> None:
        """What the browser of the person on a seat says of only choices."""
        self._every_choice[seat] = person.every_choice

    def forfeit(self, seat: int, wanted: bool) -> None:
        """A seat forfeits as soon as it can, or stays after all."""
        (self._forfeits.add if wanted else self._forfeits.discard)(seat)

    def forfeits(self, seat: int) -> bool:
        """Whether a seat has said that it forfeits."""
        return seat in self._forfeits

    def answered(self, seat: int) -> bool:
        """Whether the table makes only choices for a seat."""
        return not self._every_choice.get(seat, True)
