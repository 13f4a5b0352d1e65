"""What people said at tables, in the database: lines and applause, who hears nothing of whom, and reports."""

import secrets
import time
from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import Connection, delete, func, insert, select, update

from . import notice_store
from .database import Database, row_values
from .schema import ApplauseRow, ChatLineRow, MuteRow, ReportRow

#: What stands in place of a line that was taken away, and how long a report is kept that was settled (seconds).
GONE = {"kind": "gone", "words": "", "about": ""}
KEPT = 90 * 24 * 3600


class ChatStore:
    """All talk of a server."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def lines(self, table: str) -> tuple[Sequence[ChatLineRow], Mapping[int, frozenset[str]]]:
        """All that was said at a table, and who applauds which line."""
        found = select(ChatLineRow).where(ChatLineRow.table_id == table).order_by(ChatLineRow.number)
        applause = select(ApplauseRow.number, ApplauseRow.person).where(ApplauseRow.table_id == table)
        async with self._store.reading() as session:
            lines = (await session.scalars(found)).all()
            rows = (await session.execute(applause)).all() if lines else ()
        numbers = {row.number for row in rows}
        return lines, {number: frozenset(row.person for row in rows if row.number == number) for number in numbers}

    async def add(self, row: ChatLineRow) -> None:
        """Keep a line."""

        def work(connection: Connection) -> None:
            connection.execute(insert(ChatLineRow).values(row_values(row)))

        await self._store.writer.write(work)

    async def applaud(self, table: str, number: int, edition: int, person: str) -> None:
        """Somebody applauds a line."""

        def work(connection: Connection) -> None:
            place = (ChatLineRow.table_id == table) & (ChatLineRow.number == number)
            connection.execute(insert(ApplauseRow).values(table=table, number=number, person=person))
            connection.execute(update(ChatLineRow).where(place).values(edition=edition))

        await self._store.writer.write(work)

    async def said_by(self, person: str) -> Sequence[ChatLineRow]:
        """All that somebody said that is still there."""
        found = (
            select(ChatLineRow)
            .where(ChatLineRow.person == person)
            .order_by(ChatLineRow.said, ChatLineRow.table_id, ChatLineRow.number)
        )
        async with self._store.reading() as session:
            return (await session.scalars(found)).all()

    # Who hears nothing of whom

    async def mutes(self, person: str) -> Sequence[MuteRow]:
        """Whom somebody does not hear."""
        found = select(MuteRow).where(MuteRow.person == person).order_by(MuteRow.name, MuteRow.id)
        async with self._store.reading() as session:
            return (await session.scalars(found)).all()

    async def mutes_of(self, people: Collection[str]) -> Mapping[str, Mapping[str, str]]:
        """The same for each of several people: whom they do not hear, with the name of that mute."""
        found: dict[str, dict[str, str]] = {person: {} for person in people}
        theirs = select(MuteRow.person, MuteRow.muted, MuteRow.id).where(MuteRow.person.in_(people))
        async with self._store.reading() as session:
            for person, muted, name in await session.execute(theirs.order_by(MuteRow.name, MuteRow.id)):
                found[person][muted] = name
        return found

    async def mute(self, person: str, muted: str, name: str) -> None:
        """Somebody wants to hear nothing of another one."""

        def work(connection: Connection) -> None:
            pair = (MuteRow.person == person) & (MuteRow.muted == muted)
            connection.execute(delete(MuteRow).where(pair))
            row = MuteRow(id=secrets.token_urlsafe(9), person=person, muted=muted, name=name)
            connection.execute(insert(MuteRow).values(row_values(row)))

        await self._store.writer.write(work)

    async def unmute(self, person: str, number: str) -> None:
        """Somebody wants to hear another one again."""

        def work(connection: Connection) -> None:
            connection.execute(delete(MuteRow).where(MuteRow.person == person, MuteRow.id == number))

        await self._store.writer.write(work)

    # Reports

    async def report(self, row: ReportRow) -> None:
        """Keep a report, once for each line and whoever reports it."""

        def work(connection: Connection) -> None:
            same = select(ReportRow.number).where(
                ReportRow.table == row.table, ReportRow.line == row.line, ReportRow.reporter == row.reporter
            )
            if not connection.execute(same).first():
                connection.execute(insert(ReportRow).values(row_values(row)))

        await self._store.writer.write(work)

    async def reports(self, *, settled: bool = False) -> Sequence[ReportRow]:
        """What was reported and waits for whoever runs the server, or all of it; the oldest first."""
        found = select(ReportRow).order_by(ReportRow.number)
        async with self._store.reading() as session:
            return (await session.scalars(found if settled else found.where(ReportRow.settled.is_(None)))).all()

    async def reported_by(self, person: str) -> Sequence[ReportRow]:
        """What somebody reported."""
        found = select(ReportRow).where(ReportRow.reporter == person).order_by(ReportRow.number)
        async with self._store.reading() as session:
            return (await session.scalars(found)).all()

    async def settle(self, number: int, *, remove: bool) -> bool:
        """Whoever runs the server is done with all reports of a line; False if there is no such one.

        `remove` takes the line away, for all who see the table.
        """
        found = False

        def work(connection: Connection) -> None:
            nonlocal found
            row = connection.execute(select(ReportRow.table, ReportRow.line).where(ReportRow.number == number)).first()
            found = row is not None
            if row is None:
                return
            of_line = (ReportRow.table == row.table) & (ReportRow.line == row.line)
            done = update(ReportRow).where(of_line, ReportRow.settled.is_(None))
            connection.execute(done.values(settled=int(time.time())))
            if remove:
                take_away(connection, row.table, [row.line])
                notice_store.tell(connection, [row.table])

        await self._store.writer.write(work)
        return found

    async def expire(self) -> None:
        """Let go of what was settled long ago."""

        def work(connection: Connection) -> None:
            connection.execute(delete(ReportRow).where(ReportRow.settled < int(time.time()) - KEPT))

        await self._store.writer.write(work)


def take_away(connection: Connection, table: str, numbers: Sequence[int], **more: object) -> None:
    """Some lines of a table are gone: their places stay, so that every page hears of it."""
    theirs = ChatLineRow.table_id == table
    newest = connection.scalar(select(func.max(ChatLineRow.edition)).where(theirs)) or 0
    gone = update(ChatLineRow).where(theirs, ChatLineRow.number.in_(numbers))
    connection.execute(gone.values({**GONE, "edition": newest + 1, **more}))
