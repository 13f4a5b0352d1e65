"""Invitations in the database: challenges of friends, and those to bring the other half of a match."""

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, delete, insert, or_, select, update

from sparring.settings.secrets import random_id

from .database import insert_first, row_values
from .friends import NOT_FRIENDS, NoFriend, oldest
from .group_commit import StaleWrite, Work
from .schema import AccountRow, ChallengeRow, FriendshipRow, HalfInvitationRow, SeatRow, TableRow
from .transactions import Store, transaction


class ChallengeWaiting(StaleWrite):
    """A friend has this challenge already: another process stored it first."""

    def __init__(self, table: str) -> None:
        super().__init__("You have already challenged this friend.")
        self.table = table


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


class ChallengeStore(Store):
    """The challenges in the database of a server."""

    async def of(self, person: str, *, sent: bool = False) -> list[ChallengeLine]:
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
            .where(ChallengeRow.made > oldest())
            .order_by(ChallengeRow.made.desc(), ChallengeRow.id)
        )
        rows = await self._rows(query)
        return [
            ChallengeLine(
                challenge.id,
                challenge.other if sent else challenge.person,
                name,
                table.game,
                table.id,
                table.options,
                table.settings,
                challenge.declined,
            )
            for challenge, table, name in rows
            if (sent or not challenge.declined) and any(not seat.person and not seat.bot for seat in table.seats)
        ]

    async def table_waiting(self, person: str, other: str, game: str, settings: str) -> str:
        """Return the table of a challenge of two friends on the same terms that still waits; empty if there is none."""
        return await self._first(_table_waiting(person, other, game, settings)) or ""

    @transaction
    def end(self, connection: Connection, person: str, number: str) -> None:
        """Decline a challenge, or remove one's own."""
        chosen = ChallengeRow.id == number
        connection.execute(delete(ChallengeRow).where(chosen, ChallengeRow.person == person))
        connection.execute(update(ChallengeRow).where(chosen, ChallengeRow.other == person).values(declined=True))

    async def delete(self, number: str) -> None:
        """Delete a challenge that was accepted."""
        await self._store.execute(delete(ChallengeRow).where(ChallengeRow.id == number))


def add_challenge(
    connection: Connection, person: str, other: str, game: str, settings: str, table: str, invitation: Work | None
) -> None:
    """Insert the challenge of a new table with its notification.

    Raise ChallengeWaiting if a challenge of one of them still waits, and NoFriend if they aren't friends any more.
    """
    # An update that changes nothing locks the row (SQLite: the database), so that of two processes the second one sees
    # the challenge of the first. Friends have a row each; both of them lock the same one.
    friendship = (FriendshipRow.person == min(person, other)) & (FriendshipRow.other == max(person, other))
    lock = update(FriendshipRow).where(friendship, FriendshipRow.state == "friend").values(made=FriendshipRow.made)
    if not connection.execute(lock).rowcount:
        raise NoFriend(NOT_FRIENDS)
    if waiting := connection.scalar(_table_waiting(person, other, game, settings)):
        raise ChallengeWaiting(waiting)
    row = ChallengeRow(
        id=random_id(9), person=person, other=other, table_id=table, declined=False, made=int(time.time())
    )
    connection.execute(insert(ChallengeRow).values(row_values(row)))
    if invitation:
        invitation(connection)


def _table_waiting(person: str, other: str, game: str, settings: str) -> Any:
    """Return the query for the tables of two people's challenges that still wait, the person's own first.

    They are challenges to a game with the same stored table settings.
    """
    open_seat = (SeatRow.table_id == TableRow.id) & SeatRow.person.is_(None) & SeatRow.bot.is_(None)
    return (
        select(TableRow.id).join(ChallengeRow, ChallengeRow.table_id == TableRow.id)
        .where(or_(and_(ChallengeRow.person == person, ChallengeRow.other == other),
                   and_(ChallengeRow.person == other, ChallengeRow.other == person)))
        .where(ChallengeRow.declined.is_(False), ChallengeRow.made > oldest())
        .where(TableRow.game == game, TableRow.settings == settings)
        .where(TableRow.over.is_(False), select(SeatRow.table_id).where(open_seat).exists())
        .order_by(ChallengeRow.person != person).limit(1)
    )  # fmt: skip


class InvitationGone(StaleWrite):
    """The invitation doesn't exist any more."""

    status = 404

    def __init__(self) -> None:
        super().__init__("This invitation is no longer open: it was accepted, cancelled, or too old.")


class HalfStore(Store):
    """The invitations in the database of a server."""

    async def add(self, row: HalfInvitationRow) -> None:
        """Insert an invitation; raise AlreadyCreated if there is one with this id."""
        row.made = int(time.time())
        await self._store.transaction(insert_first, row)

    async def load(self, number: str) -> HalfInvitationRow | None:
        """Return an invitation by its id."""
        return await self._get(HalfInvitationRow, number)

    async def of(self, person: str) -> Sequence[HalfInvitationRow]:
        """Return a person's invitations, oldest first."""
        query = select(HalfInvitationRow).filter_by(person=person).order_by(HalfInvitationRow.made)
        return await self._all(query)

    async def cancel(self, row: HalfInvitationRow) -> None:
        """Delete an invitation; raise InvitationGone if someone has accepted it meanwhile."""
        await self._store.transaction(end_invitation, row.id)


def end_invitation(connection: Connection, number: str) -> None:
    """Delete an invitation that is cancelled or accepted; raise InvitationGone if it doesn't exist any more."""
    if not connection.execute(delete(HalfInvitationRow).where(HalfInvitationRow.id == number)).rowcount:
        raise InvitationGone
