"""Studio endpoints: create, read, edit, check, share and measure sets; training, reports and printing of sets."""

from collections.abc import AsyncGenerator
from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.params import JSONBody, PathParameter
from litestar.response import Stream

from sparring.engine.errors import CannotPrint, SparringError
from sparring.engine.game import game as find_game
from sparring.lab.experiments.set_balance import SetBalance
from sparring.people.fair_queue import current_caller
from sparring.server.api.event_routes import EVENTS
from sparring.server.api.responses import LARGEST_BODY, ApiDocument, ApiDone, Id, endpoint
from sparring.server.requests.event_stream import until_revoked
from sparring.server.requests.identity import AnyRequest, CurrentPerson, requester_of
from sparring.store.group_commit import StaleWrite
from sparring.store.person import Person
from sparring.store.schema import SetRow
from sparring.tables.state.table import check_identity

from .job_routes import StudioJobsDep, balance_events, content_of, playable_content, printed_content, seats_of
from .jobs.balance_panel import state_of
from .jobs.job_messages import BOTS, Print
from .jobs.job_service import ReportJob, TrainingJob
from .jobs.measuring import SetMeasuring
from .picture_pad import LoadedSetDep, SetsDep
from .sandboxes import DraftResult, SetDraft
from .sets import LoadedSet, StudioSets
from .studio_routes import HistoryStep

Toml = Annotated[str, msgspec.Meta(description="A content file that fits `/api/games/NAME/form`. Empty: unchanged.")]
RowVersion = Annotated[int, msgspec.Meta(ge=0, lt=1 << 31, description="The row version you saw.")]
Options = Annotated[dict[str, str | int], msgspec.Meta(description="Options that differ from the defaults.")]

Problem = Annotated[str, msgspec.Meta(description="Why it failed; empty if it didn't.")]


class SetFault(msgspec.Struct):
    """A fault that makes a set unplayable."""

    at: Annotated[list[str | int], msgspec.Meta(description="The path to the field: names, and list positions from 0.")]
    words: Annotated[str, msgspec.Meta(description="What is wrong.")]


class SetSummary(msgspec.Struct):
    """One of your sets."""

    id: Annotated[str, msgspec.Meta(description="The set's id; only you can use it.")]
    share: Annotated[str, msgspec.Meta(description="The share key, with which others can view, play and copy the set.")]
    game: str
    name: str
    row_version: Annotated[int, msgspec.Meta(description="The row version; every change must name it.")]


class SetDetails(SetSummary):
    """A set's current state. Other people's shared sets have no id."""

    version: Annotated[int, msgspec.Meta(description="The current version.")]
    newest: Annotated[int, msgspec.Meta(description="The newest version; those after the current one were undone.")]
    toml: Annotated[str, msgspec.Meta(description="The content file.")]
    options: Annotated[dict[str, Any], msgspec.Meta(description="Options that differ from the defaults.")]
    faults: Annotated[list[SetFault], msgspec.Meta(description="Faults; a set without any is playable.")]


class NewSet(msgspec.Struct, forbid_unknown_fields=True):
    """A new set."""

    game: Annotated[str, msgspec.Meta(max_length=40, description="The game's name.")]
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=40, description="The set's name.")]
    toml: Annotated[str, msgspec.Meta(description="A content file; empty: the game's own.")] = ""
    blank: Annotated[bool, msgspec.Meta(description="Whether to create an empty set.")] = False


class ChangedSet(msgspec.Struct, forbid_unknown_fields=True):
    """A change to a set."""

    row_version: RowVersion
    toml: Toml = ""
    options: Annotated[dict[str, str | int] | None, msgspec.Meta(description="Null: unchanged.")] = None
    name: Annotated[str, msgspec.Meta(max_length=200, description="A new name; empty: unchanged.")] = ""


class ContentFile(msgspec.Struct, forbid_unknown_fields=True):
    """A content file to check without storing it."""

    game: Annotated[str, msgspec.Meta(max_length=40, description="The game's name.")]
    toml: Annotated[str, msgspec.Meta(description="A content file.")]
    options: Options = {}


