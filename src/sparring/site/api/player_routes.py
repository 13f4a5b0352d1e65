"""Leaderboard, statistics and match history endpoints."""

from typing import Annotated

import msgspec
from litestar import get, post
from litestar.params import JSONBody, QueryParameter

from sparring.engine.game import game as find_game
from sparring.people.accounts import ProfileVisibility
from sparring.server.api.responses import ApiDone, Id, endpoint
from sparring.server.requests.identity import AccountsDep, CurrentPerson, TablesDep
from sparring.site.pages.player_pages import (
    HistoryPage,
    history_page,
    leaderboard,
    player_kind,
    player_name,
    public_player,
)
from sparring.store.rating_model import SkillRating
from sparring.store.ratings import LeaderboardLine
from sparring.tables.play.match_history import HistoryLine, PlayerFigures
from sparring.tables.play.match_results import variant_name

Variant = Annotated[str, msgspec.Meta(description="The variant's id.")]
Number = Annotated[int, QueryParameter(ge=1, le=1000, description="The page, from 1.")]
OfGame = Annotated[str, QueryParameter(max_length=64, description="Only this game.")]
OfVariant = Annotated[str, QueryParameter(max_length=16, description="The variant's id; empty: the one played most.")]


class RatingPoints(msgspec.Struct):
    """A rating in points."""

    points: Annotated[int, msgspec.Meta(description="The estimate; new players have 1500.")]
    uncertainty: Annotated[int, msgspec.Meta(description="The uncertainty (±); new players have 400.")]
    provisional: Annotated[bool, msgspec.Meta(description=(
        "Whether the rating is provisional: `uncertainty` is over 200, or the player has met fewer than 5 opponents."
    ))]  # fmt: skip

    @classmethod
    def of(cls, rating: SkillRating, provisional: bool | None = None) -> "RatingPoints":
        """Convert a rating. By default it is provisional if its uncertainty is too large."""
        return cls(rating.points, rating.uncertainty, rating.uncertain if provisional is None else provisional)


class RankedPlayer(msgspec.Struct):
    """A line of a leaderboard."""

    place: int
    name: str
    kind: Annotated[str, msgspec.Meta(description="`bot`, or `bot of` its owner; empty: a person.")]
    rating: RatingPoints
    matches: Annotated[int, msgspec.Meta(description="The number of rated matches.")]
    won: int
    opponents: Annotated[int, msgspec.Meta(description="The number of opponents; those on one network count as one.")]
    page: Annotated[str, msgspec.Meta(description="The id of the public page under `/api/people`; empty: none.")]
    you: bool = False


class LeaderboardSummary(msgspec.Struct):
    """A variant with rated players."""

    game: str
    variant: Variant
    words: Annotated[str, msgspec.Meta(description="The variant's name, or its differences.")]
    players: int


class Leaderboard(msgspec.Struct):
    """A leaderboard, ranked by points minus uncertainty, with provisional players last."""

    variant: Variant
    players: list[RankedPlayer]
    more: Annotated[bool, msgspec.Meta(description="Whether there is another page.")]
    own: Annotated[
        RankedPlayer | None, msgspec.Meta(description="Your own line, even if you are hidden; null: not rated.")
    ]


class RatedVariantLine(msgspec.Struct):
    """A player's rating in a variant."""

    game: str
    variant: Variant
    words: str
    rating: RatingPoints
    matches: int
    opponents: int


class GameStatistics(msgspec.Struct):
    """A player's statistics in a game."""

    game: str
    matches: int
    won: int
    drawn: int
    lost: int
    seats: Annotated[list[tuple[int, int, int]], msgspec.Meta(description="Seat, matches in that seat, and wins.")]
    choices: Annotated[int, msgspec.Meta(description="The median number of choices.")]
    seconds: Annotated[int, msgspec.Meta(description="The median duration in seconds.")]
    best_run: Annotated[int, msgspec.Meta(description="The longest winning streak.")]
    worst_run: Annotated[int, msgspec.Meta(description="The longest losing streak.")]
    best: Annotated[RatingPoints | None, msgspec.Meta(description="The highest rating; null: none.")] = None
    worst: Annotated[RatingPoints | None, msgspec.Meta(description="The lowest rating.")] = None


class PlayerStatistics(msgspec.Struct):
    """A player's ratings and statistics."""

    name: str
    ratings: list[RatedVariantLine]
    games: list[GameStatistics]


class PlayedMatch(msgspec.Struct):
    """A finished match of a player."""

    table: Annotated[str, msgspec.Meta(description="The table's id, for replay and review.")]
    game: str
    variant: Annotated[str, msgspec.Meta(description="The variant in words.")]
    seat: int
    others: Annotated[str, msgspec.Meta(description="The opponents in words.")]
    outcome: Annotated[str, msgspec.Meta(description="`won`, `draw` or `lost`.")]
    how: Annotated[str, msgspec.Meta(description="How it ended, in a sentence.")]
    ended: Annotated[str, msgspec.Meta(description="The time (ISO 8601, UTC).")]
    choices: int
    rating: Annotated[RatingPoints | None, msgspec.Meta(description="The new rating; null: it didn't count.")] = None
    moved: Annotated[int, msgspec.Meta(description="The change in points.")] = 0


