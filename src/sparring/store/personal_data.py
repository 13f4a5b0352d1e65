"""Personal data: move a guest's matches and sets into an account, delete everything of a person, and who has left.

Each column that refers to a person says in the schema what becomes of its row (`schema/base.py`). What needs more than
that has a function here.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import Column, Connection, Delete, Update, delete, exists, literal, or_, select, update

from sparring.settings.secrets import random_id

from .accounts import end_guest
from .change_store import reload
from .chat_store import GONE, change_lines
from .database import RATED, TABLE_ROWS
from .moderation import BANNED_PERSON, key
from .notifications import move_notifications
from .ratings import StreakStore
from .schema import (
    ApplauseRow,
    BanRow,
    Base,
    ChatLineRow,
    ContentRow,
    FriendshipRow,
    MuteRow,
    OpponentRow,
    PictureRow,
    RatingRow,
    ResultRow,
    SeatRow,
    SetRow,
    TableRow,
    TokenRow,
)
from .transactions import Store, lock_tables, transaction

#: The columns that refer to a person, of dependent rows first.
PERSONAL: list[Column[Any]] = [
    column for table in reversed(Base.metadata.sorted_tables) for column in table.columns if "person" in column.info
]
#: Chat lines, and what belongs to them.
CHAT = ChatLineRow.__table__, ApplauseRow.__table__
#: The columns of ratings that refer to a player.
RATED_PLAYERS = OpponentRow.player, OpponentRow.opponent, RatingRow.player
#: The prefix of the ids that deleted people keep in unfinished matches, so that these are rated.
DEPARTED = "gone "
#: The name on the seat of a deleted person.
DELETED_NAME = "Deleted player"


class PersonalDataStore(Store):
    """People's data in the database of a server."""

    async def tables(self, person: str) -> Sequence[TableRow]:
        """Return all tables where a person has a seat, in the order of creation."""
        condition = TableRow.id.in_(_seated(person))
        return await self._all(select(TableRow).where(condition).order_by(TableRow.created, TableRow.id))

    async def pictures(self, person: str) -> dict[str, str]:
        """Return the pictures of a person's sets, by name."""
        rows = await self._rows(select(PictureRow.name, PictureRow.text).filter_by(person=person))
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
        lock_tables(connection, TableRow.id.in_(_seated(guest)) | TableRow.id.in_(_touched([guest])))
        left = connection.scalars(_seated(guest).where(SeatRow.table_id.in_(_seated(person)))).all()
        changed = [*connection.scalars(_seated(guest).where(SeatRow.table_id.not_in(left))), *left]
        shown = _tables_showing(connection, [guest])
        for seat in (SeatRow.person, ResultRow.player):
            stays = (seat == guest) & seat.class_.table_id.in_(left)
            connection.execute(update(seat.class_).where(stays).values({seat.key: rest}))
        move_notifications(connection, guest, person)
        for column in PERSONAL:
            if column.info["person"] != "delete":
                _move(connection, column, guest, person)
        connection.execute(delete(MuteRow).where(MuteRow.person == person, MuteRow.muted == person))
        _add_versions(connection, changed)
        reload(connection, touched := [*{*changed, *shown}])
        end_guest(connection, guest, person)
        return touched, len(left)

    @transaction
    def delete_person(self, connection: Connection, person: str) -> list[str]:
        """Delete everything of a person; return the tables that were changed or deleted.

        A table without other people is deleted. Elsewhere the seats of the person and their programs stay, without the
        name. Chat lines are removed, except descriptions of moves, which belong to the match and lose the name.
        """
        people = [person, *connection.scalars(_bot_persons(person))]
        seats = select(SeatRow.table_id).where(SeatRow.person.in_(people))
        lock_tables(connection, TableRow.id.in_(seats) | (TableRow.host == person) | TableRow.id.in_(_touched(people)))
        seated = connection.scalars(seats.distinct()).all()
        hosted = connection.scalars(select(TableRow.id).where(TableRow.host == person)).all()
        others = select(SeatRow.table_id).where(SeatRow.person.not_in(people), ~SeatRow.person.startswith(DEPARTED))
        shared = set(connection.scalars(others.where(SeatRow.table_id.in_({*seated, *hosted}))))
        touched = [*{*seated, *hosted}]
        remove_tables(connection, [table for table in touched if table not in shared])
        touched += _tables_showing(connection, people)
        _vacate(connection, people)
        words = ChatLineRow.person.in_(people) & (ChatLineRow.kind != "move")
        _write(connection, update(ChatLineRow).where(words).values(GONE))
        _withdraw_requests(connection, people)
        banned = [key(each, muted=muted) for each in people for muted in (False, True)]
        connection.execute(delete(BanRow).where(BanRow.who.in_(banned)))
        _add_versions(connection, [table for table in seated if table in shared])
        reload(connection, touched := [*{*touched}])
        for column in PERSONAL:
            _delete(connection, column, people)
        return touched


def _move(connection: Connection, column: Column[Any], guest: str, person: str) -> None:
    """Move a guest's rows to a person, but delete those that the person has, too."""
    table, twin = column.table, column.table.alias()
    keys = [table.primary_key.columns, *(index.columns for index in table.indexes if index.unique)]
    for unique in map(set, keys):
        if column in unique:
            same = [twin.c[other.name] == other for other in unique - {column}]
            known = exists().where(twin.c[column.name] == person, *same)
            _write(connection, delete(table).where(column == guest, known))
    _write(connection, update(table).where(column == guest).values({column: person}))