class SetVersion(msgspec.Struct):
    """A stored version of a set."""

    number: int
    description: Annotated[str, msgspec.Meta(description="A description of the change.")]
    made: Annotated[int, msgspec.Meta(description="The time, in seconds since 1970.")]


class SetMeasured(msgspec.Struct):
    """The balance of a set so far."""

    state: Annotated[str, msgspec.Meta(description="The progress in a sentence.")]
    balances: Annotated[list[SetBalance], msgspec.Meta(description="The results of each kind of bot.")]


def set_details(loaded: LoadedSet, *, mine: bool) -> SetDetails:
    """Return a set's current state, for its owner (`mine`) or someone else."""
    row = loaded.row
    return SetDetails(
        id=row.id if mine else "", share=row.share, game=row.game, name=row.name, row_version=row.row_version,
        version=row.version, newest=row.newest, toml=loaded.version.toml, options=loaded.options,
        faults=faults_of(loaded.draft),
    )  # fmt: skip


def faults_of(draft: DraftResult) -> list[SetFault]:
    """Return the faults of a set."""
    return [SetFault(list(fault.at), fault.words) for fault in draft.faults]


async def _at(sets: StudioSets, person: Person, set_id: str, row_version: int) -> SetRow:
    """Return the person's own set. Raises StaleWrite if its row version has changed."""
    row = await sets.own(person, set_id)
    if row.row_version != row_version:
        raise StaleWrite(f"This set was changed elsewhere; its row version is now {row.row_version}.")
    return row


@get("/sets", **endpoint("studio", "Your sets"))
async def all_sets(person: CurrentPerson, sets: SetsDep) -> list[SetSummary]:
    """Return your sets, the last changed first."""
    rows = await sets.store.of(person.id) if person.id else []
    return [SetSummary(row.id, row.share, row.game, row.name, row.row_version) for row in rows]


@post("/sets", **endpoint("studio", "Create a set", 404, 413, 422), request_max_body_size=LARGEST_BODY)
async def begin(request: AnyRequest, person: CurrentPerson, sets: SetsDep, data: JSONBody[NewSet]) -> SetDetails:
    """Create a set from the game's own content, from a file, or empty."""
    check_identity(person, "create a set")
    game = find_game(data.game)
    toml = None if data.blank else data.toml or game.content_text
    options = msgspec.json.encode(game.preset(game.recommended)).decode()
    row = await sets.create(game, person, data.name, toml, requester_of(request, person), options=options)
    return set_details(await sets.load(row), mine=True)


@post("/sets/check", **endpoint("studio", "Check a file", 404, 413, 422),
      status_code=200, request_max_body_size=LARGEST_BODY)  # fmt: skip
async def check(
    request: AnyRequest, person: CurrentPerson, sets: SetsDep, data: JSONBody[ContentFile]
) -> list[SetFault]:
    """Check a content file without storing it. An empty list means that it is playable."""
    game = find_game(data.game)
    if not game.has_content:
        raise SparringError(f"{game.title} has no cards or boards to design.")
    sets.rate_limits.take("content_files", requester_of(request, person))
    return faults_of(await sets.drafts.draft(SetDraft(game.name, data.toml, data.options, where="Your file")))


@get("/sets/{set_id:str}", **endpoint("studio", "A set", 404))
async def one_set(person: CurrentPerson, loaded: LoadedSetDep) -> SetDetails:
    """Return one of your sets with its file, options and faults."""
    return set_details(loaded, mine=True)


@get("/sets/shared/{share:str}", **endpoint("look", "A shared set", 404))
async def shared_set(person: CurrentPerson, loaded: LoadedSetDep) -> SetDetails:
    """Return a set that someone shared."""
    return set_details(loaded, mine=False)


@post("/sets/{set_id:str}/write", **endpoint("studio", "Change a set", 404, 409, 413, 422),
      status_code=200, request_max_body_size=LARGEST_BODY)  # fmt: skip
