"""Retention: what is kept for how long, counted in days on which the server ran, and its deletion."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from operator import attrgetter
from typing import Any

from sqlalchemy import Connection, delete, inspect, select, update

from sparring.scene.sentences import counted, listed
from sparring.settings import DAY, Settings

from .chat_store import KEPT as REPORTS_KEPT
from .database import TABLE_ROWS, UNUSED, Database, insert_new
from .friends import WAITING
from .migrations import REST
from .moderation import KEPT as LOG_KEPT
from .notifications import delete_notifications_of_guests
from .person import SIGNED_IN
from .personal_data import forget_departed, remove_tables
from .rating_model import KEPT_DAYS, delete_old_networks
from .schema import (
    AccountRow,
    AddressRow,
    BanRow,
    Base,
    ChallengeRow,
    ContentRow,
    EndedSessionRow,
    FriendshipRow,
    HalfInvitationRow,
    JobStateRow,
    LastSeenRow,
    MailTokenRow,
    ModerationRow,
    MuteRow,
    NotificationChoiceRow,
    OpponentRow,
    OutboxRow,
    PasskeyRow,
    PictureRow,
    PictureUseRow,
    PreferenceRow,
    ProcessRow,
    PushDeviceRow,
    RateLimitRow,
    RatingRow,
    RecordRow,
    RecoveryRow,
    ReportRow,
    ResultRow,
    ReviewRow,
    SeatRow,
    ServerDayRow,
    SetRow,
    StreakRow,
    TableRow,
    TokenRow,
    VersionRow,
)
from .studio import remove_sets
from .transactions import Store, transaction


class DayStore(Store):
    """The days in the database of a server. Times are seconds since 1970."""

    async def record(self, now: int) -> None:
        """Record that the server runs today."""
        await self._store.transaction(_add, now // DAY, "")

    async def before(self, now: int, days: int) -> int:
        """Return the time since which the server has run on a number of days; 0 if it hasn't run on as many."""
        ran = select(ServerDayRow.day).where(ServerDayRow.kind == "", ServerDayRow.day <= now // DAY)
        day = await self._first(ran.order_by(ServerDayRow.day.desc()).offset(days).limit(1))
        return 0 if day is None else day * DAY + now % DAY

    @transaction
    def reserve(self, connection: Connection, now: int, kind: str, wanted: int, most: int) -> int:
        """Return how many rows of a kind may be deleted now if at most `most` go in a day, and count them."""
        row = (ServerDayRow.day == now // DAY) & (ServerDayRow.kind == kind)
        _add(connection, now // DAY, kind)
        deleted = connection.execute(select(ServerDayRow.deleted).where(row).with_for_update()).scalar_one()
        granted = max(0, min(wanted, most - deleted))
        connection.execute(update(ServerDayRow).where(row).values(deleted=deleted + granted))
        return granted


def _add(connection: Connection, day: int, kind: str) -> None:
    row = insert_new(connection, ServerDayRow).values(day=day, kind=kind, deleted=0)
    connection.execute(row.on_conflict_do_nothing())


log = logging.getLogger(__name__)

#: How many rows of a kind are deleted before the others have their turn, and in one transaction: that takes some
#: milliseconds, which a choice may have to wait.
BATCH, AT_ONCE = 100, 10
#: The pauses before more is deleted and before the next look (seconds).
PAUSE, OFTEN = 1.0, 3600.0

#: Deletes what is older than a time (seconds since 1970), or rows by their ids.
Delete = Callable[[Connection, Any], None]


@dataclass(frozen=True)
class Kept:
    """A kind of data, how long it is kept, and what deletes it then."""

    what: str
    #: A phrase with `{days}`.
    until: str
    rows: tuple[type[Base], ...]
    days: Callable[[Settings], int] = lambda _: 0
    delete: Delete | None = None
    #: For what must not be lost by mistake: the condition of rows that are older than a time. `delete` then gets ids.
    old: Callable[[int], Any] | None = None

    @property
    def kind(self) -> str:
        """Return its name in messages."""
        table: str = self.rows[0].__tablename__
        return table.removesuffix("s")

    def duration(self, settings: Settings) -> str:
        """Return how long it is kept, in words."""
        return self.until.format(days=counted(self.days(settings), "day"))


def _older(column: Any, more: int = 0) -> Delete:
    """Return what deletes the rows whose time in a column, less `more` seconds, is older."""

    def delete_older(connection: Connection, before: int) -> None:
        connection.execute(delete(column.class_).where(column < before + more))

    return delete_older


def _by_id(rows: type[Base]) -> Delete:
    def delete_rows(connection: Connection, ids: Sequence[Any]) -> None:
        connection.execute(delete(rows).where(_id(rows).in_(ids)))

    return delete_rows


def _id(rows: type[Base]) -> Any:
    """Return the column with the ids of rows."""
    return inspect(rows).primary_key[0]


_unused_days, _days = attrgetter("keep_unused"), attrgetter("keep_days")


def _recovery_days(settings: Settings) -> int:
    return -(-settings.limits.stored_at_once // (24 * settings.limits.stored_each_hour))


KEPT = (
    Kept(
        "Tables at which no person has a seat or no choice was made", "{days} after the last change", (TableRow,),
        _unused_days, old=lambda before: (TableRow.changed < before) & UNUSED, delete=remove_tables,
    ),
    Kept(
        "Other tables, finished or not, with the match, the chat and the results", "{days} after the last change",
        (TableRow, ContentRow, *TABLE_ROWS), _days, old=lambda before: (TableRow.changed < before) & ~UNUSED,
        delete=remove_tables,
    ),
    Kept(
        "Studio sets with their pictures", "{days} after the last visit",
        (SetRow, VersionRow, PictureRow, PictureUseRow), _days,
        old=lambda before: SetRow.used < before, delete=remove_sets,
    ),
    Kept(
        "Uploaded matches", "{days} after the last visit", (RecordRow,), _days,
        old=lambda before: RecordRow.used < before, delete=_by_id(RecordRow),
    ),
    Kept("Reviews of matches", "{days} after the last visit", (ReviewRow,), _days, _older(ReviewRow.used)),
    Kept(
        "Trainings, reports, tunings and measurements of sets, and which table a quick match led to",
        "{days} after they ended, also if the set is deleted earlier; only the newest 40 of each kind",
        (JobStateRow,), lambda _: 7, _older(JobStateRow.at),
    ),
    Kept(
        "Reports of chat messages, with the message", "{days} after they were settled", (ReportRow,),
        lambda _: REPORTS_KEPT // DAY, old=lambda before: ReportRow.settled < before, delete=_by_id(ReportRow),
    ),
    Kept(
        "A hash of the network from which you joined a rated match", "{days} after the table's last change", (SeatRow,),
        lambda _: KEPT_DAYS, delete_old_networks,
    ),
    Kept(
        "Challenges to friends", "{days}", (ChallengeRow,), lambda _: WAITING // DAY, _older(ChallengeRow.made),
    ),
    Kept(
        "Invitations to bring the other half of a match, with your half", "{days}", (HalfInvitationRow,), _unused_days,
        _older(HalfInvitationRow.made),
    ),
    Kept(
        "Accounts: names, ways to sign in, e-mail address, friends, muted people, preferences and ratings",
        "until you delete your account",
        (AccountRow, PasskeyRow, RecoveryRow, AddressRow, FriendshipRow, LastSeenRow, MuteRow, PreferenceRow, StreakRow,
         RatingRow, OpponentRow, NotificationChoiceRow, PushDeviceRow),
    ),
    Kept(
        "Guests: a cookie in your browser, which lasts a year; on the server your tables, sets and uploads as above, "
        "and your preferences and muted people", "until you delete your data", (PreferenceRow, MuteRow),
    ),
    Kept(
        "Notifications that guests without a table have asked for", "{days}", (PushDeviceRow, NotificationChoiceRow),
        _unused_days, delete_notifications_of_guests,
    ),
    Kept("API tokens", "until you revoke them or delete your data; a token may expire earlier", (TokenRow,)),
    Kept(
        "Sign-ins", "{days}; the server remembers for as long that you signed out", (EndedSessionRow,),
        lambda _: SIGNED_IN // DAY, _older(EndedSessionRow.until, SIGNED_IN),
    ),
    Kept("At which tables you are at the moment", "seconds after you have closed their pages", (ProcessRow,)),
    Kept("Links in e-mails", "an hour to reset a password, a day to confirm an address", (MailTokenRow,)),
    Kept("Messages that wait to be sent", "until they are sent or have failed five times", (OutboxRow,)),
    Kept(
        "How much of a rate limit you and your network have used, under hashes",
        "until the limit has recovered, usually within {days}", (RateLimitRow,), _recovery_days,
    ),
    Kept("Bans and mutes by moderators", "until the operator lifts them", (BanRow,)),
    Kept(
        "What the operator and moderators did, to whom and why", "{days}", (ModerationRow,), lambda _: LOG_KEPT // DAY,
        _older(ModerationRow.at),
    ),
    Kept(
        "A random id in place of a deleted person", "until their matches are over", (SeatRow, ResultRow),
        delete=lambda connection, _: forget_departed(connection),
    ),
)  # fmt: skip


def _delete_if_old(connection: Connection, kept: Kept, before: int, ids: Sequence[Any]) -> None:
    """Delete rows that are still old: someone may play on by now."""
    assert kept.delete
    assert kept.old
    row = _id(kept.rows[0])
    kept.delete(connection, connection.scalars(select(row).where(row.in_(ids), kept.old(before))).all())


class Retention:
    """Deletes what is old, by days on which the server ran and at most a tenth of each kind a day.

    A wrong clock then deletes nothing that matters. What is old by the clock but has to wait is in `asks`.
    """

    def __init__(self, settings: Settings, store: Database, keep: Callable[[], Collection[str]] = tuple) -> None:
        """`keep` returns the ids of tables that stay, since they are in use."""
        self._settings, self._store, self._keep, self._days = settings, store, keep, DayStore(store)
        #: A sentence to the operator while much is old by the clock; otherwise empty.
        self.asks = ""

    async def follow(self) -> None:
        """Delete what is old until the task is cancelled."""
        while True:
            more = await self.expire()
            await asyncio.sleep(PAUSE if more else OFTEN)

    async def expire(self) -> bool:
        """Delete some of what is old; return whether more of it may be deleted at once."""
        now, more, waiting = int(time.time()), False, Counter[str]()
        await self._days.record(now)
        tenths = dict[str, int]()
        for kept in KEPT:
            before = await self._days.before(now, kept.days(self._settings))
            if kept.delete and not kept.old:
                await self._delete_older(kept.delete, before)
            elif kept.delete and kept.old:
                ids = await self._ids(kept, before)
                tenths[kept.kind] = max(1, await self._store.count(kept.rows[0]) // 10)
                ids = ids[: await self._days.reserve(now, kept.kind, len(ids), tenths[kept.kind])] if ids else ids
                await self._delete_old(kept, before, ids)
                more |= len(ids) == BATCH
                clock = now - DAY * kept.days(self._settings)
                waiting[kept.kind] += await self._store.count(kept.rows[0], kept.old(clock))
        self._ask(now, {kind: number for kind, number in waiting.items() if number > tenths[kind]})
        return more

    async def expire_now(self, *kinds: type[Base]) -> Counter[str]:
        """Delete everything that is old by the clock, as the operator has confirmed, or only rows of some kinds.

        Return the numbers by kind.
        """
        deleted, now = Counter[str](), int(time.time())
        for kept in KEPT:
            clock = now - DAY * kept.days(self._settings)
            chosen = kept.old and (not kinds or kept.rows[0] in kinds)
            while chosen and (ids := await self._ids(kept, clock)):
                await self._delete_old(kept, clock, ids)
                deleted[kept.kind] += len(ids)
        return deleted

    async def _ids(self, kept: Kept, before: int) -> list[Any]:
        """Return the ids of some old rows."""
        assert kept.old
        keep = self._keep() if kept.rows[0] is TableRow else ()
        query = select(_id(kept.rows[0])).where(kept.old(before)).limit(BATCH + len(keep))
        async with self._store.reading() as session:
            return [row for row in await session.scalars(query) if row not in keep][:BATCH]

    async def _delete_older(self, do: Delete, before: int) -> None:
        if before:
            await self._store.transaction(do, before)

    async def _delete_old(self, kept: Kept, before: int, ids: Sequence[Any]) -> None:
        """Delete rows in short transactions with rests in between: choices, also of other processes, come first."""
        for first in range(0, len(ids), AT_ONCE):
            started = time.perf_counter()
            await self._store.transaction(_delete_if_old, kept, before, ids[first : first + AT_ONCE])
            await asyncio.sleep(REST * (time.perf_counter() - started))

    def _ask(self, now: int, waiting: dict[str, int]) -> None:
        before, self.asks = self.asks, ""
        if waiting:
            today = datetime.fromtimestamp(now, UTC).date()
            what = listed([counted(number, kind) for kind, number in waiting.items()])
            self.asks = (
                f"By this machine's clock ({today}), {what} are old enough to be deleted. The server deletes at most a "
                "tenth of all a day, and counts only days on which it ran. If the clock is right, `sparring admin "
                "tables --expire` deletes them now."
            )
        if self.asks and self.asks != before:
            log.warning("%s", self.asks)
