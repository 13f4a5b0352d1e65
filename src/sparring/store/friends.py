"""Friends in the database: requests, friendships, blocks, and when people were last seen."""

import time
from collections.abc import Callable, Collection
from typing import Any, Literal, NamedTuple

from sqlalchemy import Connection, and_, delete, func, insert, or_, select
from sqlalchemy.orm import aliased

from sparring.settings.secrets import random_id

from .database import insert_new, row_values
from .group_commit import StaleWrite
from .schema import AccountRow, ChallengeRow, FriendshipRow, LastSeenRow, TokenRow
from .transactions import Store, transaction

#: How a person is connected to another: friends, their request is pending, the other's is, or they blocked the other.
Connected = Literal["friend", "pending", "incoming", "blocked"]
#: How long a request and a challenge wait, and a declined request isn't shown again (seconds).
WAITING = 30 * 24 * 3600
NOT_FRIENDS = "You can only challenge your friends."


def oldest() -> int:
    """Return when the oldest request or challenge that still waits can have been made (seconds since 1970)."""
    return int(time.time()) - WAITING


class NoFriend(StaleWrite):
    """There is no such friend, request or challenge."""

    status = 404


class TooManyFriends(StaleWrite):
    """The list of friends is full."""


class FriendLine(NamedTuple):
    """An entry in a person's list of friends."""

    id: str
    state: Connected
    #: The other person; empty for a request, which doesn't tell whether the name exists.
    other: str
    name: str
    #: When they last had a page open (seconds since 1970); 0: never, or they hide it.
    seen: int = 0
    #: The sign-in name of a friend, or of a person who asks; people with passkeys alone have none.
    login: str = ""


