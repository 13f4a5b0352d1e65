"""The start page with its lists, quick matches, and the list of a person's tables."""

from typing import Any
from urllib.parse import parse_qsl, urlencode

from litestar import get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Template

from sparring.bots import STRENGTHS, parse
from sparring.engine.errors import BadOption, SparringError
from sparring.engine.game import game as find_game
from sparring.engine.game import games
from sparring.people.identity import with_id, with_name
from sparring.server.requests.errors import told
from sparring.server.requests.identity import (
    EVERYONE,
    STRANGERS,
    YEAR,
    AnyRequest,
    CurrentPerson,
    LobbyDep,
    requester_of,
)
from sparring.server.requests.pages import form_of
from sparring.store.person import Person
from sparring.tables.lobby import MINE, PEOPLE, SIMILAR_BOT, Lobby
from sparring.tables.state.table_settings import CLOCKS, LONGEST_FIELD, TableSettings

from .puzzle_pages import has_puzzles
from .table_pages import page, redirect_with_identity, titles

#: What the form on the start page starts with one click: a match against a bot, or one with a friend.
BOT, FRIEND = "bot", "friend"
#: The cookie with the last quick match, and the form fields in it.
QUICK, QUICK_FIELDS = "quick", ("game", "against", "clock")
#: The highest page number of a list of tables.
PAGES = 1000


@get("/", opt=STRANGERS)
async def start(request: AnyRequest, person: CurrentPerson, lobby: LobbyDep) -> Template:
    """Show the start page. Returning players see their tables first, new visitors the games."""
    return await _start(request, person, lobby)


async def _start(
    request: AnyRequest, person: Person, lobby: Lobby, quick: dict[str, str] | None = None, **more: Any
) -> Template:
    return page(
        "start.html", request, person, games=games().values(), titles=titles(),
        lists=await lobby.lists(person), opponents=opponents(), clocks=CLOCKS, quick=quick or remembered(request),
        with_puzzles=[game for game in games().values() if has_puzzles(game)], **more,
    )  # fmt: skip


@get("/lobby", opt=STRANGERS)
async def found(request: AnyRequest, person: CurrentPerson, lobby: LobbyDep) -> Template:
    """Return only the lists of the start page, for an open page to refresh itself."""
    return page("found.html", request, person, lists=await lobby.lists(person), titles=titles())


@get("/tables")
async def all_tables(
    request: AnyRequest, person: CurrentPerson, lobby: LobbyDep, number: FromQuery[int] = 1
) -> Template:
    """Show a page of the person's tables."""
    number = max(1, min(number, PAGES))
    skip = MINE * (number - 1)
    going_on, done = await lobby.unfinished(person, skip), await lobby.done(person, MINE, skip)
    return page(
        "tables.html", request, person, going_on=going_on, done=done, number=number, titles=titles(),
        more=MINE in (len(going_on), len(done)),
    )  # fmt: skip


@post("/quick", opt=EVERYONE)
async def quick_match(request: AnyRequest, person: CurrentPerson, lobby: LobbyDep) -> Template | Redirect:
    """Start a match against a bot, or join or open a public table."""
    form = await form_of(request)
    against = form.get("against", "")
    try:
        if any(len(value) > LONGEST_FIELD for value in form.values()):
            raise BadOption("One of these fields is too long. Please shorten it.")
        game = find_game(form.get("game", ""))
        player = _named(person, form, required=against == PEOPLE)
        table = await lobby.quick_match(game, against, player, requester_of(request, player), form.get("clock", ""))
    except SparringError as problem:
        return await _start(request, person, lobby, form, **told(request, problem))
    response = redirect_with_identity(request, player, f"/table/{table}")
    last = urlencode({name: form.get(name, "") for name in QUICK_FIELDS})
    response.set_cookie(QUICK, last, max_age=YEAR, samesite="lax", httponly=True)
    return response


@get("/play/{name:str}", opt=STRANGERS)
async def invite_friend(request: AnyRequest, person: CurrentPerson, name: FromPath[str]) -> Template:
    """Show the form that creates a table for a friend, also after a reload."""
    return page("friend.html", request, person, game=find_game(name))


@post("/play/{name:str}", opt=EVERYONE)
async def play_now(
    request: AnyRequest, person: CurrentPerson, lobby: LobbyDep, name: FromPath[str]
) -> Template | Redirect:
    """Start a match against a bot about as strong as the player, or create a table for a friend to join.

    A new player's first opponent is the weakest bot that searches (`benchmarks/beginners.py` measures what it loses).
    The invitation names the host, so a host without a name is asked for one first.
    """
    form = await form_of(request)
    friend = form.get("with") == FRIEND
    try:
        game, player = find_game(name), _named(person, form)
        if friend and not person.name and "name" not in form:
            return page("friend.html", request, person, game=game)
        bot = "" if friend else await lobby.matching_bot(game, player)
        table = await lobby.recommended_table(
            game, player, requester_of(request, player), TableSettings(hints=not friend), bot
        )
    except SparringError as problem:
        return await _start(request, person, lobby, {**remembered(request), **form}, **told(request, problem))
    return redirect_with_identity(request, player, f"/table/{table}{'#invite' if friend else ''}")


def _named(person: Person, form: dict[str, str], *, required: bool = False) -> Person:
    """Return the person with the name from the form; without one, they stay nameless unless it is required."""
    name = form.get("name", "").strip() or person.name
    return with_name(person, name) if name or required else with_id(person)


def opponents() -> dict[str, str]:
    """Return the opponents a quick match offers, with their labels: people, then bots from weakest to strongest."""
    return {
        PEOPLE: "people",
        SIMILAR_BOT: "a bot about as strong as you",
        **{bot: parse(bot).title for bot in STRENGTHS},
    }


def remembered(request: AnyRequest) -> dict[str, str]:
    """Return the quick-match form's values: those of the last match, else the weakest bot that searches."""
    return {"against": STRENGTHS[1], **dict(parse_qsl(request.cookies.get(QUICK, "")[:LONGEST_FIELD]))}
