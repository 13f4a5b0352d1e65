"""Sets of the studio for programs: begun, read and written as TOML, checked, shared, measured."""

from collections.abc import AsyncGenerator
from typing import Annotated, Any

import msgspec
from litestar import Router, get, post
from litestar.params import JSONBody, PathParameter
from litestar.response import Stream

from sparring.engine.errors import SparringError
from sparring.engine.game import game as find_game
from sparring.lab.experiments.set_balance import SetBalance
from sparring.web.identity import Person
from sparring.web.requests.event_stream import while_known
from sparring.web.requests.identity_and_errors import SMALL, AnyRequest, Asker, address_of, asking
from sparring.web.security.streams import StreamLimits
from sparring.web.storage import StaleWrite
from sparring.web.storage.schema import SetRow
from sparring.web.studio.drafts import DraftResult, SetDraft
from sparring.web.studio.jobs.balance_panel import state_of
from sparring.web.studio.jobs.job_messages import BOTS
from sparring.web.studio.jobs.job_routes import TheWorkshop, legal, told
from sparring.web.studio.jobs.measuring import SetMeasuring
from sparring.web.studio.sets import HeldSet, StudioSets
from sparring.web.studio.studio_routes import HistoryStep, TheSets
from sparring.web.tables.table import NotYours

from .event_routes import EVENTS
from .responses import LONG, ApiDocument, ApiDone, Id, allowed, refusals

Toml = Annotated[str, msgspec.Meta(description="A file of content, as `/api/games/NAME/form` says. Empty: as it is.")]
Edition = Annotated[int, msgspec.Meta(ge=0, lt=1 << 31, description="The edition that you saw.")]
Options = Annotated[dict[str, str | int], msgspec.Meta(description="Options that differ from the defaults.")]


class SetFault(msgspec.Struct):
    """Something that is to be mended before one can play with a set."""

    at: Annotated[list[str | int], msgspec.Meta(description="The way to its field: names, and places in lists from 0.")]
    words: Annotated[str, msgspec.Meta(description="What is wrong there.")]


class SetSummary(msgspec.Struct):
    """A set of yours."""

    id: Annotated[str, msgspec.Meta(description="Who knows it can do nothing without being you.")]
    share: Annotated[str, msgspec.Meta(description="By this others may look at it, play with it and copy it.")]
    game: str
    name: str
    edition: Annotated[int, msgspec.Meta(description="How often it was written; whoever changes it names it.")]


class SetDetails(SetSummary):
    """A set as it stands. What somebody else shares has no id here."""

    version: Annotated[int, msgspec.Meta(description="Which of its versions it is at.")]
    newest: Annotated[int, msgspec.Meta(description="The newest one; those between were undone.")]
    toml: Annotated[str, msgspec.Meta(description="Its file.")]
    options: Annotated[dict[str, Any], msgspec.Meta(description="Options that differ from the defaults.")]
    faults: Annotated[list[SetFault], msgspec.Meta(description="With none of them one can play with it.")]


class NewSet(msgspec.Struct, forbid_unknown_fields=True):
    """A set that somebody begins."""

    game: Annotated[str, msgspec.Meta(max_length=40, description="The name of the game.")]
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=40, description="What you call it.")]
    toml: Annotated[str, msgspec.Meta(description="A file of content; empty: the game's own.")] = ""
    blank: Annotated[bool, msgspec.Meta(description="Whether it begins with nothing in it.")] = False


class ChangedSet(msgspec.Struct, forbid_unknown_fields=True):
    """What a set is to be from now on."""

    edition: Edition
    toml: Toml = ""
    options: Annotated[dict[str, str | int] | None, msgspec.Meta(description="Null: as they are.")] = None
    name: Annotated[str, msgspec.Meta(max_length=200, description="Another name; empty: as it is.")] = ""


class ContentFile(msgspec.Struct, forbid_unknown_fields=True):
    """A file that is looked through, and not kept."""

    game: Annotated[str, msgspec.Meta(max_length=40, description="The name of the game.")]
    toml: Annotated[str, msgspec.Meta(description="A file of content.")]
    options: Options = {}


class SetVersion(msgspec.Struct):
    """A version of a set that is remembered."""

    number: int
    told: Annotated[str, msgspec.Meta(description="What was changed, in words.")]
    made: Annotated[int, msgspec.Meta(description="When, in seconds since 1970.")]