class FriendStore(Store):
    """The friends in the database of a server."""

    async def of(self, person: str) -> list[FriendLine]:
        """Return a person's friends, requests and blocks, by name."""
        own = (
            select(FriendshipRow, AccountRow.name, AccountRow.login, LastSeenRow)
            .outerjoin(AccountRow, AccountRow.person == FriendshipRow.other)
            .outerjoin(LastSeenRow, LastSeenRow.person == FriendshipRow.other)
            .where(FriendshipRow.person == person)
        )
        asking = (
            select(FriendshipRow.id, AccountRow.name, AccountRow.login)
            .join(AccountRow, AccountRow.person == FriendshipRow.person)
            .where(_asks(person))
        )
        lines = list[FriendLine]()
        async with self._store.reading() as session:
            for row, name, login, last_seen in await session.execute(own):
                if row.state == "friend":
                    seen = last_seen.seen if last_seen and not last_seen.hidden else 0
                    lines.append(FriendLine(row.id, "friend", row.other or "", name or row.name, seen, login or ""))
                elif row.state == "blocked":
                    lines.append(FriendLine(row.id, "blocked", "", row.name))
                elif row.state == "pending" and row.made > oldest():
                    lines.append(FriendLine(row.id, "pending", "", row.name))
            for number, name, login in await session.execute(asking):
                lines.append(FriendLine(number, "incoming", "", name, login=login or ""))
        return sorted(lines, key=lambda line: line.name.casefold())

    async def blocked_among(self, people: Collection[str]) -> set[str]:
        """Return those of some people and programs who have blocked another of them, or whom another has blocked."""
        programs = select(TokenRow.bot, TokenRow.person).where(TokenRow.bot.in_(people))
        async with self._store.reading() as session:
            owners = {row.bot: row.person for row in await session.execute(programs)}
            accounts = {owners.get(person, person) for person in people}
            blocks = select(FriendshipRow.person, FriendshipRow.other).where(
                FriendshipRow.state == "blocked", FriendshipRow.person.in_(accounts), FriendshipRow.other.in_(accounts)
            )
            apart = {account for row in await session.execute(blocks) for account in row}
        return {person for person in people if owners.get(person, person) in apart}

    async def waiting(self, person: str) -> tuple[bool, bool]:
        """Return whether there are requests that a person can answer, and challenges of or for them.

        One query, because every open page polls it.
        """
        requests = (
            select(FriendshipRow.id)
            .join(AccountRow, AccountRow.person == FriendshipRow.person).where(_asks(person))
        )  # fmt: skip
        challenge = select(ChallengeRow.id).where(or_(ChallengeRow.person == person, ChallengeRow.other == person))
        ((asked, challenged),) = await self._rows(select(requests.exists(), challenge.exists()))
        return bool(asked), bool(challenged)

    @transaction
    def ask(
        self, connection: Connection, person: str, other: str | None, name: str, same: Callable[[str], bool], most: int
    ) -> bool:
        """Store a request; return whether both are friends now, because the other person had asked too.

        It replaces an earlier request for the `same` name. Raise TooManyFriends beyond `most` lines. The request to a
        person who has blocked this one, or declined it lately, is stored all the same, so that it looks like any other.
        """
        asked = select(FriendshipRow.id, FriendshipRow.name, FriendshipRow.other, FriendshipRow.made).where(
            FriendshipRow.person == person, FriendshipRow.state == "pending"
        )
        rows = connection.execute(asked).all()
        old = [row.id for row in rows if row.made <= oldest()]
        replaced = [row.id for row in rows if row.id in old or same(row.name)]
        _check_length(connection, person, most + len(replaced) - len(old), most)
        known = _state(connection, person, other)
        if known == "blocked":
            raise StaleWrite("You have blocked this player. Unblock them first.")
        if known == "friend":
            raise StaleWrite("You are already friends.")
        connection.execute(delete(FriendshipRow).where(FriendshipRow.id.in_(replaced)))
        if other and known == "declined":  # they asked before; now this person does
            connection.execute(_between(person, other))
        if any(other and row.other == other and row.id not in replaced for row in rows):
            # They are asked already, by another name. A line that vanished would tell that both names are theirs.
            other = None
        if other and _has_asked(connection, other, person):
            _befriend(connection, person, other)
            return True
        connection.execute(insert(FriendshipRow).values(row_values(_row(person, other, name, "pending"))))
        return False

    @transaction
    def accept(self, connection: Connection, person: str, number: str, most: int) -> None:
        """Accept a request; raise TooManyFriends if the list already has `most` lines."""
        other = _asking(connection, person, number)
        _check_length(connection, person, most, most)
        _befriend(connection, person, other)

    @transaction
    def decline(self, connection: Connection, person: str, number: str) -> None:
        """Decline a request: hide it and later ones of the same person for a while.

        The request stays in the list of the person who asked, who doesn't learn that it was declined.
        """
        other = _asking(connection, person, number)
        old = FriendshipRow.made <= oldest()
        connection.execute(
            delete(FriendshipRow).where(FriendshipRow.person == person, FriendshipRow.state == "declined", old)
        )
        connection.execute(_between(person, other))
        connection.execute(insert(FriendshipRow).values(row_values(_row(person, other, "", "declined"))))

    @transaction
    def remove(self, connection: Connection, person: str, number: str) -> str:
        """End a friendship, withdraw a request, or unblock; return the other person."""
        row = _own(connection, person, number)
        connection.execute(delete(FriendshipRow).where(FriendshipRow.id == number))
        if row.state == "friend":
            connection.execute(_between(row.other, person).where(FriendshipRow.state == "friend"))
        return row.other or ""

    @transaction
    def block(self, connection: Connection, person: str, number: str) -> str:
        """Block a friend, or a person who asks; return them. Their later requests and challenges aren't shown."""
        mine = select(FriendshipRow.other).where(
            FriendshipRow.id == number, FriendshipRow.person == person, FriendshipRow.state == "friend"
        )
        other = connection.scalar(mine) or _asking(connection, person, number)
        name = connection.scalar(select(AccountRow.name).where(AccountRow.person == other)) or ""
        connection.execute(_between(other, person).where(FriendshipRow.state == "friend"))
        connection.execute(_between(person, other))
        connection.execute(insert(FriendshipRow).values(row_values(_row(person, other, name, "blocked"))))
        return other

    async def friend(self, person: str, number: str) -> tuple[str, str]:
        """Return a friend and their name; raise NoFriend if the line isn't a friend."""
        query = select(FriendshipRow, AccountRow.name).join(AccountRow, AccountRow.person == FriendshipRow.other)
        async with self._store.reading() as session:
            row = (await session.execute(query.where(
                FriendshipRow.id == number, FriendshipRow.person == person, FriendshipRow.state == "friend"
            ))).first()  # fmt: skip
        if row is None:
            raise NoFriend(NOT_FRIENDS)
        return row[0].other or "", row[1]

    # Presence

    async def saw(self, person: str) -> None:
        """Record that a person has a page open."""
        await self._set_last_seen(person, seen=int(time.time()))

    async def hide(self, person: str, *, hidden: bool) -> None:
        """Set whether a person hides from their friends that they are online."""
        await self._set_last_seen(person, hidden=hidden)

    async def hides(self, person: str) -> bool:
        """Return whether a person hides that they are online."""
        query = select(LastSeenRow.hidden).where(LastSeenRow.person == person)
        return bool(await self._first(query))

    @transaction
    def _set_last_seen(self, connection: Connection, /, person: str, **values: Any) -> None:
        row = insert_new(connection, LastSeenRow).values({"seen": 0, "hidden": False, "person": person, **values})
        connection.execute(row.on_conflict_do_update(index_elements=["person"], set_=values))


