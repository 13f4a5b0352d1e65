"""Finished matches in the database: results, the lines of the log, uploaded records and reviews."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection, delete, exists, insert, select, tuple_, update
from sqlalchemy.orm import load_only

from sparring.engine.errors import SparringError

from .database import insert_first, opened_from
from .rating_model import Entrant, RatingLimits, SkillRating, why_not_rated
from .ratings import RatedVariant, insert_variant, rate
from .schema import RecordRow, ResultRow, ReviewRow, SeatRow, TableRow, VariantRow
from .transactions import Store, transaction


@dataclass(frozen=True)
class FinishedMatch:
    """A finished match: for every seat its player, its place (1 is best) and its outcome."""

    table: str
    variant: RatedVariant
    players: Sequence[str]
    places: Sequence[int]
    outcomes: Sequence[int]
    choices: int
    #: Whether to rate it, if its players may be rated together; and how often players may meet for that.
    rated: bool
    most: RatingLimits
    #: Keyed hashes of the players' networks; empty if unknown.
    networks: Sequence[str] = ()
    #: The seats that left before the end.
    left: Sequence[int] = ()
    #: When it ended (seconds since 1970); None for now.
    ended: int | None = None

    def write(self, connection: Connection) -> None:
        """Insert the results of a match and rate it, unless that has been done."""
        if connection.scalar(select(ResultRow.table_id).where(ResultRow.table_id == self.table).limit(1)):
            return
        began = connection.scalar(select(TableRow.created).where(TableRow.id == self.table))
        ended = int(time.time()) if self.ended is None else self.ended
        insert_variant(connection, self.variant)
        ratings = self._rate(connection, ended)
        for number, (player, outcome) in enumerate(zip(self.players, self.outcomes, strict=True)):
            before, after = ratings[number] if ratings else (None, None)
            connection.execute(insert(ResultRow).values({
                "table": self.table, "seat": number + 1, "player": player or None, "game": self.variant.game,
                "variant": self.variant.id, "ended": ended, "seconds": ended - (began or ended),
                "choices": self.choices, "outcome": outcome,
                "mu_before": before and before.mu, "sigma_before": before and before.sigma,
                "mu": after and after.mu, "sigma": after and after.sigma,
            }))  # fmt: skip

    def _rate(self, connection: Connection, ended: int) -> list[tuple[SkillRating, SkillRating]]:
        networks = self.networks or [""] * len(self.players)
        seats = enumerate(zip(self.players, networks, strict=True), 1)
        entrants = [Entrant(*player, left=seat in self.left) for seat, player in seats]
        if not self.rated or not all(self.players) or why_not_rated(connection, entrants, self.most):
            return []
        return rate(connection, self.variant.id, entrants, self.places, ended)


class PlayerResult(NamedTuple):
    """A player's result, for statistics."""

    game: str
    seat: int
    outcome: int
    choices: int
    seconds: int
    variant: str
    #: The rating after the match, if it was rated.
    mu: float | None
    sigma: float | None


@dataclass(frozen=True)
class HistoryEntry:
    """A match in a player's history."""

    result: ResultRow
    table: TableRow
    variant: RatedVariant


