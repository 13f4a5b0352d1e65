"""A table: a match with people at it. What each of them has been shown stands in `sight.py`."""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Literal, Self

import numpy as np

from sparring.bots import STRENGTHS
from sparring.engine.errors import SparringError
from sparring.engine.match import IS_OVER, Match
from sparring.engine.views import Transition
from sparring.scene.markup import SeatNames
from sparring.web.identity import Person
from sparring.web.security.picture_urls import PictureUrls, pictures_of
from sparring.web.storage.rating_store import RatingMove
from sparring.web.storage.schema import TableRow

from . import checkpoints
from .auto_choices import AutoChoices
from .changes import ShownState, TableChange
from .chat.chat_log import ChatLog
from .clocks.clock_state import ClockState
from .clocks.early_endings import EarlyEnding
from .hint_state import TableHints
from .player_feed import ExchangeCounter, PlayerFeed
from .players import Player, names_of
from .presence import Presence
from .shared_screens import SharedScreens, Viewer
from .table_settings import TableSettings

#: How many choices somebody who comes looks at before others get a turn.
AT_ONCE = 20

#: The bot that plays for somebody who is away or has left the match: the weakest that thinks.
IN_PLACE = STRENGTHS[1]

#: What is said to who wants to choose while the match rests.
PAUSED = "The match is paused; it goes on as soon as somebody who plays here says so."


class NotYours(SparringError):
    """Somebody asked for what only another may do."""


class TooLate(SparringError):
    """A choice for a version of the table that is no longer the latest."""