async def write(
    request: AnyRequest, person: CurrentPerson, sets: SetsDep, set_id: Id, data: JSONBody[ChangedSet]
) -> SetDetails:
    """Replace the file, options or name. The previous version stays in the history."""
    row = await _at(sets, person, set_id, data.row_version)
    loaded = await sets.load(row)
    toml, options = data.toml or loaded.version.toml, loaded.options if data.options is None else data.options
    return set_details(await sets.replace(row, toml, options, requester_of(request, person), data.name), mine=True)


@post("/sets/{set_id:str}/history", **endpoint("studio", "Undo, redo or restore", 404, 409, 413, 422), status_code=200)
async def step_history(
    request: AnyRequest, person: CurrentPerson, sets: SetsDep, set_id: Id, data: JSONBody[HistoryStep]
) -> SetDetails:
    """Undo, redo, or restore an older version, which you can undo."""
    row = await _at(sets, person, set_id, data.row_version)
    moved = await sets.move_in_history(row, data.direction, requester_of(request, person), data.number)
    return set_details(moved, mine=True)


@get("/sets/{set_id:str}/versions", **endpoint("studio", "A set's history", 404))
async def versions(person: CurrentPerson, sets: SetsDep, set_id: Id) -> list[SetVersion]:
    """Return all stored versions, newest first."""
    history = await sets.store.history(await sets.own(person, set_id))
    return [SetVersion(each.number, each.description, each.made) for each in history]


@get("/sets/{set_id:str}/versions/{number:int}", **endpoint("studio", "An older version", 404))
async def version(
    person: CurrentPerson, sets: SetsDep, set_id: Id,
    number: Annotated[int, PathParameter(ge=1, lt=1 << 31, description="The version's number.")],
) -> ApiDocument:  # fmt: skip
    """Return the file of a version."""
    row = await sets.own(person, set_id)
    return ApiDocument(row.name, (await sets.version(row, number)).toml)


@post(["/sets/{set_id:str}/copy", "/sets/shared/{share:str}/copy"], **endpoint("studio", "Copy a set", 404, 422))
async def copy(
    request: AnyRequest, person: CurrentPerson, sets: SetsDep, set_id: Id = "", share: Id = ""
) -> SetDetails:
    """Copy one of your sets, or a shared one, to your own sets."""
    row = await sets.own_or_shared(person, set_id, share)
    check_identity(person, "create a set")
    copied = await sets.copy(row, person, requester_of(request, person))
    return set_details(await sets.load(copied), mine=True)


@post("/sets/{set_id:str}/remove", **endpoint("studio", "Delete a set", 404), status_code=200)
async def remove(person: CurrentPerson, sets: SetsDep, set_id: Id) -> ApiDone:
    """Delete one of your sets with all its versions."""
    await sets.store.remove(await sets.own(person, set_id))
    return ApiDone()


@get("/sets/{set_id:str}/card-values/events", **endpoint("studio", "A set's balance", 404, 422, also=EVENTS),
     media_type="text/event-stream")  # fmt: skip
async def card_values(
    request: AnyRequest, person: CurrentPerson, loaded: LoadedSetDep, sets: SetsDep, studio_jobs: StudioJobsDep
) -> Stream:
    """Measure a set's balance while the stream is open: an event for each new result, and `done` after the last.

    The data is JSON: `state` and, for each kind of bot, `balances`: win rates of seats that drew or played each item.
    """
    if not sets.settings.measuring:
        raise SparringError("Balance measuring is off on this server.")
    content, who = playable_content(loaded), current_caller()
    studio_jobs.measurings.check_room(who, loaded.row.id)

    async def measured() -> AsyncGenerator[bytes]:
        with studio_jobs.measurings.watch(who, loaded.row.id, content) as watch:
            async for event in balance_events(watch, _measured, sets.settings.heartbeat):
                yield event

    return until_revoked(request, person, measured())


def _measured(measuring: SetMeasuring) -> str:
    balances = [measuring.balances[bot] for bot in BOTS if bot in measuring.balances]
    return msgspec.json.encode(SetMeasured(state_of(measuring), balances)).decode()


