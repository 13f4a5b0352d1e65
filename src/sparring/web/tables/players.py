"""Who sits at a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from sparring.web.identity import Person
from sparring.web.storage.schema import SeatRow


@dataclass(frozen=True)
class Player:
    """Who sits on a seat: a person, a bot, or nobody yet."""

    person: str = ""
    name: str = ""
    bot: str = ""
    #: Whose bot it is, if it is a program that comes over HTTP, as a person does.
    bot_of: str = ""
    #: A keyed hash of the network from which they sat down, which rated matches look at; empty: not known.
    network: str = ""

    @classmethod
    def of(cls, person: Person) -> Self:
        """A person who sits down."""
        return cls(person.id, person.name, bot_of=person.by.bot_of if person.by else "", network=person.network)

    @property
    def open(self) -> bool:
        """Whether somebody may still sit down here."""
        return not self.person and not self.bot


def names_of(sitters: Sequence[Player]) -> list[str]:
    """What each seat is called: a person's or bot's name, or its number while nobody sits there."""
    return [sitter.name or f"Seat {seat}" for seat, sitter in enumerate(sitters, 1)]


def seat_rows(sitters: Sequence[Player], *, rated: bool) -> list[SeatRow]:
    """Who sits where, as it is stored: with networks where a match is rated."""
    return [
        SeatRow(
            seat=seat,
            person=sitter.person or None,
            name=sitter.name,
            bot=sitter.bot or None,
            bot_of=sitter.bot_of,
            network=(sitter.network or None) if rated else None,
        )
        for seat, sitter in enumerate(sitters, 1)
    ]
