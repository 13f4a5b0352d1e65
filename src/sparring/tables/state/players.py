"""The people at a table: the players on its seats, who is present, and which player's hand a shared screen shows.

A person may hold several seats for friends at the same device. Their screen shows the spectators' view until one of
them taps their name. Then it shows that seat's view until another of their seats is asked, or theirs isn't any more.
Actions of other seats hide nothing, since that would reveal when they chose in secret.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Self

from sparring.scene.markup import SeatNames
from sparring.settings.secrets import random_id
from sparring.store.person import Person
from sparring.store.schema import SeatRow

#: The prefix of the name of a person's own bot, which plays over HTTP, in the value of a seat.
MINE = "mine:"

#: The prefix of the ids of people without an identity, who are never missed.
STRANGER = "stranger "

#: Seconds between two announcements of changes: a crowd that arrives is a few announcements.
ANNOUNCEMENT_INTERVAL = 0.5


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


class Presence:
    """The people with a connection to one table. They count as away after a grace period, since pages reload.

    Connections to other processes count as these have published them (`play/presence_exchange.py`). `changed` is
    called when anyone has arrived or left.
    """

    def __init__(
        self, grace: float = 0.0, changed: Callable[[], None] = lambda: None, now: Callable[[], float] = time.time
    ) -> None:
        self.grace = grace
        self.changed = changed
        self.now = now
        #: The number of announcements; who came back, and the sentence, in the last one.
        self.changes = 0
        self.back = ""
        self.sentence = ""
        #: Pending announcements (person back, sentence), and the timer for them.
        self._pending: list[tuple[str, str]] = []
        self._timer: asyncio.TimerHandle | None = None
        self._connections = Counter[str]()
        self._leaving: dict[str, asyncio.TimerHandle] = {}
        self._elsewhere: Collection[str] = ()
        #: When each absent person left, in seconds since 1970.
        self.left: dict[str, float] = {}

    def here(self) -> set[str]:
        """Return everyone who is connected to this process."""
        return {*self._connections, *self._leaving}

    def people(self) -> set[str]:
        """Return everyone who is at the table."""
        return {*self.here(), *self._elsewhere}

    @contextmanager
    def present(self, who: str) -> Iterator[None]:
        """Count a connection of a person while the block runs; without an id, of a stranger."""
        who = who or f"{STRANGER}{random_id(8)}"  # unlike those at other processes
        arrived = who not in self.people()
        self._connections[who] += 1
        if timer := self._leaving.pop(who, None):
            timer.cancel()
        if arrived:
            self.announce(who if self.left.pop(who, 0) else "")
        try:
            yield
        finally:
            self._connections -= Counter([who])
            if who not in self._connections:
                self._leaving[who] = asyncio.get_running_loop().call_later(self.grace, self._disconnect, who)

    def record_activity(self, who: str) -> None:
        """Record an action by a person who may have no open connection."""
        if who not in self.people():
            self.left[who] = self.now()

    def count_elsewhere(self, people: Collection[str], left: Mapping[str, float]) -> None:
        """Count the people with a connection to another process, and note when others left one or acted there."""
        before, self._elsewhere = self.people(), people
        after = self.people()
        for who in before - after:
            self._leave(who)
        for who in left.keys() - after:
            self.left[who] = max(self.left.get(who, 0), min(left[who], self.now()))
        for who in after - before:
            self.announce(who if self.left.pop(who, 0) else "")

    def _disconnect(self, who: str) -> None:
        del self._leaving[who]
        if who not in self._elsewhere:
            self._leave(who)

    def _leave(self, who: str) -> None:
        if not who.startswith(STRANGER):
            self.left[who] = self.now()
        self.announce()

    def announce(self, back: str = "", sentence: str = "") -> None:
        """Announce a change of presence; a `sentence` is shown once."""
        self._pending.append((back, sentence))
        if self._timer is None:
            self._announce_all()

    def _announce_all(self) -> None:
        """Announce what has changed, then wait before the next announcement."""
        self._timer = None
        if self._pending:
            self.back, self.sentence = (
                next(filter(None, reversed(said)), "") for said in zip(*self._pending, strict=True)
            )
            self._pending.clear()
            self.changes += 1
            self._timer = asyncio.get_running_loop().call_later(ANNOUNCEMENT_INTERVAL, self._announce_all)
            self.changed()


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
