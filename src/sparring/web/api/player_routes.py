"""How well people and bots play, and what they have played, for programs."""

from typing import Annotated

import msgspec
from litestar import Router, get, post
from litestar.params import JSONBody, QueryParameter

from sparring.engine.game import game as find_game
from sparring.web.account_pages.history_pages import HistoryPage, played, somebody
from sparring.web.pages.leaderboards import kind_of, leaderboard, name_of
from sparring.web.rating import SkillRating
from sparring.web.requests.identity_and_errors import SMALL, Asker, TheAccounts, TheTables
from sparring.web.storage.rating_store import LeaderboardLine
from sparring.web.tables.match_history import HistoryLine, PlayerFigures
from sparring.web.tables.match_results import called

from .responses import ApiDone, Id, allowed, refusals

Variant = Annotated[str, msgspec.Meta(description="A variant, by the id that its leaderboard goes by.")]
Number = Annotated[int, QueryParameter(ge=1, le=1000, description="Which page of it, from 1.")]
OfGame = Annotated[str, QueryParameter(max_length=64, description="Of one game only, by its name.")]
OfVariant = Annotated[str, QueryParameter(max_length=16, description="Of this variant; empty: the usual.")]


class RatingPoints(msgspec.Struct):
    """A rating, as people read it."""

    points: Annotated[int, msgspec.Meta(description="The middle of what is believed; who begins has 1500.")]
    reach: Annotated[int, msgspec.Meta(description="How far it may be off to either side; who begins has 400.")]
    provisional: Annotated[bool, msgspec.Meta(description=(
        "Whether too little is known yet: the reach is more than 200 or, of a player, they met fewer than 5 opponents."
    ))]  # fmt: skip

    @classmethod
    def of(cls, rating: SkillRating, provisional: bool | None = None) -> "RatingPoints":
        """In points; of one match only the reach says whether they are provisional."""
        return cls(rating.points, rating.reach, rating.uncertain if provisional is None else provisional)


class RankedPlayer(msgspec.Struct):
    """A line of a leaderboard."""

    place: int
    name: str
    kind: Annotated[str, msgspec.Meta(description="`bot`, or whose bot it is; empty: a person.")]
    rating: RatingPoints
    matches: Annotated[int, msgspec.Meta(description="From how many rated matches it is.")]
    won: int
    opponents: Annotated[int, msgspec.Meta(description="How many they met; those of one network count as one.")]
    page: Annotated[str, msgspec.Meta(description="Their public page, under `/api/people`; empty: they have none.")]
    you: bool = False


class LeaderboardSummary(msgspec.Struct):
    """A variant in which somebody is rated."""

    game: str
    variant: Variant
    words: Annotated[str, msgspec.Meta(description="What it is called, or what is different in it.")]
    players: int


class Leaderboard(msgspec.Struct):
    """Who plays how well in a variant, ranked by points less reach; provisional players come after all others."""

    variant: Variant
    players: list[RankedPlayer]
    more: Annotated[bool, msgspec.Meta(description="Whether there is another page.")]
    own: Annotated[
        RankedPlayer | None, msgspec.Meta(description="Where you stand, listed or not; null: you are not rated.")
    ]


class RatedVariantLine(msgspec.Struct):
    """A rating of somebody in a variant."""

    game: str
    variant: Variant
    words: str
    rating: RatingPoints
    matches: int
    opponents: int


class GameStatistics(msgspec.Struct):
    """How somebody does in a game."""

    game: str
    matches: int
    won: int
    drawn: int
    lost: int
    seats: Annotated[list[tuple[int, int, int]], msgspec.Meta(description="The seat, matches there, and how many won.")]
    choices: Annotated[int, msgspec.Meta(description="Half of the matches take no more choices.")]
    seconds: Annotated[int, msgspec.Meta(description="Half of them take no longer.")]
    best_run: Annotated[int, msgspec.Meta(description="Won in a row.")]
    worst_run: Annotated[int, msgspec.Meta(description="Lost in a row.")]
    best: Annotated[RatingPoints | None, msgspec.Meta(description="The highest rating there was; null: none.")] = None
    worst: Annotated[RatingPoints | None, msgspec.Meta(description="The lowest.")] = None


class PlayerStatistics(msgspec.Struct):
    """How somebody does: ratings, and figures for each game."""

    name: str
    ratings: list[RatedVariantLine]
    games: list[GameStatistics]


class PlayedMatch(msgspec.Struct):
    """A finished match of somebody."""

    table: Annotated[str, msgspec.Meta(description="Its table; replay and review stand there.")]
    game: str
    variant: Annotated[str, msgspec.Meta(description="What was played, in words.")]
    seat: int
    others: Annotated[str, msgspec.Meta(description="Against whom, in words.")]
    outcome: Annotated[str, msgspec.Meta(description="`won`, `draw` or `lost`.")]
    how: Annotated[str, msgspec.Meta(description="How it ended, in a sentence.")]
    ended: Annotated[str, msgspec.Meta(description="When: ISO 8601, in UTC.")]
    choices: int
    rating: Annotated[
        RatingPoints | None, msgspec.Meta(description="Your rating afterwards; null: it did not count.")
    ] = None
    moved: Annotated[int, msgspec.Meta(description="By how many points that moved.")] = 0


