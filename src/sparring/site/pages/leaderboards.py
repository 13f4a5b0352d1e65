"""Leaderboards of each variant of a game, with people and bots."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from litestar import get
from litestar.params import FromPath, FromQuery
from litestar.response import Template
from markupsafe import Markup

from sparring.bots import title
from sparring.engine.game import Game
from sparring.engine.game import game as find_game
from sparring.server.requests.errors import PageNotFound
from sparring.server.requests.identity import AnyRequest, CurrentPerson, TablesDep
from sparring.store.person import Person
from sparring.store.rating_model import BOT, OPPONENTS, PROVISIONAL
from sparring.store.ratings import LeaderboardLine, LeaderboardVariant
from sparring.tables.results.match_results import variant_name, variant_of
from sparring.tables.state.table_settings import MIN_RATED_ACTIONS
from sparring.tables.tables import Tables

from . import sparklines
from .table_pages import page, titles

#: Lines on a page of a leaderboard, and the highest page number.
LINES, PAGES = 50, 1000


@dataclass(frozen=True)
class LeaderboardPage:
    """A page of a leaderboard for one viewer: all variants, the shown variant, its lines and the viewer's own line."""

    boards: Sequence[LeaderboardVariant]
    variant: str
    lines: Sequence[LeaderboardLine]
    #: The viewer's own line if they are rated, even when they are hidden from leaderboards.
    own: LeaderboardLine | None
    more: bool


async def leaderboard(
    tables: Tables, person: Person, game: Game, variant: str = "", number: int = 1
) -> LeaderboardPage:
    """Return a page of a game's leaderboard, of `variant` or, if empty, of the variant played most.

    Raises PageNotFound for an unknown variant.
    """
    boards = await tables.registry.loader.ratings.boards(game.name)
    default = variant_of(game.box(dict(game.preset(game.recommended)))).id
    known = [board.variant.id for board in boards]
    if variant and variant not in (*known, default):
        raise PageNotFound("This leaderboard doesn't exist. The link may be incomplete.")
    chosen = variant or (known or [default])[0]
    lines = await tables.registry.loader.ratings.top(chosen, LINES + 1, LINES * (max(1, min(number, PAGES)) - 1))
    own = await tables.registry.loader.ratings.place(chosen, person.id) if person.id else None
    return LeaderboardPage(boards, chosen, lines[:LINES], own, len(lines) > LINES)


def player_name(line: LeaderboardLine) -> str:
    """Return a player's display name."""
    return title(line.player.removeprefix(BOT)) if line.player.startswith(BOT) else line.name


def player_kind(line: LeaderboardLine) -> str:
    """Return a player's kind ("bot" or "bot of OWNER"), or an empty string for a person."""
    return "bot" if line.player.startswith(BOT) else f"bot of {line.owner}" if line.owner else ""


@get("/leaderboard", include_in_schema=False)
async def all_boards(request: AnyRequest, person: CurrentPerson, tables: TablesDep) -> Template:
    """Show the leaderboards of all games."""
    boards: dict[str, list[tuple[LeaderboardVariant, str]]] = {name: [] for name in titles()}
    for board in await tables.registry.loader.ratings.boards():
        boards.setdefault(board.variant.game, []).append((board, variant_name(board.variant)))
    return page("leaderboards.html", request, person, boards=boards, titles=titles(), **_context())


@get("/games/{name:str}/leaderboard", include_in_schema=False)
async def game_board(
    request: AnyRequest, person: CurrentPerson, tables: TablesDep, name: FromPath[str], variant: FromQuery[str] = "",
    number: FromQuery[int] = 1,
) -> Template:  # fmt: skip
    """Show the leaderboard of a game's variant."""
    game = find_game(name)
    current = await leaderboard(tables, person, game, variant, number)
    own = current.own if current.own and all(line.player != current.own.player for line in current.lines) else None
    listed = [*current.lines, *filter(None, [own])]
    low = min((line.rating.points - line.rating.uncertainty for line in listed), default=0)
    high = max((line.rating.points + line.rating.uncertainty for line in listed), default=1)

    def bar(line: LeaderboardLine) -> Markup:
        return sparklines.plot_rating(line.rating, low, high)

    return page(
        "leaderboard.html",
        request,
        person,
        game=game,
        shown=current,
        own=own,
        bar=bar,
        number=max(1, number),
        variants=[(board, variant_name(board.variant)) for board in current.boards],
        name_of=player_name,
        kind_of=player_kind,
        **_context(),
    )


def _context() -> dict[str, Any]:
    return {"provisional": PROVISIONAL, "enough": OPPONENTS, "early": MIN_RATED_ACTIONS}


HANDLERS: list[Any] = [all_boards, game_board]
