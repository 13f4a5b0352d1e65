"""Personal data: move a guest's matches and sets into an account, or delete everything of a person.

Every column that refers to a person is handled here once; a test searches the schema for others.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sqlalchemy import Connection, delete, insert, select, update

from sparring.settings.random_ids import random_id
from sparring.store.accounts.sessions import end_guest
from sparring.store.accounts.streak_store import StreakStore
from sparring.store.cluster import notice_store
from sparring.store.database import TABLE_ROWS
from sparring.store.moderation.bans import key
from sparring.store.notifications.notification_store import move_notifications
from sparring.store.schema import (
    AccountRow,
    AddressRow,
    ApplauseRow,
    BanRow,
    ChallengeRow,
    ChatLineRow,
    ContentRow,
    EndedSessionRow,
    FriendshipRow,
    HalfInvitationRow,
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
    PushDeviceRow,
    RatingRow,
    RecordRow,
    RecoveryRow,
    ReportRow,
    ResultRow,
    SeatRow,
    SetRow,
    SightingRow,
    StreakRow,
    TableRow,
    TokenRow,
    VersionRow,
)  # fmt: skip
from sparring.store.tables.chat_store import remove_lines
from sparring.store.transactions import Store, transaction

#: Rows with an owner that move to an account; the account row itself never does.
OWN: tuple[type[Any], ...] = (SetRow, RecordRow, HalfInvitationRow)
#: All rows that are deleted with their person, dependent ones first.
OWNED: tuple[type[Any], ...] = (
    *OWN, TokenRow, PictureUseRow, PictureRow, PasskeyRow, PreferenceRow, RecoveryRow, EndedSessionRow, MailTokenRow,
    AddressRow, NotificationChoiceRow, PushDeviceRow, OutboxRow, FriendshipRow, ChallengeRow, SightingRow, StreakRow,
    AccountRow,
)  # fmt: skip
#: The columns of ratings that refer to a player.
RATED = OpponentRow.player, OpponentRow.opponent, RatingRow.player
#: The prefix of the ids that deleted people keep in unfinished matches, so that these are rated.
DEPARTED = "gone "
#: The name on the seat of a deleted person.
DELETED_NAME = "Deleted player"


class PersonalDataStore(Store):
    """People's data in the database of a server."""

    async def tables(self, person: str) -> Sequence[TableRow]:
        """Return all tables where a person has a seat, in the order of creation."""
        condition = TableRow.id.in_(_seated(person))
        async with self._store.reading() as session:
            return (
                await session.scalars(select(TableRow).where(condition).order_by(TableRow.created, TableRow.id))
            ).all()

    async def pictures(self, person: str) -> dict[str, str]:
        """Return the pictures of a person's sets, by name."""
        async with self._store.reading() as session:
            rows = await session.execute(select(PictureRow.name, PictureRow.text).filter_by(person=person))
            return {row.name: row.text for row in rows}

    async def streaks(self, person: str) -> dict[str, int]:
        """Return a person's longest streaks of puzzles, by game."""
        return await StreakStore(self._store).of(person)

    @transaction
    def move_data(self, connection: Connection, guest: str, person: str, rest: str) -> tuple[list[str], int]:
        """Move a guest's data to a person, and end what acts as the guest.

        Seats at tables where that person also plays go to a new guest, `rest`. Return the changed tables, and how many
        of them have such a seat.
        """
        left = connection.scalars(_seated(guest).where(SeatRow.table_id.in_(_seated(person)))).all()
        moved = (SeatRow.person == guest) & SeatRow.table_id.not_in(left)
        changed = list(connection.scalars(select(SeatRow.table_id).where(moved).distinct()))
        connection.execute(update(SeatRow).where(moved).values(person=person))
        connection.execute(update(TableRow).where(TableRow.host == guest).values(host=person))
        results = (ResultRow.player == guest) & ResultRow.table_id.not_in(left)
        connection.execute(update(ResultRow).where(results).values(player=person))
        connection.execute(update(SeatRow).where(SeatRow.person == guest).values(person=rest))
        connection.execute(update(ResultRow).where(ResultRow.player == guest).values(player=rest))
        changed.extend(set(left))
        _record_change(connection, changed)
        changed.extend(_move_chat(connection, guest, person))
        changed.extend(_keep_seats(connection, [guest], person))
        notice_store.notify(connection, changed)
        for kind in OWN:
            connection.execute(update(kind).where(kind.person == guest).values(person=person))
        _move_pictures(connection, guest, person)
        _move_preferences(connection, guest, person)
        move_notifications(connection, guest, person)
        connection.execute(update(OutboxRow).where(OutboxRow.person == guest).values(person=person))
        end_guest(connection, guest, person)
        return changed, len(left)

    @transaction
    def delete_person(self, connection: Connection, person: str) -> list[str]:
        """Delete everything of a person; return the tables that were changed or deleted.

        A table without other people is deleted. Elsewhere the seats of the person and their programs stay, without the
        name. Chat lines are removed, except descriptions of moves, which belong to the match and lose the name.
        """
        people = [person, *connection.scalars(_bot_persons(person))]
        seated = connection.scalars(select(SeatRow.table_id).where(SeatRow.person.in_(people)).distinct()).all()
        hosted = connection.scalars(select(TableRow.id).where(TableRow.host == person)).all()
        others = select(SeatRow.table_id).where(SeatRow.person.not_in(people), ~SeatRow.person.startswith(DEPARTED))
        shared = set(connection.scalars(others.where(SeatRow.table_id.in_({*seated, *hosted}))))
        touched = [*{*seated, *hosted}]
        remove_tables(connection, [table for table in touched if table not in shared])
        _vacate(connection, people)
        touched.extend(_remove_from_chat(connection, people))
        _remove_from_moderation(connection, people)
        touched.extend(_keep_seats(connection, people, None))
        connection.execute(update(ResultRow).where(ResultRow.player.in_(people)).values(player=None))
        for column in RATED:
            connection.execute(delete(column.class_).where(column.in_(people)))
        towards = FriendshipRow.other == person
        asked = update(FriendshipRow).where(towards, FriendshipRow.state == "asked")
        connection.execute(asked.values(other=None))  # a line that vanished would tell that the name existed
        connection.execute(delete(FriendshipRow).where(towards))
        connection.execute(delete(ChallengeRow).where(ChallengeRow.other == person))
        connection.execute(update(TableRow).where(TableRow.host == person).values(host=None))
        _record_change(connection, [table for table in seated if table in shared])
        sets = select(SetRow.id).where(SetRow.person == person)
        connection.execute(delete(VersionRow).where(VersionRow.set_id.in_(sets)))
        notice_store.notify(connection, touched)
        for kind in OWNED:
            connection.execute(delete(kind).where(kind.person == person))
        return touched


