"""Table endpoints: view as text, scene or data, and play."""

from typing import Annotated, Any, Literal

import msgspec
from litestar import MediaType, Response, Router, get, post
from litestar.params import JSONBody, QueryParameter

from sparring.bots import title
from sparring.bots.external.view_data import as_data
from sparring.engine.views import View
from sparring.scene import without_drawings
from sparring.scene.printed import PrintableScene
from sparring.web.api.responses import Id, errors, needs_scope
from sparring.web.identity import Person
from sparring.web.requests.action_routes import LONGEST_WORDS, ChoosePost, ScreenPost, SeenVersion
from sparring.web.requests.identity_and_errors import SMALL, AnyRequest, Asker, ChoiceAccepted, TheTables, requester_of
from sparring.web.requests.newcomers import UNSEATED
from sparring.web.tables.clocks.clock_events import shown_left
from sparring.web.tables.clocks.clock_record import record_of
from sparring.web.tables.clocks.clock_state import What
from sparring.web.tables.hints.hint_actions import hint_of
from sparring.web.tables.player_feed import PlayerFeed
from sparring.web.tables.results.match_results import change_sentences
from sparring.web.tables.seats.presence import Presence
from sparring.web.tables.seats.shared_screens import Viewer
from sparring.web.tables.table import NotAllowed, Table
from sparring.web.tables.table_settings import LONGEST_FIELD, TableSettings
from sparring.web.tables.tables import Tables
from sparring.web.tables.view_scenes import scene_at
from sparring.web.text_mode.typed_queries import answer_query

Text = Annotated[str, msgspec.Meta(max_length=LONGEST_FIELD)]
Question = Annotated[str, QueryParameter(max_length=LONGEST_WORDS, description="A query, such as `hand` or `at c3`.")]


#: Why there is no view as data at a table with hidden content: without the cards, its numbers would mean nothing.
HIDDEN_CONTENT = "Until this match is over, there is no view as data: players may know only the cards they have seen."


class SeatPlayer(msgspec.Struct):
    """A seat and its player."""

    seat: Annotated[int, msgspec.Meta(description="The seat, from 1.")]
    name: Annotated[str, msgspec.Meta(description="The player's name; empty for an open seat.")]
    kind: Annotated[
        Literal["person", "bot", "program", "open"],
        msgspec.Meta(description="A person, a bot of this server, a person's program, or an open seat."),
    ]
    bot: Annotated[str, msgspec.Meta(description="The bot's name, or the program's owner.")] = ""
    you: Annotated[bool, msgspec.Meta(description="Whether it is your seat.")] = False


class PossibleChoice(msgspec.Struct):
    """A legal choice."""

    choice: Annotated[int, msgspec.Meta(description="The choice's number.")]
    words: Annotated[str, msgspec.Meta(description="The choice in words, which `choose` also accepts.")]
    concedes: Annotated[bool, msgspec.Meta(description="Whether it concedes the match.")] = False


class ClockView(msgspec.Struct):
    """Clocks, pause and proposals of a table."""

    left: Annotated[dict[int, float], msgspec.Meta(description="The remaining seconds of each timed seat.")]
    paused: Annotated[bool, msgspec.Meta(description="Whether the match is paused.")]
    proposed: Annotated[What | None, msgspec.Meta(description="The open proposal.")] = None
    by: Annotated[int, msgspec.Meta(description="The seat that made it.")] = 0
    proposal: Annotated[str, msgspec.Meta(description="Its id, which an answer must name.")] = ""
    gone: Annotated[dict[int, str], msgspec.Meta(description="Seats that have already lost, with the reason.")] = {}


class HintedChoice(msgspec.Struct):
    """A bot's estimate of one of your choices, given what your seat knows."""

    choice: Annotated[int, msgspec.Meta(description="The choice's number.")]
    words: Annotated[str, msgspec.Meta(description="The choice in words.")]
    value: Annotated[float | None, msgspec.Meta(description="The win probability or payoff; null: not tried.")]
    low: Annotated[float, msgspec.Meta(description="The lower end of the 95% interval.")]
    high: Annotated[float, msgspec.Meta(description="The upper end of the interval.")]


