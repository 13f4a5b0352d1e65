"""Tables for programs: opened, looked at in words, in things and as data, sat down and played at."""

from typing import Annotated, Any, Literal

import msgspec
from litestar import MediaType, Response, Router, get, post
from litestar.params import JSONBody, QueryParameter

from sparring.bots import title
from sparring.bots.external.view_data import as_data
from sparring.engine.views import View
from sparring.scene import undrawn
from sparring.scene.printed import PrintableScene
from sparring.web.identity import Person
from sparring.web.pages.table_form import LONGEST_FIELD
from sparring.web.requests.action_routes import LONGEST_WORDS, ChoosePost, ScreenPost, SeenVersion
from sparring.web.requests.identity_and_errors import SMALL, AnyRequest, Asker, ChoiceAccepted, TheTables, asking
from sparring.web.tables.clocks.clock_panel import shown_left
from sparring.web.tables.clocks.clock_record import record_of
from sparring.web.tables.clocks.clock_state import What
from sparring.web.tables.hint_panel import hint_of
from sparring.web.tables.page_parts import scene_at
from sparring.web.tables.player_feed import PlayerFeed, sentences
from sparring.web.tables.presence import Presence
from sparring.web.tables.rating_changes import moved
from sparring.web.tables.shared_screens import Viewer
from sparring.web.tables.table import Table
from sparring.web.tables.table_settings import TableSettings
from sparring.web.tables.tables import Tables
from sparring.web.text_mode.typed_queries import only_asked

from .responses import Id, allowed, refusals

Text = Annotated[str, msgspec.Meta(max_length=LONGEST_FIELD)]
Question = Annotated[str, QueryParameter(max_length=LONGEST_WORDS, description="What you want to know.")]


class SeatPlayer(msgspec.Struct):
    """Who sits on a seat."""

    seat: Annotated[int, msgspec.Meta(description="Counted from 1.")]
    name: Annotated[str, msgspec.Meta(description="What is shown; empty while nobody sits there.")]
    kind: Annotated[
        Literal["person", "bot", "program", "open"],
        msgspec.Meta(description="A person; a bot of this server; a program of somebody's; or an open seat."),
    ]
    bot: Annotated[str, msgspec.Meta(description="Which bot it is, or whose program.")] = ""
    you: Annotated[bool, msgspec.Meta(description="Whether you sit there.")] = False


class PossibleChoice(msgspec.Struct):
    """A choice that can be made now."""

    choice: Annotated[int, msgspec.Meta(description="Its number.")]
    words: Annotated[str, msgspec.Meta(description="What it is called; a choice may be made by its words too.")]
    concedes: Annotated[bool, msgspec.Meta(description="Whether whoever makes it gives up.")] = False


class ClockView(msgspec.Struct):
    """How a table stands in time, and what is proposed there."""

    left: Annotated[dict[int, float], msgspec.Meta(description="The seconds on the clock of each seat that has one.")]
    paused: Annotated[bool, msgspec.Meta(description="Whether the match rests: nobody chooses meanwhile.")]
    proposed: Annotated[What | None, msgspec.Meta(description="What is proposed.")] = None
    by: Annotated[int, msgspec.Meta(description="Which seat proposes it.")] = 0
    gone: Annotated[dict[int, str], msgspec.Meta(description="Seats that have lost already, each with why.")] = {}


class HintedChoice(msgspec.Struct):
    """What a bot thinks of a choice of yours, from what your seat knows."""

    choice: Annotated[int, msgspec.Meta(description="Its number.")]
    words: Annotated[str, msgspec.Meta(description="What it is called.")]
    value: Annotated[float | None, msgspec.Meta(description="The chance to win, or what is paid; null: never tried.")]
    low: Annotated[float, msgspec.Meta(description="Where that lies with 95% certainty: from here,")]
    high: Annotated[float, msgspec.Meta(description="to here.")]