def _row(person: str, other: str | None, name: str, state: str) -> FriendshipRow:
    return FriendshipRow(id=random_id(9), person=person, other=other, name=name, state=state, made=int(time.time()))


def _between(person: str | None, other: str) -> Any:
    return delete(FriendshipRow).where(FriendshipRow.person == person, FriendshipRow.other == other)


def _state(connection: Connection, person: str, other: str | None) -> str:
    """Return how a person is connected to another; empty if not at all."""
    query = select(FriendshipRow.state).where(FriendshipRow.person == person, FriendshipRow.other == other)
    return connection.scalar(query) or ""


def _has_asked(connection: Connection, person: str, other: str) -> bool:
    """Return whether a person has sent another a request that still waits, even if it was declined."""
    asked = FriendshipRow.state == "pending", FriendshipRow.made > oldest()
    query = select(FriendshipRow.id).where(FriendshipRow.person == person, FriendshipRow.other == other, *asked)
    return connection.scalar(query) is not None


def _asks(person: str) -> Any:
    """Return the condition that a row is an open request to a person.

    They haven't blocked the sender, or declined a request of theirs lately.
    """
    mine = aliased(FriendshipRow)
    hidden = or_(mine.state == "blocked", and_(mine.state == "declined", mine.made > oldest()))
    return and_(
        FriendshipRow.other == person, FriendshipRow.state == "pending", FriendshipRow.made > oldest(),
        ~select(mine.id).where(mine.person == person, mine.other == FriendshipRow.person, hidden).exists(),
    )  # fmt: skip


def _check_length(connection: Connection, person: str, limit: int, most: int) -> None:
    """Raise TooManyFriends if a person's list has `limit` lines; `most` is the maximum to name."""
    asked = and_(FriendshipRow.state == "pending", FriendshipRow.made > oldest())
    shown = or_(FriendshipRow.state.in_(("friend", "blocked")), asked)
    count = select(func.count()).select_from(FriendshipRow).where(FriendshipRow.person == person, shown)
    if (connection.scalar(count) or 0) >= limit:
        raise TooManyFriends(f"Your list already has {most} people, the maximum. Remove some first.")


def _asking(connection: Connection, person: str, number: str) -> str:
    """Return who sent a request to a person; raise NoFriend if it is gone."""
    query = select(FriendshipRow.person).where(FriendshipRow.id == number, _asks(person))
    if not (asking := connection.scalar(query)):
        raise NoFriend("This request is no longer open.")
    return asking


def _own(connection: Connection, person: str, number: str) -> Any:
    row = connection.execute(
        select(FriendshipRow.other, FriendshipRow.state).where(
            FriendshipRow.id == number, FriendshipRow.person == person
        )
    ).first()
    if row is None:
        raise NoFriend("This player is no longer in your list.")
    return row


def _befriend(connection: Connection, person: str, other: str) -> None:
    """Make two people friends, each with a row."""
    for one, two in ((person, other), (other, person)):
        name = connection.scalar(select(AccountRow.name).where(AccountRow.person == two)) or ""
        connection.execute(_between(one, two))
        connection.execute(insert(FriendshipRow).values(row_values(_row(one, two, name, "friend"))))
