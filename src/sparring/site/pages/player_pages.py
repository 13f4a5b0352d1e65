"""Leaderboards of each variant of a game, match histories, and the small plots of ratings in them."""

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
from sparring.scene.markup import el
from sparring.server.requests.errors import PageNotFound
from sparring.server.requests.identity import AccountsDep, AnyRequest, CurrentPerson, TablesDep
from sparring.store.person import Person
from sparring.store.rating_model import BOT, OPPONENTS, PROVISIONAL, SkillRating
from sparring.store.ratings import LeaderboardLine, LeaderboardVariant, PlayerRating
from sparring.tables.play.match_history import MOST, PAGE, HistoryLine, PlayerFigures, figures
from sparring.tables.play.match_results import variant_name, variant_of
from sparring.tables.state.table_settings import MIN_RATED_ACTIONS, span
from sparring.tables.tables import Tables

from .table_pages import page, titles

#: A plot's width and height, in SVG units.
WIDTH, HEIGHT = 240, 48
#: The largest number of bars or points in a plot.
BARS, POINTS = 16, 120


def plot_results(won: int, drawn: int, lost: int) -> Markup:
    """Plot wins, draws and losses as parts of one bar."""
    total, x, parts = max(1, won + drawn + lost), 0.0, []
    for kind, count in (("won", won), ("drawn", drawn), ("lost", lost)):
        width = WIDTH * count / total
        if count:
            parts.append(el("rect", x=_rounded(x), y=0, width=_rounded(width), height=12, class_=kind))
        x += width
    return _drawing(12, f"{won} won, {drawn} drawn, {lost} lost", *parts)