def _delete(connection: Connection, column: Column[Any], people: Sequence[str]) -> None:
    """Delete people's rows, or remove the people from them."""
    table, theirs = column.table, column.in_(people)
    if column.info["person"] == "anonymize":
        names = {each: DELETED_NAME for each in table.columns if each.info.get("name_of") == column.name}
        _write(connection, update(table).where(theirs).values({column: None, **names}))
    else:
        _write(connection, delete(table).where(theirs))


def _write(connection: Connection, statement: Update | Delete) -> None:
    """Change or delete people's rows. A chat line gets a new version if it, or its applause, is among them."""
    rows = statement.table.c
    if statement.table in CHAT:
        change_lines(connection, connection.execute(statement.returning(rows.table, rows.number)).all())
    else:
        connection.execute(statement)


def _seated(person: str) -> Any:
    """Select the tables where a person has a seat."""
    return select(SeatRow.table_id).where(SeatRow.person == person).distinct()


def _add_versions(connection: Connection, tables: Sequence[str]) -> None:
    """Give every viewer of tables a new version, since what all see of them has changed."""
    for table in tables:
        versions = connection.scalars(select(TableRow.versions).where(TableRow.id == table)).one()
        numbers = np.frombuffer(versions, "<i4").copy()
        numbers[: 1 + len(connection.scalars(select(SeatRow.seat).where(SeatRow.table_id == table)).all())] += 1
        connection.execute(update(TableRow).where(TableRow.id == table).values(versions=numbers.tobytes()))


def _bot_persons(person: str) -> Any:
    """Select the persons that a person's programs play as."""
    return select(TokenRow.bot).where(TokenRow.person == person, TokenRow.bot.is_not(None))


def _vacate(connection: Connection, people: Sequence[str]) -> None:
    """Vacate the seats of a deleted person and of their programs.

    In unfinished matches, which they give up (`tables/play/moderation.py`), each keeps a new id and the ratings.
    """
    unfinished = SeatRow.table_id.in_(select(TableRow.id).where(TableRow.over.is_(False)))
    vacant = {"person": None, "name": DELETED_NAME, "bot_of": "", "network": None}
    for person in people:
        seats, departed = update(SeatRow).where(SeatRow.person == person), f"{DEPARTED}{random_id(16)}"
        if connection.execute(seats.where(unfinished).values({**vacant, "person": departed})).rowcount:
            for column in RATED_PLAYERS:
                connection.execute(update(column.class_).where(column == person).values({column.key: departed}))
        connection.execute(seats.values(vacant))


def _tables_showing(connection: Connection, people: Sequence[str]) -> Sequence[str]:
    """Return the tables where people spoke, or where a seat is kept for them."""
    spoke = select(ChatLineRow.table_id).where(ChatLineRow.person.in_(people))
    return connection.scalars(spoke.union(select(SeatRow.table_id).where(SeatRow.offered.in_(people)))).all()


def forget_departed(connection: Connection) -> None:
    """Forget the ids of deleted people whose matches are over."""
    playing = select(SeatRow.person).join(TableRow).where(TableRow.over.is_(False), SeatRow.person.startswith(DEPARTED))
    for column in RATED_PLAYERS:
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


def _touched(people: Sequence[str]) -> Any:
    """Select the tables where people spoke or applauded, or where a seat is kept for them."""
    spoke = select(ChatLineRow.table_id).where(ChatLineRow.person.in_(people))
    offered = select(SeatRow.table_id).where(SeatRow.offered.in_(people))
    return spoke.union(select(ApplauseRow.table_id).where(ApplauseRow.person.in_(people)), offered)


def _withdraw_requests(connection: Connection, people: Sequence[str]) -> None:
    """Let requests to deleted people stay without them: a line that vanished would tell that the name existed."""
    asked = FriendshipRow.other.in_(people) & (FriendshipRow.state == "pending")
    connection.execute(update(FriendshipRow).where(asked).values(other=None))


#: Unfinished tables. Both columns are named, to use their index.
UNFINISHED = TableRow.public.in_([True, False]) & TableRow.over.is_(False)


class DepartedPlayer(NamedTuple):
    """The seat of a player who can't come back; `ended` is the table's column."""

    table: str
    seat: int
    ended: str


class DepartureStore(Store):
    """Players who can't come back and deleted sets, in the database of a server."""

    async def departed(self, now: int) -> list[DepartedPlayer]:
        """Return the departed players of all unfinished matches, also those who have lost already.

        `now` is in seconds since 1970, by a clock that no one can set: giving up is final.
        """
        player = SeatRow.person
        token = TokenRow.bot == player
        in_force = or_(BanRow.until.is_(None), BanRow.until > now)
        gone = or_(
            player.startswith(DEPARTED),
            (SeatRow.bot_of != "") & ~exists().where(token, or_(TokenRow.expires.is_(None), TokenRow.expires > now)),
            exists().where(BanRow.who == literal(BANNED_PERSON) + player, in_force),
            exists().where(token, BanRow.who == literal(BANNED_PERSON) + TokenRow.person, in_force),
        )
        query = (
            select(TableRow.id, SeatRow.seat, TableRow.ended).join(SeatRow)
            .where(UNFINISHED, player.is_not(None), gone)
        )  # fmt: skip
        return [DepartedPlayer._make(row) for row in await self._rows(query)]

    async def without_set(self) -> Sequence[str]:
        """Return the unfinished rated tables whose studio set has been deleted; casual ones play on with their copy."""
        deleted = RATED & TableRow.set_id.is_not(None) & ~exists().where(SetRow.id == TableRow.set_id)
        return await self._all(select(TableRow.id).where(UNFINISHED, deleted))
