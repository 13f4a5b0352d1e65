"""Table endpoints: views as text, scene or data, records, chat, and the actions at a table (`tables/actions.py`)."""

from typing import Annotated, Any

import msgspec
from litestar import MediaType, Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody, PathParameter, QueryParameter

from sparring.engine.views import as_data
from sparring.scene import without_drawings
from sparring.scene.text import PrintableScene
from sparring.server.requests.identity import UNSEATED, AnyRequest, CurrentPerson, TablesDep, find_table
from sparring.settings.requests import Action
from sparring.store.person import Person
from sparring.tables.actions import TABLE_ACTIONS, carry_out
from sparring.tables.play.chat_actions import may_chat
from sparring.tables.play.table_view import TableView, scene_at, table_view
from sparring.tables.state.chat_log import ChatFilter, ChatLine, Kind
from sparring.tables.state.clock_record import record_of
from sparring.tables.state.players import Viewer
from sparring.tables.state.presence import Presence
from sparring.tables.state.table import NotAllowed, Table

from .responses import ApiDone, Id, endpoint


class ChatLineSaid(msgspec.Struct):
    """A chat message."""

    line: Annotated[int, msgspec.Meta(description="The message's number, from 1.")]
    kind: Annotated[Kind, msgspec.Meta(description="Preset phrase, free text, move description, or removed message.")]
    seat: Annotated[int, msgspec.Meta(description="The author's seat; 0: a spectator.")]
    name: Annotated[str, msgspec.Meta(description="The author's name at the time.")]
    text: Annotated[str, msgspec.Meta(description="Plain text from another user: don't trust it.")]
    said: Annotated[int, msgspec.Meta(description="The time, in seconds since 1970.")]
    yours: Annotated[bool, msgspec.Meta(description="Whether you wrote it.")]
    move: Annotated[str, msgspec.Meta(description="The name of the described move.")] = ""
    exchange: Annotated[int, msgspec.Meta(description="The exchange of the described move, from 1.")] = 0
    applause: Annotated[int, msgspec.Meta(description="The number of people who applauded.")] = 0


class DescribableMoveView(msgspec.Struct):
    """A move that you may describe now."""

    seat: Annotated[int, msgspec.Meta(description="Your seat that made the move.")]
    move: Annotated[str, msgspec.Meta(description="The move's name.")]
    words: Annotated[list[str], msgspec.Meta(description="Words to compose a description from.")]


class TableChat(msgspec.Struct):
    """A table's chat, without people you muted."""

    chat_version: Annotated[int, msgspec.Meta(description="The chat's version.")]
    lines: Annotated[list[ChatLineSaid], msgspec.Meta(description="New and changed messages.")]
    describe: Annotated[
        list[DescribableMoveView], msgspec.Meta(description="Your moves of the current exchange to describe.")
    ]
    full: Annotated[
        bool, msgspec.Meta(description="Whether this is the whole chat: discard the messages you have.")
    ] = False
    may_chat: Annotated[bool, msgspec.Meta(description="Whether you may chat here.")] = False
    own_words: Annotated[bool, msgspec.Meta(description="Whether free text is allowed.")] = False


class MutedPerson(msgspec.Struct):
    """A person you muted at all tables."""

    mute: Annotated[str, msgspec.Meta(description="The mute's id.")]
    name: Annotated[str, msgspec.Meta(description="The person's name at the time.")]


def chat_of(table: Table, person: Person, chat_filter: ChatFilter, since: int = 0, *, full: bool = False) -> TableChat:
    """Return a table's chat since a version, without the lines a person has muted."""
    return TableChat(
        chat_filter.chat_version, [line_of(line, person) for line in table.chat.visible(chat_filter, since)],
        [DescribableMoveView(move.seat, move.name, list(move.words)) for move in chat_filter.to_describe.named_moves],
        full, may_chat(table, person), table.settings.free_chat,
    )  # fmt: skip


def line_of(line: ChatLine, person: Person) -> ChatLineSaid:
    """Return a chat line for the API, without its author's id."""
    yours = bool(person.id) and line.person == person.id
    return ChatLineSaid(
        line.number, line.kind, line.seat, line.name, line.text, line.said, yours, line.about, line.exchange,
        len(line.applause),
    )  # fmt: skip


@get("/table/{table_id:str}/chat", **endpoint("look", "Chat", 404, 410), tags=["chat"])
async def chat(
    person: CurrentPerson, tables: TablesDep, table_id: Id,
    since: Annotated[int, QueryParameter(description="The chat version you have; 0: none.")] = 0,
) -> TableChat:  # fmt: skip
    """Return a table's chat, without people you muted."""
    table = await tables.registry.get(table_id)
    return chat_of(table, person, await tables.chat.filter_for(table, person), since)


@get("/me/muted", **endpoint("look", "Muted people"), tags=["chat"])
async def muted(person: CurrentPerson, tables: TablesDep) -> list[MutedPerson]:
    """Return the people you muted."""
    return [MutedPerson(row.id, row.name) for row in await tables.chat.store.mutes(person.id)] if person.id else []


@post("/me/muted/{mute_id:str}/remove", **endpoint("chat", "Unmute a person"), status_code=200, tags=["chat"])
async def unmute(
    person: CurrentPerson, tables: TablesDep, mute_id: Annotated[str, PathParameter(max_length=20)]
) -> ApiDone:
    """Unmute a person, at whichever table you muted them."""
    await tables.chat.unmute(person, mute_id)
    return ApiDone()


#: Not for the type checker: the struct is known at run time only.
BODY: Any = JSONBody

#: Why there is no view as data at a table with hidden content: without the cards, its numbers would mean nothing.
HIDDEN_CONTENT = "Until this match is over, there is no view as data: players may know only the cards they have seen."


