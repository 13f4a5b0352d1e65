"""The players on a table's seats."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from sparring.web.identity import Person
from sparring.web.storage.schema import SeatRow


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

    @classmethod
    def of(cls, person: Person) -> Self:
        """Return the player for a person."""
        return cls(person.id, person.name, bot_of=person.token.bot_of if person.token else "", network=person.network)

    @property
    def open(self) -> bool:
        """Return whether the seat is open."""
        return not self.person and not self.bot


def names_of(players: Sequence[Player]) -> list[str]:
    """Return the name of each seat: a person's or bot's name, or the seat's number while it is open."""
    return [player.name or f"Seat {seat}" for seat, player in enumerate(players, 1)]


def seat_rows(players: Sequence[Player], *, rated: bool) -> list[SeatRow]:
    """Return the rows of all seats; networks are only stored for rated matches."""
    return [
        SeatRow(
            seat=seat,
            person=player.person or None,
            name=player.name,
            bot=player.bot or None,
            bot_of=player.bot_of,
            network=(player.network or None) if rated else None,
        )
        for seat, player in enumerate(players, 1)
    ]