class TableView(msgspec.Struct):
    """A table as you see it."""

    table: Annotated[str, msgspec.Meta(description="The table's id.")]
    game: Annotated[str, msgspec.Meta(description="The game's name.")]
    options: Annotated[dict[str, str | int], msgspec.Meta(description="The values of all options.")]
    terms: Annotated[
        TableSettings, msgspec.Meta(description="Table settings: clocks, absent players, visibility, chat.")
    ]
    known_deal: Annotated[
        bool, msgspec.Meta(description="Whether the host chose the deal or may know hidden cards; see `new-deal`.")
    ]
    version: Annotated[int, msgspec.Meta(description="The version you see; choices must name it.")]
    seat: Annotated[int, msgspec.Meta(description="Your seat, from 1; 0: you are a spectator, or hands are hidden.")]
    mine: Annotated[list[int], msgspec.Meta(description="All your seats; on a shared screen, one is active at a time.")]
    asked: Annotated[bool, msgspec.Meta(description="Whether it is your turn to choose.")]
    over: Annotated[bool, msgspec.Meta(description="Whether the match has ended.")]
    winners: Annotated[list[int], msgspec.Meta(description="The winners once the match is over; empty after a draw.")]
    may_take_back: Annotated[bool, msgspec.Meta(description="Whether you can take back your last choice.")]
    next: Annotated[str, msgspec.Meta(description="The table of the rematch; empty: none yet.")]
    seats: list[SeatPlayer]
    scene: Annotated[str, msgspec.Meta(description="The table in lines of text.")]
    time: Annotated[ClockView, msgspec.Meta(description="Clocks and proposals.")]
    choices: Annotated[list[PossibleChoice], msgspec.Meta(description="Your legal choices.")]
    log: Annotated[list[str], msgspec.Meta(description="The log you see, sentence by sentence.")]
    hint: Annotated[list[HintedChoice], msgspec.Meta(description="Your current hint, best choice first; empty: none.")]
    hint_reason: Annotated[
        str, msgspec.Meta(description="What the hint's best choice leads to, in one sentence; empty: unknown.")
    ]
    hints_taken: Annotated[list[int], msgspec.Meta(description="The seats that have asked for hints.")]
    ratings: Annotated[list[str], msgspec.Meta(description="How a finished rated match changed the ratings.")]


class TableAnswer(msgspec.Struct):
    """The answer to a query."""

    said: Annotated[list[str], msgspec.Meta(description="The answer, line by line.")]


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


class SeatAtTable(msgspec.Struct):
    """Presence at a table."""

    away: Annotated[list[int], msgspec.Meta(description="Seats of people who don't have the table open.")]
    watching: Annotated[int, msgspec.Meta(description="The number of spectators.")]


class OpenedTable(msgspec.Struct):
    """A new table."""

    table: Annotated[str, msgspec.Meta(description="The table's id.")]
    link: Annotated[str, msgspec.Meta(description="The invite link.")]


class AutoChoiceRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Whether you forfeit."""

    forfeit: Annotated[bool, msgspec.Meta(description="True: forfeit; false: cancel that.")] = True


class TableStatus(msgspec.Struct, frozen=True):
    """The status of one of your tables."""

    table: Annotated[str, msgspec.Meta(description="The table's id.")]
    game: Annotated[str, msgspec.Meta(description="The game's name.")]
    seat: Annotated[int, msgspec.Meta(description="Your seat.")]
    version: Annotated[int, msgspec.Meta(description="The version you see.")]
    asked: Annotated[bool, msgspec.Meta(description="Whether it is your turn.")]
    over: Annotated[bool, msgspec.Meta(description="Whether the match has ended.")]


def table_view(table: Table, feed: PlayerFeed, viewer: Viewer) -> TableView:
    """Return a table as a viewer sees it."""
    view, shown, seat, given = feed.view, table.shown, feed.viewer, hint_of(table, feed.viewer)
    asked = bool(seat) and seat == table.chooser
    return TableView(
        table=table.id, game=table.match.game.name, options=table.match.box.options, terms=table.settings,
        known_deal=table.known_deal,
        version=feed.version, seat=seat, mine=list(viewer.seats), asked=asked, over=shown.over,
        winners=list(table.ended.winners(table.match)) if shown.over else [],
        may_take_back=asked and shown.may_take_back, next=table.next or "",
        seats=[seat_player(table, number, viewer) for number in range(1, len(table.players) + 1)],
        scene=str(scene_at(table, feed, view)), choices=legal_choices(view) if asked else [], time=clock_view(table),
        log=[*map(str, feed.logged())], hint=hinted_choices(table, seat),
        hint_reason=given.reason if given else "",
        hints_taken=sorted({taken.seat for taken in table.hints.taken}), ratings=change_sentences(table, seat),
    )  # fmt: skip


def hinted_choices(table: Table, seat: int) -> list[HintedChoice]:
    """Return a seat's current hint."""
    given = hint_of(table, seat)
    return (
        [HintedChoice(choice.action, choice.words, choice.value, choice.low, choice.high) for choice in given.promises]
        if given
        else []
    )


