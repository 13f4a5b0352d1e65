"""What acts as a person: sessions, API tokens, push notifications and links in e-mails; how it ends."""

import time
from collections.abc import Collection, Sequence

from sqlalchemy import Connection, delete, insert, select, update

from sparring.store.database import insert_new, row_values
from sparring.store.group_commit import StaleWrite
from sparring.store.person import Person
from sparring.store.schema import AccountRow, EndedSessionRow, MailTokenRow, PushDeviceRow, TokenRow
from sparring.store.transactions import Store, transaction

SIGNED_OUT = "You have been signed out. Sign in again to continue."
#: When ended sessions of guests may be forgotten: never, because their cookies contain no time.
NEVER = 1 << 53


def end_sessions(connection: Connection, person: str) -> None:
    """Revoke every session of an account, links in e-mails that could change it, and push notifications to browsers."""
    for rows in (MailTokenRow, PushDeviceRow):
        connection.execute(delete(rows).filter_by(person=person))
    connection.execute(update(AccountRow).filter_by(person=person).values(epoch=AccountRow.epoch + 1))
    connection.execute(delete(EndedSessionRow).filter_by(person=person))


def end_guest(connection: Connection, guest: str, account: str) -> None:
    """End everything that acts as a guest who becomes or joins an account.

    Someone who used the browser before, or planted its cookie, may have made it.
    """
    ended = [connection.execute(delete(rows).filter_by(person=guest)).rowcount for rows in (TokenRow, PushDeviceRow)]
    if any(ended):
        notice = update(AccountRow).filter_by(person=account).values(guest_access_ended=int(time.time()))
        connection.execute(notice)
    if guest != account:  # otherwise the account's session generation ends the cookies
        row = insert_new(connection, EndedSessionRow).values(person=guest, session="", until=NEVER)
        connection.execute(row.on_conflict_do_nothing())


def check_session(connection: Connection, person: Person) -> None:
    """Raise StaleWrite if a person's session has ended since their request arrived."""
    epoch = connection.scalar(select(AccountRow.epoch).filter_by(person=person.id)) or 0
    ended = select(EndedSessionRow.person).filter_by(person=person.id, session=person.session)
    if epoch != person.epoch or connection.scalar(ended):
        raise StaleWrite(SIGNED_OUT)


class TokenStore(Store):
    """The tokens in the database of a server."""

    @transaction
    def add(self, connection: Connection, row: TokenRow, owner: Person) -> None:
        """Insert a token; raise StaleWrite if its owner's session has ended."""
        row.created = int(time.time())
        check_session(connection, owner)
        connection.execute(insert(TokenRow).values(row_values(row)))

    async def load(self, digest: str) -> TokenRow | None:
        """Return a token by the digest of its secret."""
        async with self._store.reading() as session:
            return (await session.scalars(select(TokenRow).filter_by(digest=digest))).first()

    async def of(self, person: str) -> Sequence[TokenRow]:
        """Return the tokens of a person, newest first."""
        query = select(TokenRow).filter_by(person=person).order_by(TokenRow.created.desc(), TokenRow.id)
        async with self._store.reading() as session:
            return (await session.scalars(query)).all()

    async def valid(self, tokens: Collection[str]) -> set[str]:
        """Return those of some tokens that haven't been revoked."""
        async with self._store.reading() as session:
            return set(await session.scalars(select(TokenRow.id).where(TokenRow.id.in_(tokens))))

    async def use(self, token: str, day: int) -> None:
        """Record the day of a token's last use."""
        await self._store.execute(update(TokenRow).where(TokenRow.id == token).values(used=day))

    async def remove(self, token: str) -> None:
        """Revoke a token."""
        await self._store.execute(delete(TokenRow).where(TokenRow.id == token))
