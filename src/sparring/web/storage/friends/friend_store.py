"""Friends in the database: requests, friendships, blocks, challenges, and when people were last seen."""

import time
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from sqlalchemy import Connection, and_, delete, func, insert, or_, select, update
from sqlalchemy.orm import aliased

from sparring.web.random_ids import random_id
from sparring.web.storage.database import Database, insert_new, row_values
from sparring.web.storage.group_commit import StaleWrite, Work
from sparring.web.storage.schema import AccountRow, ChallengeRow, FriendshipRow, SeatRow, SightingRow, TableRow

#: How a person is connected to another: friends, they asked, they were asked, or they blocked the other.
Connected = Literal["friend", "asked", "asking", "blocked"]
#: How long a request and a challenge wait, and a declined request isn't shown again (seconds).
WAITING = 30 * 24 * 3600
NOT_FRIENDS = "You can only challenge your friends."


class NoFriend(StaleWrite):
    """There is no such friend, request or challenge."""


class TooManyFriends(StaleWrite):
    """The list of friends is full."""


class ChallengeWaiting(StaleWrite):
    """A friend has this challenge already: another process stored it first."""

    def __init__(self, table: str) -> None:
        super().__init__("You have already challenged this friend.")
        self.table = table


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


class ChallengeLine(NamedTuple):
    """A challenge: the other person's id and name, the game and the table."""

    id: str
    other: str
    name: str
    game: str
    table: str
    #: The stored options and settings of the table.
    options: str
    settings: str
    declined: bool = False


