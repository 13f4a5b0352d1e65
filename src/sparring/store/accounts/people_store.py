"""All people whom the database knows, for operator and moderators: accounts, and guests by their seats and words."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, func, literal, null, or_, select, union_all

from sparring.store.schema import AccountRow, ChatLineRow, LastSeenRow, ReportRow, SeatRow, TableRow
from sparring.store.transactions import Store

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
