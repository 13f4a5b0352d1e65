"""Ratings, leaderboards and the longest streaks of puzzles in the database.

Ratings are kept per variant: a game with its changed options and custom content. `tables/play/match_results.py` says
which matches count. A rating is provisional while its ± exceeds 200 points or its player has met fewer than five
opponents. With several processes, one of them rates at a time.

A match is rated by the write that ends it (`finished_matches.py`), so it counts exactly once, even after a crash.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, func, insert, literal, or_, select, text, update
from sqlalchemy.orm import aliased

from .database import insert_new
from .rating_model import (
    BOT,
    NEW_PLAYER,
    OPPONENTS,
    Entrant,
    RatingLimits,
    SkillRating,
    record_opponents,
    update_ratings,
    why_not_rated,
)
from .schema import AccountRow, RatingRow, ResultRow, StreakRow, TokenRow, VariantRow
from .transactions import Store, transaction

#: The advisory lock that serializes rating among the processes that share a PostgreSQL.
LOCK = 0x53504152


@dataclass(frozen=True)
class RatedVariant:
    """A rated variant of a game, as in the table `variants`."""

    id: str
    game: str
    options: str
    content: str | None = None


@dataclass(frozen=True)
class LeaderboardLine:
    """A line of a leaderboard."""

    place: int
    player: str
    #: The name, and for a program also its owner's; a bot only has its spec.
    name: str
    owner: str
    #: The id of their public profile, if they have one.
    page: str
    rating: SkillRating
    matches: int
    won: int
    #: How many opponents they have met, and whether the rating is provisional.
    opponents: int
    provisional: bool


@dataclass(frozen=True)
class PlayerRating:
    """A player's rating in a variant, with the evidence for it."""

    variant: RatedVariant
    rating: SkillRating
    matches: int
    opponents: int
    provisional: bool


@dataclass(frozen=True)
class RatingChange:
    """The rating change of a seat; whether leaderboards list the player, and whether the rating is provisional."""

    seat: int
    before: SkillRating
    after: SkillRating
    listed: bool
    provisional: bool


@dataclass(frozen=True)
class LeaderboardVariant:
    """A variant with a leaderboard, and the number of its players and matches."""

    variant: RatedVariant
    players: int
    matches: int


#: The token of a program, and the accounts of players and of owners of programs.
PROGRAM, OWN, OWNER = aliased(TokenRow), aliased(AccountRow), aliased(AccountRow)


class RatingStore(Store):
    """The ratings in the database of a server."""

    async def why_not_rated(self, entrants: Sequence[Entrant], most: RatingLimits) -> str:
        """Return why these players can't be rated together, in one sentence; empty if they can."""
        async with self._store.reading() as session:
            connection = await session.connection()
            return await connection.run_sync(why_not_rated, entrants, most)

    async def boards(self, game: str = "") -> list[LeaderboardVariant]:
        """Return the variants with ratings, the most played first."""
        matches = func.sum(RatingRow.matches)
        query = select(VariantRow, func.count(), matches).join(RatingRow).group_by(VariantRow.id)
        if game:
            query = query.where(VariantRow.game == game)
        rows = await self._rows(query.order_by(matches.desc(), VariantRow.id))
        return [LeaderboardVariant(_variant(row), players, played) for row, players, played in rows]

    async def top(self, variant: str, limit: int, skip: int = 0) -> list[LeaderboardLine]:
        """Return a page of a variant's leaderboard, with provisional players last."""
        ordered = (
            _listed(variant)
            .order_by(RatingRow.established.desc(), RatingRow.sure.desc(), RatingRow.player)
            .limit(limit).offset(skip)
        )  # fmt: skip
        rows = await self._rows(ordered)
        return [_ranked(skip + place, row) for place, row in enumerate(rows, 1)]

    async def place(self, variant: str, player: str) -> LeaderboardLine | None:
        """Return a player's line on the leaderboard, even if unlisted; None if they have no rating."""
        async with self._store.reading() as session:
            own = (await session.execute(_named(variant).where(RatingRow.player == player))).first()
            if own is None:
                return None
            row = own[0]
            same = RatingRow.established == row.established
            before = or_(
                and_(literal(not row.established), RatingRow.established.is_(True)),
                and_(same, RatingRow.sure > row.sure),
                and_(same, RatingRow.sure == row.sure, RatingRow.player < row.player),
            )  # fmt: skip
            better = _listed(variant).where(before, RatingRow.player != player).subquery()
            ahead = (await session.scalars(select(func.count()).select_from(better))).one()
        return _ranked(ahead + 1, own)

    async def changes(self, table: str) -> tuple[RatingChange, ...]:
        """Return the rating changes of a table's match; empty if it wasn't rated."""
        query = select(ResultRow, listed(ResultRow.player).label("listed"), RatingRow.established)
        same_player = and_(RatingRow.variant == ResultRow.variant, RatingRow.player == ResultRow.player)
        query = query.outerjoin(RatingRow, same_player).where(ResultRow.mu.is_not(None))
        ordered = with_people(query, ResultRow.player).where(ResultRow.table_id == table).order_by(ResultRow.seat)
        rows = await self._rows(ordered)
        return tuple(
            RatingChange(
                row.seat,
                SkillRating(row.mu_before, row.sigma_before),
                SkillRating(row.mu, row.sigma),
                bool(listed_now),
                not established,
            )
            for row, listed_now, established in rows
        )

    async def of(self, player: str) -> list[PlayerRating]:
        """Return all ratings of a player."""
        query = select(VariantRow, RatingRow).join(RatingRow).where(RatingRow.player == player)
        rows = await self._rows(query.order_by(VariantRow.game, RatingRow.matches.desc()))
        return [
            PlayerRating(_variant(row), SkillRating(own.mu, own.sigma), own.matches, own.opponents, not own.established)
            for row, own in rows
        ]