class FriendStore:
    """The friends in the database of a server."""

    def __init__(self, store: Database) -> None:
        self._store = store

    # Friends

    async def of(self, person: str) -> list[FriendLine]:
        """Return a person's friends, requests and blocks, by name."""
        own = (
            select(FriendshipRow, AccountRow.name, AccountRow.login, SightingRow)
            .outerjoin(AccountRow, AccountRow.person == FriendshipRow.other)
            .outerjoin(SightingRow, SightingRow.person == FriendshipRow.other)
            .where(FriendshipRow.person == person)
        )
        asking = (
            select(FriendshipRow.id, AccountRow.name, AccountRow.login)
            .join(AccountRow, AccountRow.person == FriendshipRow.person)
            .where(_asks(person))
        )
        lines = list[FriendLine]()
        async with self._store.reading() as session:
            for row, name, login, sighting in await session.execute(own):
                if row.state == "friend":
                    seen = sighting.seen if sighting and not sighting.hidden else 0
                    lines.append(FriendLine(row.id, "friend", row.other or "", name or row.name, seen, login or ""))
                elif row.state == "blocked":
                    lines.append(FriendLine(row.id, "blocked", "", row.name))
                elif row.state == "asked" and row.made > _oldest():
                    lines.append(FriendLine(row.id, "asked", "", row.name))
            for number, name, login in await session.execute(asking):
                lines.append(FriendLine(number, "asking", "", name, login=login or ""))
        return sorted(lines, key=lambda line: line.name.casefold())

    async def waiting(self, person: str) -> tuple[bool, bool]:
        """Return whether there are requests that a person can answer, and challenges of or for them.

        One query, because every open page polls it.
        """
        requests = (
            select(FriendshipRow.id)
            .join(AccountRow, AccountRow.person == FriendshipRow.person).where(_asks(person))
        )  # fmt: skip
        challenge = select(ChallengeRow.id).where(or_(ChallengeRow.person == person, ChallengeRow.other == person))
        async with self._store.reading() as session:
            asked, challenged = (await session.execute(select(requests.exists(), challenge.exists()))).one()
        return bool(asked), bool(challenged)

    async def ask(self, person: str, other: str | None, name: str, same: Callable[[str], bool], most: int) -> bool:
        """Store a request; return whether both are friends now, because the other person had asked too.

        It replaces an earlier request for the `same` name. Raise TooManyFriends beyond `most` lines. The request to a
        person who has blocked this one, or declined it lately, is stored all the same, so that it looks like any other.
        """
        friends = False

        def work(connection: Connection) -> None:
            nonlocal friends
            asked = select(FriendshipRow.id, FriendshipRow.name, FriendshipRow.other, FriendshipRow.made).where(
                FriendshipRow.person == person, FriendshipRow.state == "asked"
            )
            rows = connection.execute(asked).all()
            old = [row.id for row in rows if row.made <= _oldest()]
            replaced = [row.id for row in rows if row.id in old or same(row.name)]
            _check_length(connection, person, most + len(replaced) - len(old), most)  # before any change
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
                connection.execute(insert(FriendshipRow).values(row_values(_row(person, None, name, "asked"))))
                return
            if other and _has_asked(connection, other, person):
                friends = True
                _befriend(connection, person, other)
            else:
                connection.execute(insert(FriendshipRow).values(row_values(_row(person, other, name, "asked"))))

        await self._store.writer.write(work)
        return friends

    async def accept(self, person: str, number: str, most: int) -> None:
        """Accept a request; raise TooManyFriends if the list already has `most` lines."""

        def work(connection: Connection) -> None:
            other = _asking(connection, person, number)
            _check_length(connection, person, most, most)
            _befriend(connection, person, other)

        await self._store.writer.write(work)

    async def decline(self, person: str, number: str) -> None:
        """Decline a request: hide it and later ones of the same person for a while.

        The request stays in the list of the person who asked, who doesn't learn that it was declined.
        """

        def work(connection: Connection) -> None:
            other = _asking(connection, person, number)
            old = FriendshipRow.made <= _oldest()
            connection.execute(
                delete(FriendshipRow).where(FriendshipRow.person == person, FriendshipRow.state == "declined", old)
            )
            connection.execute(_between(person, other))
            connection.execute(insert(FriendshipRow).values(row_values(_row(person, other, "", "declined"))))

        await self._store.writer.write(work)

    async def remove(self, person: str, number: str) -> None:
        """End a friendship, withdraw a request, or unblock."""

        def work(connection: Connection) -> None:
            row = _own(connection, person, number)
            connection.execute(delete(FriendshipRow).where(FriendshipRow.id == number))
            if row.state == "friend":
                connection.execute(_between(row.other, person).where(FriendshipRow.state == "friend"))

        await self._store.writer.write(work)

    async def block(self, person: str, number: str) -> None:
        """Block a friend, or a person who asks. Their later requests and challenges are stored, but not shown."""

        def work(connection: Connection) -> None:
            mine = connection.execute(
                select(FriendshipRow.other).where(
                    FriendshipRow.id == number, FriendshipRow.person == person, FriendshipRow.state == "friend"
                )
            ).scalar()
            other = mine or _asking(connection, person, number)
            name = connection.scalar(select(AccountRow.name).where(AccountRow.person == other)) or ""
            connection.execute(_between(other, person).where(FriendshipRow.state == "friend"))
            connection.execute(_between(person, other))
            connection.execute(insert(FriendshipRow).values(row_values(_row(person, other, name, "blocked"))))

        await self._store.writer.write(work)

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

    # Challenges

    async def challenges(self, person: str, *, sent: bool = False) -> list[ChallengeLine]:
        """Return the open challenges that a person received, or has `sent`; the newest first.

        Only those between people who are friends on both sides: removing and blocking hide them.
        """
        mine, theirs = (ChallengeRow.person, ChallengeRow.other) if sent else (ChallengeRow.other, ChallengeRow.person)
        query = (
            select(ChallengeRow, TableRow, AccountRow.name)
            .join(TableRow, TableRow.id == ChallengeRow.table_id)
            .join(AccountRow, AccountRow.person == theirs)
            .join(FriendshipRow, and_(FriendshipRow.person == mine, FriendshipRow.other == theirs))
            .where(mine == person, TableRow.over.is_(False), FriendshipRow.state == "friend")
            .where(ChallengeRow.made > _oldest())
            .order_by(ChallengeRow.made.desc(), ChallengeRow.id)
        )
        async with self._store.reading() as session:
            rows = (await session.execute(query)).all()
        return [
            ChallengeLine(
                challenge.id,
                challenge.other if sent else challenge.person,
                name,
                table.game,
                table.id,
                table.options,
                table.terms,
                challenge.declined,
            )
            for challenge, table, name in rows
            if (sent or not challenge.declined) and any(not seat.person and not seat.bot for seat in table.seats)
        ]

    async def table_waiting(self, person: str, other: str, game: str, terms: str) -> str:
        """Return the table of a challenge of two friends on the same terms that still waits; empty if there is none."""
        async with self._store.reading() as session:
            return await session.scalar(_table_waiting(person, other, game, terms)) or ""

    def with_table(
        self, person: str, other: str, game: str, terms: str, table: str, insert_table: Work,
        invitation: Work | None = None,
    ) -> Work:  # fmt: skip
        """Return the write of a challenge, its table and its notification, which also deletes old challenges.

        It raises ChallengeWaiting if a challenge of one of them still waits, and NoFriend if they aren't friends any
        more.
        """
        # An update that changes nothing locks the row (SQLite: the database), so that of two processes the second one
        # sees the challenge of the first. Friends have a row each; both of them lock the same one.
        friendship = (FriendshipRow.person == min(person, other)) & (FriendshipRow.other == max(person, other))
        lock = update(FriendshipRow).where(friendship, FriendshipRow.state == "friend").values(made=FriendshipRow.made)
        row = ChallengeRow(
            id=random_id(9), person=person, other=other, table_id=table, declined=False, made=int(time.time())
        )

        def work(connection: Connection) -> None:
            if not connection.execute(lock).rowcount:
                raise NoFriend(NOT_FRIENDS)
            if waiting := connection.scalar(_table_waiting(person, other, game, terms)):
                raise ChallengeWaiting(waiting)
            insert_table(connection)
            connection.execute(delete(ChallengeRow).where(ChallengeRow.made < _oldest()))
            connection.execute(insert(ChallengeRow).values(row_values(row)))
            if invitation:
                invitation(connection)

        return work

    async def end_challenge(self, person: str, number: str) -> None:
        """Decline a challenge, or remove one's own."""

        def work(connection: Connection) -> None:
            chosen = ChallengeRow.id == number
            connection.execute(delete(ChallengeRow).where(chosen, ChallengeRow.person == person))
            connection.execute(update(ChallengeRow).where(chosen, ChallengeRow.other == person).values(declined=True))

        await self._store.writer.write(work)

    async def delete_challenge(self, number: str) -> None:
        """Delete a challenge that was accepted."""
        await self._store.writer.write(
            lambda connection: _execute(connection, delete(ChallengeRow).where(ChallengeRow.id == number))
        )

    # Presence

    async def saw(self, person: str) -> None:
        """Record that a person has a page open."""
        await self._sighting(person, seen=int(time.time()))

    async def hide(self, person: str, *, hidden: bool) -> None:
        """Set whether a person hides from their friends that they are online."""
        await self._sighting(person, hidden=hidden)

    async def hides(self, person: str) -> bool:
        """Return whether a person hides that they are online."""
        query = select(SightingRow.hidden).where(SightingRow.person == person)
        async with self._store.reading() as session:
            return bool((await session.execute(query)).scalar())

    async def _sighting(self, person: str, **values: Any) -> None:
        def work(connection: Connection) -> None:
            row = insert_new(connection, SightingRow).values({"seen": 0, "hidden": False, "person": person, **values})
            connection.execute(row.on_conflict_do_update(index_elements=["person"], set_=values))

        await self._store.writer.write(work)