def _seated(person: str) -> Any:
    """Select the tables where a person has a seat."""
    return select(SeatRow.table_id).where(SeatRow.person == person).distinct()


def _record_change(connection: Connection, tables: Sequence[str]) -> None:
    """Record a public change of tables, so that processes which have them in memory reload them."""
    for table in tables:
        row = connection.execute(select(TableRow.edition, TableRow.versions).where(TableRow.id == table)).one()
        numbers = np.frombuffer(row.versions, "<i4").copy()
        viewers = 1 + len(connection.scalars(select(SeatRow.seat).where(SeatRow.table_id == table)).all())
        numbers[:viewers] += 1
        statement = update(TableRow).where(TableRow.id == table)
        connection.execute(statement.values(edition=row.edition + 1, versions=numbers.tobytes()))


def _bot_persons(person: str) -> Any:
    """Select the persons that a person's programs play as."""
    return select(TokenRow.bot).where(TokenRow.person == person, TokenRow.bot.is_not(None))


def _vacate(connection: Connection, people: Sequence[str]) -> None:
    """Vacate the seats of a deleted person and of their programs.

    In unfinished matches, which they give up (`tables/play/departures.py`), each keeps a new id and the ratings.
    """
    unfinished = SeatRow.table_id.in_(select(TableRow.id).where(TableRow.over.is_(False)))
    vacant = {"person": None, "name": DELETED_NAME, "bot_of": "", "network": None}
    for person in people:
        seats, departed = update(SeatRow).where(SeatRow.person == person), f"{DEPARTED}{random_id(16)}"
        if connection.execute(seats.where(unfinished).values({**vacant, "person": departed})).rowcount:
            for column in RATED:
                connection.execute(update(column.class_).where(column == person).values({column.key: departed}))
        connection.execute(seats.values(vacant))


def _keep_seats(connection: Connection, people: Sequence[str], person: str | None) -> Sequence[str]:
    """Keep the open seats that were kept for some people for another person, or for none; return their tables."""
    kept = SeatRow.offered.in_(people)
    tables = connection.scalars(select(SeatRow.table_id).where(kept)).all()
    connection.execute(update(SeatRow).where(kept).values(offered=person))
    return tables


def forget_departed(connection: Connection) -> None:
    """Forget the ids of deleted people whose matches are over."""
    playing = select(SeatRow.person).join(TableRow).where(TableRow.over.is_(False), SeatRow.person.startswith(DEPARTED))
    for column in RATED:
        connection.execute(delete(column.class_).where(column.startswith(DEPARTED), column.not_in(playing)))
    for kept in (ResultRow.player, SeatRow.person):
        over = kept.startswith(DEPARTED) & kept.not_in(playing)
        connection.execute(update(kept.class_).where(over).values({kept.key: None}))


