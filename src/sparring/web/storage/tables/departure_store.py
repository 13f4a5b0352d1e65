"""Players at unfinished matches who can't come back: deleted or banned people, and programs without a valid token."""

import time
from typing import NamedTuple

from sqlalchemy import exists, literal, or_, select

from sparring.web.security.bans import BANNED_PERSON
from sparring.web.storage.accounts.personal_data_store import DEPARTED
from sparring.web.storage.database import Database
from sparring.web.storage.schema import BanRow, SeatRow, TableRow, TokenRow


class DepartedPlayer(NamedTuple):
    """The seat of a player who can't come back; `ended` is the table's column."""

    table: str
    seat: int
    ended: str


class DepartureStore:
    """The players who can't come back, in the database of a server."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def departed(self) -> list[DepartedPlayer]:
        """Return the departed players of all unfinished matches, also those who have lost already."""
        now, player = int(time.time()), SeatRow.person
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
            .where(TableRow.public.in_([True, False]), TableRow.over.is_(False))  # both columns, to use their index
            .where(player.is_not(None), gone)
        )  # fmt: skip
        async with self._store.reading() as session:
            return [DepartedPlayer._make(row) for row in await session.execute(query)]
