"""Reading and writing accounts and their passkeys. Whoever awaits a write here has it on the disk afterwards."""

import time
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, update

from .database import Database, insert_new, row_values
from .group_commit import StaleWrite
from .recovery_store import end_sessions
from .schema import AccountRow, EndedSessionRow, PasskeyRow, PreferenceRow


class AlreadyTaken(StaleWrite):
    """A sign-in name, or a way in, that somebody has already."""


class LastSignInMethod(StaleWrite):
    """The last way into an account, which has to stay."""


class CurrentAccount(NamedTuple):
    """A person as they stand: the epoch of their account (0: there is none), and the name they play under.

    And whether they want tables as pages of words (None: they never said), and the sessions of this epoch that have
    ended because their browsers signed out.
    """

    epoch: int = 0
    name: str = ""
    words: bool | None = None
    ended: frozenset[str] = frozenset()


class AccountStore:
    """The accounts in the database of a server."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def load(self, **known: str) -> AccountRow | None:
        """An account, by its person or by the sign-in name as it is looked for."""
        async with self._store.reading() as session:
            return (await session.scalars(select(AccountRow).filter_by(**known))).first()

    async def current(self, people: Collection[str]) -> Mapping[str, CurrentAccount]:
        """What is known of these people as they stand."""
        theirs = select(AccountRow.person, AccountRow.epoch, AccountRow.name).where(AccountRow.person.in_(people))
        wanted = select(PreferenceRow.person, PreferenceRow.words).where(PreferenceRow.person.in_(people))
        out = select(EndedSessionRow.person, EndedSessionRow.session).where(EndedSessionRow.person.in_(people))
        ended = defaultdict[str, set[str]](set)
        async with self._store.reading() as session:
            accounts = {person: (epoch, name) for person, epoch, name in await session.execute(theirs)}
            words = {row.person: row.words for row in await session.execute(wanted)}
            for row in await session.execute(out):
                ended[row.person].add(row.session)
        return {
            person: CurrentAccount(*accounts.get(person, (0, "")), words.get(person), frozenset(ended.get(person, ())))
            for person in people
        }

    async def prefer(self, person: str, *, words: bool) -> None:
        """Whether somebody wants tables as pages of words."""

        def work(connection: Connection) -> None:
            kept = insert_new(connection, PreferenceRow).values(person=person, words=words)
            connection.execute(kept.on_conflict_do_update(index_elements=["person"], set_={"words": words}))

        await self._store.writer.write(work)

    async def passkey(self, number: str) -> PasskeyRow | None:
        """A passkey by the digest of its credential's id."""
        async with self._store.reading() as session:
            return await session.get(PasskeyRow, number)

    async def passkeys(self, person: str) -> Sequence[PasskeyRow]:
        """The passkeys of a person, the oldest first."""
        theirs = select(PasskeyRow).filter_by(person=person).order_by(PasskeyRow.created, PasskeyRow.id)
        async with self._store.reading() as session:
            return (await session.scalars(theirs)).all()

    async def add(self, account: AccountRow, passkey: PasskeyRow | None = None) -> None:
        """Keep a new account, with a passkey if that is the way in. Taken if there is one already."""
        account.created = int(time.time())

        def work(connection: Connection) -> None:
            if connection.scalar(select(AccountRow.person).filter_by(person=account.person)):
                raise AlreadyTaken("You have an account already; load the page anew.")
            _check_name(connection, account.person, account.folded)
            if passkey is not None:
                _check_passkey(connection, passkey)
            connection.execute(insert(AccountRow).values(row_values(account)))
            if passkey is not None:
                connection.execute(insert(PasskeyRow).values(row_values(passkey)))

        await self._store.writer.write(work)

    async def change(self, person: str, **values: Any) -> None:
        """Change an account: the name one plays under, or sign-in name and password. Taken if another has that name."""

        def work(connection: Connection) -> None:
            _check_name(connection, person, values.get("folded"))
            connection.execute(update(AccountRow).filter_by(person=person).values(values))

        await self._store.writer.write(work)

    async def end_epoch(self, person: str) -> None:
        """From now on the cookies that were given out are worth nothing."""
        await self._store.writer.write(lambda connection: end_sessions(connection, person))

    async def end_session(self, person: str, session: str, until: int) -> None:
        """Refuse the cookies of one browser from now on; rows of cookies that have expired anyway go."""

        def work(connection: Connection) -> None:
            connection.execute(delete(EndedSessionRow).where(EndedSessionRow.until < int(time.time())))
            row = insert_new(connection, EndedSessionRow).values(person=person, session=session, until=until)
            connection.execute(row.on_conflict_do_nothing())

        await self._store.writer.write(work)

    async def add_passkey(self, passkey: PasskeyRow) -> None:
        """One more way in; Taken if this passkey is known already."""

        def work(connection: Connection) -> None:
            _check_passkey(connection, passkey)
            connection.execute(insert(PasskeyRow).values(row_values(passkey)))

        await self._store.writer.write(work)

    async def use_passkey(self, number: str, signs: int) -> None:
        """Somebody came in by it."""
        used = update(PasskeyRow).filter_by(id=number).values(used=int(time.time()), signs=signs)
        await self._store.writer.write(lambda connection: _do(connection, used))

    async def remove_passkey(self, person: str, number: str) -> None:
        """Let go of a passkey of a person; LastWay if there is no other way in."""

        def work(connection: Connection) -> None:
            if _ways(connection, person) < 2:
                raise LastSignInMethod("This is the only way in that you have; add another one first.")
            connection.execute(delete(PasskeyRow).filter_by(person=person, id=number))

        await self._store.writer.write(work)

    async def remove_password(self, person: str) -> None:
        """Let go of sign-in name and password; LastWay if there is no passkey."""

        def work(connection: Connection) -> None:
            if _ways(connection, person) < 2:
                raise LastSignInMethod("Name and password are the only way in that you have; add a passkey first.")
            gone = update(AccountRow).filter_by(person=person).values(login=None, folded=None, password=None)
            connection.execute(gone)

        await self._store.writer.write(work)


def _do(connection: Connection, statement: Any) -> None:
    connection.execute(statement)


def _ways(connection: Connection, person: str) -> int:
    """How many ways there are into an account."""
    with_password = select(func.count(AccountRow.password)).filter_by(person=person)
    with_passkey = select(func.count()).select_from(PasskeyRow).filter_by(person=person)
    return int(connection.scalar(with_password) or 0) + int(connection.scalar(with_passkey) or 0)


def _check_name(connection: Connection, person: str, folded: str | None) -> None:
    if folded is None:
        return
    if connection.scalar(select(AccountRow.person).where(AccountRow.folded == folded, AccountRow.person != person)):
        raise AlreadyTaken("Somebody signs in with that name already; choose another one.")


def _check_passkey(connection: Connection, passkey: PasskeyRow) -> None:
    if connection.scalar(select(PasskeyRow.id).filter_by(id=passkey.id)):
        raise AlreadyTaken("This passkey is known here already.")
