"""The players on a table's seats, and what they want the table to choose for them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from sparring.scene.markup import SeatNames
from sparring.store.database import SEAT_COLUMNS
from sparring.store.person import Person
from sparring.store.schema import SeatRow

#: The prefix of the name of a person's own bot, which plays over HTTP, in the value of a seat.
MINE = "mine:"


@dataclass(frozen=True)
class Player:
    """The player on a seat: a person, a bot, or none yet."""

    person: str = ""
    name: str = ""
    bot: str = ""
    #: The owner's name, if this is a program that plays over the HTTP API.
    bot_of: str = ""
    #: A keyed hash of the network from which the person sat down, for rated matches; empty if unknown.
    network: str = ""
    #: The person for whom this open seat is kept.
    offered: str = ""

    @classmethod
    def of(cls, person: Person) -> Self:
        """Return the player for a person."""
        return cls(person.id, person.name, bot_of=person.token.bot_of if person.token else "", network=person.network)

    @property
    def open(self) -> bool:
        """Return whether the seat is open."""
        return not self.person and not self.bot

    def columns(self, *, rated: bool) -> tuple[str | None, ...]:
        """Return the values of `SEAT_COLUMNS` to store; networks only for a rated match."""
        network = (self.network or None) if rated else None
        return self.person or None, self.name, self.bot or None, self.bot_of, network, self.offered or None


def names_of(players: Sequence[Player]) -> list[str]:
    """Return the name of each seat: a person's or bot's name, or the seat's number while it is open."""
    return [player.name or f"Seat {seat}" for seat, player in enumerate(players, 1)]


@lru_cache(maxsize=4096)
def seat_names(players: tuple[Player, ...]) -> SeatNames:
    """Return the names of all seats, to put into pages."""
    return SeatNames(names_of(players))


@lru_cache(maxsize=4096)
def seats_by_person(players: tuple[Player, ...]) -> Mapping[str, tuple[int, ...]]:
    """Return the seats of each person."""
    seats: dict[str, tuple[int, ...]] = {}
    for seat, player in enumerate(players, 1):
        seats[player.person] = (*seats.get(player.person, ()), seat)
    return seats


def seat_rows(players: Sequence[Player], *, rated: bool) -> list[SeatRow]:
    """Return the rows of all seats; networks are only stored for rated matches."""
    return [
        SeatRow(seat=seat, **dict(zip(SEAT_COLUMNS, player.columns(rated=rated), strict=True)))
        for seat, player in enumerate(players, 1)
    ]


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
