"""For operator and moderators: all people whom the database knows, bans and mutes, and the log of what was done.

Each process rereads the bans in force every few seconds (`BanList`), so that those from elsewhere take effect.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, delete, func, insert, literal, null, or_, select, union_all, update

from sparring.engine.errors import SparringError

from .database import row_values
from .networks import shares
from .schema import AccountRow, BanRow, ChatLineRow, LastSeenRow, ModerationRow, ReportRow, SeatRow, TableRow, TokenRow
from .transactions import Store, transaction

#: Every name of a person, with the time at which they were last seen under it (seconds since 1970).
KNOWN = union_all(
    select(
        literal(1).label("account"), AccountRow.person, AccountRow.name, AccountRow.login, AccountRow.folded,
        AccountRow.role, func.coalesce(LastSeenRow.seen, AccountRow.created).label("at"),
    ).outerjoin(LastSeenRow, LastSeenRow.person == AccountRow.person),
    select(literal(0), SeatRow.person, SeatRow.name, null(), null(), literal(""), TableRow.changed)
    .join(TableRow, TableRow.id == SeatRow.table_id)
    .where(SeatRow.person.is_not(None)),
    select(literal(0), ChatLineRow.person, ChatLineRow.name, null(), null(), literal(""), ChatLineRow.said)
    .where(ChatLineRow.person.is_not(None)),
    select(literal(0), ReportRow.person, ReportRow.name, null(), null(), literal(""), ReportRow.said)
    .where(ReportRow.person.is_not(None)),
).subquery("known")  # fmt: skip
C = KNOWN.c


@dataclass(frozen=True)
class KnownPerson:
    """A person: the account's display name, or else the latest one; the sign-in name and the role if they have one."""

    id: str
    name: str
    login: str | None
    account: bool
    seen: int
    role: str


class PeopleStore(Store):
    """The people in the database of a server."""

    async def named(self, text: str, folded: str) -> Sequence[KnownPerson]:
        """Return the person with this id; otherwise all with this sign-in name (folded) or display name."""
        if found := await self._where(C.person == text):
            return found
        return await self._where(or_(C.folded == folded, C.name == text, func.lower(C.name) == text.lower()))

    async def search(
        self, text: str = "", since: int = 0, limit: int = 50, *, logins: bool = True
    ) -> Sequence[KnownPerson]:
        """Return the people with this text in a name, or this id, who were seen since then: the latest first.

        Without `logins`, sign-in names don't count.
        """
        if not text:
            return await self._where(literal(value=True), since, limit)
        parts = (column.contains(text, autoescape=True) for column in (C.name, C.login)[: 1 + logins])
        folded = func.lower(C.name).contains(text.lower(), autoescape=True)
        return await self._where(or_(C.person == text, folded, *parts), since, limit)

    async def by_id(self, people: Collection[str]) -> Sequence[KnownPerson]:
        """Return the people with these ids."""
        return await self._where(C.person.in_(people))

    async def _where(
        self, condition: ColumnElement[bool], since: int = 0, limit: int | None = None
    ) -> Sequence[KnownPerson]:
        matching = select(C.person).where(condition)
        latest = (
            select(C.person, func.max(C.at).label("at"))
            .where(C.person.in_(matching))
            .group_by(C.person)
            .having(func.max(C.at) >= since)
            .order_by(func.max(C.at).desc(), C.person)
            .limit(limit)
        )
        async with self._store.reading() as session:
            seen = {row.person: row.at for row in await session.execute(latest)}
            names = select(C.person, C.name, C.login, C.account, C.role).where(C.person.in_(seen))
            names = names.order_by(C.account, C.at)
            last = {row.person: row for row in await session.execute(names)}
        return [
            KnownPerson(
                person, last[person].name, last[person].login, bool(last[person].account), at, last[person].role
            )
            for person, at in seen.items()
        ]


#: The prefixes of banned and of muted people in the list.
BANNED_PERSON, MUTED_PERSON = "person ", "muted "

#: How long an entry of the log is kept (seconds).
KEPT = 365 * 24 * 3600


@dataclass(frozen=True)
class Ban:
    """A ban or a mute: until when (seconds since 1970; None for ever), and the reason that the person reads."""

    until: int | None = None
    why: str = ""

    @property
    def in_force(self) -> bool:
        """Return whether the ban is in force."""
        return self.until is None or self.until > time.time()

    @property
    def terms(self) -> str:
        """Return the end and the reason, as a sentence ends."""
        until = "" if self.until is None else f" until {datetime.fromtimestamp(self.until, UTC):%d %B %Y, %H:%M} UTC"
        return f"{until}{f': {self.why}' if self.why else ''}."


def key(person: str = "", address: str = "", *, muted: bool = False) -> str:
    """Return the key of a person or a network in the list."""
    return f"{MUTED_PERSON if muted else BANNED_PERSON}{person}" if person else f"from {address}"


def sentence(who: str, ban: Ban) -> str:
    """Return what the person with a key reads."""
    what = "can't chat on" if who.startswith(MUTED_PERSON) else "are banned from"
    return f"You {what} this server{ban.terms}"


