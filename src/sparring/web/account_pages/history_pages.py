"""The pages of what somebody has played: their own, and the one that they show to others."""

from dataclasses import dataclass
from typing import Any

from litestar import get
from litestar.params import FromPath, FromQuery
from litestar.response import Template

from sparring.web.identity import Person
from sparring.web.pages import sparklines
from sparring.web.pages.leaderboards import PAGES
from sparring.web.pages.table_pages import page, titles
from sparring.web.requests.identity_and_errors import AnyRequest, Asker, PageNotFound, TheAccounts, TheTables
from sparring.web.storage.rating_store import PlayerRating
from sparring.web.tables.match_history import MOST, PAGE, HistoryLine, PlayerFigures, figures
from sparring.web.tables.match_results import called
from sparring.web.tables.table_settings import span
from sparring.web.tables.tables import Tables


@dataclass(frozen=True)
class HistoryPage:
    """What somebody has played, as a page shows it."""

    lines: list[HistoryLine]
    more: bool
    figures: list[PlayerFigures]
    #: Their ratings, each with its variant in words.
    ratings: list[tuple[str, PlayerRating]]


async def played(tables: Tables, player: str, game: str = "", number: int = 1, *, public: bool = False) -> HistoryPage:
    """What a player has played; of matches one by one only those of a game, or those that everybody may see."""
    if not player:
        return HistoryPage([], False, [], [])
    skip = PAGE * (max(1, min(number, PAGES)) - 1)
    entries = await tables.results.history(player, PAGE + 1, skip, game=game, public=public)
    ratings = [(called(standings.variant), standings) for standings in await tables.ratings.of(player)]
    results = await tables.results.results(player, MOST)
    return HistoryPage([*map(HistoryLine.of, entries[:PAGE])], len(entries) > PAGE, figures(results), ratings)


@get("/me/matches", include_in_schema=False)
async def my_matches(
    request: AnyRequest, person: Asker, tables: TheTables, game: FromQuery[str] = "", number: FromQuery[int] = 1
) -> Template:
    """All finished matches of whoever asks, and how they do."""
    found = await played(tables, person.id, game, number)
    return _page(request, person, found, game, number, name="", address="/me/matches")


@get("/people/{address:str}", include_in_schema=False)
async def their_matches(
    request: AnyRequest, person: Asker, tables: TheTables, accounts: TheAccounts, address: FromPath[str],
    game: FromQuery[str] = "", number: FromQuery[int] = 1,
) -> Template:  # fmt: skip
    """The page that somebody shows of themselves: how they do, and their matches at public tables."""
    shown = await somebody(accounts, address)
    found = await played(tables, shown.id, game, number, public=True)
    return _page(request, person, found, game, number, name=shown.name, address=f"/people/{address}")


async def somebody(accounts: Any, address: str) -> Person:
    """Who has a public page at this address."""
    row = await accounts.store.load(page=address)
    if row is None:
        raise PageNotFound("There is nobody at this address who shows what they play.")
    return Person(row.person, row.name)


def _page(
    request: AnyRequest, person: Person, found: HistoryPage, game: str, number: int, *, name: str, address: str
) -> Template:
    return page(
        "matches.html", request, person, found=found, game=game, number=max(1, number), whose=name, address=address,
        titles=titles(), plots=sparklines, span=span,
    )  # fmt: skip


HANDLERS: list[Any] = [my_matches, their_matches]
