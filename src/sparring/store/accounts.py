"""Accounts, how to sign in, and what acts as a person: sessions, API tokens, push notifications, links in e-mails."""

import time
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, func, insert, or_, select, update

from .database import insert_new, row_values
from .group_commit import StaleWrite
from .person import Person
from .schema import (
    AccountRow,
    EndedSessionRow,
    FriendshipRow,
    MailTokenRow,
    PasskeyRow,
    PreferenceRow,
    PushDeviceRow,
    RecoveryRow,
    TokenRow,
    UsedTicketRow,
)
from .transactions import Store, transaction

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
        return await self._first(select(TokenRow).filter_by(digest=digest))

    async def of(self, person: str) -> Sequence[TokenRow]:
        """Return the tokens of a person, newest first."""
        query = select(TokenRow).filter_by(person=person).order_by(TokenRow.created.desc(), TokenRow.id)
        return await self._all(query)

    async def valid(self, tokens: Collection[str]) -> set[str]:
        """Return those of some tokens that haven't been revoked."""
        return set(await self._all(select(TokenRow.id).where(TokenRow.id.in_(tokens))))

    async def use(self, token: str, day: int) -> None:
        """Record the day of a token's last use."""
        await self._store.execute(update(TokenRow).where(TokenRow.id == token).values(used=day))

    async def remove(self, token: str) -> None:
        """Revoke a token."""
        await self._store.execute(delete(TokenRow).where(TokenRow.id == token))


class AlreadyTaken(StaleWrite):
    """The sign-in name or passkey is already in use."""


class TicketUsed(StaleWrite):
    """The ticket of a passkey ceremony was used before."""


class LastSignInMethod(StaleWrite):
    """An account's last sign-in method can't be removed."""


class CurrentAccount(NamedTuple):
    """The current state of a person: session generation (0: no account), name and role.

    Also whether they want text mode (None: never set), the sessions of this generation that have signed out, and the
    people who have blocked them.
    """

    epoch: int = 0
    name: str = ""
    role: str = ""
    words: bool | None = None
    ended: frozenset[str] = frozenset()
    blocked_by: frozenset[str] = frozenset()


class AccountStore(Store):
    """The accounts in the database of a server."""

    async def load(self, **known: str) -> AccountRow | None:
        """Return an account by its person or its folded sign-in name."""
        return await self._first(select(AccountRow).filter_by(**known))

    async def current(self, people: Collection[str]) -> Mapping[str, CurrentAccount]:
        """Return the current state of some people."""
        accounts_query = select(AccountRow.person, AccountRow.epoch, AccountRow.name, AccountRow.role).where(
            AccountRow.person.in_(people)
        )
        preferences_query = select(PreferenceRow.person, PreferenceRow.words).where(PreferenceRow.person.in_(people))
        ended_query = select(EndedSessionRow.person, EndedSessionRow.session).where(EndedSessionRow.person.in_(people))
        blocked_query = select(FriendshipRow.other, FriendshipRow.person).where(
            FriendshipRow.other.in_(people), FriendshipRow.state == "blocked"
        )
        ended, blocked_by = defaultdict[str, set[str]](set), defaultdict[str | None, set[str]](set)
        async with self._store.reading() as session:
            rows = await session.execute(accounts_query)
            accounts = {person: (epoch, name, role) for person, epoch, name, role in rows}
            words = {row.person: row.words for row in await session.execute(preferences_query)}
            for row in await session.execute(ended_query):
                ended[row.person].add(row.session)
            for other, person in await session.execute(blocked_query):
                blocked_by[other].add(person)
        return {
            person: CurrentAccount(
                *accounts.get(person, (0, "", "")),
                words.get(person),
                frozenset(ended[person]),
                frozenset(blocked_by[person]),
            )
            for person in people
        }

    @transaction
    def set_text_mode(self, connection: Connection, person: str, *, words: bool) -> None:
        """Store whether a person wants text mode."""
        row = insert_new(connection, PreferenceRow).values(person=person, words=words)
        connection.execute(row.on_conflict_do_update(index_elements=["person"], set_={"words": words}))

    async def passkey(self, number: str) -> PasskeyRow | None:
        """Return a passkey by the digest of its credential's id."""
        return await self._get(PasskeyRow, number)

    async def passkeys(self, person: str) -> Sequence[PasskeyRow]:
        """Return the passkeys of a person, oldest first."""
        query = select(PasskeyRow).filter_by(person=person).order_by(PasskeyRow.created, PasskeyRow.id)
        return await self._all(query)

    @transaction
    def add(self, connection: Connection, account: AccountRow, passkey: PasskeyRow | None = None) -> None:
        """Insert a new account, with a passkey if there is one, and end what acts as the guest who becomes it.

        Raise AlreadyTaken if either exists.
        """
        account.created = int(time.time())
        if connection.scalar(select(AccountRow.person).filter_by(person=account.person)):
            raise AlreadyTaken("You already have an account. Reload the page.")
        check_name(connection, account.person, account.folded)
        if passkey is not None:
            _check_passkey(connection, passkey)
        connection.execute(insert(AccountRow).values(row_values(account)))
        if passkey is not None:
            connection.execute(insert(PasskeyRow).values(row_values(passkey)))
        end_guest(connection, account.person, account.person)

    @transaction
    def change(self, connection: Connection, /, person: str, **values: Any) -> None:
        """Change an account's name, or sign-in name and password. Raise AlreadyTaken if the sign-in name is taken."""
        check_name(connection, person, values.get("folded"))
        connection.execute(update(AccountRow).filter_by(person=person).values(values))

    async def revoke_sessions(self, person: str) -> None:
        """Revoke all sessions of an account."""
        await self._store.transaction(end_sessions, person)

    @transaction
    def end_session(self, connection: Connection, person: str, session: str, until: int) -> None:
        """End one browser's session."""
        row = insert_new(connection, EndedSessionRow).values(person=person, session=session, until=until)
        connection.execute(row.on_conflict_do_nothing())

    @transaction
    def use_ticket(self, connection: Connection, digest: str, until: int) -> None:
        """Record that a ticket was used, and delete those that have expired; raise TicketUsed if it was used before."""
        row = insert_new(connection, UsedTicketRow).values(digest=digest, until=until)
        if not connection.execute(row.on_conflict_do_nothing()).rowcount:
            raise TicketUsed("This ticket was used before.")
        connection.execute(delete(UsedTicketRow).where(UsedTicketRow.until < int(time.time())))

    @transaction
    def add_passkey(self, connection: Connection, passkey: PasskeyRow) -> None:
        """Add a passkey; raise AlreadyTaken if it is known."""
        _check_passkey(connection, passkey)
        connection.execute(insert(PasskeyRow).values(row_values(passkey)))

    async def use_passkey(self, number: str, signs: int) -> None:
        """Record a sign-in with a passkey."""
        statement = update(PasskeyRow).filter_by(id=number).values(used=int(time.time()), signs=signs)
        await self._store.execute(statement)

    @transaction
    def remove_passkey(self, connection: Connection, person: str, number: str) -> None:
        """Remove a passkey; raise LastSignInMethod if there is no other sign-in method."""
        if _sign_in_methods(connection, person) < 2:
            raise LastSignInMethod("This is your only sign-in method. Add another one first.")
        connection.execute(delete(PasskeyRow).filter_by(person=person, id=number))

    @transaction
    def remove_password(self, connection: Connection, person: str) -> None:
        """Remove sign-in name and password; raise LastSignInMethod if there is no passkey."""
        if _sign_in_methods(connection, person) < 2:
            raise LastSignInMethod("Name and password are your only sign-in method. Add a passkey first.")
        statement = update(AccountRow).filter_by(person=person).values(login=None, folded=None, password=None)
        connection.execute(statement)


