"""The outbox: messages to send, written with the change that they report, so that none is lost or sent twice.

A process claims a message by deleting its row, and so only one process sends it. If sending fails, the message comes
back with a later due time. A server that dies while it sends loses the message: that is better than sending it twice.
"""

from collections.abc import Collection, Sequence

from sqlalchemy import BigInteger, Connection, delete, insert, literal, select

from sparring.store.database import row_values
from sparring.store.group_commit import Work
from sparring.store.schema import NotificationChoiceRow, OutboxRow
from sparring.store.transactions import Store, transaction

#: No message waits longer (ms): a later due time is from a run whose clock was ahead.
LATEST = 24 * 3600 * 1000


class OutboxStore(Store):
    """The outbox in the database of a server."""

    async def add(self, message: OutboxRow) -> None:
        """Add a message."""
        await self._store.execute(insert(OutboxRow).values(row_values(message)))

    async def notify(self, message: Work) -> None:
        """Add notifications (`notify`)."""
        await self._store.transaction(message)

    async def claim(self, now: int, limit: int) -> Sequence[OutboxRow]:
        """Take messages that are due out of the outbox; no other process gets them."""
        is_due = (OutboxRow.due <= now) | (OutboxRow.due > now + LATEST)
        due = select(OutboxRow).where(is_due).order_by(OutboxRow.due).limit(limit)
        async with self._store.reading() as session:
            found = (await session.scalars(due)).all()
        return await self._take(found) if found else []

    @transaction
    def _take(self, connection: Connection, messages: Sequence[OutboxRow]) -> Sequence[OutboxRow]:
        """Take messages out of the outbox; return those that no other process has taken."""
        taken = list[OutboxRow]()
        for message in messages:
            if connection.execute(delete(OutboxRow).filter_by(number=message.number, due=message.due)).rowcount:
                taken.append(message)
        return taken

    @transaction
    def retry(self, connection: Connection, message: OutboxRow, due: int) -> None:
        """Put a message back that couldn't be sent, unless a newer one about the same has come."""
        known = select(OutboxRow.number).filter_by(
            kind=message.kind, way=message.way, person=message.person, table=message.table, text=message.text
        )
        if connection.scalar(known.limit(1)) is None:
            values = {**row_values(message), "due": due, "failures": message.failures + 1}
            connection.execute(insert(OutboxRow).values(values))


def notify(
    connection: Connection, people: Collection[str], kind: str, ways: Collection[str], table: str, due: int,
    text: str = "",
) -> None:  # fmt: skip
    """Add notifications for people, in each way that they have chosen; they replace older ones about the table."""
    connection.execute(delete(OutboxRow).filter_by(kind=kind, table=table).where(OutboxRow.person.in_(people)))
    choice = NotificationChoiceRow
    wanted = choice.person.in_(people) & (choice.kind == kind) & choice.way.in_(ways)
    values = literal(table), literal(text), literal(due, BigInteger), literal(0)
    chosen = select(choice.kind, choice.way, choice.person, *values).where(wanted)
    columns = ["kind", "way", "person", "table", "text", "due", "failures"]
    connection.execute(insert(OutboxRow).from_select(columns, chosen))