class TrainingStatus(msgspec.Struct):
    """The training progress of a set's current version."""

    requested: Annotated[bool, msgspec.Meta(description="Whether it has been requested.")] = False
    done: Annotated[float, msgspec.Meta(description="Progress from 0 to 1; at 1, bots use the model.")] = 0.0
    doing: Annotated[str, msgspec.Meta(description="The current step; empty: waiting in the queue.")] = ""
    loss: Annotated[
        float, msgspec.Meta(description="The model's mean log loss on held-out matches, after training.")
    ] = 0.0
    loss_of_none: Annotated[float, msgspec.Meta(description="The mean log loss without a model.")] = 0.0
    problem: Problem = ""

    @classmethod
    def of(cls, job: TrainingJob | None) -> "TrainingStatus":
        """Return the status of a job, or of none."""
        return cls(requested=True, **msgspec.structs.asdict(job.progress)) if job else cls()


class ReportStatus(msgspec.Struct):
    """The lab's report on a set's current version."""

    requested: Annotated[bool, msgspec.Meta(description="Whether it has been requested.")] = False
    matches: Annotated[int, msgspec.Meta(description="The number of matches played so far.")] = 0
    page: Annotated[str, msgspec.Meta(description="The report (HTML); empty until it is finished.")] = ""
    problem: Problem = ""

    @classmethod
    def of(cls, job: ReportJob | None) -> "ReportStatus":
        """Return the status of a job, or of none."""
        return cls(True, job.matches, job.page.decode(), job.problem) if job else cls()


@post("/sets/{set_id:str}/learn", **endpoint("studio", "Train bots on a set", 404, 422), status_code=202)
async def ask_to_learn(person: CurrentPerson, loaded: LoadedSetDep, studio_jobs: StudioJobsDep) -> TrainingStatus:
    """Start training a value model for a set, for the usual number of seats. This takes a few minutes."""
    await studio_jobs.trainings.begin(playable_content(loaded), seats_of(loaded))
    return TrainingStatus.of(await studio_jobs.trainings.of(content_of(loaded), seats_of(loaded)))


@get("/sets/{set_id:str}/learn", **endpoint("studio", "Training progress", 404))
async def learned(person: CurrentPerson, loaded: LoadedSetDep, studio_jobs: StudioJobsDep) -> TrainingStatus:
    """Return the training progress of a set's current version."""
    return TrainingStatus.of(await studio_jobs.trainings.of(content_of(loaded), seats_of(loaded)))


@post("/sets/{set_id:str}/report", **endpoint("studio", "Request a report", 404, 422), status_code=202)
async def ask_for_report(person: CurrentPerson, loaded: LoadedSetDep, studio_jobs: StudioJobsDep) -> ReportStatus:
    """Start writing the lab's report on a set, from matches between random bots."""
    await studio_jobs.reports.begin(playable_content(loaded), loaded.row.name)
    return ReportStatus.of(await studio_jobs.reports.of(content_of(loaded), loaded.row.name))


@get("/sets/{set_id:str}/report", **endpoint("studio", "A set's report", 404))
async def report(person: CurrentPerson, loaded: LoadedSetDep, studio_jobs: StudioJobsDep) -> ReportStatus:
    """Return the report on a set's current version, or its progress."""
    return ReportStatus.of(await studio_jobs.reports.of(content_of(loaded), loaded.row.name))


@post("/sets/{set_id:str}/print", **endpoint("studio", "Print a set", 404, 422),
      status_code=200, media_type="application/pdf")  # fmt: skip
async def on_paper(person: CurrentPerson, loaded: LoadedSetDep, studio_jobs: StudioJobsDep) -> Response[bytes]:
    """Return a set as a PDF to print, cut out and play."""
    pdf = await studio_jobs.processes.print(Print(printed_content(loaded)))
    if pdf.problem:
        raise CannotPrint(pdf.problem)
    return Response(pdf.file, media_type="application/pdf")
