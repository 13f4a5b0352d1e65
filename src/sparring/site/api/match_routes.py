"""Replay, review and record endpoints."""

from typing import Annotated, Any

import msgspec
from litestar import get, post
from litestar.params import JSONBody, QueryParameter

from sparring.engine.texts import rules_text
from sparring.scene.moves import MoveDescriptions
from sparring.server.api.responses import LARGEST_BODY, ApiDocument, ApiDone, Id, endpoint
from sparring.server.requests.errors import PageNotFound
from sparring.server.requests.identity import AnyRequest, CurrentPerson, requester_of
from sparring.site.replay.moment_requests import MOST_MOMENTS, MomentRequest
from sparring.site.replay.replay_routes import MOST, ReplaysDep, SubjectDep, clamp_moment
from sparring.site.replay.review_jobs import CostlyChoice, MatchReview
from sparring.tables.state.table import check_identity

View = Annotated[
    str,
    QueryParameter(
        max_length=8,
        description="The point of view: a seat, 0 for spectators, `open` for all cards face up; empty: the default. "
        "During a match, you can only use your own.",
    ),
]
At = Annotated[int, QueryParameter(ge=0, le=MOST, description="The first moment, counted from 0.")]
After = Annotated[
    int | None,
    QueryParameter(
        ge=0, le=MOST, description="Instead of `at`: the choice the moment follows; only for finished matches."
    ),
]
Many = Annotated[int, QueryParameter(ge=1, le=MOST_MOMENTS, description="The number of moments.")]


class ReplayMoment(msgspec.Struct):
    """A state of the table that a viewer saw, with the animation steps that led to it."""

    at: Annotated[int, msgspec.Meta(description="The moment's number, from 0.")]
    choices: Annotated[int | None, msgspec.Meta(description="The number of choices before it; null during a match.")]
    steps: Annotated[
        list[str], msgspec.Meta(description="The table at each animation step and at the end, in lines of text.")
    ]
    said: Annotated[list[str], msgspec.Meta(description="What happened, sentence by sentence.")]


class ReplayView(msgspec.Struct):
    """Moments of a match."""

    game: Annotated[str, msgspec.Meta(description="The game's name.")]
    over: Annotated[bool, msgspec.Meta(description="Whether the match has ended.")]
    last: Annotated[int, msgspec.Meta(description="The number of the last moment.")]
    moments: list[ReplayMoment]
    described: Annotated[list[MoveDescriptions], msgspec.Meta(description="Players' descriptions of their moves.")]


class NewRecord(msgspec.Struct, forbid_unknown_fields=True):
    """A record to upload."""

    record: Annotated[dict[str, Any], msgspec.Meta(description="The record of a finished table.")]
    name: Annotated[str, msgspec.Meta(max_length=60, description="The record's name.")] = "a record"


class RecordSummary(msgspec.Struct):
    """An uploaded record."""

    id: Annotated[str, msgspec.Meta(description="The record's id; anyone who knows it can view the record.")]
    name: str
    game: str
    seats: int
    choices: Annotated[int, msgspec.Meta(description="The number of choices.")]
    over: Annotated[bool, msgspec.Meta(description="Whether the match is finished.")]


class ReviewResult(msgspec.Struct):
    """The review of a match so far: each seat's estimated result at each choice, given what it knew."""

    choices: Annotated[int, msgspec.Meta(description="The number of choices in the match.")]
    found: Annotated[
        list[Any], msgspec.Meta(description="For each choice: seat, words, estimates (hopes), chosen and best.")
    ]
    worst: Annotated[list[CostlyChoice], msgspec.Meta(description="The costliest choices.")]
    done: Annotated[bool, msgspec.Meta(description="Whether the review is finished.")]
    problem: Annotated[str, msgspec.Meta(description="Why the review failed; empty if it didn't.")]


@get(["/table/{table_id:str}/replay", "/records/{record_id:str}/replay"],
     **endpoint("look", "Replay of a table or a record", 404, 410))  # fmt: skip
async def replay(
    person: CurrentPerson, subject: SubjectDep, replays: ReplaysDep, view: View = "", at: At = 0, choices: After = None,
    many: Many = 1,
) -> ReplayView:  # fmt: skip
    """Return moments of a match from your own point of view; after it, also from any seat or with all cards face up."""
    names, viewer = list(subject.names), subject.viewer(view, choices)
    query = MomentRequest(subject.record, viewer, names, clamp_moment(at), choices, many, form="text")
    response = await replays.show(subject, query)
    moments = [
        ReplayMoment(
            each.at, each.choices if subject.open else None, each.steps, each.log.split("\n") if each.log else []
        )
        for each in response.moments
    ]
    return ReplayView(subject.game.name, subject.over, response.last, moments, list(subject.moves))


@get("/table/{table_id:str}/rules", **endpoint("look", "Rules of a table", 404, 410))
async def rules(person: CurrentPerson, subject: SubjectDep) -> ApiDocument:
    """Return the rules for the table's options and content (Markdown)."""
    return ApiDocument(subject.setup.title, rules_text(subject.setup) or "")


@get(["/table/{table_id:str}/review", "/records/{record_id:str}/review"],
     **endpoint("look", "Review of a table or a record", 404, 410))  # fmt: skip
async def review(person: CurrentPerson, subject: SubjectDep, replays: ReplaysDep) -> ReviewResult:
    """Return the review so far; it grows until `done`."""
    so_far: MatchReview | None = await replays.reviews.find(subject.finished.record)
    if so_far is None:
        raise PageNotFound("This match hasn't been reviewed.")
    return ReviewResult(
        so_far.choices, list(so_far.found), so_far.worst_of(0) if so_far.done else [], so_far.done, so_far.problem
    )


@post(["/table/{table_id:str}/review", "/records/{record_id:str}/review"],
      **endpoint("records", "Request a review", 404, 410, 422), status_code=202)  # fmt: skip
async def ask_review(request: AnyRequest, person: CurrentPerson, subject: SubjectDep, replays: ReplaysDep) -> ApiDone:
    """Start the review of a finished match, unless it already has one."""
    await replays.reviews.begin(subject.finished, requester_of(request, person))
    return ApiDone()


@get("/records", **endpoint("look", "Your records"))
async def records(person: CurrentPerson, replays: ReplaysDep) -> list[RecordSummary]:
    """Return your uploaded records, newest first."""
    rows = await replays.records.store.of(person.id) if person.id else []
    return [RecordSummary(row.id, row.name, row.game, row.seats, row.choices, row.over) for row in rows]


@post("/records", **endpoint("records", "Upload a record", 413, 422), request_max_body_size=LARGEST_BODY)
async def bring(
    request: AnyRequest, person: CurrentPerson, replays: ReplaysDep, data: JSONBody[NewRecord]
) -> RecordSummary:
    """Upload a record to replay and review it. Records expire if they aren't viewed."""
    check_identity(person, "upload a record")
    text = msgspec.json.encode(data.record).decode()
    row = await replays.records.upload(person, text, data.name, requester_of(request, person))
    return RecordSummary(row.id, row.name, row.game, row.seats, row.choices, row.over)


@post("/records/{record_id:str}/remove", **endpoint("records", "Delete a record", 404), status_code=200)
async def remove(person: CurrentPerson, replays: ReplaysDep, record_id: Id) -> ApiDone:
    """Delete one of your records."""
    await replays.records.remove(person, record_id)
    return ApiDone()
