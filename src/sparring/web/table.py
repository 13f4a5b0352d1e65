"""A table: a match with people at it, and what each of them has been shown."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from markupsafe import Markup

from sparring.engine.errors import SparringError
from sparring.engine.match import IS_OVER, Match, View

from .people import Person
from .storage.schema import SeatRow, TableRow
from .wishes import Wishes

#: What a viewer was told, in order: the sentences that were said together, for every time that something was said.
Log = tuple[tuple[str, ...], ...]


class NotYours(SparringError):
    """Somebody asked for what only another may do."""


class TooLate(SparringError):
    """A choice for a version of the table that is no longer the latest."""


@dataclass(frozen=True)
class Sitter:
    """Who sits on a seat: a person, a bot, or nobody yet."""

    person: str = ""
    name: str = ""
    bot: str = ""

    @property
    def open(self) -> bool:
        """Whether somebody may still sit down here."""
        return not self.person and not self.bot


@dataclass(frozen=True)
class Shown:
    """What everybody sees at one time: entry 0 is for spectators, entry n for seat n.

    Versions count how often that changed, for each of them alone: somebody who may not see a choice is not told that
    there was one.
    """

    views: tuple[View, ...]
    logs: tuple[Log, ...]
    versions: tuple[int, ...]
    #: The seat that is to choose; 0 when the match is over.
    asked: int
    #: Whether the seat that is asked may take back its last choice.
    may_take_back: bool

    @classmethod
    def of(cls, match: Match, views: tuple[View, ...], logs: tuple[Log, ...], versions: tuple[int, ...]) -> Self:
        """What is seen of a match as it stands."""
        return cls(views, logs, versions, match.seat or 0, match.to_take_back > 0)

    @classmethod
    def first(cls, match: Match) -> Self:
        """What is seen before the first choice."""
        views = views_of(match)
        return cls.of(match, views, tuple(() for _ in views), tuple(1 for _ in views))

    def followed_by(self, match: Match, views: tuple[View, ...], logs: tuple[Log, ...], actor: int) -> "Shown":
        """What is seen when the match has moved on through `actor`, who always gets a new version."""
        versions = tuple(
            version + (viewer == actor or logs[viewer] != self.logs[viewer] or not _same(view, self.views[viewer]))
            for viewer, (version, view) in enumerate(zip(self.versions, views, strict=True))
        )
        return Shown.of(match, views, logs, versions)

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return not self.asked

    def seen_by_others(self, later: "Shown", actor: int) -> bool:
        """Whether anybody but `actor` sees a difference."""
        return any(a != b for v, (a, b) in enumerate(zip(self.versions, later.versions, strict=True)) if v != actor)


def views_of(match: Match) -> tuple[View, ...]:
    """What spectators and each seat know."""
    return tuple(match.view(viewer) for viewer in range(match.seats + 1))


def _same(one: View, other: View) -> bool:
    return one.legal == other.legal and one.state.tobytes() == other.state.tobytes()


class Table:
    """A table in memory. `match` may be one choice ahead of `shown` while that choice is being stored."""

    def __init__(self, row: TableRow, match: Match) -> None:
        self.id = row.id
        self.match = match
        self.edition = row.edition
        self.next = row.next
        self.content = row.content
        self.sitters = tuple(Sitter(seat.person or "", seat.name, seat.bot or "") for seat in row.seats)
        self.lock = asyncio.Lock()
        self.shown = Shown.first(match)
        #: When somebody last saw something happen, and when somebody last looked (seconds of the monotonic clock).
        self.event_at = self.looked_at = time.monotonic()
        self.cleared = False
        #: Renderings of `shown`, by viewer.
        self.drawn: dict[int, Markup] = {}
        self.wishes = Wishes()
        self._news = asyncio.Event()
        #: How long each viewer's log was before each choice.
        self._told: list[tuple[int, ...]] = []

    @classmethod
    def replayed(cls, row: TableRow, match: Match) -> Self:
        """A table as it was stored; `match` is freshly dealt."""
        table = cls(row, match)
        for action in np.frombuffer(row.choices, "<i2").tolist():
            table.shown = table.play(action)
        table.shown = replace(table.shown, versions=tuple(np.frombuffer(row.versions, "<i4").tolist()))
        return table

    # Who sits here

    def seat_of(self, person: Person) -> int:
        """The seat of a person; 0 for spectators."""
        if not person.id:
            return 0
        return next((seat for seat, sitter in enumerate(self.sitters, 1) if sitter.person == person.id), 0)

    @property
    def bot(self) -> str:
        """The bot that is to choose; empty if it is somebody else's turn."""
        return self.sitters[self.shown.asked - 1].bot if self.shown.asked else ""

    def answer(self) -> int | None:
        """What the table answers for the person who is asked: the only choice there is. None if they are asked."""
        seat = self.shown.asked
        if not seat or not self.sitters[seat - 1].person:
            return None
        answer = self.match.only_choice(concede=self.wishes.forfeits(seat))
        return answer if self.wishes.answered(seat) or answer in self.match.game.conceding else None

    @property
    def names(self) -> dict[int, str]:
        """What each seat is called."""
        return {seat: sitter.name for seat, sitter in enumerate(self.sitters, 1) if sitter.name}

    # What happens: each of these changes the match and says what will be seen; `publish` shows it.

    def read(self, seat: int, version: int, choice: str | int) -> int:
        """The action that somebody's choice means; refused if it is not theirs, not for this version, or not legal."""
        self.check(seat, version)
        return self.match.read(choice)

    def check(self, seat: int, version: int) -> None:
        """Whether this seat is to choose, and has seen what it chooses from."""
        if seat and version != self.shown.versions[seat]:
            raise TooLate("The table has moved on since you chose; look again and choose anew.")
        if not seat or seat != self.shown.asked:
            raise NotYours(self._why_not_asked(seat))

    def play(self, action: int) -> Shown:
        """Carry out a legal choice."""
        match, actor = self.match, self.match.seat or 0
        match.choose(action)
        views = views_of(match)
        told = [tuple(match.told(seat)) for seat in range(match.seats + 1)]
        self._told.append(tuple(map(len, self.shown.logs)))
        logs = tuple((*log, lines) if lines else log for log, lines in zip(self.shown.logs, told, strict=True))
        return self.shown.followed_by(match, views, logs, actor)

    def take_back(self) -> Shown:
        """Undo the last choice of this moment that was one, and what the table chose after it."""
        steps = self.match.to_take_back
        self.match.take_back(steps)
        logs = tuple(log[:told] for log, told in zip(self.shown.logs, self._told[-steps], strict=True))
        del self._told[-steps:]
        return self.shown.followed_by(self.match, views_of(self.match), logs, self.match.seat or 0)

    def public(self) -> Shown:
        """Something changes that everybody sees, such as who sits where."""
        return replace(self.shown, versions=tuple(version + 1 for version in self.shown.versions))

    def private(self, seat: int) -> Shown:
        """Something changes that one seat alone sees, such as what it has said for later."""
        versions = tuple(version + (viewer == seat) for viewer, version in enumerate(self.shown.versions))
        return replace(self.shown, versions=versions)

    def publish(self, shown: Shown, actor: int = 0) -> None:
        """Show what has been stored."""
        if self.shown.seen_by_others(shown, actor):
            self.event_at = time.monotonic()
        self.shown = shown
        self.edition += 1
        self.drawn.clear()
        self.wake()

    async def news(self, viewer: int, version: int) -> None:
        """Wait until a viewer sees something else than that version, or until the table is cleared away."""
        while self.shown.versions[viewer] == version and not self.cleared:
            await self._news.wait()

    def clear(self) -> None:
        """This object is no longer the table: whoever waits for news must ask for the table again."""
        self.cleared = True
        self.wake()

    def wake(self) -> None:
        """Let everybody who waits for news look again."""
        self._news.set()
        self._news = asyncio.Event()

    def _why_not_asked(self, seat: int) -> str:
        if not seat:
            return "You watch this table; only who sits at it can choose."
        if self.shown.over:
            return IS_OVER
        return "It is not your choice now; wait until you are asked."


def packed(numbers: Sequence[int], kind: str) -> bytes:
    """Whole numbers as they are stored: `<i2` for choices, `<i4` for versions."""
    return np.array(numbers, kind).tobytes()


def seat_rows(sitters: Sequence[Sitter]) -> list[SeatRow]:
    """Who sits where, as it is stored."""
    return [
        SeatRow(seat=seat, person=sitter.person or None, name=sitter.name, bot=sitter.bot or None)
        for seat, sitter in enumerate(sitters, 1)
    ]
