"""What belongs to a person: brought along into an account, or let go of with all that is theirs.

Every column that says whose something is stands here once; a test looks through the schema for others.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sqlalchemy import Connection, delete, insert, select, update

from . import notice_store
from .chat_store import take_away
from .database import OF_A_TABLE, Database
from .schema import (
    AccountRow,
    ApplauseRow,
    ChatLineRow,
    ContentRow,
    EndedSessionRow,
    MuteRow,
    OpponentRow,
    PasskeyRow,
    PictureRow,
    PictureUseRow,
    PreferenceRow,
    RatingRow,
    RecordRow,
    RecoveryRow,
    ReportRow,
    ResultRow,
    SeatRow,
    SetRow,
    TableRow,
    TokenRow,
    VersionRow,
)  # fmt: skip

#: Rows that have an owner, and go with them; the account itself is never another's.
OWN: tuple[type[Any], ...] = (SetRow, RecordRow, TokenRow)
#: All rows that go with their person, those first that hang on others.
OWNED: tuple[type[Any], ...] = (
    *OWN, PictureUseRow, PictureRow, PasskeyRow, PreferenceRow, RecoveryRow, EndedSessionRow, AccountRow,
)  # fmt: skip
#: The name that stays on a seat whose person is gone.
SOMEBODY = "somebody"


class PersonalDataStore:
    """What people have, in the database of a server."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def tables(self, person: str) -> Sequence[TableRow]:
        """All tables at which a person sits, in the order in which they were opened."""
        mine = TableRow.id.in_(_seated(person))
        async with self._store.reading() as session:
            return (await session.scalars(select(TableRow).where(mine).order_by(TableRow.created, TableRow.id))).all()

    async def pictures(self, person: str) -> dict[str, str]:
        """The pictures of a person's sets, by their names."""
        async with self._store.reading() as session:
            rows = await session.execute(select(PictureRow.name, PictureRow.text).filter_by(person=person))
            return {row.name: row.text for row in rows}

    async def bring(self, guest: str, person: str) -> tuple[list[str], int]:
        """All that a guest has becomes a person's, but for seats at tables where that person sits as well.

        The tables that changed, and at how many the guest's seat stayed the guest's.
        """
        changed, left = list[str](), list[str]()

        def work(connection: Connection) -> None:
            left[:] = connection.scalars(_seated(guest).where(SeatRow.table_id.in_(_seated(person))))
            theirs = (SeatRow.person == guest) & SeatRow.table_id.not_in(left)
            changed[:] = connection.scalars(select(SeatRow.table_id).where(theirs).distinct())
            connection.execute(update(SeatRow).where(theirs).values(person=person))
            connection.execute(update(TableRow).where(TableRow.host == guest).values(host=person))
            played = (ResultRow.player == guest) & ResultRow.table_id.not_in(left)
            connection.execute(update(ResultRow).where(played).values(player=person))
            _touch(connection, changed)
            changed.extend(_bring_talk(connection, guest, person))
            notice_store.tell(connection, changed)
            for kind in OWN:
                connection.execute(update(kind).where(kind.person == guest).values(person=person))
            _bring_pictures(connection, guest, person)
            _bring_preferences(connection, guest, person)

        await self._store.writer.write(work)
        await self._store.told()
        return changed, len(left)

    async def let_go(self, person: str, bot: str) -> list[str]:
        """Delete all that is a person's; the tables that changed or are gone.

        A table goes if nobody else sits there. Elsewhere their seats and those of their programs stay, without the
        name; in a match that goes on `bot` plays them. What they said is gone, but for descriptions of moves, which
        belong to the match and stay without the name.
        """
        touched = list[str]()

        def work(connection: Connection) -> None:
            theirs = [person, *connection.scalars(_programs(person))]
            mine = connection.scalars(select(SeatRow.table_id).where(SeatRow.person.in_(theirs)).distinct()).all()
            opened = connection.scalars(select(TableRow.id).where(TableRow.host == person)).all()
            others = select(SeatRow.table_id).where(SeatRow.person.is_not(None), SeatRow.person.not_in(theirs))
            shared = set(connection.scalars(others.where(SeatRow.table_id.in_({*mine, *opened}))))
            touched[:] = {*mine, *opened}
            _remove_tables(connection, [table for table in touched if table not in shared])
            _vacate(connection, theirs, bot)
            touched.extend(_silence(connection, theirs))
            connection.execute(update(ResultRow).where(ResultRow.player.in_(theirs)).values(player=None))
            connection.execute(delete(OpponentRow).where(OpponentRow.player.in_(theirs)))
            connection.execute(delete(OpponentRow).where(OpponentRow.opponent.in_(theirs)))
            connection.execute(delete(RatingRow).where(RatingRow.player.in_(theirs)))
            connection.execute(update(TableRow).where(TableRow.host == person).values(host=None))
            _touch(connection, [table for table in mine if table in shared])
            sets = select(SetRow.id).where(SetRow.person == person)
            connection.execute(delete(VersionRow).where(VersionRow.set_id.in_(sets)))
            notice_store.tell(connection, touched)
            for kind in OWNED:
                connection.execute(delete(kind).where(kind.person == person))

        await self._store.writer.write(work)
        await self._store.told()
        return touched


def _seated(person: str) -> Any:
    """The tables at which somebody sits."""
    return select(SeatRow.table_id).where(SeatRow.person == person).distinct()