def remove_tables(connection: Connection, tables: Sequence[str]) -> None:
    """Delete tables, with content that no other table uses."""
    content = set(connection.scalars(select(TableRow.content).where(TableRow.id.in_(tables))).all()) - {None}
    for rows in TABLE_ROWS:
        connection.execute(delete(rows).where(rows.table_id.in_(tables)))
    connection.execute(delete(TableRow).where(TableRow.id.in_(tables)))
    used = select(TableRow.content).where(TableRow.content.in_(content))
    connection.execute(delete(ContentRow).where(ContentRow.digest.in_(content), ContentRow.digest.not_in(used)))


def _move_pictures(connection: Connection, guest: str, person: str) -> None:
    """Move the pictures of sets; each is stored once per person."""
    connection.execute(update(PictureUseRow).where(PictureUseRow.person == guest).values(person=person))
    known = select(PictureRow.name).where(PictureRow.person == person)
    new = connection.execute(
        select(PictureRow.name, PictureRow.text).where(PictureRow.person == guest, PictureRow.name.not_in(known))
    ).all()
    if new:
        rows = [{"person": person, "name": picture.name, "text": picture.text} for picture in new]
        connection.execute(insert(PictureRow), rows)
    connection.execute(delete(PictureRow).where(PictureRow.person == guest))


def _move_preferences(connection: Connection, guest: str, person: str) -> None:
    """Move a guest's preferences, unless the person has set their own."""
    if not connection.scalar(select(PreferenceRow.person).filter_by(person=person)):
        connection.execute(update(PreferenceRow).filter_by(person=guest).values(person=person))
    connection.execute(delete(PreferenceRow).filter_by(person=guest))


def _move_chat(connection: Connection, guest: str, person: str) -> list[str]:
    """Move a guest's chat lines, applause, mutes, reports and moderation; return the tables where they spoke.

    Duplicate applause and mutes are dropped, and so are mutes of oneself.
    """
    tables = connection.scalars(select(ChatLineRow.table_id).where(ChatLineRow.person == guest).distinct()).all()
    connection.execute(update(ChatLineRow).where(ChatLineRow.person == guest).values(person=person))
    connection.execute(update(ReportRow).where(ReportRow.person == guest).values(person=person))
    connection.execute(update(ReportRow).where(ReportRow.reporter == guest).values(reporter=person))
    connection.execute(update(ModerationRow).where(ModerationRow.person == guest).values(person=person))
    for table, number in connection.execute(
        select(ApplauseRow.table_id, ApplauseRow.number).where(ApplauseRow.person == person)
    ).all():
        duplicate = delete(ApplauseRow).where(ApplauseRow.table_id == table, ApplauseRow.number == number)
        connection.execute(duplicate.where(ApplauseRow.person == guest))
    connection.execute(update(ApplauseRow).where(ApplauseRow.person == guest).values(person=person))
    for side, other in ((MuteRow.person, MuteRow.muted), (MuteRow.muted, MuteRow.person)):
        known = connection.scalars(select(other).where(side == person)).all()
        connection.execute(delete(MuteRow).where(side == guest, other.in_({*known, person})))
        connection.execute(update(MuteRow).where(side == guest).values({side.key: person}))
    return list(tables)


def _remove_from_chat(connection: Connection, people: Sequence[str]) -> list[str]:
    """Remove deleted people from chat and reports; return the tables where they spoke."""
    rows = connection.execute(
        select(ChatLineRow.table_id, ChatLineRow.number, ChatLineRow.kind).where(ChatLineRow.person.in_(people))
    ).all()
    tables = {table for table, _, _ in rows}
    for table in tables:
        removed = [number for of, number, kind in rows if of == table and kind != "move"]
        remove_lines(connection, table, removed)
    anonymous = {"person": None, "name": DELETED_NAME}
    connection.execute(update(ChatLineRow).where(ChatLineRow.person.in_(people)).values(anonymous))
    connection.execute(update(ReportRow).where(ReportRow.person.in_(people)).values(anonymous))
    connection.execute(update(ReportRow).where(ReportRow.reporter.in_(people)).values(reporter=None))
    connection.execute(delete(MuteRow).where(MuteRow.muted.in_(people) | MuteRow.person.in_(people)))
    connection.execute(delete(ApplauseRow).where(ApplauseRow.person.in_(people)))
    return list(tables)


def _remove_from_moderation(connection: Connection, people: Sequence[str]) -> None:
    """Remove deleted people's names from the moderation log, and their bans and mutes."""
    done_to, done_by = ModerationRow.person.in_(people), ModerationRow.moderator.in_(people)
    connection.execute(update(ModerationRow).where(done_to).values(person=None, name=DELETED_NAME))
    connection.execute(update(ModerationRow).where(done_by).values(moderator=None, moderator_name=DELETED_NAME))
    banned = [key(person, muted=muted) for person in people for muted in (False, True)]
    connection.execute(delete(BanRow).where(BanRow.who.in_(banned)))