def clock_view(table: Table) -> ClockView:
    """Return a table's clocks and proposals."""
    proposal = table.clocks.proposal
    return ClockView(
        {seat: left / 1000 for seat, left in shown_left(table).items()}, table.clocks.paused,
        proposal.what if proposal else None, proposal.by if proposal else 0,
        proposal.id if proposal else "", {left.seat: left.why for left in table.ended.left},
    )  # fmt: skip


def legal_choices(view: View) -> list[PossibleChoice]:
    """Return the legal choices of a view."""
    conceding = view.box.game.conceding
    return [PossibleChoice(action, words, action in conceding) for action, words in view.choices]


def seat_player(table: Table, seat: int, viewer: Viewer) -> SeatPlayer:
    """Return a seat's player, as the viewer sees it."""
    player, own = table.players_seen_by(viewer)[seat - 1], seat == viewer.seat
    if player.bot_of:
        return SeatPlayer(seat, player.name, "program", f"bot of {player.bot_of}", own)
    if player.bot:
        return SeatPlayer(seat, player.name, "bot", title(player.bot, table.match.box, len(table.players)))
    return SeatPlayer(seat, player.name, "open" if player.open else "person", "", own)


def table_status(table: Table, person: Person) -> TableStatus:
    """Return a table's status for one of its players."""
    viewer, shown = table.viewer_of(person), table.shown
    seat, asked = viewer.seat, table.chooser in viewer.seats
    version = table.feed(seat).version
    return TableStatus(table.id, table.match.game.name, seat, version, asked, shown.over)


def invite_link(request: AnyRequest, tables: Tables, table: str) -> str:
    """Return the invite link of a table."""
    return link_to(request, tables, f"/table/{table}")


def link_to(request: AnyRequest, tables: Tables, path: str) -> str:
    """Return the link to a page for other people."""
    return f"{tables.settings.friends or str(request.base_url).rstrip('/')}{path}"


@get("/table/{table_id:str}", **needs_scope("look", UNSEATED), responses=errors(404, 410), summary="A table")
async def look(person: Asker, tables: TheTables, table_id: Id) -> TableView:
    """Return a table as text: scene, legal choices and log."""
    table = await tables.registry.get(table_id)
    viewer = table.viewer_of(person)
    return table_view(table, await table.catch_up(viewer.seat), viewer)


@get("/table/{table_id:str}/ask", **needs_scope("look"), responses=errors(404, 410, 422), summary="Query a table")
async def ask(person: Asker, tables: TheTables, table_id: Id, words: Question) -> TableAnswer:
    """Answer a query of text mode, such as `hand`, `at c3` or `last`; `help` lists them all."""
    table = await tables.registry.get(table_id)
    return TableAnswer(answer_query(table, await table.catch_up(table.seat_of(person)), words))


@get("/table/{table_id:str}/scene", **needs_scope("look"), responses=errors(404, 410), summary="A table's scene")
async def scene(person: Asker, tables: TheTables, table_id: Id) -> ViewAsScene:
    """Return a table's scene, for programs that draw it themselves."""
    table = await tables.registry.get(table_id)
    feed = await table.catch_up(table.seat_of(person))
    shown = scene_at(table, feed, feed.view)
    return ViewAsScene(feed.version, without_drawings(msgspec.structs.replace(shown, backs=())))


@get(
    "/table/{table_id:str}/view",
    **needs_scope("look"),
    responses=errors(404, 410),
    summary="Your view of a table as data",
)
async def view(person: Asker, tables: TheTables, table_id: Id) -> ViewAsData:
    """Return the redacted state, for programs that search."""
    table = await tables.registry.get(table_id)
    if table.public_box is not table.match.box:
        raise NotAllowed(HIDDEN_CONTENT)
    feed = await table.catch_up(table.seat_of(person))
    return ViewAsData(version=feed.version, **as_data(feed.view))


@get("/table/{table_id:str}/people", **needs_scope("look"), responses=errors(404, 410), summary="Who is at a table")
async def people(person: Asker, tables: TheTables, table_id: Id) -> SeatAtTable:
    """Return which players are away, and the number of spectators."""
    table = await tables.registry.get(table_id)
    return presence_at(table, tables.registry.presences.get(table_id) or Presence(), table.viewer_of(person))


