"""A table: a match with people at it. `player_feed.py` holds what each viewer has been shown."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Any, Self

import msgspec
import numpy as np

from sparring.engine.errors import ChoiceError, SparringError
from sparring.engine.game import GameSetup
from sparring.engine.match import IS_OVER, Match
from sparring.engine.messages import say
from sparring.engine.transitions import NOTHING_TO_TAKE_BACK
from sparring.engine.views import Transition
from sparring.scene.moves import ExchangeCounter
from sparring.store.invitations import ChallengeLine
from sparring.store.person import Person
from sparring.store.ratings import RatingChange
from sparring.store.schema import TableRow
from sparring.tables.workers.uploads import PictureUrls, pictures_of

from . import checkpoints
from .changes import SavedChoices, TableChange, append_last, packed
from .chat_log import ChatLog
from .clock_state import ClockState, EarlyEnding, ShownState, turn_seat_of
from .hint_state import TableHints
from .player_feed import PlayerFeed
from .players import Player, SeatedTable, Viewer, turn_passed
from .presence import Presence
from .table_settings import TableDeals, TableSettings

#: How many choices to replay for a new viewer before other tasks get a turn.
CATCH_UP_BATCH = 20


class NotAllowed(SparringError):
    """The action isn't this person's to take."""

    status = 403


def check_identity(person: Person, purpose: str) -> None:
    """Raise NotAllowed for a visitor without an identity; `purpose` is what they need one for, as "take a seat"."""
    if not person.id:
        raise NotAllowed(say("Sign in first, with a token or your browser's cookie, to {purpose}.", purpose=purpose))


class TableChanged(SparringError):
    """The choice was made for an older version of the table."""

    status = 409


class WriteConflict(TableChanged):
    """Something else has changed the table meanwhile: nothing was written, and the action may be tried again."""


class Table(SeatedTable):
    """A table in memory. It stays as viewers see it while a change is being written."""

    def __init__(self, row: TableRow, match: Match, secret: str = "", clock: Callable[[], float] = time.time) -> None:
        self.id = row.id
        self._clock = clock
        #: Pictures that people drew for the cards in play.
        self.gallery = PictureUrls(secret, f"table {row.id}", pictures_of(match.setup))
        self.row_version = row.row_version
        self.next = row.next
        self.content = row.content
        self.set_id = row.set_id
        self.creator = row.creator or ""
        self.opened_by = row.host or ""
        self.settings = TableSettings.read(row.settings)
        self.players = tuple(Player.read(seat) for seat in row.seats)
        #: The players as the seats' rows have them: a reload may hide a hand before that is written.
        self.stored_players = self.players
        self.lock = asyncio.Lock()
        #: When anyone last looked, in seconds of the monotonic clock.
        self.looked_at = time.monotonic()
        self.cleared = False
        #: Whether another process wrote the last change, and so continues the match where no person has to.
        self.left_to_others = False
        #: When a player last looked (same clock); a new table counts as looked at.
        self.attended_at = time.monotonic() if not row.row_version else 0.0
        self.chat = ChatLog()
        #: Notifies the players, whichever page they are on.
        self.notify_players: Callable[[Table], None] = lambda _: None
        self.clocks = ClockState.read(row.clocks, row.since, row.due)
        self.ended = EarlyEnding.read(row.ended)
        self.hints = TableHints.read(row.hints)
        #: Whether the host chose the deal or may know hidden cards.
        self.known_deal = TableDeals.read(row.deals).known
        #: The challenge to a friend that waits at this table, or that the friend has declined.
        self.challenge: ChallengeLine | None = None
        #: Rating changes of the finished match.
        self.rating_changes: tuple[RatingChange, ...] = ()
        #: Thinking time of each choice since its seat's turn began: tenths of a second, as uint32.
        self.thinking_times = row.thinking_times
        self._changed = asyncio.Event()
        #: How many event streams of each viewer wait for `_changed`.
        self._waiting = Counter[int]()
        self.deal(match)

    @property
    def public_setup(self) -> GameSetup:
        """Return the rules as everyone may see them now: without the content while players may not know all of it."""
        return self.match.setup if self.shown.over else self.match.setup.without_hidden_content

    def now(self) -> int:
        """Return the time in milliseconds since 1970."""
        return int(1000 * self._clock())

    def deal(self, match: Match) -> None:
        """Set the table up with a newly dealt match."""
        self.match = match
        self._show_match()
        #: The published transitions, in full information.
        self.transitions: list[Transition] = []
        self._feeds = [PlayerFeed(viewer, match, notes=self.clocks.notes(viewer)) for viewer in range(match.seats + 1)]
        self._exchanges = ExchangeCounter(match)

    @classmethod
    def replayed(
        cls, row: TableRow, match: Match, stored_checkpoints: Sequence[bytes] = (), secret: str = "",
        clock: Callable[[], float] = time.time,
    ) -> Self:  # fmt: skip
        """Rebuild a table from its row and checkpoints; `match` is newly dealt."""
        table = cls(row, match, secret, clock)
        saved = SavedChoices.read(row.choices)
        table.transitions = checkpoints.replay(match, saved.actions, stored_checkpoints)
        match.join(saved.joined[len(saved.joined) - len(match.joined) :])
        table._show_match()
        if table.automatic_choice() is None:  # nothing follows, even if the process that began it has ended
            table.players = turn_passed(table.players, table.shown.turn_seat)
        viewers = len(table._feeds)
        numbers = np.frombuffer(row.versions, "<i4").reshape(-1, viewers).tolist()
        usual = [numbers[0], [len(table.transitions)] * viewers, numbers[0]]
        for feed, *known in zip(table._feeds, *numbers, *usual[len(numbers) :], strict=True):
            feed.version, feed.counted, feed.unchanged_since = known
        return table

    # Feeds: a viewer's feed is brought up to date on demand. Viewer 0 is the spectators.

    def feed(self, viewer: int) -> PlayerFeed:
        """Return a viewer's feed, up to date."""
        feed = self._feeds[viewer]
        while feed.seen < len(self.transitions):
            feed.follow(self.transitions[feed.seen])
        return feed

    @property
    def exchanges(self) -> ExchangeCounter:
        """Return the counter of public exchanges, up to date; chat names the moves in them as it does."""
        self._exchanges.follow(self.transitions)
        self.chat.names = self._exchanges.names
        return self._exchanges

    async def catch_up(self, viewer: int) -> PlayerFeed:
        """Return a viewer's feed, up to date, and let other tasks run while it catches up."""
        feed = self._feeds[viewer]
        while feed.seen + CATCH_UP_BATCH < len(self.transitions):
            for _ in range(CATCH_UP_BATCH):
                feed.follow(self.transitions[feed.seen])
            await asyncio.sleep(0)
        return self.feed(viewer)

    def acting(self, person: Person) -> int:
        """Return the seat a person acts for; raise NotAllowed while a shared screen hides all hands."""
        viewer = self.viewer_of(person)
        if viewer.shares and not viewer.seat:
            raise NotAllowed(say("First tap the name of the player whose turn it is."))
        return viewer.seat

    def automatic_choice(self, match: Match | None = None) -> int | None:
        """Return the choice the table makes for the person whose turn it is, or None if it asks them.

        That is their only choice, or the forfeit of a player who has left, as soon as the rules allow it. `match` is
        the match after a choice that has yet to be published.
        """
        match = match or self.match
        seat = turn_seat_of(match, self.ended)
        player = self.players[seat - 1]
        if not seat or not player.person or self.shown.paused:
            return None
        answer = match.forced_action(concede=player.forfeits or seat in self.ended.seats)
        return answer if player.auto_choices or answer in match.game.conceding else None

    def seen_by_others(self, action: int) -> bool:
        """Return whether any viewer other than the seat to move would see something of a choice."""
        transition = self.match.preview(action)
        others = [each for each in self._feeds if each.viewer != self.shown.turn_seat]
        others.sort(key=lambda each: not each.listeners)  # their feeds need these beats anyway
        return any(self.feed(other.viewer).beats(transition) for other in others)

    # Changes: described, applied to a copy of the match, written, then published

    def read(self, seat: int, version: int, choices: Sequence[str | int]) -> list[int]:
        """Return the actions that choices mean, up to the end of the moment (`Match.read_moment`).

        Raise NotAllowed, TableChanged or a ChoiceError.
        """
        self.check(seat, version)
        return self.match.read_moment(choices)

    def check(self, seat: int, version: int) -> None:
        """Raise TableChanged or NotAllowed unless it is this seat's turn and it has seen the match as it is.

        A version since when only other things have changed will do, such as the clocks, which start when all are here.
        """
        feed = self.feed(seat)
        still_asked = seat == self.chooser and feed.unchanged_since <= version < feed.version
        if seat and version != feed.version and not still_asked:
            raise TableChanged(say("The table has changed since you last saw it. Check it, then try again."))
        if not seat or seat != self.chooser:
            raise NotAllowed(self._refusal_reason(seat))

    def choice(self, action: int, *, joined: bool = False, follows: bool = False) -> TableChange:
        """Return the change that a legal choice makes (see `TableChange` for `joined` and `follows`)."""
        return TableChange("choice", action=action, joined=joined, follows=follows)

    def take_back(self) -> TableChange:
        """Return the change that undoes the last real choice of this moment, and the automatic ones after it.

        Raise a ChoiceError if there is none.
        """
        if not self.match.steps_to_take_back:
            raise ChoiceError(str(NOTHING_TO_TAKE_BACK))
        left = len(self.match.history) - self.match.steps_to_take_back
        kept = tuple(each for each in self.clocks.take_backs if each.left <= left)
        timing = None if kept == self.clocks.take_backs else msgspec.structs.replace(self.clocks, take_backs=kept)
        return TableChange("taken back", left=left, timing=timing)

    def public(self) -> TableChange:
        """Return a change that everyone sees, such as a new player."""
        return TableChange("other", tuple(range(len(self._feeds))))

    def private(self, seat: int) -> TableChange:
        """Return a change that only one seat sees, such as a standing forfeit."""
        return TableChange("other", (seat,))

    def unseen(self) -> TableChange:
        """Return a change that no viewer sees."""
        return TableChange("other")

    def new_player(self, seat: int) -> TableChange:
        """Return the change by which a seat has another player, or is open."""
        return TableChange("seat", self.public().viewers, seats=(seat,))

    def applied(self, change: TableChange) -> Match:
        """Return the match after a change. Raise a ChoiceError if it isn't possible."""
        if not change.plays:
            return self.match
        match = self.match.clone()
        if change.kind == "choice":
            match.choose(change.action, joined=change.joined)
        elif change.deal:
            match.deal_again(change.deal)
        else:
            undo = match.back if change.agreed else match.take_back
            undo(len(match.history) - change.left)
        return match

    def seen_by(self, change: TableChange) -> Collection[int]:
        """Return the viewers who get a new version by a change, besides the versions of choices.

        Their feeds first count the choices before it, or else the versions would depend on who has looked.
        """
        viewers: Collection[int] = change.viewers
        if change.kind == "taken back":
            undone = self.transitions[change.left :]
            viewers = [feed.viewer for feed in self._feeds if change.agreed or feed.has_seen(undone)]
        for viewer in viewers:
            if self._feeds[viewer].counted < len(self.transitions):
                self.feed(viewer)
        return viewers

    def players_after(self, change: TableChange, match: Match, player: Player | None = None) -> tuple[Player, ...]:
        """Return the players after a change; `match` is the match after it, `player` the new one on its seat."""
        return change.players_after(self.players, turn_seat_of(match, change.ended or self.ended), player)

    def columns(self, change: TableChange) -> dict[str, Any]:
        """Return what a change writes to the table's row, with the versions of all feeds.

        These have the choices that they count, and since when the match is unchanged. A feed that looks while it is
        written counts further choices; after a reload it counts them from the row's.
        """
        seen_by = self.seen_by(change)
        most = change.left if change.kind == "taken back" else len(self.transitions)
        versions = [feed.version + (feed.viewer in seen_by) for feed in self._feeds]
        counted = [min(feed.counted, most) for feed in self._feeds]
        unchanged = [
            version if change.kind == "taken back" and feed.viewer in seen_by else feed.unchanged_since
            for feed, version in zip(self._feeds, versions, strict=True)
        ]
        columns: dict[str, Any] = {"versions": packed((*versions, *counted, *unchanged), "<i4")}
        if change.timing:
            columns |= change.timing.stored
        if change.ended:
            columns["ended"] = change.ended.stored
        if change.plays:
            columns["thinking_times"] = change.thinking_times_after(self.thinking_times, len(self.match.history))
        if change.hint_taken or change.hint_given:
            columns["hints"] = change.hints_after(self.hints).stored
        if change.deal:
            columns["deals"] = TableDeals(new=(*self.match.start.deals, change.deal)).stored
        if change.next:
            columns["next"] = change.next
        return columns

    def publish(self, change: TableChange, match: Match, player: Player | None = None) -> None:
        """Show a change that has been written, here or in another process.

        `match` is the match after it, and `player` the new one on its seat, as the seat's row has them.
        """
        seen_by = self.seen_by(change)
        self.players = self.stored_players = self.players_after(change, match, player)
        self.thinking_times = change.thinking_times_after(self.thinking_times, len(self.match.history))
        self.hints = change.hints_after(self.hints)
        self.match = self._exchanges.match = match
        for feed in self._feeds:
            feed.match = match  # it caches the legal actions
        self.clocks, self.ended = change.timing or self.clocks, change.ended or self.ended
        if change.kind == "choice":
            append_last(match, self.transitions)
        elif change.kind == "taken back":
            self._undo(change.left, seen_by)
        else:
            for viewer in seen_by:
                feed = self.feed(viewer) if self._feeds[viewer].listeners else self._feeds[viewer]
                feed.change(renamed=change.kind == "seat")
        self.next = change.next or self.next
        self.known_deal = self.known_deal and change.deal is None
        self._show_match()
        self.row_version += 1
        if not change.follows:  # else the next choice wakes them
            self.wake()

    def _show_match(self) -> None:
        self.shown = ShownState.of(self.match, self.ended, self.clocks, final=self.settings.rated)

    def _undo(self, left: int, seen_by: Collection[int]) -> None:
        del self.transitions[left:]
        self._exchanges.undo(left)
        for feed in self._feeds:
            feed.notes = self.clocks.notes(feed.viewer)
            feed.undo(left, self.match.state, seen=feed.viewer in seen_by)

    async def wait_for_update(
        self, person: Person, viewer: Viewer, version: int, presence: Presence, announcements: int, chat_changes: int
    ) -> None:
        """Wait for a new version or viewpoint, a change of presence, a chat line, or the eviction of the table."""
        while (
            self.feed(viewer.seat).version == version and presence.changes == announcements and not self.cleared
            and self.viewer_of(person) == viewer and self.chat.changes == chat_changes
        ):  # fmt: skip
            waiting, seat = self._waiting, viewer.seat
            waiting[seat] += 1
            try:
                await self._changed.wait()
            finally:
                waiting[seat] -= 1

    async def wait_for_readers(self, viewers: Collection[int], longest: float) -> None:
        """Wait until the event streams of some viewers have taken the newest version, at most `longest` seconds."""
        end = time.monotonic() + longest
        while any(self._waiting[viewer] < self._feeds[viewer].listeners for viewer in viewers):
            if time.monotonic() > end:
                return
            await asyncio.sleep(0.002)

    def set_rating_changes(self, changes: tuple[RatingChange, ...]) -> None:
        """Set the rating changes, and drop what was rendered without them."""
        if changes != self.rating_changes:
            self.rating_changes = changes
            for feed in self._feeds:
                feed.rendered.clear()

    def clear(self) -> None:
        """Mark this object as evicted: waiting viewers have to get the table from the registry again."""
        self.cleared = True
        self.wake()

    def wake(self) -> None:
        """Wake all viewers who wait for a change."""
        self._changed.set()
        self._changed, self._waiting = asyncio.Event(), Counter[int]()
        self.notify_players(self)

    def _refusal_reason(self, seat: int) -> str:
        if not seat:
            return say("You are watching. Only players can choose.")
        if self.shown.over:
            return str(IS_OVER)
        if seat in self.ended.seats:
            return say("You have lost this match. A bot is playing on for you.")
        if self.shown.paused:
            return say("The match is paused. Any player can resume it.")
        return say("It isn't your turn yet.")