class Table:
    """A table in memory. `match` may be one choice ahead of `shown` while that choice is being stored."""

    def __init__(self, row: TableRow, match: Match, secret: str = "", clock: Callable[[], float] = time.time) -> None:
        self.id = row.id
        self._clock = clock
        #: What people drew for the cards that are played with.
        self.gallery = PictureUrls(secret, f"table {row.id}", pictures_of(match.box))
        self.edition = row.edition
        self.next = row.next
        self.content = row.content
        self.opener = row.opener or ""
        #: The person who opened it; empty: nobody, as for tables from before this was known.
        self.host = row.host or ""
        self.terms = TableSettings.read(row.terms)
        self.sitters = tuple(
            Player(seat.person or "", seat.name, seat.bot or "", seat.bot_of, seat.network or "") for seat in row.seats
        )
        self._called: tuple[object, SeatNames] = None, SeatNames()
        self._seats: tuple[object, dict[str, tuple[int, ...]]] = None, {}
        self.lock = asyncio.Lock()
        #: When somebody last looked (seconds of the monotonic clock).
        self.looked_at = time.monotonic()
        self.cleared = False
        #: When somebody who sits here last looked (the same clock); a table that was just laid out is looked at.
        self.attended_at = time.monotonic() if not row.edition else 0.0
        self.wishes = AutoChoices()
        self.screens = SharedScreens()
        #: What was said here.
        self.chat = ChatLog()
        #: Rings for everybody who sits here, wherever they are.
        self.ring: Callable[[Table], None] = lambda _: None
        self.timing = ClockState.read(row.clocks, row.since, row.due)
        self.ended = EarlyEnding.read(row.ended)
        self.help = TableHints.read(row.hints)
        #: How ratings were moved when the match was over.
        self.moves: tuple[RatingMove, ...] = ()
        #: How long after its seat was asked every choice was made: tenths of a second, as uint32.
        self.spent = row.spent
        self._news = asyncio.Event()
        self.begin(match)

    def now(self) -> int:
        """What time it is, in milliseconds since 1970."""
        return int(1000 * self._clock())

    def begin(self, match: Match) -> None:
        """Lay out a match that is freshly dealt."""
        self.match = match
        self._show_match()
        #: What every choice did, in truth, as far as it is shown.
        self.courses: list[Transition] = []
        self._sights = [PlayerFeed(viewer, match) for viewer in range(match.seats + 1)]
        self._exchanges = ExchangeCounter(match)

    @classmethod
    def replayed(
        cls, row: TableRow, match: Match, kept: Sequence[bytes] = (), secret: str = "",
        clock: Callable[[], float] = time.time,
    ) -> Self:  # fmt: skip
        """A table as it was stored, with the chapters that were kept of it; `match` is freshly dealt."""
        table = cls(row, match, secret, clock)
        actions = np.frombuffer(row.choices, "<i2").tolist()
        for chapter in kept:
            before = table.courses[-1].after if table.courses else match.state.copy()
            courses = checkpoints.read(match.game, chapter, len(table.courses), before, actions[len(table.courses) :])
            if not courses:
                break
            table.courses += courses
        match.go_on_from(table.courses)
        table._show_match()
        for action in actions[len(table.courses) :]:
            match.choose(action)
            table._follow()
        numbers = np.frombuffer(row.versions, "<i4").tolist()
        viewers = len(table._sights)
        counted = numbers[viewers:] or [len(table.courses)] * viewers
        for sight, version, count in zip(table._sights, numbers, counted, strict=False):
            sight.version, sight.counted = version, count
        return table

    # What is seen: every viewer's sight is brought up to date when somebody looks. 0 is for spectators.

    def sight(self, viewer: int) -> PlayerFeed:
        """What a viewer has been shown."""
        sight = self._sights[viewer]
        while sight.seen < len(self.courses):
            sight.follow(self.courses[sight.seen])
        return sight

    @property
    def exchanges(self) -> ExchangeCounter:
        """The exchanges that all were told of."""
        self._exchanges.follow(self.courses)
        return self._exchanges

    async def look(self, viewer: int) -> PlayerFeed:
        """The same for somebody who comes, whom nobody else has to wait for."""
        sight = self._sights[viewer]
        while sight.seen + AT_ONCE < len(self.courses):
            for _ in range(AT_ONCE):
                sight.follow(self.courses[sight.seen])
            await asyncio.sleep(0)
        return self.sight(viewer)

    # Who sits here

    def seats_of(self, person: Person) -> tuple[int, ...]:
        """The seats of a person; none for spectators. Who shares a screen has several."""
        if self._seats[0] is not self.sitters:
            seats: dict[str, tuple[int, ...]] = {}
            for seat, sitter in enumerate(self.sitters, 1):
                seats[sitter.person] = (*seats.get(sitter.person, ()), seat)
            self._seats = self.sitters, seats
        return self._seats[1].get(person.id, ()) if person.id else ()

    def looker(self, person: Person) -> Viewer:
        """With whose eyes a person looks."""
        seats = self.seats_of(person)
        seat = self.screens.seat(person.id) if len(seats) > 1 else sum(seats)
        return Viewer(seat, seats, host=bool(person.id) and person.id == self.host)

    def seat_of(self, person: Person) -> int:
        """The seat that a person sees the table from and chooses for; 0 for spectators, and while hands are covered."""
        return self.looker(person).seat

    def acting(self, person: Person) -> int:
        """The seat for which a person acts; several people at one screen say first who has it."""
        looker = self.looker(person)
        if looker.shares and not looker.seat:
            raise NotYours("Say first who has the screen: tap the name of whose turn it is.")
        return looker.seat

    @property
    def people(self) -> set[str]:
        """The people who sit here."""
        return {sitter.person for sitter in self.sitters if sitter.person}

    @property
    def bot(self) -> str:
        """The bot that is to choose; empty if it is somebody else's turn, or the match rests."""
        return self.bot_at(self.shown.asked) if self.shown.asked and not self.shown.paused else ""

    def bot_at(self, seat: int) -> str:
        """The bot that chooses for a seat: its own, or one in the place of somebody who is away or has left."""
        if bot := self.sitters[seat - 1].bot:
            return bot
        return IN_PLACE if seat in self.timing.absent or seat in self.ended.seats else ""

    @property
    def chooser(self) -> int:
        """The seat whose person is to choose; 0 if nobody is."""
        return 0 if self.shown.paused or self.bot else self.shown.asked

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won; nobody while the match goes on, and in a draw between all."""
        return self.ended.winners(self.match) if self.shown.over else ()

    @property
    def playing(self) -> list[int]:
        """The seats of people who have not left the match."""
        gone = self.ended.seats
        return [seat for seat, sitter in enumerate(self.sitters, 1) if sitter.person and seat not in gone]

    @property
    def seats_without_bots(self) -> list[int]:
        """The seats of people, and those that are open."""
        return [seat for seat, sitter in enumerate(self.sitters, 1) if not sitter.bot]

    def seat_at(self, seat: int, sitter: Player) -> None:
        """Somebody sits down on a seat."""
        self.sitters = (*self.sitters[: seat - 1], sitter, *self.sitters[seat:])

    def answer(self) -> int | None:
        """What the table answers for the person who is asked: the only choice there is. None if they are asked.

        Who has left the match forfeits as soon as the rules let them.
        """
        seat = self.shown.asked
        if not seat or not self.sitters[seat - 1].person or self.shown.paused:
            return None
        answer = self.match.only_choice(concede=self.wishes.forfeits(seat) or seat in self.ended.seats)
        return answer if self.wishes.answered(seat) or answer in self.match.game.conceding else None

    @property
    def called(self) -> SeatNames:
        """What each seat is called: a person's or bot's name, or its number while nobody sits there."""
        if self._called[0] is not self.sitters:
            self._called = self.sitters, SeatNames(names_of(self.sitters))
        return self._called[1]

    @property
    def names(self) -> dict[int, str]:
        """What each seat is called."""
        return {seat: sitter.name for seat, sitter in enumerate(self.sitters, 1) if sitter.name}

    def seen_by_others(self, action: int) -> bool:
        """Whether anybody but the seat that is asked will see something of a choice."""
        course = self.match.foreseen(action)
        others = [sight for sight in self._sights if sight.viewer != self.shown.asked]
        others.sort(key=lambda sight: not sight.listeners)  # for who listens it is worked out anyway
        return any(self.sight(other.viewer).beats(course) for other in others)

    # What happens: each of these changes the match and says what will be seen; `publish` shows it.

    def read(self, seat: int, version: int, choice: str | int) -> int:
        """The action that somebody's choice means; refused if it is not theirs, not for this version, or not legal."""
        self.check(seat, version)
        return self.match.read(choice)

    def check(self, seat: int, version: int) -> None:
        """Whether this seat is to choose, and has seen what it chooses from."""
        if seat and version != self.sight(seat).version:
            raise TooLate("The table has moved on since you chose; look again and choose anew.")
        if not seat or seat != self.chooser:
            raise NotYours(self._why_not_asked(seat))

    def play(self, action: int) -> TableChange:
        """Carry out a legal choice."""
        self.match.choose(action)
        return self._change("choice")

    def take_back(self) -> TableChange:
        """Undo the last choice of this moment that was one, and what the table chose after it."""
        self.match.take_back(self.match.to_take_back)
        left = len(self.match.history)
        versions = tuple(sight.version + self._saw(sight, self.courses[left : sight.counted]) for sight in self._sights)
        return TableChange("taken back", versions, tuple(min(sight.counted, left) for sight in self._sights))

    def _saw(self, sight: PlayerFeed, courses: Sequence[Transition]) -> bool:
        """Whether a viewer saw anything of some choices."""
        mine = any(int(course.before.player) + 1 == sight.viewer for course in courses)
        return mine or any(self.match.beats(sight.viewer, course) for course in courses)

    def public(self) -> TableChange:
        """Something changes that everybody sees, such as who sits where."""
        for sight in self._sights:
            if sight.listeners:
                self.sight(sight.viewer)
        return self._change("other", *range(len(self._sights)))

    def private(self, seat: int) -> TableChange:
        """Something changes that one seat alone sees, such as what it has said for later."""
        self.sight(seat)
        return self._change("other", seat)

    def unseen(self) -> TableChange:
        """Something changes that nobody sees."""
        return self._change("other")

    def _change(self, kind: Literal["choice", "other"], *changed: int) -> TableChange:
        versions = tuple(sight.version + (sight.viewer in changed) for sight in self._sights)
        return TableChange(kind, versions, tuple(sight.counted for sight in self._sights))

    def publish(self, change: TableChange) -> None:
        """Show what has been stored."""
        if change.kind == "choice":
            self._follow()
        elif change.kind == "taken back":
            self._forget(change)
        else:
            for sight, version in zip(self._sights, change.versions, strict=True):
                if version != sight.version:
                    sight.change(version)
        self.timing, self.ended = change.timing or self.timing, change.ended or self.ended
        self.spent = self.spent if change.spent is None else change.spent
        self.help = change.help or self.help
        self._show_match()
        self.edition += 1
        if change.kind != "choice" or self.answer() is None:  # or else the next version comes at once, and asks instead
            self.screens.asks(self.shown.asked, [sitter.person for sitter in self.sitters])
            self.wake()

    def _follow(self) -> None:
        course = self.match.course
        assert course is not None
        if self.courses:  # equal, and so it need not be kept twice
            course = course._replace(before=self.courses[-1].after)
        self.courses.append(course)
        self._show_match()

    def _show_match(self) -> None:
        self.shown = ShownState.of(self.match, self.ended, self.timing, final=self.terms.rated)

    def _forget(self, change: TableChange) -> None:
        left = len(self.match.history)
        before = self.courses[left].before
        del self.courses[left:]
        self._exchanges.forget(left)
        for sight, version, counted in zip(self._sights, change.versions, change.counted, strict=True):
            sight.forget(left, before, version)
            sight.counted = counted

    async def news(
        self, person: Person, looker: Viewer, version: int, company: Presence, changes: int, talked: int
    ) -> None:
        """Wait until somebody looks with other eyes, or sees something else than that version; or the company changes.

        Also until something is said, or the table is cleared.
        """
        while (
            self.sight(looker.seat).version == version and company.changes == changes and not self.cleared
            and self.looker(person) == looker and self.chat.changes == talked
        ):  # fmt: skip
            await self._news.wait()

    def tell_moves(self, moves: tuple[RatingMove, ...]) -> None:
        """This is what the match moved; what was drawn without it is drawn anew."""
        if moves != self.moves:
            self.moves = moves
            for sight in self._sights:
                sight.drawn.clear()

    def clear(self) -> None:
        """This object is no longer the table: whoever waits for news must ask for the table again."""
        self.cleared = True
        self.wake()

    def wake(self) -> None:
        """Let everybody who waits for news look again."""
        self._news.set()
        self._news = asyncio.Event()
        self.ring(self)

    def _why_not_asked(self, seat: int) -> str:
        if not seat:
            return "You watch this table; only who sits at it can choose."
        if self.shown.over:
            return IS_OVER
        if seat in self.ended.seats:
            return "You have lost this match; a bot plays on for your seat."
        if self.shown.paused:
            return PAUSED
        return "It is not your choice now; wait until you are asked."