class SetMeasured(msgspec.Struct):
    """What is known so far of a set that is measured."""

    state: Annotated[str, msgspec.Meta(description="How far it has come, in a sentence.")]
    worths: Annotated[list[SetBalance], msgspec.Meta(description="What each kind of bot found.")]


def whole(held: HeldSet, *, mine: bool) -> SetDetails:
    """A set as it stands, for its owner or for somebody else."""
    row = held.row
    return SetDetails(
        id=row.id if mine else "", share=row.share, game=row.game, name=row.name, edition=row.edition,
        version=row.version, newest=row.newest, toml=held.version.toml, options=held.options,
        faults=faults_of(held.draft),
    )  # fmt: skip


def faults_of(draft: DraftResult) -> list[SetFault]:
    """What is wrong with a set."""
    return [SetFault(list(fault.at), fault.words) for fault in draft.faults]


async def _at(sets: StudioSets, person: Person, set_id: str, edition: int) -> SetRow:
    """A set of one's own, of the edition that somebody saw."""
    row = await sets.mine(person, set_id)
    if row.edition != edition:
        raise StaleWrite(f"This set was changed in another window; its edition is {row.edition} now.")
    return row


@get("/sets", **allowed("studio"), responses=refusals(), summary="Your sets")
async def all_sets(person: Asker, sets: TheSets) -> list[SetSummary]:
    """The sets that you keep, those first that were changed last."""
    rows = await sets.store.of(person.id) if person.id else []
    return [SetSummary(row.id, row.share, row.game, row.name, row.edition) for row in rows]


@post(
    "/sets", **allowed("studio"), request_max_body_size=LONG, responses=refusals(404, 413, 422), summary="Begin a set"
)
async def begin(request: AnyRequest, person: Asker, sets: TheSets, data: JSONBody[NewSet]) -> SetDetails:
    """A new set from the game's own content, from a file, or from nothing."""
    if not person.id:
        raise NotYours("Sets are somebody's: come with a token, or with the cookie of your browser.")
    game = find_game(data.game)
    toml = None if data.blank else data.toml or game.content_text
    options = msgspec.json.encode(game.preset(game.recommended)).decode()
    row = await sets.begin(game, person, data.name, toml, asking(request, person), options=options)
    return whole(await sets.look(row), mine=True)


@post(
    "/sets/check",
    **allowed("studio"),
    status_code=200,
    request_max_body_size=LONG,
    responses=refusals(404, 413, 422),
    summary="Check a file",
)
async def check(request: AnyRequest, person: Asker, sets: TheSets, data: JSONBody[ContentFile]) -> list[SetFault]:
    """All that is wrong with a file of content; an empty list: one can play with it. It is not kept."""
    game = find_game(data.game)
    if not game.has_content:
        raise SparringError(f"{game.title} has no cards of its own that could be changed.")
    sets.quotas.bring_file(asking(request, person))
    return faults_of(await sets.drafts.draft(SetDraft(game.name, data.toml, data.options, where="Your file")))


@get("/sets/{set_id:str}", **allowed("studio"), responses=refusals(404), summary="A set")
async def one_set(person: Asker, sets: TheSets, set_id: Id) -> SetDetails:
    """A set of yours with its file, its options and its faults."""
    return whole(await sets.look(await sets.mine(person, set_id)), mine=True)


@get("/sets/shared/{share:str}", **allowed("look"), responses=refusals(404), summary="A set of somebody else")
async def shared_set(person: Asker, sets: TheSets, share: Id) -> SetDetails:
    """A set that somebody shares."""
    return whole(await sets.look(await sets.shared(share)), mine=False)


@post("/sets/{set_id:str}/write", **allowed("studio"), status_code=200, request_max_body_size=LONG,
      responses=refusals(404, 409, 413, 422), summary="Change a set")  # fmt: skip
async def write(
    request: AnyRequest, person: Asker, sets: TheSets, set_id: Id, data: JSONBody[ChangedSet]
) -> SetDetails:
    """Put another file, other options, another name in place. What was there stays among the versions."""
    row = await _at(sets, person, set_id, data.edition)
    held = await sets.look(row)
    toml, options = data.toml or held.version.toml, held.options if data.options is None else data.options
    return whole(await sets.write(row, toml, options, asking(request, person), data.name), mine=True)


