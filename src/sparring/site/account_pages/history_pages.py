"""Match history pages: a person's own, and the public one."""

from dataclasses import dataclass
from typing import Any

from litestar import get
from litestar.params import FromPath, FromQuery
from litestar.response import Template

from sparring.server.requests.errors import PageNotFound
from sparring.server.requests.identity import AccountsDep, AnyRequest, CurrentPerson, TablesDep
from sparring.site.pages import sparklines
from sparring.site.pages.leaderboards import PAGES
from sparring.site.pages.table_pages import page, titles
from sparring.store.person import Person
from sparring.store.ratings import PlayerRating
from sparring.tables.results.match_history import MOST, PAGE, HistoryLine, PlayerFigures, figures
from sparring.tables.results.match_results import variant_name
from sparring.tables.state.table_settings import span
from sparring.tables.tables import Tables


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


@get("/me/matches", include_in_schema=False)
async def my_matches(
    request: AnyRequest, person: CurrentPerson, tables: TablesDep, game: FromQuery[str] = "", number: FromQuery[int] = 1
) -> Template:
    """Show the person's finished matches and statistics."""
    history = await history_page(tables, person.id, game, number)
    return _page(request, person, history, game, number, name="", address="/me/matches")


@get("/people/{address:str}", include_in_schema=False)
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
        titles=titles(), plots=sparklines, span=span,
    )  # fmt: skip


HANDLERS: list[Any] = [my_matches, their_matches]
