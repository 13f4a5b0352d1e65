"""E-mail addresses of accounts, and the links in e-mails, in the database: only digests of links are stored."""

import time
from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, delete, insert, or_, select, update

from sparring.settings.random_ids import random_id
from sparring.store.database import insert_new
from sparring.store.schema import AccountRow, AddressRow, MailTokenRow, NotificationChoiceRow
from sparring.store.transactions import Store, transaction

from .account_store import check_name
from .credentials import end_sessions

#: Purposes of links: set a new password, confirm an address.
RESET, CONFIRM = "reset", "confirm"


class MailStore(Store):
    """The e-mail addresses in the database of a server."""

    async def address(self, person: str) -> AddressRow | None:
        """Return the address of a person; None if they have given none."""
        async with self._store.reading() as session:
            return await session.get(AddressRow, person)

    async def accounts(self, folded: str, limit: int) -> Sequence[tuple[AccountRow, str]]:
        """Return accounts by their confirmed address or their sign-in name, both case-folded, with the addresses."""
        query = (
            select(AccountRow, AddressRow.address)
            .join(AddressRow, AddressRow.person == AccountRow.person)
            .where(AddressRow.address.is_not(None), or_(AddressRow.folded == folded, AccountRow.folded == folded))
            .order_by(AccountRow.created)
            .limit(limit)
        )
        async with self._store.reading() as session:
            return [(account, str(address)) for account, address in await session.execute(query)]

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
        connection.execute(delete(NotificationChoiceRow).filter_by(person=person, way="mail"))

    async def stop(self, link: str, kind: str) -> None:
        """Stop e-mails of a kind to the person with this link; do nothing if no one has it."""
        async with self._store.reading() as session:
            person = await session.scalar(select(AddressRow.person).filter_by(stop=link))
        if person is not None:
            choice = delete(NotificationChoiceRow).filter_by(person=person, kind=kind, way="mail")
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
        async with self._store.reading() as session:
            return (await session.scalars(query.where(_valid(digest, RESET)))).first()

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
