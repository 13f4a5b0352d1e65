"""Store e-mail addresses and the links sent to them, what people want to be told, their browsers, and the outbox.

The outbox holds messages to send, written with the change that they report, so that none is lost or sent twice. A
process claims a message by deleting its row, and so only one process sends it. If sending fails, the message comes back
with a later due time. A server that dies while it sends loses the message: that is better than sending it twice.
"""

import time
from collections.abc import Collection, Sequence

from sqlalchemy import BigInteger, ColumnElement, Connection, delete, insert, literal, or_, select, update

from sparring.settings.secrets import random_id

from .accounts import check_name, check_session, end_sessions
from .database import insert_new, row_values
from .group_commit import Work
from .person import Person
from .schema import (
    AccountRow,
    AddressRow,
    MailTokenRow,
    NotificationChoiceRow,
    OutboxRow,
    PushDeviceRow,
    PushKeyRow,
    SeatRow,
)
from .transactions import Store, transaction

#: Purposes of links: set a new password, confirm an address.
RESET, CONFIRM = "reset", "confirm"


class MailStore(Store):
    """The e-mail addresses in the database of a server."""

    async def address(self, person: str) -> AddressRow | None:
        """Return the address of a person; None if they have given none."""
        return await self._get(AddressRow, person)

    async def accounts(self, folded: str, limit: int) -> Sequence[tuple[AccountRow, str]]:
        """Return accounts by their confirmed address or their sign-in name, both case-folded, with the addresses."""
        query = (
            select(AccountRow, AddressRow.address)
            .join(AddressRow, AddressRow.person == AccountRow.person)
            .where(AddressRow.address.is_not(None), or_(AddressRow.folded == folded, AccountRow.folded == folded))
            .order_by(AccountRow.created)
            .limit(limit)
        )
        return [(account, str(address)) for account, address in await self._rows(query)]

    @transaction
    def set_pending(self, connection: Connection, person: str, address: str) -> None:
        """Store a new address, which replaces the present one once it is confirmed; older links become invalid."""
        delete_tokens(connection, person)
        row = insert_new(connection, AddressRow).values(person=person, pending=address, stop=random_id(16))
        connection.execute(row.on_conflict_do_update(index_elements=["person"], set_={"pending": address}))

    @transaction
    def remove(self, connection: Connection, person: str) -> None:
        """Delete the address of a person, links to it, and the choice of e-mails."""
        delete_tokens(connection, person)
        connection.execute(delete(AddressRow).filter_by(person=person))
        connection.execute(delete(NotificationChoiceRow).filter_by(person=person, channel="mail"))

    async def stop(self, link: str, kind: str) -> None:
        """Stop e-mails of a kind to the person with this link; do nothing if no one has it."""
        person = await self._first(select(AddressRow.person).filter_by(stop=link))
        if person is not None:
            choice = delete(NotificationChoiceRow).filter_by(person=person, kind=kind, channel="mail")
            await self._store.execute(choice)

    @transaction
    def add_token(
        self, connection: Connection, digest: str, person: str, purpose: str, address: str, until: int
    ) -> None:
        """Store a link, and delete those that have expired."""
        connection.execute(delete(MailTokenRow).where(MailTokenRow.until <= int(time.time())))
        values = {"digest": digest, "person": person, "purpose": purpose, "address": address, "until": until}
        connection.execute(insert(MailTokenRow).values(values))

    async def account_of(self, digest: str) -> AccountRow | None:
        """Return the account whose password a link can set; None if the link is invalid. The link stays valid."""
        query = select(AccountRow).join(MailTokenRow, MailTokenRow.person == AccountRow.person)
        return await self._first(query.where(_valid(digest, RESET)))

    @transaction
    def confirm(self, connection: Connection, digest: str) -> bool:
        """Confirm the address that a link was sent to, and use up the link; return whether it was valid."""
        query = select(MailTokenRow.person, MailTokenRow.address).where(_valid(digest, CONFIRM))
        if (token := connection.execute(query).first()) is None:
            return False
        pending = update(AddressRow).where(AddressRow.person == token.person, AddressRow.pending == token.address)
        values = {"address": token.address, "folded": token.address.casefold(), "pending": None}
        delete_tokens(connection, token.person)
        return bool(connection.execute(pending.values(values)).rowcount)

    @transaction
    def reset(self, connection: Connection, /, digest: str, **password: str) -> AccountRow | None:
        """Set a new password by a link, use up the link and end all sessions; return the account.

        `password` holds the changed columns of the account. Return None if the link is invalid; raise AlreadyTaken, and
        keep the link, if another account has the sign-in name.
        """
        person = connection.scalar(select(MailTokenRow.person).where(_valid(digest, RESET)))
        if person is None:
            return None
        check_name(connection, person, password["folded"])
        connection.execute(update(AccountRow).filter_by(person=person).values(password))
        end_sessions(connection, person)
        row = connection.execute(select(AccountRow.__table__).where(AccountRow.person == person)).mappings().one()
        return AccountRow(**row)