def presence_at(table: Table, presence: Presence, viewer: Viewer) -> SeatAtTable:
    """Return the presence at a table."""
    present = presence.people()
    players = enumerate(table.players_seen_by(viewer), 1)
    away = [seat for seat, player in players if player.person and player.person not in present]
    return SeatAtTable(away, len(present - table.people))


@get("/table/{table_id:str}/record", **needs_scope("look"), responses=errors(404, 410), summary="Download a record")
async def record(person: Asker, tables: TheTables, table_id: Id) -> Response[str]:
    """Return the record of a finished match, including its seed."""
    table = await tables.registry.get(table_id)
    return Response(record_of(table, await tables.chat.filter_for(table, person)), media_type=MediaType.JSON)


@post("/table/{table_id:str}/choose", **needs_scope("play"), status_code=200, responses=errors(404, 409, 410, 413, 422),
      summary="Make a choice")  # fmt: skip
async def choose(person: Asker, tables: TheTables, table_id: Id, data: JSONBody[ChoosePost]) -> ChoiceAccepted:
    """Make a choice, or several of one turn, separated by semicolons. The response means that they are stored.

    After an error nothing has changed, except for choices that revealed something; the error then says so.
    """
    table = await tables.registry.get(table_id)
    return ChoiceAccepted(await tables.choices.choose(table, person, data.version, data.choice))


@post("/table/{table_id:str}/screen", **needs_scope("play"), status_code=200, responses=errors(404, 409, 410, 413, 422),
      summary="Switch seats on a shared screen")  # fmt: skip
async def screen(person: Asker, tables: TheTables, table_id: Id, data: JSONBody[ScreenPost]) -> ChoiceAccepted:
    """Choose which of your seats sees the table; 0 hides all hands."""
    table = await tables.registry.get(table_id)
    await tables.seating.hand_screen(table, person, data.seat)
    return ChoiceAccepted((await table.catch_up(table.seat_of(person))).version)


@post("/table/{table_id:str}/hint", **needs_scope("play"), status_code=200,
      responses=errors(404, 409, 410, 413, 422), summary="Get a hint")  # fmt: skip
async def hint(
    request: AnyRequest, person: Asker, tables: TheTables, table_id: Id, data: JSONBody[SeenVersion]
) -> ChoiceAccepted:
    """Get a bot's estimates of your choices, given what your seat knows. Everyone at the table sees that you asked."""
    table = await tables.registry.get(table_id)
    return ChoiceAccepted(await tables.hints.take(table, person, data.version, requester_of(request, person)))


@post("/table/{table_id:str}/take-back", **needs_scope("play"), status_code=200,
      responses=errors(404, 409, 410, 413, 422), summary="Take back a choice")  # fmt: skip
async def take_back(person: Asker, tables: TheTables, table_id: Id, data: JSONBody[SeenVersion]) -> ChoiceAccepted:
    """Undo your last choice, if it hasn't revealed anything yet."""
    table = await tables.registry.get(table_id)
    return ChoiceAccepted(await tables.choices.take_back(table, person, data.version))


@post("/table/{table_id:str}/forfeit", **needs_scope("play"), status_code=200,
      responses=errors(404, 409, 410, 413, 422),
      summary="Forfeit")  # fmt: skip
async def forfeit(person: Asker, tables: TheTables, table_id: Id, data: JSONBody[AutoChoiceRequest]) -> ChoiceAccepted:
    """Forfeit as soon as the game allows it, or cancel that. A server restart also cancels it."""
    table = await tables.registry.get(table_id)
    await tables.choices.forfeit(table, person, data.forfeit)
    return ChoiceAccepted(table.feed(table.seat_of(person)).version)


@post("/table/{table_id:str}/again", **needs_scope("play"), status_code=200, responses=errors(404, 409, 410, 413, 422),
      summary="Take part in the rematch")  # fmt: skip
async def again(request: AnyRequest, person: Asker, tables: TheTables, table_id: Id) -> OpenedTable:
    """Take part in the rematch of a finished match, each player moved along one seat, except with their own halves.

    The first call creates it. Seats are kept for the other players, who haven't agreed yet.
    """
    successor = await tables.creation.rematch(
        await tables.registry.get(table_id), person, requester_of(request, person)
    )
    return OpenedTable(successor, invite_link(request, tables, successor))


def router() -> Router:
    """Return the table endpoints."""
    handlers = [look, ask, scene, view, people, record, choose, screen, hint, take_back, forfeit, again]
    return Router("/api", route_handlers=handlers, tags=["tables"], request_max_body_size=SMALL)