def _variant(row: VariantRow) -> RatedVariant:
    return RatedVariant(row.id, row.game, row.options, row.content)


Named = Select[RatingRow, str, str, str, str | None]


def _named(variant: str) -> Named:
    """Select ratings with the names of their players."""
    named = select(RatingRow, OWN.name, PROGRAM.name, OWNER.name, OWN.page).where(RatingRow.variant == variant)
    return with_people(named, RatingRow.player)  # type: ignore[no-any-return]


def with_people(query: Any, player: Any) -> Any:
    """Join the accounts of players and of the owners of programs to a query."""
    return (
        query.outerjoin(OWN, OWN.person == player)
        .outerjoin(PROGRAM, PROGRAM.bot == player)
        .outerjoin(OWNER, OWNER.person == PROGRAM.person)
    )


def listed(player: Any) -> Any:
    """Return the condition that leaderboards list a player: bots are listed, people and programs if they want to be."""
    return or_(player.startswith(BOT), OWN.listed.is_(True), OWNER.listed.is_(True))


def _listed(variant: str) -> Named:
    return _named(variant).where(listed(RatingRow.player))


def _ranked(place: int, columns: Row[RatingRow, str, str, str, str | None]) -> LeaderboardLine:
    """Return a leaderboard line; names that don't apply to this kind of player are empty."""
    row, own, program, owner, page = columns
    rating = SkillRating(row.mu, row.sigma)
    return LeaderboardLine(
        place, row.player, own or program or "", owner or "", page or "", rating, row.matches, row.won, row.opponents,
        not row.established,
    )  # fmt: skip


# Rating a match


def insert_variant(connection: Connection, variant: RatedVariant) -> None:
    """Insert a variant if it is new."""
    values = {"id": variant.id, "game": variant.game, "options": variant.options, "content": variant.content}
    connection.execute(insert_new(connection, VariantRow).values(values).on_conflict_do_nothing())


def rate(
    connection: Connection, variant: str, entrants: Sequence[Entrant], places: Sequence[int], ended: int
) -> list[tuple[SkillRating, SkillRating]]:
    """Rate a match: update the ratings of all entrants by their places; return each before and after."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    players = [entrant.player for entrant in entrants]
    where = (RatingRow.variant == variant) & RatingRow.player.in_(players)
    rows = connection.execute(select(RatingRow.player, RatingRow.mu, RatingRow.sigma, RatingRow.opponents).where(where))
    known = {row.player: (SkillRating(row.mu, row.sigma), row.opponents) for row in rows}
    before = [known.get(player, (NEW_PLAYER, 0))[0] for player in players]
    after = update_ratings(before, places)
    best = min(places)
    met = record_opponents(connection, variant, entrants)
    for player, rating, place, new in zip(players, after, places, met, strict=True):
        opponents = known.get(player, (NEW_PLAYER, 0))[1] + new
        values = {
            "mu": rating.mu, "sigma": rating.sigma, "sure": rating.lower_bound, "last": ended, "opponents": opponents,
            "established": not rating.uncertain and opponents >= OPPONENTS,
        }  # fmt: skip
        won = int(place == best and places.count(best) < len(places))
        if player in known:
            row = (RatingRow.variant == variant) & (RatingRow.player == player)
            more = {"matches": RatingRow.matches + 1, "won": RatingRow.won + won}
            connection.execute(update(RatingRow).where(row).values({**values, **more}))
        else:
            first = {"variant": variant, "player": player, "matches": 1, "won": won}
            connection.execute(insert(RatingRow).values({**values, **first}))
    return list(zip(before, after, strict=True))


class StreakStore(Store):
    """The longest streaks of accounts, by game."""

    async def of(self, person: str) -> dict[str, int]:
        """Return a person's longest streaks by game."""
        query = select(StreakRow.game, StreakRow.longest).filter_by(person=person).order_by(StreakRow.game)
        return {row.game: row.longest for row in await self._rows(query)}

    @transaction
    def record(self, connection: Connection, person: str, game: str, length: int) -> None:
        """Store a streak if it is the person's longest in a game."""
        row = insert_new(connection, StreakRow).values(person=person, game=game, longest=length)
        longer = row.on_conflict_do_update(
            index_elements=["person", "game"], set_={"longest": length}, where=StreakRow.longest < length
        )
        connection.execute(longer)
