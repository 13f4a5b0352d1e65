"""The people at a table: the players on its seats, who sees it from where, and which hand a shared screen shows.

A person may hold several seats for friends at the same device. Their screen shows the spectators' view until one of
them taps their name. Then it shows that seat's view until another of their seats is asked, or theirs isn't any more.
Actions of other seats hide nothing, since that would reveal when they chose in secret.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Self

from sparring.bots import STRENGTHS
from sparring.engine.messages import cached_by_language
from sparring.scene.markup import SeatNames, seat_name
from sparring.store.person import Person
from sparring.store.schema import SeatRow

from .clock_state import ClockState, EarlyEnding, ShownState

#: The prefix of the name of a person's own bot, which plays over HTTP, in the value of a seat.
MINE = "mine:"
#: The bot that plays for a person who is away or has left the match: the weakest one that searches.
STAND_IN_BOT = STRENGTHS[1]


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
    return [player.name or seat_name(seat) for seat, player in enumerate(players, 1)]


@cached_by_language(4096)
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

    def can_hand_to(self, turn_seat: int) -> tuple[int, ...]:
        """Return the seats the screen can be handed to in the turn of a seat."""
        if not self.shares or not turn_seat:
            return ()
        return tuple(seat for seat in ((turn_seat,) if turn_seat in self.seats else self.seats) if seat != self.seat)


def turn_passed(players: Sequence[Player], turn_seat: int) -> tuple[Player, ...]:
    """Hide hands as needed when the turn passes to a seat."""

    def theirs(player: Player, seat: int) -> int:
        return seat if seat and players[seat - 1].person == player.person else 0

    def shown(seat: int, player: Player) -> Player:
        if player.screen_asked in (None, turn_seat):
            return player
        stays = theirs(player, turn_seat) in (seat, theirs(player, player.screen_asked or 0))
        return replace(player, screen_asked=turn_seat if stays else None)

    return tuple(shown(seat, player) for seat, player in enumerate(players, 1))


class SeatedTable:
    """The players on the seats of a table, who sees it from where, and who plays each seat."""

    players: tuple[Player, ...]
    #: The person who opened the table; empty once they have deleted their data.
    opened_by: str
    clocks: ClockState
    ended: EarlyEnding
    shown: ShownState

    @property
    def host(self) -> str:
        """Return the person who opened the table or, once they are deleted, the first player who hasn't left."""
        seats = enumerate(self.players, 1)
        return self.opened_by or next((player.person for seat, player in seats if player.person and not player.bot_of
                                       and seat not in self.ended.seats), "")  # fmt: skip

    def seats_of(self, person: Person) -> tuple[int, ...]:
        """Return the seats of a person, none for a spectator. A person who shares a screen has several."""
        return seats_by_person(self.players).get(person.id, ()) if person.id else ()

    def viewer_of(self, person: Person) -> Viewer:
        """Return how a person sees the table: their current seat, all their seats, and whether they host."""
        seats = self.seats_of(person)
        shown = [seat for seat in seats if len(seats) == 1 or self.players[seat - 1].screen_asked is not None]
        seat = shown[0] if len(shown) == 1 else 0  # a shared screen shows one hand at most
        blocked = not seats and not person.blocked_by.isdisjoint({self.host, *self.people})
        host = bool(person.id) and person.id == self.host
        offered = tuple([seat for seat, each in enumerate(self.players, 1) if person.id and each.offered == person.id])
        return Viewer(seat, seats, host=host, blocked=blocked, offered=offered)

    def players_seen_by(self, viewer: Viewer) -> tuple[Player, ...]:
        """Return the players as a viewer sees them.

        Whom the host or a player has blocked sees no open seat, and strangers see none that is kept for someone.
        """
        stranger = not viewer.host and not viewer.seats
        return tuple(
            Player(f"taken {seat}", f"Seat {seat}")
            if player.open and (viewer.blocked or (player.offered and stranger and seat not in viewer.offered))
            else player
            for seat, player in enumerate(self.players, 1)
        )

    def seat_of(self, person: Person) -> int:
        """Return the seat a person sees and acts for; 0 for spectators, and while a shared screen hides all hands."""
        return self.viewer_of(person).seat

    @property
    def people(self) -> set[str]:
        """Return the ids of the people who play here."""
        return {player.person for player in self.players if player.person}

    @property
    def bot(self) -> str:
        """Return the bot whose turn it is; empty if it is a person's turn or the match is paused."""
        return self.bot_at(self.shown.turn_seat) if self.shown.turn_seat and not self.shown.paused else ""

    def bot_at(self, seat: int) -> str:
        """Return the bot that plays a seat: its own, or a stand-in while its person is away or has left."""
        if bot := self.players[seat - 1].bot:
            return bot
        return STAND_IN_BOT if seat in self.clocks.absent or seat in self.ended.seats else ""

    @property
    def chooser(self) -> int:
        """Return the seat of the person whose turn it is, or 0."""
        return 0 if self.shown.paused or self.bot else self.shown.turn_seat

    @property
    def playing(self) -> list[int]:
        """Return the seats of people who haven't left the match."""
        lost = self.ended.seats
        return [seat for seat, player in enumerate(self.players, 1) if player.person and seat not in lost]

    @property
    def seats_without_bots(self) -> list[int]:
        """Return the seats of people and the open seats."""
        return [seat for seat, player in enumerate(self.players, 1) if not player.bot]

    def with_player(self, seat: int, player: Player) -> tuple[Player, ...]:
        """Return the players with the one on a seat replaced."""
        return (*self.players[: seat - 1], player, *self.players[seat:])

    def will_forfeit(self, viewer: int) -> bool:
        """Return whether a viewer has a standing forfeit."""
        return viewer > 0 and self.players[viewer - 1].forfeits

    @property
    def seat_names(self) -> SeatNames:
        """Return the name of each seat, to put into pages."""
        return seat_names(self.players)
