"""Lobby endpoints: public tables, new tables, quick matches, and invitations to bring the other half of a match."""

from typing import Annotated, Any, Protocol, runtime_checkable

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from sparring.engine.errors import BadOption
from sparring.engine.game import Game
from sparring.engine.game import game as find_game
from sparring.people.identity import with_name
from sparring.server.requests.identity import (
    EVERYONE,
    AnyRequest,
    CurrentPerson,
    LobbyDep,
    TablesDep,
    invite_link,
    link_to,
    requester_of,
)
from sparring.server.requests.server_state import server_state
from sparring.store.invitations import InvitationGone
from sparring.store.person import Person
from sparring.store.schema import SetRow
from sparring.tables.actions import OpenedTable
from sparring.tables.halves import STANDARD
from sparring.tables.lobby import PEOPLE, ListedTable
from sparring.tables.seating import read_options, read_players
from sparring.tables.state.table import check_identity
from sparring.tables.state.table_settings import LONGEST_FIELD, TableSettings

from .responses import LARGEST_BODY, ApiDone, Id, endpoint

Text = Annotated[str, msgspec.Meta(max_length=LONGEST_FIELD)]


class PlayableSet(Protocol):
    """A set from the studio that can be played."""

    @property
    def row(self) -> SetRow:
        """Return the set's row."""

    @property
    def file(self) -> str:
        """Return the set's file."""

    @property
    def options(self) -> dict[str, Any]:
        """Return the options that differ from the defaults."""


@runtime_checkable
class Studio(Protocol):
    """The studio, as far as a new table needs it."""

    async def playable(self, person: Person, name: str, game: Game) -> PlayableSet:
        """Return a person's own set by its id, or a shared one by its share key."""


StudioDep = NamedDependency[Studio]


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
            "`local_player:NAME` for a friend who shares your screen.",
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
    settings: Annotated[
        TableSettings, msgspec.Meta(description="Table settings: clocks, absent players, visibility, chat.")
    ] = TableSettings()


#: The opponents of a quick match.
AGAINST = "`people`; `alike`, a bot about as strong as you in this game; or a bot from the game's list."


class QuickMatchRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A quick match."""

    game: Text
    against: Annotated[Text, msgspec.Meta(description=AGAINST)] = PEOPLE
    clock: Annotated[Text, msgspec.Meta(description="The clock, as in the form: `5+5`, `3 days`; empty: none.")] = ""


@get("/tables", **endpoint("look", "Public tables"))
async def found(person: CurrentPerson, lobby: LobbyDep) -> FoundTable:
    """Return public tables to join and to watch; your own are under `/api/me/tables`."""
    lists = await lobby.lists(person)
    return FoundTable([*map(LobbyTable.shown, lists.open)], [*map(LobbyTable.shown, lists.watch)])


@post("/tables", **endpoint("tables", "Create a table", 404, 413, 422, newcomers=EVERYONE),
      request_max_body_size=LARGEST_BODY)  # fmt: skip
async def open_table(
    request: AnyRequest,
    person: CurrentPerson,
    tables: TablesDep,
    sets: StudioDep,
    data: JSONBody[NewTableRequest],
) -> OpenedTable:
    """Create a table. Players who have a seat can choose at once."""
    check_identity(person, "create a table")
    toml, where, set_id, given = data.content or None, "Your file", None, data.options
    game, own_bots = find_game(data.game), await server_state(request.app).tokens.bots_of(person)
    if data.other and data.content:
        raise BadOption("Bring either a half or a content file for both seats.")
    if data.own and not data.other:
        playable = await sets.playable(person, data.own, game)
        toml, where, set_id = playable.file, playable.row.name, playable.row.id
        given = {**playable.options, **given}
    players, host = read_players(
        game, data.seats, person, own_bots, name=data.name or person.name, public=data.settings.public
    )
    options, requester = read_options(game, data.preset, given), requester_of(request, host)
    if data.other:
        path = await tables.halves.create(
            game, players, host, (data.own or STANDARD, data.other), options=options, requester=requester,
            settings=data.settings,
        )  # fmt: skip
        return OpenedTable(path.rsplit("/", 1)[1], link_to(request, tables, path))
    table = await tables.creation.create(
        game,
        players,
        options=options,
        toml=toml,
        where=where,
        set_id=set_id,
        requester=requester,
        settings=data.settings,
    )
    return OpenedTable(table.id, invite_link(request, tables, table.id))


@post("/quick", **endpoint("tables", "Start a quick match", 404, 409, 413, 422, newcomers=EVERYONE))
async def quick(
    request: AnyRequest, person: CurrentPerson, lobby: LobbyDep, data: JSONBody[QuickMatchRequest]
) -> OpenedTable:
    """Start a match against a bot, or join or create a public table."""
    check_identity(person, "take a seat")
    game, requester = find_game(data.game), requester_of(request, person)
    table = await lobby.quick_match(game, data.against, person, requester, data.clock)
    return OpenedTable(table, invite_link(request, lobby.tables, table))


class HalfInvitation(msgspec.Struct):
    """An invitation to bring the other half of a match."""

    game: Annotated[str, msgspec.Meta(description="The game's name.")]
    host: Annotated[str, msgspec.Meta(description="The name of the host.")]
    mine: Annotated[bool, msgspec.Meta(description="Whether it is yours.")]
    started: Annotated[bool, msgspec.Meta(description="Whether the match has started, at the table with this id.")]


class BroughtHalf(msgspec.Struct, forbid_unknown_fields=True):
    """The half that you bring."""

    half: Annotated[str, msgspec.Meta(max_length=40, description="`standard`, or the id of one of your sets.")]
    name: Annotated[
        str, msgspec.Meta(max_length=LONGEST_FIELD, description="Your name at this table, if not the usual one.")
    ] = ""


@get("/halves/{half_id:str}", **endpoint("look", "An invitation to bring a half", 404))
async def look(person: CurrentPerson, tables: TablesDep, half_id: Id) -> HalfInvitation:
    """Return an invitation, or that its match has started."""
    try:
        row = await tables.halves.invitation(half_id, person)
    except InvitationGone:
        table = await tables.store.load(half_id)
        if table is None:
            raise
        host = next((seat.name for seat in table.seats if seat.person == table.host), "")
        return HalfInvitation(table.game, host, table.host == person.id, started=True)
    return HalfInvitation(row.game, row.name, row.person == person.id, started=False)


@post("/halves/{half_id:str}", **endpoint("play", "Bring the other half", 404, 409, 413, 422, newcomers=EVERYONE))
async def accept(
    request: AnyRequest, person: CurrentPerson, tables: TablesDep, half_id: Id, data: JSONBody[BroughtHalf]
) -> OpenedTable:
    """Bring the other half and take seat 2. This creates the table."""
    check_identity(person, "take a seat")
    player = with_name(person, data.name) if data.name else person
    table = await tables.halves.accept(half_id, player, data.half, requester_of(request, player))
    return OpenedTable(table.id, invite_link(request, tables, table.id))


@post("/halves/{half_id:str}/cancel", **endpoint("tables", "Cancel an invitation", 404), status_code=200)
async def cancel(person: CurrentPerson, tables: TablesDep, half_id: Id) -> ApiDone:
    """Cancel your invitation."""
    await tables.halves.cancel(half_id, person)
    return ApiDone()