class BanStore(Store):
    """Bans and mutes by their key (`key`)."""

    @transaction
    def put(self, connection: Connection, who: str, ban: Ban | None, entry: ModerationRow | None = None) -> None:
        """Set a ban, replacing an earlier one, with an entry of the moderation log; None removes it."""
        connection.execute(delete(BanRow).where(BanRow.who == who))
        if ban is not None:
            connection.execute(insert(BanRow).values(who=who, until=ban.until, why=ban.why))
        if entry:
            add_entry(connection, entry)

    async def all(self) -> Mapping[str, Ban]:
        """Return all bans and mutes in force."""
        rows = await self._all(select(BanRow).order_by(BanRow.who))
        bans = {row.who: Ban(row.until, row.why) for row in rows}
        return {who: ban for who, ban in bans.items() if ban.in_force}


class Responsible(NamedTuple):
    """The person who is responsible for a person or a program, with the role of their account."""

    id: str
    role: str


class ModerationStore(Store):
    """Roles and the moderation log in the database of a server."""

    async def responsible(self, people: Collection[str]) -> Mapping[str, Responsible]:
        """Return who is responsible for each of some people."""
        owners = select(TokenRow.bot, TokenRow.person).where(TokenRow.bot.in_(people))
        async with self._store.reading() as session:
            owner = {person: person for person in people}
            owner |= {row.bot: row.person for row in await session.execute(owners) if row.bot}
            accounts = select(AccountRow.person, AccountRow.role).where(AccountRow.person.in_(owner.values()))
            role = {row.person: row.role for row in await session.execute(accounts)}
        return {person: Responsible(owner[person], role.get(owner[person], "")) for person in people}

    async def people_at(self, table: str) -> Sequence[str]:
        """Return the people with a seat at a table."""
        query = select(SeatRow.person).where(SeatRow.table_id == table, SeatRow.person.is_not(None))
        return [person for person in await self._all(query) if person]

    async def are_playing(self, person: str, other: str) -> bool:
        """Return whether two people or their programs have seats in the same unfinished match."""
        query = select(TableRow.id).where(
            TableRow.over.is_(False), TableRow.id.in_(_tables_of(person)), TableRow.id.in_(_tables_of(other))
        )
        return await self._first(query.limit(1)) is not None

    @transaction
    def set_role(self, connection: Connection, person: str, role: str, entry: ModerationRow) -> None:
        """Set the role of an account, with an entry of the log."""
        connection.execute(update(AccountRow).filter_by(person=person).values(role=role))
        add_entry(connection, entry)

    async def log(self, before: int = 0, limit: int = 50) -> Sequence[ModerationRow]:
        """Return the newest entries of the log, or those before a number."""
        query = select(ModerationRow).order_by(ModerationRow.number.desc()).limit(limit)
        return await self._all(query.where(ModerationRow.number < before) if before else query)

    async def about(self, person: str) -> Sequence[ModerationRow]:
        """Return the entries of the log about a person, oldest first."""
        query = select(ModerationRow).where(ModerationRow.person == person).order_by(ModerationRow.number)
        return await self._all(query)


def add_entry(connection: Connection, row: ModerationRow) -> None:
    """Add an entry to the log, now."""
    row.at = int(time.time())
    connection.execute(insert(ModerationRow).values(row_values(row)))


def _tables_of(person: str) -> Any:
    """Select the tables where a person or a program of theirs has a seat."""
    programs = select(TokenRow.bot).where(TokenRow.person == person, TokenRow.bot.is_not(None))
    return select(SeatRow.table_id).where((SeatRow.person == person) | SeatRow.person.in_(programs))


#: How often bans are reread (seconds).
OFTEN = 3.0


class Banned(SparringError):
    """The client is banned, or muted and wants to chat."""

    status = 403


class BanList:
    """The bans known to this process."""

    def __init__(self, read: Callable[[], Awaitable[Mapping[str, Ban]]]) -> None:
        self._read = read
        self._known: Mapping[str, Ban] = {}
        self._reading = asyncio.Lock()

    def check(self, person: str, address: str) -> None:
        """Raise Banned if the person, the address or a network of it is banned."""
        self._refuse(key(person), *(key(address=each) for each in shares(address)))

    def check_chat(self, people: Iterable[str]) -> None:
        """Raise Banned if any of these people is muted."""
        self._refuse(*(key(person, muted=True) for person in people))

    def _refuse(self, *who: str) -> None:
        for banned in who if self._known else ():
            if (ban := self._known.get(banned)) and ban.in_force:
                raise Banned(sentence(banned, ban))

    def is_banned(self, people: Iterable[str], address: str) -> bool:
        """Return whether any of these people or the address is banned."""
        try:
            for person in people:
                self.check(person, address)
        except Banned:
            return True
        return False

    async def reload(self) -> None:
        """Reread the bans."""
        async with self._reading:  # the latest to begin is the last to end
            self._known = await self._read()

    async def follow(self) -> None:
        """Reread the bans until the task is cancelled."""
        while True:
            await self.reload()
            await asyncio.sleep(OFTEN)