class PlayedMatches(msgspec.Struct):
    """A player's finished matches, newest first."""

    matches: list[PlayedMatch]
    more: Annotated[bool, msgspec.Meta(description="Whether there is another page.")]


@get("/leaderboards", **endpoint("", "All leaderboards"))
async def boards(person: CurrentPerson, tables: TablesDep) -> list[LeaderboardSummary]:
    """Return all variants with rated players."""
    return [
        LeaderboardSummary(board.variant.game, board.variant.id, variant_name(board.variant), board.players)
        for board in await tables.registry.loader.ratings.boards()
    ]


@get("/games/{name:str}/leaderboard", **endpoint("", "A leaderboard", 404))
async def board(
    person: CurrentPerson, tables: TablesDep, name: Id, variant: OfVariant = "", number: Number = 1
) -> Leaderboard:
    """Return the leaderboard of a variant, 50 lines per page."""
    page = await leaderboard(tables, person, find_game(name), variant, number)
    own = _player(page.own, person.id) if page.own else None
    return Leaderboard(page.variant, [_player(line, person.id) for line in page.lines], page.more, own)


def _player(line: LeaderboardLine, you: str) -> RankedPlayer:
    return RankedPlayer(
        line.place, player_name(line), player_kind(line), RatingPoints.of(line.rating, line.provisional),
        line.matches, line.won, line.opponents, line.page, line.player == you,
    )  # fmt: skip


@get("/me/matches", **endpoint("look", "Your finished matches"))
async def my_matches(person: CurrentPerson, tables: TablesDep, game: OfGame = "", number: Number = 1) -> PlayedMatches:
    """Return your finished matches, 50 per page."""
    return _matches(await history_page(tables, person.id, game, number))


@get("/me/figures", **endpoint("look", "Your statistics"))
async def my_figures(person: CurrentPerson, tables: TablesDep) -> PlayerStatistics:
    """Return your ratings and statistics."""
    return _statistics(person.name, await history_page(tables, person.id))


@get("/people/{address:str}", **endpoint("", "A player's statistics", 404))
async def figures_of(person: CurrentPerson, tables: TablesDep, accounts: AccountsDep, address: Id) -> PlayerStatistics:
    """Return the ratings and statistics of a player with a public page."""
    player = await public_player(accounts, address)
    return _statistics(player.name, await history_page(tables, player.id, public=True))


@get("/people/{address:str}/matches", **endpoint("", "A player's matches", 404))
async def matches_of(
    person: CurrentPerson, tables: TablesDep, accounts: AccountsDep, address: Id, game: OfGame = "", number: Number = 1
) -> PlayedMatches:
    """Return the matches at public tables of a player with a public page."""
    player = await public_player(accounts, address)
    return _matches(await history_page(tables, player.id, game, number, public=True))


@post("/me/shown", **endpoint("lists", "Change your visibility", 413, 422), status_code=200)
async def show(person: CurrentPerson, accounts: AccountsDep, data: JSONBody[ProfileVisibility]) -> ApiDone:
    """Set whether you are on leaderboards and have a public page. This needs an account."""
    await accounts.set_visibility(person, data)
    return ApiDone()


def _statistics(name: str, history: HistoryPage) -> PlayerStatistics:
    ratings = [
        RatedVariantLine(
            rating.variant.game,
            rating.variant.id,
            variant,
            RatingPoints.of(rating.rating, rating.provisional),
            rating.matches,
            rating.opponents,
        )
        for variant, rating in history.ratings
    ]
    return PlayerStatistics(name, ratings, [*map(_in_game, history.figures)])


def _in_game(figures: PlayerFigures) -> GameStatistics:
    return GameStatistics(
        figures.game, figures.matches, figures.won, figures.drawn, figures.lost,
        [(each.seat, each.matches, each.won) for each in figures.seats], figures.choices, figures.seconds,
        figures.best_run, figures.worst_run, figures.best and RatingPoints.of(figures.best),
        figures.worst and RatingPoints.of(figures.worst),
    )  # fmt: skip


def _matches(history: HistoryPage) -> PlayedMatches:
    return PlayedMatches([*map(_match, history.lines)], history.more)


def _match(line: HistoryLine) -> PlayedMatch:
    return PlayedMatch(
        line.table, line.game, line.variant, line.seat, line.others, line.outcome, line.how, line.ended.isoformat(),
        line.choices, line.rating and RatingPoints.of(line.rating), line.moved,
    )  # fmt: skip