class PlayedMatches(msgspec.Struct):
    """Finished matches of somebody, the last ones first."""

    matches: list[PlayedMatch]
    more: Annotated[bool, msgspec.Meta(description="Whether there is another page.")]


class ProfileVisibility(msgspec.Struct, forbid_unknown_fields=True):
    """What others find of you."""

    listed: Annotated[bool, msgspec.Meta(description="Whether you stand on leaderboards, your programs too.")]
    page: Annotated[bool, msgspec.Meta(description="Whether you have a public page.")]


@get("/leaderboards", **allowed(""), responses=refusals(), summary="All leaderboards")
async def boards(person: Asker, tables: TheTables) -> list[LeaderboardSummary]:
    """The variants of all games in which somebody is rated."""
    return [
        LeaderboardSummary(board.variant.game, board.variant.id, called(board.variant), board.players)
        for board in await tables.ratings.boards()
    ]


@get("/games/{name:str}/leaderboard", **allowed(""), responses=refusals(404), summary="A leaderboard")
async def board(person: Asker, tables: TheTables, name: Id, variant: OfVariant = "", number: Number = 1) -> Leaderboard:
    """People and bots in a variant of a game, fifty a page."""
    shown = await leaderboard(tables, person, find_game(name), variant, number)
    own = _player(shown.own, person.id) if shown.own else None
    return Leaderboard(shown.variant, [_player(line, person.id) for line in shown.lines], shown.more, own)


def _player(line: LeaderboardLine, you: str) -> RankedPlayer:
    return RankedPlayer(
        line.place, name_of(line), kind_of(line), RatingPoints.of(line.rating, line.provisional), line.matches,
            line.won,
        line.opponents, line.page, line.player == you,
    )  # fmt: skip


@get("/me/matches", **allowed("look"), responses=refusals(), summary="Your finished matches")
async def my_matches(person: Asker, tables: TheTables, game: OfGame = "", number: Number = 1) -> PlayedMatches:
    """What you have played, fifty a page."""
    return _matches(await played(tables, person.id, game, number))


@get("/me/figures", **allowed("look"), responses=refusals(), summary="How you do")
async def my_figures(person: Asker, tables: TheTables) -> PlayerStatistics:
    """Your ratings, and figures for each game."""
    return _doing(person.name, await played(tables, person.id))


@get("/people/{address:str}", **allowed(""), responses=refusals(404), summary="How somebody does")
async def figures_of(person: Asker, tables: TheTables, accounts: TheAccounts, address: Id) -> PlayerStatistics:
    """The ratings and figures of somebody who shows them."""
    shown = await somebody(accounts, address)
    return _doing(shown.name, await played(tables, shown.id, public=True))


@get("/people/{address:str}/matches", **allowed(""), responses=refusals(404), summary="What somebody has played")
async def matches_of(
    person: Asker, tables: TheTables, accounts: TheAccounts, address: Id, game: OfGame = "", number: Number = 1
) -> PlayedMatches:
    """The matches of somebody who shows them, at public tables."""
    shown = await somebody(accounts, address)
    return _matches(await played(tables, shown.id, game, number, public=True))


@post("/me/shown", **allowed("lists"), status_code=200, responses=refusals(413, 422), summary="What others find of you")
async def show(person: Asker, accounts: TheAccounts, data: JSONBody[ProfileVisibility]) -> ApiDone:
    """Stand on leaderboards or not, have a public page or none. It takes an account."""
    await accounts.show(person, listed=data.listed, page=data.page)
    return ApiDone()


def _doing(name: str, found: HistoryPage) -> PlayerStatistics:
    ratings = [
        RatedVariantLine(
            one.variant.game,
            one.variant.id,
            words,
            RatingPoints.of(one.rating, one.provisional),
            one.matches,
            one.opponents,
        )
        for words, one in found.ratings
    ]
    return PlayerStatistics(name, ratings, [*map(_in_game, found.figures)])


def _in_game(one: PlayerFigures) -> GameStatistics:
    return GameStatistics(
        one.game, one.matches, one.won, one.drawn, one.lost, [(at.seat, at.matches, at.won) for at in one.seats],
        one.choices, one.seconds, one.best_run, one.worst_run, one.best and RatingPoints.of(one.best),
        one.worst and RatingPoints.of(one.worst),
    )  # fmt: skip


def _matches(found: HistoryPage) -> PlayedMatches:
    return PlayedMatches([*map(_match, found.lines)], found.more)


def _match(line: HistoryLine) -> PlayedMatch:
    return PlayedMatch(
        line.table, line.game, line.variant, line.seat, line.others, line.outcome, line.how, line.ended.isoformat(),
        line.choices, line.rating and RatingPoints.of(line.rating), line.moved,
    )  # fmt: skip


def router() -> Router:
    """How well people play, and what they have played."""
    handlers = [boards, board, my_matches, my_figures, figures_of, matches_of, show]
    return Router("/api", route_handlers=handlers, tags=["players"], request_max_body_size=SMALL)