class ResultStore(Store):
    """The results in the database of a server."""

    async def history(
        self, player: str, limit: int, skip: int = 0, *, game: str = "", public: bool = False
    ) -> list[HistoryEntry]:
        """Return a player's latest matches: all, of one game, or at public tables only."""
        query = (
            select(ResultRow, TableRow, VariantRow).join(TableRow).join(VariantRow).where(ResultRow.player == player)
        )
        if game:
            query = query.where(ResultRow.game == game)
        if public:
            query = query.where(TableRow.public.is_(True))
        ordered = query.order_by(ResultRow.ended.desc(), ResultRow.table_id, ResultRow.seat).limit(limit).offset(skip)
        rows = await self._rows(ordered.options(SHOWN))
        return [
            HistoryEntry(result, table, RatedVariant(row.id, row.game, row.options, row.content))
            for result, table, row in rows
        ]

    @transaction
    def add(self, connection: Connection, match: FinishedMatch, summary: str) -> None:
        """Add the results of a match that finished before results were stored, and the stored summary of its end."""
        match.write(connection)
        connection.execute(update(TableRow).where(TableRow.id == match.table).values(standing=summary))

    async def missing(self) -> Sequence[str]:
        """Return finished tables with a person but without results, oldest first.

        Tables that the operator has closed have no results.
        """
        people = select(SeatRow.table_id).where(SeatRow.person.is_not(None))
        known = exists().where(ResultRow.table_id == TableRow.id)
        closed = TableRow.ended.contains('"how":"closed"')
        query = select(TableRow.id).where(TableRow.over, ~closed, ~known, TableRow.id.in_(people))
        return await self._all(query.order_by(TableRow.changed, TableRow.id))

    async def all_of(self, player: str) -> Sequence[ResultRow]:
        """Return all results of a player."""
        return await self._all(select(ResultRow).where(ResultRow.player == player))

    async def results(self, player: str, limit: int) -> list[PlayerResult]:
        """Return a player's latest results, in the order in which the matches ended."""
        columns = (ResultRow.game, ResultRow.seat, ResultRow.outcome, ResultRow.choices, ResultRow.seconds,
                   ResultRow.variant, ResultRow.mu, ResultRow.sigma)  # fmt: skip
        query = (
            select(*columns)
            .where(ResultRow.player == player)
            .order_by(ResultRow.ended.desc(), ResultRow.table_id.desc())
        )
        rows = await self._rows(query.limit(limit))
        return [PlayerResult._make(row) for row in reversed(rows)]


#: The columns of a table that a history shows: no choices and no content.
SHOWN = load_only(TableRow.id, TableRow.game, TableRow.over, TableRow.standing, TableRow.settings, TableRow.public)


#: What has a finished match.
MatchRow = type[TableRow] | type[RecordRow]


class NoRecord(SparringError):
    """The record doesn't exist."""

    status = 404


class ReplayStore(Store):
    """Records and reviews in the database of a server."""

    async def add(self, row: RecordRow) -> None:
        """Insert a record; raise AlreadyCreated if there is one with this id."""
        row.created = row.used = int(time.time())
        await self._store.transaction(insert_first, row)

    async def load(self, record: str) -> RecordRow | None:
        """Return a record by its id."""
        return await self._get(RecordRow, record)

    async def of(self, person: str) -> Sequence[RecordRow]:
        """Return a person's records, newest first."""
        query = select(RecordRow).filter_by(person=person).order_by(RecordRow.created.desc(), RecordRow.id)
        return await self._all(query)

    async def count(self, creator: str) -> int:
        """Return how many records creators that begin with these digits have uploaded."""
        return await self._store.count(RecordRow, opened_from(RecordRow.creator, creator))

    async def remove(self, row: RecordRow) -> None:
        """Delete a record."""
        await self._store.execute(delete(RecordRow).where(RecordRow.id == row.id))

    async def review(self, number: str) -> bytes | None:
        """Return a stored review."""
        row = await self._get(ReviewRow, number)
        return row.found if row else None

    @transaction
    def save_review(self, connection: Connection, number: str, found: bytes) -> None:
        """Store a review."""
        connection.execute(delete(ReviewRow).where(ReviewRow.id == number))
        connection.execute(insert(ReviewRow).values(id=number, found=found, used=int(time.time())))

    async def use(self, kind: type[RecordRow | ReviewRow], number: str) -> None:
        """Record that a record or a review was viewed."""
        await self._store.execute(update(kind).where(kind.id == number).values(used=int(time.time())))


class MatchPlace(NamedTuple):
    """When a match was stored last (seconds since 1970), and its id: the order in which lines are added."""

    when: int = 0
    id: str = ""


class LineStore(Store):
    """The lines in the database of a server."""

    async def next_missing(self, kind: MatchRow, after: MatchPlace, before: float) -> MatchPlace | None:
        """Return the first finished match without lines after a place, stored last before a time."""
        when = TableRow.changed if kind is TableRow else RecordRow.created
        missing = kind.over.is_(True) & kind.lines.is_(None) & (when < int(before))
        query = select(when, kind.id).where(missing, tuple_(when, kind.id) > after).order_by(when, kind.id).limit(1)
        row = next(iter(await self._rows(query)), None)
        return MatchPlace(*row) if row else None

    async def of(self, kind: MatchRow, match: str) -> bytes | None:
        """Return the lines of a match."""
        return await self._first(select(kind.lines).where(kind.id == match))

    async def save(self, kind: MatchRow, match: str, lines: bytes) -> None:
        """Store the lines of a match."""
        await self._store.execute(update(kind).where(kind.id == match).values(lines=lines))
