"""What ends matches: players who can't come back (deleted, banned, programs without a token), and deleted sets."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import exists, literal, or_, select

from sparring.store.database import RATED
from sparring.store.moderation import BANNED_PERSON
from sparring.store.schema import BanRow, SeatRow, SetRow, TableRow, TokenRow
from sparring.store.transactions import Store

from .personal_data_store import DEPARTED

#: Unfinished tables. Both columns are named, to use their index.
UNFINISHED = TableRow.public.in_([True, False]) & TableRow.over.is_(False)


class DepartedPlayer(NamedTuple):
    """The seat of a player who can't come back; `ended` is the table's column."""

    table: str
    seat: int
    ended: str


class DepartureStore(Store):
    """Players who can't come back and deleted sets, in the database of a server."""

    async def departed(self, now: int) -> list[DepartedPlayer]:
        """Return the departed players of all unfinished matches, also those who have lost already.

        `now` is in seconds since 1970, by a clock that no one can set: giving up is final.
        """
        player = SeatRow.person
        token = TokenRow.bot == player
        in_force = or_(BanRow.until.is_(None), BanRow.until > now)
        gone = or_(
            player.startswith(DEPARTED),
            (SeatRow.bot_of != "") & ~exists().where(token, or_(TokenRow.expires.is_(None), TokenRow.expires > now)),
            exists().where(BanRow.who == literal(BANNED_PERSON) + player, in_force),
            exists().where(token, BanRow.who == literal(BANNED_PERSON) + TokenRow.person, in_force),
        )
        query = (
            select(TableRow.id, SeatRow.seat, TableRow.ended).join(SeatRow)
            .where(UNFINISHED, player.is_not(None), gone)
        )  # fmt: skip
        async with self._store.reading() as session:
            return [DepartedPlayer._make(row) for row in await session.execute(query)]

    async def without_set(self) -> Sequence[str]:
        """Return the unfinished rated tables whose studio set has been deleted; casual ones play on with their copy."""
        deleted = RATED & TableRow.set_id.is_not(None) & ~exists().where(SetRow.id == TableRow.set_id)
        async with self._store.reading() as session:
            return (await session.scalars(select(TableRow.id).where(UNFINISHED, deleted))).all()
