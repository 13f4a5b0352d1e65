"""Automatic choices: what the table does for a player, such as a standing forfeit."""

from sparring.web.identity import Person


class AutoChoices:
    """The preferences of players who have visited the table. It makes no choices for others.

    The browser of each player stores the preference and sends it with every visit, so a restart loses none.
    """

    def __init__(self) -> None:
        self._every_choice: dict[int, bool] = {}
        self._forfeits: set[int] = set()

    def set_preferences(self, seat: int, person: Person) -> None:
        """Store whether a player wants to make even their only choices."""
        self._every_choice[seat] = person.every_choice

    def set_forfeit(self, seat: int, wanted: bool) -> None:
        """Set or cancel the standing forfeit of a seat."""
        (self._forfeits.add if wanted else self._forfeits.discard)(seat)

    def will_forfeit(self, seat: int) -> bool:
        """Return whether a seat has a standing forfeit."""
        return seat in self._forfeits

    def plays_only_choices(self, seat: int) -> bool:
        """Return whether the table makes only choices for a seat."""
        return not self._every_choice.get(seat, True)
