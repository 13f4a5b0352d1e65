"""Where programs meet people: tables that anybody may find, matches at once, and who sits where."""

from collections.abc import Mapping
from typing import Annotated

import msgspec
from litestar import Router, get, post
from litestar.params import JSONBody

from sparring.engine.game import game as find_game
from sparring.web.api_tokens import Tokens
from sparring.web.identity import Person, named
from sparring.web.pages.start_pages import PEOPLE, table_at_once
from sparring.web.pages.table_form import BESIDE, LONGEST_FIELD, MINE, read_form
from sparring.web.requests.identity_and_errors import SMALL, AnyRequest, Asker, TheLobby, TheTables, asking
from sparring.web.studio.studio_routes import TheSets
from sparring.web.tables.lobby import ListedTable
from sparring.web.tables.table import NotYours, Table
from sparring.web.tables.table_settings import TableSettings
from sparring.web.tables.tables import Tables

from .responses import LONG, Id, allowed, refusals
from .table_routes import OpenedTable, TableView, link_of, look_of

Text = Annotated[str, msgspec.Meta(max_length=LONGEST_FIELD)]
Seat = Annotated[int, msgspec.Meta(ge=1, le=12, description="Which seat, counted from 1.")]


class LobbyTable(msgspec.Struct):
    """A table in a list."""

    table: Annotated[str, msgspec.Meta(description="Its id.")]
    game: Annotated[str, msgspec.Meta(description="The name of the game.")]
    names: Annotated[list[str], msgspec.Meta(description="Who sits there, or `open seat`.")]
    turn: Annotated[str, msgspec.Meta(description="Who is waited for, as far as those see it who watch.")]
    line: Annotated[str, msgspec.Meta(description="How the match stands, in a few words.")]
    pace: Annotated[str, msgspec.Meta(description="The clock that was agreed, in words; empty: none.")]
    rated: Annotated[bool, msgspec.Meta(description="Whether it moves ratings; it takes an account to sit down then.")]

    @staticmethod
    def shown(table: ListedTable) -> "LobbyTable":
        """As the lists of the pages have it."""
        return LobbyTable(table.id, table.game, list(table.names), table.turn, table.line, table.pace, table.rated)


class FoundTable(msgspec.Struct):
    """The tables that anybody may find, besides your own."""

    open: Annotated[list[LobbyTable], msgspec.Meta(description="Those at which you may sit down.")]
    watch: Annotated[list[LobbyTable], msgspec.Meta(description="Those that you may watch.")]


class NewTableRequest(msgspec.Struct, forbid_unknown_fields=True):
    """What you want to play."""

    game: Text
    seats: Annotated[
        list[Text],
        msgspec.Meta(
            min_length=1, max_length=12,
            description="Who sits where: `me`, `open`, a bot of the game's list, `mine:NAME` for a bot of yours, or "
            "`beside:NAME` for somebody who shares your screen.",
        ),
    ]  # fmt: skip
    preset: Annotated[Text, msgspec.Meta(description="A variant of the game; empty: by the letter.")] = ""
    options: Annotated[
        dict[Text, Text | int], msgspec.Meta(description="Options that differ from that.", max_length=60)
    ] = {}
    own: Annotated[
        str,
        msgspec.Meta(max_length=40, description="A set to play with: the id of yours, or by what another is shared."),
    ] = ""
    content: Annotated[
        str, msgspec.Meta(description="Cards or fighters of your own: TOML as the game's content has it.")
    ] = ""
    name: Annotated[Text, msgspec.Meta(description="What you are called there, if not as usual.")] = ""
    terms: Annotated[
        TableSettings, msgspec.Meta(description="What is agreed besides: clocks, absence, who finds it.")
    ] = TableSettings()


#: Against whom a quick match can be.
AGAINST = "`people`; `alike`, for a bot about as strong as you have been in this game; or a bot of the game's list."


class QuickMatchRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A match at once."""

    game: Text
    against: Annotated[Text, msgspec.Meta(description=AGAINST)] = PEOPLE
    clock: Annotated[
        Text, msgspec.Meta(description="Time to think, as the form offers it: `5+5`, `3 days`; empty: as it takes.")
    ] = ""


class SitRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Where somebody wants to sit."""

    seat: Seat
    name: Annotated[Text, msgspec.Meta(description="What you are called there, if not as usual.")] = ""
    program: Annotated[
        Text, msgspec.Meta(description="A bot of yours that sits down in place of you, by its name.")
    ] = ""
    beside: Annotated[
        Text, msgspec.Meta(description="The name of somebody who shares your screen, and sits down there.")
    ] = ""


class GiveSeat(msgspec.Struct, forbid_unknown_fields=True):
    """Who is to sit on a seat of a table that you opened."""

    seat: Seat
    bot: Annotated[
        Text,
        msgspec.Meta(description="A bot of the game's list, or `mine:NAME` for one of yours; empty: a bot leaves it."),
    ] = ""