def plot_lengths(choices: Sequence[int]) -> Markup:
    """Plot a histogram of match lengths, in choices."""
    low, high = min(choices), max(choices)
    step = max(1, -(-(high - low + 1) // BARS))
    counts = [0] * ((high - low) // step + 1)
    for length in choices:
        counts[(length - low) // step] += 1
    most, width = max(counts), WIDTH / len(counts)
    bars = [
        el("rect", x=_rounded(index * width + 1), y=_rounded(HEIGHT - HEIGHT * count / most),
           width=_rounded(max(1.0, width - 2)), height=_rounded(HEIGHT * count / most), class_="bar-of")
        for index, count in enumerate(counts) if count
    ]  # fmt: skip
    return _drawing(HEIGHT, f"Length of matches, from {low} to {high} choices", *bars)


def plot_ratings(ratings: Sequence[SkillRating]) -> Markup:
    """Plot ratings over time: the mean as a line with the uncertainty as a band."""
    stride = max(1, len(ratings) // POINTS)
    sampled = [*ratings[:-1:stride], ratings[-1]]
    low = min(rating.points - rating.uncertainty for rating in sampled)
    high = max(rating.points + rating.uncertainty for rating in sampled)
    step = WIDTH / max(1, len(sampled) - 1)

    def at(index: int, points: float) -> str:
        return f"{_rounded(index * step)},{_rounded(HEIGHT - HEIGHT * (points - low) / max(1, high - low))}"

    upper = [at(index, rating.points + rating.uncertainty) for index, rating in enumerate(sampled)]
    lower = [at(index, rating.points - rating.uncertainty) for index, rating in enumerate(sampled)]
    means = [at(index, rating.points) for index, rating in enumerate(sampled)]
    return _drawing(
        HEIGHT, f"Rating after each match, from {ratings[0]} to {ratings[-1]}",
        el("polygon", points=" ".join([*upper, *reversed(lower)]), class_="band"),
        el("polyline", points=" ".join(means), class_="line"),
    )  # fmt: skip


def plot_rating(rating: SkillRating, low: int, high: int) -> Markup:
    """Plot a rating's mean and uncertainty on a scale from `low` to `high` points."""
    scale = WIDTH / max(1, high - low)
    begin = max(0.0, (rating.points - rating.uncertainty - low) * scale)
    end = min(float(WIDTH), (rating.points + rating.uncertainty - low) * scale)
    middle = (rating.points - low) * scale
    return _drawing(
        12, "",
        el("rect", x=0, y=5, width=WIDTH, height=2, class_="scale"),
        el("rect", x=_rounded(begin), y=2, width=_rounded(end - begin), height=8, rx=4, class_="band"),
        el("rect", x=_rounded(middle - 2), y=0, width=4, height=12, class_="middle"),
    )  # fmt: skip


def _drawing(height: int, label: str, *inside: Markup) -> Markup:
    """Wrap elements in an SVG. `label` is its text alternative; without one, screen readers skip the plot."""
    labelled = {"role": "img", "aria_label": label} if label else {"aria_hidden": "true"}
    view = f"0 0 {WIDTH} {height}"
    return el("svg", *inside, class_="plot", viewBox=view, preserveAspectRatio="none", **labelled)


def _rounded(number: float) -> str:
    return f"{number:.1f}"


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
    default = variant_of(game.setup(dict(game.preset(game.recommended)))).id
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


@get("/leaderboard")
async def all_boards(request: AnyRequest, person: CurrentPerson, tables: TablesDep) -> Template:
    """Show the leaderboards of all games."""
    boards: dict[str, list[tuple[LeaderboardVariant, str]]] = {name: [] for name in titles()}
    for board in await tables.registry.loader.ratings.boards():
        boards.setdefault(board.variant.game, []).append((board, variant_name(board.variant)))
    return page("leaderboards.html", request, person, boards=boards, titles=titles(), **_context())


@get("/games/{name:str}/leaderboard")
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
        return plot_rating(line.rating, low, high)

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


@dataclass(frozen=True)
class HistoryPage:
    """A page of a player's match history."""

    lines: list[HistoryLine]
    more: bool
    figures: list[PlayerFigures]
    #: The player's ratings, each with its variant's name.
    ratings: list[tuple[str, PlayerRating]]


async def history_page(
    tables: Tables, player: str, game: str = "", number: int = 1, *, public: bool = False
) -> HistoryPage:
    """Return a page of a player's history.

    `game` and `public` (matches at public tables) filter the list of matches, not the statistics.
    """
    if not player:
        return HistoryPage([], False, [], [])
    skip = PAGE * (max(1, min(number, PAGES)) - 1)
    entries = await tables.results.history(player, PAGE + 1, skip, game=game, public=public)
    ratings = [
        (variant_name(standings.variant), standings) for standings in await tables.registry.loader.ratings.of(player)
    ]
    results = await tables.results.results(player, MOST)
    return HistoryPage([*map(HistoryLine.of, entries[:PAGE])], len(entries) > PAGE, figures(results), ratings)


@get("/me/matches")
async def my_matches(
    request: AnyRequest, person: CurrentPerson, tables: TablesDep, game: FromQuery[str] = "", number: FromQuery[int] = 1
) -> Template:
    """Show the person's finished matches and statistics."""
    history = await history_page(tables, person.id, game, number)
    return _page(request, person, history, game, number, name="", address="/me/matches")


@get("/people/{address:str}")
async def their_matches(
    request: AnyRequest, person: CurrentPerson, tables: TablesDep, accounts: AccountsDep, address: FromPath[str],
    game: FromQuery[str] = "", number: FromQuery[int] = 1,
) -> Template:  # fmt: skip
    """Show a player's public page: statistics, and matches at public tables."""
    player = await public_player(accounts, address)
    history = await history_page(tables, player.id, game, number, public=True)
    return _page(request, person, history, game, number, name=player.name, address=f"/people/{address}")


async def public_player(accounts: Any, address: str) -> Person:
    """Return the player whose public page has this address. Raises PageNotFound if there is none."""
    row = await accounts.store.load(page=address)
    if row is None:
        raise PageNotFound("There is no public player page at this address.")
    return Person(row.person, row.name)


def _page(
    request: AnyRequest, person: Person, history: HistoryPage, game: str, number: int, *, name: str, address: str
) -> Template:
    return page(
        "matches.html", request, person, found=history, game=game, number=max(1, number), whose=name, address=address,
        titles=titles(), plot_results=plot_results, plot_ratings=plot_ratings, plot_lengths=plot_lengths, span=span,
    )  # fmt: skip