def _touch(connection: Connection, tables: Sequence[str]) -> None:
    """Something changed at tables that everybody sees there: whoever has one in memory has to read it anew."""
    for table in tables:
        row = connection.execute(select(TableRow.edition, TableRow.versions).where(TableRow.id == table)).one()
        numbers = np.frombuffer(row.versions, "<i4").copy()
        viewers = 1 + len(connection.scalars(select(SeatRow.seat).where(SeatRow.table_id == table)).all())
        numbers[:viewers] += 1
        changed = update(TableRow).where(TableRow.id == table)
        connection.execute(changed.values(edition=row.edition + 1, versions=numbers.tobytes()))


def _programs(person: str) -> Any:
    """As whom the programs of somebody sit at tables."""
    return select(TokenRow.bot).where(TokenRow.person == person, TokenRow.bot.is_not(None))


def _vacate(connection: Connection, people: Sequence[str], bot: str) -> None:
    """The seats of somebody who is gone, and of their programs."""
    going_on = SeatRow.table_id.in_(select(TableRow.id).where(TableRow.over.is_(False)))
    theirs = update(SeatRow).where(SeatRow.person.in_(people))
    gone = {"person": None, "name": SOMEBODY, "bot_of": "", "network": None}
    connection.execute(theirs.where(going_on).values(**gone, bot=bot))
    connection.execute(theirs.values(gone))


def _remove_tables(connection: Connection, tables: Sequence[str]) -> None:
    """Tables are gone, with the content that no other table is played with."""
    content = set(connection.scalars(select(TableRow.content).where(TableRow.id.in_(tables))).all()) - {None}
    for rows in OF_A_TABLE:
        connection.execute(delete(rows).where(rows.table_id.in_(tables)))
    connection.execute(delete(TableRow).where(TableRow.id.in_(tables)))
    used = select(TableRow.content).where(TableRow.content.in_(content))
    connection.execute(delete(ContentRow).where(ContentRow.digest.in_(content), ContentRow.digest.not_in(used)))


def _bring_pictures(connection: Connection, guest: str, person: str) -> None:
    """The pictures of sets that were brought along; each is kept once for a person."""
    connection.execute(update(PictureUseRow).where(PictureUseRow.person == guest).values(person=person))
    known = select(PictureRow.name).where(PictureRow.person == person)
    new = connection.execute(
        select(PictureRow.name, PictureRow.text).where(PictureRow.person == guest, PictureRow.name.not_in(known))
    ).all()
    if new:
        rows = [{"person": person, "name": picture.name, "text": picture.text} for picture in new]
        connection.execute(insert(PictureRow), rows)
    connection.execute(delete(PictureRow).where(PictureRow.person == guest))


def _bring_preferences(connection: Connection, guest: str, person: str) -> None:
    """What a guest wanted of the pages, unless the person has said that themselves."""
    if not connection.scalar(select(PreferenceRow.person).filter_by(person=person)):
        connection.execute(update(PreferenceRow).filter_by(person=guest).values(person=person))
    connection.execute(delete(PreferenceRow).filter_by(person=guest))


def _bring_talk(connection: Connection, guest: str, person: str) -> list[str]:
    """What a guest said, applauded, muted and reported; the tables at which they said something.

    Nobody applauds or mutes twice, and nobody mutes themselves.
    """
    tables = connection.scalars(select(ChatLineRow.table_id).where(ChatLineRow.person == guest).distinct()).all()
    connection.execute(update(ChatLineRow).where(ChatLineRow.person == guest).values(person=person))
    connection.execute(update(ReportRow).where(ReportRow.person == guest).values(person=person))
    connection.execute(update(ReportRow).where(ReportRow.reporter == guest).values(reporter=person))
    for table, number in connection.execute(
        select(ApplauseRow.table_id, ApplauseRow.number).where(ApplauseRow.person == person)
    ).all():
        twice = delete(ApplauseRow).where(ApplauseRow.table_id == table, ApplauseRow.number == number)
        connection.execute(twice.where(ApplauseRow.person == guest))
    connection.execute(update(ApplauseRow).where(ApplauseRow.person == guest).values(person=person))
    for side, other in ((MuteRow.person, MuteRow.muted), (MuteRow.muted, MuteRow.person)):
        known = connection.scalars(select(other).where(side == person)).all()
        connection.execute(delete(MuteRow).where(side == guest, other.in_({*known, person})))
        connection.execute(update(MuteRow).where(side == guest).values({side.key: person}))
    return list(tables)


def _silence(connection: Connection, people: Sequence[str]) -> list[str]:
    """What people said who are gone, and what was reported of them and by them; the tables at which they spoke."""
    rows = connection.execute(
        select(ChatLineRow.table_id, ChatLineRow.number, ChatLineRow.kind).where(ChatLineRow.person.in_(people))
    ).all()
    tables = {table for table, _, _ in rows}
    for table in tables:
        said = [number for of, number, kind in rows if of == table and kind != "move"]
        take_away(connection, table, said)
    nameless = {"person": None, "name": SOMEBODY}
    connection.execute(update(ChatLineRow).where(ChatLineRow.person.in_(people)).values(nameless))
    connection.execute(update(ReportRow).where(ReportRow.person.in_(people)).values(nameless))
    connection.execute(update(ReportRow).where(ReportRow.reporter.in_(people)).values(reporter=None))
    connection.execute(delete(MuteRow).where(MuteRow.muted.in_(people) | MuteRow.person.in_(people)))
    connection.execute(delete(ApplauseRow).where(ApplauseRow.person.in_(people)))
    return list(tables)
