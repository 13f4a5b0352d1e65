"""Lobby endpoints: public tables, new tables and quick matches."""

from collections.abc import Mapping
from typing import Annotated

import msgspec
from litestar import Router, get, post
from litestar.params import JSONBody

from sparring.engine.errors import BadOption
from sparring.engine.game import game as find_game
from sparring.server.requests.identity_and_errors import SMALL, AnyRequest, Asker, TheLobby, TheTables, requester_of
from sparring.server.requests.newcomers import EVERYONE
from sparring.server.requests.server_state import server_state
from sparring.server.requests.table_actions import invite_link, link_to
from sparring.site.pages.table_form import FRIEND, read_form
from sparring.store.person import Person
from sparring.studio.pages.studio_routes import TheSets
from sparring.tables.actions import OpenedTable
from sparring.tables.lobby import PEOPLE, ListedTable
from sparring.tables.play.halves import STANDARD
from sparring.tables.state.table import NotAllowed
from sparring.tables.state.table_settings import LONGEST_FIELD, TableSettings

from .responses import LARGEST_BODY, errors, needs_scope

Text = Annotated[str, msgspec.Meta(max_length=LONGEST_FIELD)]


class LobbyTable(msgspec.Struct):
    """A listed table."""

    table: Annotated[str, msgspec.Meta(description="The table's id.")]
    game: Annotated[str, msgspec.Meta(description="The game's name.")]
    names: Annotated[list[str], msgspec.Meta(description="The players' names, or `open seat`.")]
    turn: Annotated[str, msgspec.Meta(description="The player to move, as far as spectators can see.")]
    line: Annotated[str, msgspec.Meta(description="The score in a few words.")]
    pace: Annotated[str, msgspec.Meta(description="The clock in words; empty: none.")]
    rated: Annotated[bool, msgspec.Meta(description="Whether the match is rated; you need an account to join it.")]

    @staticmethod
    def shown(table: ListedTable) -> "LobbyTable":
        """Return a listed table for the API."""
        return LobbyTable(table.id, table.game, list(table.names), table.turn, table.line, table.pace, table.rated)


class FoundTable(msgspec.Struct):
    """Public tables other than your own."""

    open: Annotated[list[LobbyTable], msgspec.Meta(description="Tables you can join.")]
    watch: Annotated[list[LobbyTable], msgspec.Meta(description="Tables you can watch.")]


class NewTableRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A table to create."""

    game: Text
    seats: Annotated[
        list[Text],
        msgspec.Meta(
            min_length=1, max_length=12,
            description="The players: `me`, `open`, a bot from the game's list, `mine:NAME` for your bot, or "
            "`beside:NAME` for a friend who shares your screen.",
        ),
    ]  # fmt: skip
    preset: Annotated[Text, msgspec.Meta(description="A variant of the game; empty: `standard`.")] = ""
    options: Annotated[
        dict[Text, Text | int], msgspec.Meta(description="Options that differ from the variant.", max_length=60)
    ] = {}
    own: Annotated[
        str,
        msgspec.Meta(max_length=40, description="A studio set: the id of your own, or the share key of another."),
    ] = ""
    other: Annotated[
        str,
        msgspec.Meta(
            max_length=40,
            description="For a match to which each player brings a half, the half of seat 2: `standard`, the id of one "
            "of your sets, or `guest` for the half of the player who accepts the invitation. `own` is then the half of "
            "seat 1, without its options; the default is `standard`.",
        ),
    ] = ""
    content: Annotated[str, msgspec.Meta(description="Custom content (TOML), in the format of the game's own.")] = ""
    name: Annotated[Text, msgspec.Meta(description="Your name at this table, if not the usual one.")] = ""
    terms: Annotated[
        TableSettings, msgspec.Meta(description="Table settings: clocks, absent players, visibility, chat.")
    ] = TableSettings()


#: The opponents of a quick match.
AGAINST = "`people`; `alike`, a bot about as strong as you in this game; or a bot from the game's list."


class QuickMatchRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A quick match."""

    game: Text
    against: Annotated[Text, msgspec.Meta(description=AGAINST)] = PEOPLE
    clock: Annotated[Text, msgspec.Meta(description="The clock, as in the form: `5+5`, `3 days`; empty: none.")] = ""


@get("/tables", **needs_scope("look"), responses=errors(), summary="Public tables")
async def found(person: Asker, lobby: TheLobby) -> FoundTable:
    """Return public tables to join and to watch; your own are under `/api/me/tables`."""
    lists = await lobby.lists(person)
    return FoundTable([*map(LobbyTable.shown, lists.open)], [*map(LobbyTable.shown, lists.watch)])


@post(
    "/tables",
    **needs_scope("tables", EVERYONE),
    request_max_body_size=LARGEST_BODY,
    responses=errors(404, 413, 422),
    summary="Create a table",
)
async def open_table(
    request: AnyRequest, person: Asker, tables: TheTables, sets: TheSets, data: JSONBody[NewTableRequest]
) -> OpenedTable:
    """Create a table. Players who have a seat can choose at once."""
    if not person.id:
        raise NotAllowed("Sign in first, with a token or your browser's cookie, to create a table.")
    store = server_state(request.app).tokens
    game, toml, where, set_id = find_game(data.game), data.content or None, "Your file", None
    if data.other:
        if data.content:
            raise BadOption("Bring either a half or a content file for both seats.")
        form = read_form(game, as_form(data, person), person)
        path = await tables.halves.create(
            game, form.players, form.person, (data.own or STANDARD, data.other), options=form.options,
            requester=requester_of(request, form.person), settings=data.terms,
        )  # fmt: skip
        return OpenedTable(path.rsplit("/", 1)[1], link_to(request, tables, path))
    if data.own:
        loaded = await sets.playable(person, data.own, game)
        data.options, toml = {**loaded.options, **data.options}, loaded.file
        where, set_id = loaded.row.name, loaded.row.id
    form = read_form(game, as_form(data, person), person, await store.bots_of(person))
    table = await tables.creation.create(
        game,
        form.players,
        options=form.options,
        toml=toml,
        where=where,
        set_id=set_id,
        requester=requester_of(request, form.person),
        settings=data.terms,
    )
    return OpenedTable(table.id, invite_link(request, tables, table.id))


def as_form(data: NewTableRequest, person: Person) -> Mapping[str, str]:
    """Convert a request to the fields of the new-table form."""
    seats = dict[str, str]()
    for number, player in enumerate(data.seats, 1):
        shares = player.startswith(f"{FRIEND}:")
        seats[f"seat{number}"] = FRIEND if shares else player
        if shares:
            seats[f"name{number}"] = player.removeprefix(f"{FRIEND}:")
    options = {f"option.{name}": str(value) for name, value in data.options.items()}
    return {**seats, **options, "preset": data.preset, "name": data.name or person.name}


@post("/quick", **needs_scope("tables", EVERYONE), responses=errors(404, 409, 413, 422), summary="Start a quick match")
async def quick(request: AnyRequest, person: Asker, lobby: TheLobby, data: JSONBody[QuickMatchRequest]) -> OpenedTable:
    """Start a match against a bot, or join or create a public table."""
    if not person.id:
        raise NotAllowed("Sign in first, with a token or your browser's cookie, to take a seat.")
    game, requester = find_game(data.game), requester_of(request, person)
    table = await lobby.quick_match(game, data.against, person, requester, data.clock)
    return OpenedTable(table, invite_link(request, lobby.tables, table))


def router() -> Router:
    """Return the lobby endpoints."""
    return Router("/api", route_handlers=[found, open_table, quick], tags=["tables"], request_max_body_size=SMALL)