@get("/tables", **allowed("look"), responses=refusals(), summary="Tables that anybody may find")
async def found(person: Asker, lobby: TheLobby) -> FoundTable:
    """Public tables that wait for people, and those that may be watched; your own stand under `/api/me/tables`."""
    lists = await lobby.lists(person)
    return FoundTable([*map(LobbyTable.shown, lists.open)], [*map(LobbyTable.shown, lists.watch)])


@post(
    "/tables",
    **allowed("tables"),
    request_max_body_size=LONG,
    responses=refusals(404, 413, 422),
    summary="Open a table",
)
async def open_table(
    request: AnyRequest, person: Asker, tables: TheTables, sets: TheSets, data: JSONBody[NewTableRequest]
) -> OpenedTable:
    """Lay out a new table. Whoever sits there is asked at once."""
    if not person.id:
        raise NotYours("A table is opened by somebody: come with a token, or with the cookie of your browser.")
    store: Tokens = request.app.state.tokens
    game, toml, where = find_game(data.game), data.content or None, "your file"
    if data.own:
        held = await sets.playable(person, data.own, game)
        data.options, toml, where = {**held.options, **data.options}, held.version.toml, held.row.name
    wanted = read_form(game, as_form(data, person), person, await store.bots_of(person))
    table = await tables.create(
        game, wanted.sitters, options=wanted.options, toml=toml, where=where, asking=asking(request, wanted.person),
        terms=data.terms,
    )  # fmt: skip
    return OpenedTable(table.id, link_of(request, tables, table.id))


def as_form(data: NewTableRequest, person: Person) -> Mapping[str, str]:
    """What is wanted, as the form of the page says it."""
    seats = dict[str, str]()
    for number, who in enumerate(data.seats, 1):
        is_beside = who.startswith(f"{BESIDE}:")
        seats[f"seat{number}"] = BESIDE if is_beside else who
        if is_beside:
            seats[f"name{number}"] = who.removeprefix(f"{BESIDE}:")
    options = {f"option.{name}": str(value) for name, value in data.options.items()}
    return {**seats, **options, "preset": data.preset, "name": data.name or person.name}


@post("/quick", **allowed("tables"), responses=refusals(404, 409, 413, 422), summary="A match at once")
async def quick(request: AnyRequest, person: Asker, lobby: TheLobby, data: JSONBody[QuickMatchRequest]) -> OpenedTable:
    """Against a bot, or at a table that waits for people or begins to."""
    _check_somebody(person)
    game, who = find_game(data.game), asking(request, person)
    table = await table_at_once(lobby, game, data.against, person, who, data.clock)
    return OpenedTable(table, link_of(request, lobby.tables, table))


@post("/table/{table_id:str}/sit", **allowed("play"), status_code=200, responses=refusals(404, 409, 410, 413, 422),
      summary="Sit down")  # fmt: skip
async def sit(
    request: AnyRequest, person: Asker, tables: TheTables, table_id: Id, data: JSONBody[SitRequest]
) -> TableView:
    """Take an open seat, or have a bot of yours take it, or somebody beside you."""
    _check_somebody(person)
    table = await tables.get(table_id)
    if data.program:
        await _seat_own(request, tables, table, data.seat, person, data.program)
    elif data.beside:
        await tables.sit_beside(table, data.seat, person, data.beside)
    else:
        await tables.sit(table, data.seat, named(person, data.name) if data.name else person)
    return await _seen(table, person)


@post("/table/{table_id:str}/seats", **allowed("play"), status_code=200, responses=refusals(404, 409, 410, 413, 422),
      summary="Give a seat to a bot")  # fmt: skip
async def seats(
    request: AnyRequest, person: Asker, tables: TheTables, table_id: Id, data: JSONBody[GiveSeat]
) -> TableView:
    """Whoever opened a table gives an open seat to a bot, or takes it back."""
    table = await tables.get(table_id)
    if data.bot.startswith(MINE):
        await _seat_own(request, tables, table, data.seat, person, data.bot.removeprefix(MINE))
    elif data.bot:
        await tables.seat_bot(table, data.seat, person, data.bot)
    else:
        await tables.open_seat(table, data.seat, person)
    return await _seen(table, person)


async def _seat_own(request: AnyRequest, tables: Tables, table: Table, seat: int, person: Person, name: str) -> None:
    tokens: Tokens = request.app.state.tokens
    await tables.sit(table, seat, await tokens.bot(person, name))


async def _seen(table: Table, person: Person) -> TableView:
    looker = table.looker(person)
    return look_of(table, await table.look(looker.seat), looker)


def _check_somebody(person: Person) -> None:
    if not person.id:
        raise NotYours("Somebody sits down: come with a token, or with the cookie of your browser.")


def router() -> Router:
    """Where one meets."""
    return Router(
        "/api", route_handlers=[found, open_table, quick, sit, seats], tags=["tables"], request_max_body_size=SMALL
    )
