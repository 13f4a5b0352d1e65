"""Store what people want to be told, their browsers, the server's key, and the outbox.

The outbox holds messages to send, written with the change that they report, so that none is lost or sent twice. A
process claims a message by deleting its row, and so only one process sends it. If sending fails, the message comes back
with a later due time. A server that dies while it sends loses the message: that is better than sending it twice.
"""

import time
from collections.abc import Collection, Sequence

from sqlalchemy import BigInteger, ColumnElement, Connection, delete, insert, literal, select

from sparring.store.database import insert_new, row_values
from sparring.store.group_commit import Work
from sparring.store.person import Person
from sparring.store.schema import AccountRow, NotificationChoiceRow, OutboxRow, PushDeviceRow, PushKeyRow, SeatRow
from sparring.store.transactions import Store, transaction

from .credentials import check_session

#: A kind of notification, and a way to send it.
Choice = tuple[str, str]

#: No message waits longer (ms): a later due time is from a run whose clock was ahead.
LATEST = 24 * 3600 * 1000


class NotificationStore(Store):
    """The notifications in the database of a server."""

    async def choices(self, person: str) -> set[Choice]:
        """Return the notifications that a person wants."""
        query = select(NotificationChoiceRow).filter_by(person=person)
        async with self._store.reading() as session:
            return {(row.kind, row.way) for row in await session.scalars(query)}

    @transaction
    def choose(self, connection: Connection, person: str, ways: Collection[str], wanted: Collection[Choice]) -> None:
        """Store which notifications a person wants in these ways; other ways stay as they are."""
        chosen = NotificationChoiceRow.way.in_(ways)
        connection.execute(delete(NotificationChoiceRow).where(NotificationChoiceRow.person == person, chosen))
        _add(connection, person, [(kind, way) for kind, way in wanted if way in ways])

    async def devices(self, person: str) -> Sequence[PushDeviceRow]:
        """Return the browsers of a person, oldest first."""
        query = select(PushDeviceRow).filter_by(person=person).order_by(PushDeviceRow.created, PushDeviceRow.id)
        async with self._store.reading() as session:
            return (await session.scalars(query)).all()

    @transaction
    def add_device(
        self, connection: Connection, device: PushDeviceRow, owner: Person, most: int, kinds: Sequence[str]
    ) -> None:
        """Store a browser with its present owner; beyond `most` browsers of a person, forget the oldest.

        A person who wants no push notifications yet gets those of all `kinds`. Raise StaleWrite if the owner's session
        has ended.
        """
        device.created = int(time.time())
        person = device.person
        check_session(connection, owner)
        connection.execute(delete(PushDeviceRow).filter_by(id=device.id))
        connection.execute(insert(PushDeviceRow).values(row_values(device)))
        newest = select(PushDeviceRow.id).filter_by(person=person).order_by(PushDeviceRow.created.desc())
        kept = connection.scalars(newest.limit(most)).all()
        connection.execute(delete(PushDeviceRow).where(PushDeviceRow.person == person, PushDeviceRow.id.not_in(kept)))
        if not connection.scalar(select(NotificationChoiceRow.kind).filter_by(person=person, way="push").limit(1)):
            _add(connection, person, [(kind, "push") for kind in kinds])

    async def remove_device(self, person: str, device: str) -> None:
        """Forget a browser of a person."""
        await self._store.execute(delete(PushDeviceRow).filter_by(person=person, id=device))

    @transaction
    def push_key(self, connection: Connection, new: str) -> str:
        """Return the server's key for push notifications; the first call stores `new`, in one process only."""
        connection.execute(insert_new(connection, PushKeyRow).values(id=1, key=new).on_conflict_do_nothing())
        return connection.scalars(select(PushKeyRow.key)).one()


def _add(connection: Connection, person: str, wanted: Collection[Choice]) -> None:
    rows = [{"person": person, "kind": kind, "way": way} for kind, way in wanted]
    if rows:
        connection.execute(insert(NotificationChoiceRow), rows)


def move_notifications(connection: Connection, guest: str, person: str) -> None:
    """Move a guest's choices to an account; choices that the account has made stay."""
    chosen = connection.scalars(select(NotificationChoiceRow.kind).filter_by(person=person).limit(1)).all()
    rows = connection.execute(
        select(NotificationChoiceRow.kind, NotificationChoiceRow.way).filter_by(person=guest)
    ).all()
    if not chosen:
        _add(connection, person, [(row.kind, row.way) for row in rows])
    connection.execute(delete(NotificationChoiceRow).filter_by(person=guest))


def delete_notifications_of_guests(connection: Connection, before: int) -> None:
    """Delete the browsers, added before `before`, and the choices of guests who have no seat at any table.

    Nothing can be sent to them, and they may never come back.
    """

    def gone(rows: type[NotificationChoiceRow | PushDeviceRow]) -> ColumnElement[bool]:
        account = select(AccountRow.person).where(AccountRow.person == rows.person).exists()
        seat = select(SeatRow.seat).where(SeatRow.person == rows.person).exists()
        return ~account & ~seat

    connection.execute(delete(PushDeviceRow).where(gone(PushDeviceRow), PushDeviceRow.created < before))
    device = select(PushDeviceRow.id).where(PushDeviceRow.person == NotificationChoiceRow.person).exists()
    connection.execute(delete(NotificationChoiceRow).where(gone(NotificationChoiceRow), ~device))


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