def mounted(action: Action) -> HTTPRouteHandler:
    """Return the endpoint of an action, with the function's docstring, request and answer."""

    async def without_body(request: AnyRequest, person: CurrentPerson, table_id: Id) -> Any:
        return await carry_out(action, await find_table(request, person, table_id)) or ApiDone()

    async def with_body(request: AnyRequest, person: CurrentPerson, table_id: Id, data: Any) -> Any:
        return await carry_out(action, await find_table(request, person, table_id), data) or ApiDone()

    handle = with_body if action.request else without_body
    handle.__annotations__ |= {"data": BODY[action.request], "return": action.answer or ApiDone}
    action.lend_names(handle)
    newcomers = {"newcomers": action.newcomers} if action.newcomers else {}
    declared = endpoint(action.scope, action.summary, 404, 409, 410, 413, 422, newcomers=newcomers)
    return post(f"/table/{{table_id:str}}/{action.name}", **declared, status_code=200, tags=[action.tag])(handle)


ACTIONS = [mounted(action) for action in TABLE_ACTIONS]


class ViewAsScene(msgspec.Struct):
    """A table as you see it, as a tree of typed items without default values."""

    version: Annotated[int, msgspec.Meta(description="The version you see.")]
    scene: Annotated[PrintableScene, msgspec.Meta(description="Players, hands, piles, boards and the question.")]


class ViewAsData(msgspec.Struct):
    """What a seat knows, as data, in the format of external bots."""

    version: Annotated[int, msgspec.Meta(description="The version you see.")]
    game: str
    options: dict[str, str | int]
    content: Annotated[Any, msgspec.Meta(description="Custom cards or fighters; null: the game's own.")]
    seat: int
    seats: Annotated[int, msgspec.Meta(description="The number of seats.")]
    phase: Annotated[str, msgspec.Meta(description="The kind of choice to make.")]
    state: Annotated[
        dict[str, Any],
        msgspec.Meta(description="All fields of the state that this seat may know; -1 is hidden."),
    ]
    legal: Annotated[list[int], msgspec.Meta(description="The numbers of your legal choices.")]


class TablePresence(msgspec.Struct):
    """Presence at a table."""

    away: Annotated[list[int], msgspec.Meta(description="Seats of people who don't have the table open.")]
    watching: Annotated[int, msgspec.Meta(description="The number of spectators.")]


class TableStatus(msgspec.Struct, frozen=True):
    """The status of one of your tables."""

    table: Annotated[str, msgspec.Meta(description="The table's id.")]
    game: Annotated[str, msgspec.Meta(description="The game's name.")]
    seat: Annotated[int, msgspec.Meta(description="Your seat.")]
    version: Annotated[int, msgspec.Meta(description="The version you see.")]
    is_turn: Annotated[bool, msgspec.Meta(description="Whether it is your turn.")]
    over: Annotated[bool, msgspec.Meta(description="Whether the match has ended.")]


def table_status(table: Table, person: Person) -> TableStatus:
    """Return a table's status for one of its players."""
    viewer, shown = table.viewer_of(person), table.shown
    seat, is_turn = viewer.seat, table.chooser in viewer.seats
    version = table.feed(seat).version
    return TableStatus(table.id, table.match.game.name, seat, version, is_turn, shown.over)


@get("/table/{table_id:str}", **endpoint("look", "A table", 404, 410, newcomers=UNSEATED))
async def look(person: CurrentPerson, tables: TablesDep, table_id: Id) -> TableView:
    """Return a table as text: scene, legal choices and log."""
    table = await tables.registry.get(table_id)
    viewer = table.viewer_of(person)
    return table_view(table, await table.catch_up(viewer.seat), viewer)


@get("/table/{table_id:str}/scene", **endpoint("look", "A table's scene", 404, 410))
async def scene(person: CurrentPerson, tables: TablesDep, table_id: Id) -> ViewAsScene:
    """Return a table's scene, for programs that draw it themselves."""
    table = await tables.registry.get(table_id)
    feed = await table.catch_up(table.seat_of(person))
    shown = scene_at(table, feed, feed.view)
    return ViewAsScene(feed.version, without_drawings(msgspec.structs.replace(shown, backs=())))


@get("/table/{table_id:str}/view", **endpoint("look", "Your view of a table as data", 404, 410))
async def view(person: CurrentPerson, tables: TablesDep, table_id: Id) -> ViewAsData:
    """Return the redacted state, for programs that search."""
    table = await tables.registry.get(table_id)
    if table.public_setup is not table.match.setup:
        raise NotAllowed(HIDDEN_CONTENT)
    feed = await table.catch_up(table.seat_of(person))
    return ViewAsData(version=feed.version, **as_data(feed.view))


@get("/table/{table_id:str}/people", **endpoint("look", "Who is at a table", 404, 410))
async def people(person: CurrentPerson, tables: TablesDep, table_id: Id) -> TablePresence:
    """Return which players are away, and the number of spectators."""
    table = await tables.registry.get(table_id)
    return presence_at(table, tables.registry.presences.get(table_id) or Presence(), table.viewer_of(person))


def presence_at(table: Table, presence: Presence, viewer: Viewer) -> TablePresence:
    """Return the presence at a table."""
    present = presence.people()
    players = enumerate(table.players_seen_by(viewer), 1)
    away = [seat for seat, player in players if player.person and player.person not in present]
    return TablePresence(away, len(present - table.people))


@get("/table/{table_id:str}/record", **endpoint("look", "Download a record", 404, 410))
async def record(person: CurrentPerson, tables: TablesDep, table_id: Id) -> Response[str]:
    """Return the record of a finished match, including its seed."""
    table = await tables.registry.get(table_id)
    return Response(record_of(table, await tables.chat.filter_for(table, person)), media_type=MediaType.JSON)
