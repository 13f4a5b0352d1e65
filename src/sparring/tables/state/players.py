"""The players on a table's seats, with what they want the table to choose for them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Self

from sparring.scene.markup import SeatNames
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
    #: Whether they forfeit as soon as the rules allow it, and whether the table makes their only choices.
    forfeits: bool = False
    auto_choices: bool = False
    #: While a shared screen shows this hand: the seat whose turn it was last (0: none). None: it is hidden.
    screen_asked: int | None = None

    @classmethod
    def of(cls, person: Person) -> Self:
        """Return the player for a person."""
        return cls(person.id, person.name, bot_of=person.token.bot_of if person.token else "", network=person.network)

    @classmethod
    def read(cls, row: SeatRow) -> Self:
        """Return the player of a row."""
        return cls(row.person or "", row.name, row.bot or "", row.bot_of, row.network or "", row.offered or "",
                   bool(row.forfeits), bool(row.auto_choices), row.screen_asked)  # fmt: skip

    @property
    def open(self) -> bool:
        """Return whether the seat is open."""
        return not self.person and not self.bot

    def columns(self) -> dict[str, Any]:
        """Return the columns to store."""
        return {
            "person": self.person or None, "name": self.name, "bot": self.bot or None, "bot_of": self.bot_of,
            "network": self.network or None, "offered": self.offered or None,
            "forfeits": self.forfeits, "auto_choices": self.auto_choices, "screen_asked": self.screen_asked,
        }  # fmt: skip


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
    kept = [player if rated else replace(player, network="") for player in players]
    return [SeatRow(seat=seat, **player.columns()) for seat, player in enumerate(kept, 1)]


def changed_columns(before: Sequence[Player], after: Sequence[Player]) -> dict[int, dict[str, Any]]:
    """Return the columns of seats that differ, by seat."""
    pairs = enumerate(zip(before, after, strict=True), 1)
    return {seat: dict(new.columns().items() - old.columns().items()) for seat, (old, new) in pairs if new != old}