def _table_waiting(person: str, other: str, game: str, terms: str) -> Any:
    """Return the query for the tables of two people's challenges that still wait, the person's own first.

    They are challenges to a game with the same stored table settings (`terms`).
    """
    open_seat = (SeatRow.table_id == TableRow.id) & SeatRow.person.is_(None) & SeatRow.bot.is_(None)
    return (
        select(TableRow.id).join(ChallengeRow, ChallengeRow.table_id == TableRow.id)
        .where(or_(and_(ChallengeRow.person == person, ChallengeRow.other == other),
                   and_(ChallengeRow.person == other, ChallengeRow.other == person)))
        .where(ChallengeRow.declined.is_(False), ChallengeRow.made > _oldest())
        .where(TableRow.game == game, TableRow.terms == terms)
        .where(TableRow.over.is_(False), select(SeatRow.table_id).where(open_seat).exists())
        .order_by(ChallengeRow.person != person).limit(1)
    )  # fmt: skip


def _execute(connection: Connection, statement: Any) -> None:
    connection.execute(statement)


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
    asked = FriendshipRow.state == "asked", FriendshipRow.made > _oldest()
    query = select(FriendshipRow.id).where(FriendshipRow.person == person, FriendshipRow.other == other, *asked)
    return connection.scalar(query) is not None


def _asks(person: str) -> Any:
    """Return the condition that a row is an open request to a person.

    They haven't blocked the sender, or declined a request of theirs lately.
    """
    mine = aliased(FriendshipRow)
    hidden = or_(mine.state == "blocked", and_(mine.state == "declined", mine.made > _oldest()))
    return and_(
        FriendshipRow.other == person, FriendshipRow.state == "asked", FriendshipRow.made > _oldest(),
        ~select(mine.id).where(mine.person == person, mine.other == FriendshipRow.person, hidden).exists(),
    )  # fmt: skip


def _oldest() -> int:
    """Return when the oldest request that still waits can have been made (seconds since 1970)."""
    return int(time.time()) - WAITING


def _check_length(connection: Connection, person: str, limit: int, most: int) -> None:
    """Raise TooManyFriends if a person's list has `limit` lines; `most` is the maximum to name."""
    asked = and_(FriendshipRow.state == "asked", FriendshipRow.made > _oldest())
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