def delete_tokens(connection: Connection, person: str) -> None:
    """Make all links in earlier e-mails to a person invalid."""
    connection.execute(delete(MailTokenRow).filter_by(person=person))


def _valid(digest: str, purpose: str) -> ColumnElement[bool]:
    of = (MailTokenRow.digest == digest) & (MailTokenRow.purpose == purpose)
    return of & (MailTokenRow.until > int(time.time()))


#: A kind of notification, and a channel to send it by.
Choice = tuple[str, str]

#: No message waits longer (ms): a later due time is from a run whose clock was ahead.
LATEST = 24 * 3600 * 1000


class NotificationStore(Store):
    """The notifications in the database of a server."""

    async def choices(self, person: str) -> set[Choice]:
        """Return the notifications that a person wants."""
        query = select(NotificationChoiceRow).filter_by(person=person)
        return {(row.kind, row.channel) for row in await self._all(query)}

    @transaction
    def choose(
        self, connection: Connection, person: str, channels: Collection[str], wanted: Collection[Choice]
    ) -> None:
        """Store which notifications a person wants by these channels; others stay as they are."""
        chosen = NotificationChoiceRow.channel.in_(channels)
        connection.execute(delete(NotificationChoiceRow).where(NotificationChoiceRow.person == person, chosen))
        _add(connection, person, [(kind, channel) for kind, channel in wanted if channel in channels])

    async def devices(self, person: str) -> Sequence[PushDeviceRow]:
        """Return the browsers of a person, oldest first."""
        query = select(PushDeviceRow).filter_by(person=person).order_by(PushDeviceRow.created, PushDeviceRow.id)
        return await self._all(query)

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
        if not connection.scalar(select(NotificationChoiceRow.kind).filter_by(person=person, channel="push").limit(1)):
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
    rows = [{"person": person, "kind": kind, "channel": channel} for kind, channel in wanted]
    if rows:
        connection.execute(insert(NotificationChoiceRow), rows)


def move_notifications(connection: Connection, guest: str, person: str) -> None:
    """Move a guest's choices to an account; choices that the account has made stay."""
    chosen = connection.scalars(select(NotificationChoiceRow.kind).filter_by(person=person).limit(1)).all()
    rows = connection.execute(
        select(NotificationChoiceRow.kind, NotificationChoiceRow.channel).filter_by(person=guest)
    ).all()
    if not chosen:
        _add(connection, person, [(row.kind, row.channel) for row in rows])
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
        found = await self._all(due)
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
            kind=message.kind, channel=message.channel, person=message.person, table=message.table, text=message.text
        )
        if connection.scalar(known.limit(1)) is None:
            values = {**row_values(message), "due": due, "failures": message.failures + 1}
            connection.execute(insert(OutboxRow).values(values))


def notify(
    connection: Connection, people: Collection[str], kind: str, channels: Collection[str], table: str, due: int,
    text: str = "",
) -> None:  # fmt: skip
    """Add notifications for people, by each channel that they have chosen; they replace older ones about the table."""
    connection.execute(delete(OutboxRow).filter_by(kind=kind, table=table).where(OutboxRow.person.in_(people)))
    choice = NotificationChoiceRow
    wanted = choice.person.in_(people) & (choice.kind == kind) & choice.channel.in_(channels)
    values = literal(table), literal(text), literal(due, BigInteger), literal(0)
    chosen = select(choice.kind, choice.channel, choice.person, *values).where(wanted)
    columns = ["kind", "channel", "person", "table", "text", "due", "failures"]
    connection.execute(insert(OutboxRow).from_select(columns, chosen))