class TableView(msgspec.Struct):
    """The table as the one who asks sees it."""

    table: Annotated[str, msgspec.Meta(description="Its id.")]
    game: Annotated[str, msgspec.Meta(description="The name of the game.")]
    options: Annotated[dict[str, str | int], msgspec.Meta(description="All options with their values.")]
    terms: Annotated[TableSettings, msgspec.Meta(description="What was agreed besides: clocks, absence, who finds it.")]
    version: Annotated[int, msgspec.Meta(description="How often what you see has changed; a choice names it.")]
    seat: Annotated[int, msgspec.Meta(description="Where you sit, counted from 1; 0: you watch, or hands are covered.")]
    mine: Annotated[list[int], msgspec.Meta(description="All your seats; of several one has the screen at a time.")]
    asked: Annotated[bool, msgspec.Meta(description="Whether you are to choose now.")]
    over: Annotated[bool, msgspec.Meta(description="Whether the match has ended.")]
    winners: Annotated[list[int], msgspec.Meta(description="Who has won, when it is over; none after a draw.")]
    may_take_back: Annotated[bool, msgspec.Meta(description="Whether you may take back your last choice now.")]
    next: Annotated[str, msgspec.Meta(description="The table at which the same people play again; empty: none yet.")]
    seats: list[SeatPlayer]
    scene: Annotated[str, msgspec.Meta(description="The table in lines of text.")]
    time: Annotated[ClockView, msgspec.Meta(description="Clocks, and what is proposed.")]
    choices: Annotated[list[PossibleChoice], msgspec.Meta(description="What you may choose now.")]
    log: Annotated[list[str], msgspec.Meta(description="All that you were told, sentence by sentence.")]
    hint: Annotated[
        list[HintedChoice], msgspec.Meta(description="The hint that you took, the best first; empty: none.")
    ]
    hints_taken: Annotated[list[int], msgspec.Meta(description="The seats that have taken hints.")]
    ratings: Annotated[list[str], msgspec.Meta(description="How a rated match that is over moved yours, and others’.")]


class TableAnswer(msgspec.Struct):
    """What is told to somebody who asks."""

    said: Annotated[list[str], msgspec.Meta(description="Line by line.")]


class ViewAsScene(msgspec.Struct):
    """The table as the one who asks sees it, in things: every one says its kind, and leaves out what is as usual."""

    version: Annotated[int, msgspec.Meta(description="The version that you see.")]
    scene: Annotated[PrintableScene, msgspec.Meta(description="Seats, hands, piles, boards, and what is asked.")]


class ViewAsData(msgspec.Struct):
    """What a seat knows, as data: the same that a bot over a pipe is told."""

    version: Annotated[int, msgspec.Meta(description="The version that you see.")]
    game: str
    options: dict[str, str | int]
    content: Annotated[Any, msgspec.Meta(description="Cards or fighters that the table brought; null: the game's.")]
    seat: int
    seats: Annotated[int, msgspec.Meta(description="How many there are.")]
    phase: Annotated[str, msgspec.Meta(description="Which kind of choice is asked for.")]
    state: Annotated[
        dict[str, Any],
        msgspec.Meta(description="Every field of the state as far as this seat may know it; -1 is what it may not."),
    ]
    legal: Annotated[list[int], msgspec.Meta(description="The numbers of what you may choose now.")]


class SeatAtTable(msgspec.Struct):
    """Who is at a table just now."""

    away: Annotated[list[int], msgspec.Meta(description="Seats of people who do not look at the table.")]
    watching: Annotated[int, msgspec.Meta(description="How many watch who do not sit there.")]


class OpenedTable(msgspec.Struct):
    """A table was laid out."""

    table: Annotated[str, msgspec.Meta(description="Its id.")]
    link: Annotated[str, msgspec.Meta(description="The link for friends.")]


class AutoChoiceRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Whether somebody forfeits."""

    forfeit: Annotated[bool, msgspec.Meta(description="False: you stay after all.")] = True


class TableStatus(msgspec.Struct, frozen=True):
    """How a table stands for the one who asks."""

    table: Annotated[str, msgspec.Meta(description="Its id.")]
    game: Annotated[str, msgspec.Meta(description="The name of the game.")]
    seat: Annotated[int, msgspec.Meta(description="Where you sit.")]
    version: Annotated[int, msgspec.Meta(description="The version that you see.")]
    asked: Annotated[bool, msgspec.Meta(description="Whether it is your turn.")]
    over: Annotated[bool, msgspec.Meta(description="Whether the match has ended.")]


def look_of(table: Table, sight: PlayerFeed, looker: Viewer) -> TableView:
    """The table as a viewer sees it, in words."""
    view, shown, seat = sight.view, table.shown, sight.viewer
    asked = bool(seat) and seat == table.chooser
    return TableView(
        table=table.id, game=table.match.game.name, options=table.match.box.options, terms=table.terms,
        version=sight.version, seat=seat, mine=list(looker.seats), asked=asked, over=shown.over,
        winners=list(table.winners),
        may_take_back=asked and shown.may_take_back, next=table.next or "",
        seats=[sits(table, number, seat) for number in range(1, len(table.sitters) + 1)],
        scene=str(scene_at(table, sight, view)), choices=possible(view) if asked else [], time=in_time(table),
        log=[str(line) for _, line in sentences(sight.log)], hint=promised(table, seat),
        hints_taken=sorted({taken.seat for taken in table.help.taken}), ratings=moved(table, seat),
    )  # fmt: skip


def promised(table: Table, seat: int) -> list[HintedChoice]:
    """The hint that a seat looks at."""
    given = hint_of(table, seat)
    return (
        [HintedChoice(one.action, one.words, one.value, one.low, one.high) for one in given.promises] if given else []
    )


def in_time(table: Table) -> ClockView:
    """How a table stands in time."""
    proposal = table.timing.proposal
    return ClockView(
        {seat: left / 1000 for seat, left in shown_left(table).items()}, table.timing.paused,
        proposal.what if proposal else None, proposal.by if proposal else 0,
        {left.seat: left.why for left in table.ended.left},
    )  # fmt: skip


def possible(view: View) -> list[PossibleChoice]:
    """What a seat may choose now."""
    conceding = view.box.game.conceding
    return [PossibleChoice(action, words, action in conceding) for action, words in view.choices]


def sits(table: Table, seat: int, viewer: int) -> SeatPlayer:
    """Who sits on a seat, for whoever looks from another one."""
    sitter = table.sitters[seat - 1]
    if sitter.bot_of:
        return SeatPlayer(seat, sitter.name, "program", f"bot of {sitter.bot_of}", seat == viewer)
    if sitter.bot:
        return SeatPlayer(seat, sitter.name, "bot", title(sitter.bot, table.match.box, len(table.sitters)))
    return SeatPlayer(seat, sitter.name, "open" if sitter.open else "person", "", seat == viewer)


def standing(table: Table, person: Person) -> TableStatus:
    """How a table stands for somebody who sits there."""
    looker, shown = table.looker(person), table.shown
    seat, asked = looker.seat, table.chooser in looker.seats
    version = table.sight(seat).version
    return TableStatus(table.id, table.match.game.name, seat, version, asked, shown.over)


def link_of(request: AnyRequest, tables: Tables, table: str) -> str:
    """The link to a table, for friends."""
    return f"{tables.settings.friends or str(request.base_url).rstrip('/')}/table/{table}"


@get("/table/{table_id:str}", **allowed("look"), responses=refusals(404, 410), summary="Look at a table")
async def look(person: Asker, tables: TheTables, table_id: Id) -> TableView:
    """The table in words: what lies there, what can be chosen, what has happened."""
    table = await tables.get(table_id)
    looker = table.looker(person)
    return look_of(table, await table.look(looker.seat), looker)


@get("/table/{table_id:str}/ask", **allowed("look"), responses=refusals(404, 410, 422), summary="Ask about a table")
async def ask(person: Asker, tables: TheTables, table_id: Id, words: Question) -> TableAnswer:
    """What is told on the page of words when somebody types there `hand`, `at c3`, `last`; `help` tells all of them."""
    table = await tables.get(table_id)
    return TableAnswer(only_asked(table, await table.look(table.seat_of(person)), words))


@get("/table/{table_id:str}/scene", **allowed("look"), responses=refusals(404, 410), summary="The table in things")
async def scene(person: Asker, tables: TheTables, table_id: Id) -> ViewAsScene:
    """The table as a tree of things, for programs that draw it themselves."""
    table = await tables.get(table_id)
    sight = await table.look(table.seat_of(person))
    shown = scene_at(table, sight, sight.view)
    return ViewAsScene(sight.version, undrawn(msgspec.structs.replace(shown, backs=())))


@get(
    "/table/{table_id:str}/view",
    **allowed("look"),
    responses=refusals(404, 410),
    summary="What your seat knows, as data",
)
async def view(person: Asker, tables: TheTables, table_id: Id) -> ViewAsData:
    """The redacted state field by field, for programs that think."""
    table = await tables.get(table_id)
    sight = await table.look(table.seat_of(person))
    return ViewAsData(version=sight.version, **as_data(sight.view))


@get("/table/{table_id:str}/people", **allowed("look"), responses=refusals(404, 410), summary="Who is there")
async def people(person: Asker, tables: TheTables, table_id: Id) -> SeatAtTable:
    """Who of those who sit at a table is away, and how many watch."""
    table = await tables.get(table_id)
    return here(table, tables.companies.get(table_id) or Presence())


def here(table: Table, company: Presence) -> SeatAtTable:
    """Who is at a table."""
    there = company.here()
    away = [seat for seat, sitter in enumerate(table.sitters, 1) if sitter.person and sitter.person not in there]
    return SeatAtTable(away, len(there - table.people))


@get("/table/{table_id:str}/record", **allowed("look"), responses=refusals(404, 410), summary="The record of a match")
async def record(person: Asker, tables: TheTables, table_id: Id) -> Response[str]:
    """Everything that happened, the seed included; to be had when the match is over."""
    table = await tables.get(table_id)
    return Response(record_of(table, await tables.hearing(table, person)), media_type=MediaType.JSON)


@post("/table/{table_id:str}/choose", **allowed("play"), status_code=200, responses=refusals(404, 409, 410, 413, 422),
      summary="Make a choice")  # fmt: skip
async def choose(person: Asker, tables: TheTables, table_id: Id, data: JSONBody[ChoosePost]) -> ChoiceAccepted:
    """Make a choice. It is stored when this is answered; on any refusal nothing has changed."""
    table = await tables.get(table_id)
    return ChoiceAccepted(await tables.choose(table, person, data.version, data.choice))


@post("/table/{table_id:str}/screen", **allowed("play"), status_code=200, responses=refusals(404, 409, 410, 413, 422),
      summary="Give the screen to somebody")  # fmt: skip
async def screen(person: Asker, tables: TheTables, table_id: Id, data: JSONBody[ScreenPost]) -> ChoiceAccepted:
    """Who has several seats sees the table from one of them at a time; 0 covers all hands."""
    table = await tables.get(table_id)
    await tables.show(table, person, data.seat)
    return ChoiceAccepted((await table.look(table.seat_of(person))).version)


@post("/table/{table_id:str}/hint", **allowed("play"), status_code=200,
      responses=refusals(404, 409, 410, 413, 422), summary="Take a hint")  # fmt: skip
async def hint(
    request: AnyRequest, person: Asker, tables: TheTables, table_id: Id, data: JSONBody[SeenVersion]
) -> ChoiceAccepted:
    """What a bot thinks of your choices, from what your seat knows; all at the table are told that you asked."""
    table = await tables.get(table_id)
    return ChoiceAccepted(await tables.hint(table, person, data.version, asking(request, person)))


@post("/table/{table_id:str}/take-back", **allowed("play"), status_code=200,
      responses=refusals(404, 409, 410, 413, 422), summary="Take back")  # fmt: skip
async def take_back(person: Asker, tables: TheTables, table_id: Id, data: JSONBody[SeenVersion]) -> ChoiceAccepted:
    """Undo the last choice, as long as nobody has learned anything from it."""
    table = await tables.get(table_id)
    return ChoiceAccepted(await tables.take_back(table, person, data.version))


@post("/table/{table_id:str}/forfeit", **allowed("play"), status_code=200, responses=refusals(404, 409, 410, 413, 422),
      summary="Forfeit")  # fmt: skip
async def forfeit(person: Asker, tables: TheTables, table_id: Id, data: JSONBody[AutoChoiceRequest]) -> ChoiceAccepted:
    """Forfeit as soon as the game allows it, or stay after all. A server that starts anew has to be told again."""
    table = await tables.get(table_id)
    await tables.forfeit(table, person, data.forfeit)
    return ChoiceAccepted(table.sight(table.seat_of(person)).version)


@post("/table/{table_id:str}/again", **allowed("play"), status_code=200, responses=refusals(404, 409, 410, 413, 422),
      summary="Play again")  # fmt: skip
async def again(request: AnyRequest, person: Asker, tables: TheTables, table_id: Id) -> OpenedTable:
    """Play again when a match is over: the same people, everybody one seat further. One such table is laid out."""
    following = await tables.again(await tables.get(table_id), person, asking(request, person))
    return OpenedTable(following, link_of(request, tables, following))


def router() -> Router:
    """What can be done at tables."""
    handlers = [look, ask, scene, view, people, record, choose, screen, hint, take_back, forfeit, again]
    return Router("/api", route_handlers=handlers, tags=["tables"], request_max_body_size=SMALL)
