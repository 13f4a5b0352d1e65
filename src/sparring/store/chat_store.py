"""The chat in the database: lines and applause, mutes, and reports.

Each change of lines raises `chat_version` of their table in its transaction, and gives it to the lines. Processes that
have the table in memory compare this version, and fetch the lines with a newer one.
"""

import secrets
import time
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, and_, delete, insert, or_, select, update

from sparring.store.change_store import notify

from .database import row_values
from .group_commit import StaleWrite
from .moderation import add_entry
from .schema import ApplauseRow, ChatLineRow, FriendshipRow, ModerationRow, MuteRow, ReportRow, TableRow
from .transactions import Store, transaction

#: The columns of a removed line, and how long a settled report is kept (seconds).
GONE = {"kind": "gone", "words": "", "about": ""}
KEPT = 90 * 24 * 3600
#: How many lines before and after a reported one moderators see.
BEFORE, AFTER = 5, 3


class ChatStore(Store):
    """The chat in the database of a server."""

    async def lines(self, table: str, since: int = 0) -> tuple[int, Sequence[tuple[ChatLineRow, frozenset[str]]]]:
        """Return the version of a table's chat, and the lines changed since a version, each with who applauds it."""
        changed = (ChatLineRow.table_id == table) & (ChatLineRow.chat_version > since)
        query = select(TableRow.chat_version, ChatLineRow).outerjoin(ChatLineRow, changed).where(TableRow.id == table)
        applause = select(ApplauseRow.number, ApplauseRow.person).join(ChatLineRow).where(changed)
        async with self._store.reading() as session:
            rows = (await session.execute(query.order_by(ChatLineRow.number))).all()  # in one query, so that both agree
            lines = [line for _, line in rows if line]
            applauded = (await session.execute(applause)).all() if lines else ()
        people = defaultdict[int, set[str]](set)
        for number, person in applauded:
            people[number].add(person)
        version = rows[0].chat_version if rows else since
        return version, [(line, frozenset(people[line.number])) for line in lines]

    @transaction
    def add(self, connection: Connection, row: ChatLineRow) -> None:
        """Insert a line; raise StaleWrite unless its version follows that of the chat."""
        _raise_version(connection, row.table_id, row.chat_version)
        connection.execute(insert(ChatLineRow).values(row_values(row)))

    @transaction
    def applaud(self, connection: Connection, table: str, number: int, chat_version: int, person: str) -> None:
        """Add a person's applause to a line; raise StaleWrite unless its new version follows that of the chat."""
        _raise_version(connection, table, chat_version)
        condition = (ChatLineRow.table_id == table) & (ChatLineRow.number == number)
        connection.execute(insert(ApplauseRow).values(table=table, number=number, person=person))
        connection.execute(update(ChatLineRow).where(condition).values(chat_version=chat_version))

    async def said_by(self, person: str) -> Sequence[ChatLineRow]:
        """Return all remaining lines of a person."""
        query = (
            select(ChatLineRow)
            .where(ChatLineRow.person == person)
            .order_by(ChatLineRow.said, ChatLineRow.table_id, ChatLineRow.number)
        )
        return await self._all(query)

    # Mutes

    async def mutes(self, person: str) -> Sequence[MuteRow]:
        """Return a person's mutes."""
        query = select(MuteRow).where(MuteRow.person == person).order_by(MuteRow.name, MuteRow.id)
        return await self._all(query)

    async def mutes_of(self, people: Collection[str]) -> Mapping[str, Mapping[str, str]]:
        """Return whom several people have muted, with the id of that mute, or blocked, with an empty id."""
        mutes: dict[str, dict[str, str]] = {person: {} for person in people}
        query = select(MuteRow.person, MuteRow.muted, MuteRow.id).where(MuteRow.person.in_(people))
        async with self._store.reading() as session:
            for person, muted, mute in await session.execute(query.order_by(MuteRow.name, MuteRow.id)):
                mutes[person][muted] = mute
            for person, blocked in await session.execute(
                select(FriendshipRow.person, FriendshipRow.other)
                .where(FriendshipRow.person.in_(people), FriendshipRow.state == "blocked")
            ):  # fmt: skip
                mutes[person].setdefault(blocked or "", "")
        return mutes

    @transaction
    def mute(self, connection: Connection, person: str, muted: str, name: str) -> None:
        """Mute another person."""
        condition = (MuteRow.person == person) & (MuteRow.muted == muted)
        connection.execute(delete(MuteRow).where(condition))
        row = MuteRow(id=secrets.token_urlsafe(9), person=person, muted=muted, name=name)
        connection.execute(insert(MuteRow).values(row_values(row)))

    async def unmute(self, person: str, number: str) -> None:
        """Remove a mute."""
        await self._store.execute(delete(MuteRow).where(MuteRow.person == person, MuteRow.id == number))

    # Reports

    @transaction
    def report(self, connection: Connection, row: ReportRow) -> None:
        """Store a report, once per line and reporter."""
        same = select(ReportRow.number).where(
            ReportRow.table == row.table, ReportRow.line == row.line, ReportRow.reporter == row.reporter
        )
        if not connection.execute(same).first():
            connection.execute(insert(ReportRow).values(row_values(row)))

    async def reports(self, *, settled: bool = False) -> Sequence[ReportRow]:
        """Return open reports, or all of them; oldest first."""
        query = select(ReportRow).order_by(ReportRow.number)
        return await self._all(query if settled else query.where(ReportRow.settled.is_(None)))

    async def load_report(self, number: int) -> ReportRow | None:
        """Return a report by its number."""
        return await self._get(ReportRow, number)

    async def context(self, reports: Collection[ReportRow]) -> Sequence[ChatLineRow]:
        """Return the lines near reported ones that their tables still have, in order."""
        near = [
            and_(ChatLineRow.table_id == row.table, ChatLineRow.number.between(row.line - BEFORE, row.line + AFTER))
            for row in reports
        ]
        return await self._all(select(ChatLineRow).where(or_(*near)).order_by(ChatLineRow.number))

    async def reported_by(self, person: str) -> Sequence[ReportRow]:
        """Return the reports that a person has made."""
        query = select(ReportRow).where(ReportRow.reporter == person).order_by(ReportRow.number)
        return await self._all(query)

    @transaction
    def settle(self, connection: Connection, row: ReportRow, *, remove: bool, entry: ModerationRow) -> None:
        """Settle all reports of a line, with an entry of the moderation log; `remove` removes it for everyone."""
        if remove:  # first, since others lock tables before reports
            change_lines(connection, [(row.table, row.line)], **GONE)
        condition = (ReportRow.table == row.table) & (ReportRow.line == row.line)
        statement = update(ReportRow).where(condition, ReportRow.settled.is_(None))
        connection.execute(statement.values(settled=int(time.time())))
        add_entry(connection, entry)


def change_lines(connection: Connection, lines: Iterable[Sequence[Any]], **values: object) -> None:
    """Change lines, given by table and number, and give them a new version, so that every page learns of it."""
    numbers = defaultdict[str, list[int]](list)
    for table, number in lines:
        numbers[table].append(number)
    for table in sorted(numbers):
        raised = update(TableRow).where(TableRow.id == table).values(chat_version=TableRow.chat_version + 1)
        version = connection.scalar(raised.returning(TableRow.chat_version))
        condition = (ChatLineRow.table_id == table) & ChatLineRow.number.in_(numbers[table])
        connection.execute(update(ChatLineRow).where(condition).values({**values, "chat_version": version}))
    notify(connection, numbers)


def _raise_version(connection: Connection, table: str, chat_version: int) -> None:
    """Raise the version of a table's chat; raise StaleWrite if this isn't the next one.

    It locks the table's row, so that no other process changes the chat before this transaction is committed.
    """
    condition = (TableRow.id == table) & (TableRow.chat_version == chat_version - 1)
    if not connection.execute(update(TableRow).where(condition).values(chat_version=chat_version)).rowcount:
        raise StaleWrite("The chat has just changed. Please try again.")
    notify(connection, [table])