def _sign_in_methods(connection: Connection, person: str) -> int:
    """Return the number of sign-in methods of an account."""
    with_password = select(func.count(AccountRow.password)).filter_by(person=person)
    with_passkey = select(func.count()).select_from(PasskeyRow).filter_by(person=person)
    return int(connection.scalar(with_password) or 0) + int(connection.scalar(with_passkey) or 0)


def check_name(connection: Connection, person: str, folded: str | None) -> None:
    """Raise AlreadyTaken if another account has this sign-in name."""
    if folded is None:
        return
    if connection.scalar(select(AccountRow.person).where(AccountRow.folded == folded, AccountRow.person != person)):
        raise AlreadyTaken("This sign-in name is taken. Choose another one.")


def _check_passkey(connection: Connection, passkey: PasskeyRow) -> None:
    if connection.scalar(select(PasskeyRow.id).filter_by(id=passkey.id)):
        raise AlreadyTaken("This passkey is already in use.")


class RecoveryStore(Store):
    """The recovery codes in the database of a server."""

    async def left(self, person: str) -> int:
        """Return the number of a person's unused codes, without those of the operator."""
        return await self._store.count(RecoveryRow, RecoveryRow.person == person, RecoveryRow.until.is_(None))

    async def replace(self, person: str, digests: Sequence[str]) -> None:
        """Store new codes of a person, which replace the older ones."""
        await self._store.transaction(_replace, person, digests)

    @transaction
    def use(self, connection: Connection, digest: str) -> AccountRow | None:
        """Use up a code and return its account; None if the code is unknown or has expired."""
        code = RecoveryRow.digest == digest
        person = connection.scalar(select(RecoveryRow.person).where(code, _is_valid()))
        if person is None or not connection.execute(delete(RecoveryRow).where(code)).rowcount:
            return None
        row = connection.execute(select(AccountRow.__table__).where(AccountRow.person == person)).mappings().one()
        return AccountRow(**row)

    @transaction
    def reset(self, connection: Connection, person: str, digest: str, until: int, *, passkeys: bool) -> None:
        """Remove the password or all passkeys of an account, sign it out everywhere, and store one code for its owner.

        All other codes are removed too.
        """
        if passkeys:
            connection.execute(delete(PasskeyRow).filter_by(person=person))
        else:
            connection.execute(update(AccountRow).filter_by(person=person).values(password=None))
        end_sessions(connection, person)
        _replace(connection, person, [digest], until)


def _replace(connection: Connection, person: str, digests: Sequence[str], until: int | None = None) -> None:
    connection.execute(delete(RecoveryRow).filter_by(person=person))
    connection.execute(
        insert(RecoveryRow), [{"digest": digest, "person": person, "until": until} for digest in digests]
    )


def _is_valid() -> Any:
    return or_(RecoveryRow.until.is_(None), RecoveryRow.until > int(time.time()))