@post("/sets/{set_id:str}/go", **allowed("studio"), status_code=200, responses=refusals(404, 409, 413, 422),
      summary="Undo, redo, go back")  # fmt: skip
async def go(person: Asker, sets: TheSets, set_id: Id, data: JSONBody[HistoryStep]) -> SetDetails:
    """Undo, redo, or put an older version in place, which can be undone too."""
    row = await _at(sets, person, set_id, data.edition)
    return whole(await sets.go(row, data.way, data.number), mine=True)


@get("/sets/{set_id:str}/versions", **allowed("studio"), responses=refusals(404), summary="The versions of a set")
async def versions(person: Asker, sets: TheSets, set_id: Id) -> list[SetVersion]:
    """All versions that are remembered, the newest first."""
    history = await sets.store.history(await sets.mine(person, set_id))
    return [SetVersion(each.number, each.told, each.made) for each in history]


@get(
    "/sets/{set_id:str}/versions/{number:int}", **allowed("studio"), responses=refusals(404), summary="An older version"
)
async def version(
    person: Asker, sets: TheSets, set_id: Id,
    number: Annotated[int, PathParameter(ge=1, lt=1 << 31, description="Which one.")],
) -> ApiDocument:  # fmt: skip
    """The file of a version."""
    row = await sets.mine(person, set_id)
    return ApiDocument(row.name, (await sets.version(row, number)).toml)


@post("/sets/{set_id:str}/copy", **allowed("studio"), responses=refusals(404, 422), summary="Copy a set")
async def copy(request: AnyRequest, person: Asker, sets: TheSets, set_id: Id) -> SetDetails:
    """A set of yours that begins as this one is."""
    row = await sets.copy(await sets.mine(person, set_id), person, asking(request, person))
    return whole(await sets.look(row), mine=True)


@post("/sets/shared/{share:str}/copy", **allowed("studio"), responses=refusals(404, 422), summary="Copy another's set")
async def copy_shared(request: AnyRequest, person: Asker, sets: TheSets, share: Id) -> SetDetails:
    """A set of yours that begins as the one that somebody shares."""
    if not person.id:
        raise NotYours("Sets are somebody's: come with a token, or with the cookie of your browser.")
    row = await sets.copy(await sets.shared(share), person, asking(request, person))
    return whole(await sets.look(row), mine=True)


@post(
    "/sets/{set_id:str}/remove",
    **allowed("studio"),
    status_code=200,
    responses=refusals(404),
    summary="Let go of a set",
)
async def remove(person: Asker, sets: TheSets, set_id: Id) -> ApiDone:
    """A set of yours is gone, with all its versions."""
    await sets.store.remove(await sets.mine(person, set_id))
    return ApiDone()


@get("/sets/{set_id:str}/worth/events", **allowed("studio"), responses={**EVENTS, **refusals(404, 422)},
     summary="What a set is worth", media_type="text/event-stream")  # fmt: skip
async def worth(request: AnyRequest, person: Asker, sets: TheSets, workshop: TheWorkshop, set_id: Id) -> Stream:
    """What a set is worth, measured while you listen; an event whenever more is known, and `done` after the last.

    Its data is JSON: `state` and, for each kind of bot, `worths`: what seats win that draw and play each thing.
    """
    held = await sets.look(await sets.mine(person, set_id))
    if not sets.settings.measuring:
        raise SparringError("This server leaves measuring out.")
    streams: StreamLimits = request.app.state.streams
    thing, who, address = legal(held), person.answers, address_of(request)
    streams.check(who, address)
    workshop.measurings.check_room(who, held.row.id)

    async def measured() -> AsyncGenerator[bytes]:
        with streams.open(who, address), workshop.measurings.watch(who, held.row.id, thing) as watch:
            async for event in told(watch, _measured, sets.settings.heartbeat):
                yield event

    return while_known(request, person, measured())


def _measured(measuring: SetMeasuring) -> str:
    worths = [measuring.worths[bot] for bot in BOTS if bot in measuring.worths]
    return msgspec.json.encode(SetMeasured(state_of(measuring), worths)).decode()


def router() -> Router:
    """What can be done with sets."""
    handlers = [
        all_sets, one_set, shared_set, begin, check, write, go, versions, version, copy, copy_shared, remove, worth,
    ]  # fmt: skip
    return Router("/api", route_handlers=handlers, tags=["sets"], request_max_body_size=SMALL)
