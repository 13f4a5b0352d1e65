"""Matches looked at again, for programs: moments in words, reviews, and records that are brought."""

from typing import Annotated, Any

import msgspec
from litestar import Router, get, post
from litestar.params import JSONBody, QueryParameter

from sparring.web.identity import Person
from sparring.web.replay.moment_requests import TOGETHER, MomentRequest
from sparring.web.replay.replay_access import ReplaySubject
from sparring.web.replay.replay_routes import MOST, ReplayContext, TheCinema, within
from sparring.web.replay.review_jobs import CostlyChoice, MatchReview
from sparring.web.requests.identity_and_errors import SMALL, AnyRequest, Asker, PageNotFound, TheTables, asking
from sparring.web.tables.chat.move_descriptions import MoveDescriptions
from sparring.web.tables.table import NotYours

from .responses import LONG, ApiDone, Id, allowed, refusals

View = Annotated[
    str,
    QueryParameter(
        max_length=8,
        description="Whose view: a seat, 0 for those who watched, `open` for all cards; empty: as is usual. "
        "While a match goes on there is your own only.",
    ),
]
At = Annotated[int, QueryParameter(ge=0, le=MOST, description="Which moment, counted from 0.")]
After = Annotated[
    int | None,
    QueryParameter(ge=0, le=MOST, description="Or after which choice of a match that is over, instead of `at`."),
]
Many = Annotated[int, QueryParameter(ge=1, le=TOGETHER, description="How many moments from there on.")]


class ReplayMoment(msgspec.Struct):
    """Where a viewer saw the table rest, with what was to be seen on the way."""

    at: Annotated[int, msgspec.Meta(description="Which one it is, counted from 0.")]
    choices: Annotated[int | None, msgspec.Meta(description="After how many choices; null while the match goes on.")]
    steps: Annotated[list[str], msgspec.Meta(description="The table at each beat and at rest, in lines of text.")]
    said: Annotated[list[str], msgspec.Meta(description="What was said on the way.")]


class ReplayView(msgspec.Struct):
    """Some moments of a match."""

    game: Annotated[str, msgspec.Meta(description="The name of the game.")]
    over: Annotated[bool, msgspec.Meta(description="Whether the match has ended.")]
    last: Annotated[int, msgspec.Meta(description="The number of the last moment.")]
    moments: list[ReplayMoment]
    described: Annotated[list[MoveDescriptions], msgspec.Meta(description="How people described their moves.")]


class NewRecord(msgspec.Struct, forbid_unknown_fields=True):
    """A record that somebody brings."""

    record: Annotated[dict[str, Any], msgspec.Meta(description="As a table that is over gives it.")]
    name: Annotated[str, msgspec.Meta(max_length=60, description="What you call it.")] = "a record"


class RecordSummary(msgspec.Struct):
    """A record that you brought."""

    id: Annotated[str, msgspec.Meta(description="Whoever knows it can look at the record.")]
    name: str
    game: str
    seats: int
    choices: Annotated[int, msgspec.Meta(description="How many choices it holds.")]
    over: Annotated[bool, msgspec.Meta(description="Whether the match ends with them.")]


class ReviewResult(msgspec.Struct):
    """What was found of a match so far: for every choice what each seat could hope for, from what it knew."""

    choices: Annotated[int, msgspec.Meta(description="How many there are.")]
    found: Annotated[list[Any], msgspec.Meta(description="For each choice: seat, words, hopes, chosen and best.")]
    worst: Annotated[list[CostlyChoice], msgspec.Meta(description="The choices that cost most.")]
    done: Annotated[bool, msgspec.Meta(description="Whether all of it is found.")]
    problem: Annotated[str, msgspec.Meta(description="Why it stopped; empty: it did not.")]


async def _replay(
    cinema: ReplayContext, kept: ReplaySubject, view: str, at: int, choices: int | None, many: int
) -> ReplayView:
    names, viewer = list(kept.names), kept.viewer(view, choices)
    wanted = MomentRequest(kept.record, viewer, names, within(at), choices, many, form="text")
    showing = await cinema.show(kept, wanted)
    moments = [
        ReplayMoment(
            each.at, each.choices if kept.open else None, each.steps, each.said.split("\n") if each.said else []
        )
        for each in showing.moments
    ]
    return ReplayView(kept.game.name, kept.over, showing.last, moments, list(kept.moves))


async def _review(cinema: ReplayContext, kept: ReplaySubject) -> ReviewResult:
    found: MatchReview | None = await cinema.reviews.find(kept.record)
    if found is None:
        raise PageNotFound("Nobody has asked for a review of this match.")
    return ReviewResult(found.choices, list(found.found), found.worst, found.done, found.problem)


async def _ask(request: AnyRequest, person: Person, cinema: ReplayContext, kept: ReplaySubject) -> ApiDone:
    await cinema.reviews.begin(kept, asking(request, person))
    return ApiDone()


@get("/table/{table_id:str}/replay", **allowed("look"), responses=refusals(404, 410), summary="Look back at a table")
async def replay(
    person: Asker, tables: TheTables, cinema: TheCinema, table_id: Id, view: View = "", at: At = 0,
    choices: After = None, many: Many = 1,
) -> ReplayView:  # fmt: skip
    """Moments of a match: from where you sit while it goes on, and when it is over from any seat, or open."""
    return await _replay(cinema, await cinema.kept(tables, person, table_id, ""), view, at, choices, many)


@get("/table/{table_id:str}/review", **allowed("look"), responses=refusals(404, 410), summary="The review of a match")
async def review(person: Asker, tables: TheTables, cinema: TheCinema, table_id: Id) -> ReviewResult:
    """What was found so far; it grows until it is done."""
    return await _review(cinema, await cinema.ended(tables, person, table_id, ""))


@post("/table/{table_id:str}/review", **allowed("records"), status_code=202, responses=refusals(404, 410, 422),
      summary="Ask for a review")  # fmt: skip
async def ask_review(request: AnyRequest, person: Asker, tables: TheTables, cinema: TheCinema, table_id: Id) -> ApiDone:
    """Have a match that is over reviewed, unless somebody has."""
    return await _ask(request, person, cinema, await cinema.ended(tables, person, table_id, ""))


@get("/records", **allowed("look"), responses=refusals(), summary="Your records")
async def records(person: Asker, cinema: TheCinema) -> list[RecordSummary]:
    """The records that you brought, the newest first."""
    rows = await cinema.records.store.of(person.id) if person.id else []
    return [RecordSummary(row.id, row.name, row.game, row.seats, row.choices, row.over) for row in rows]


@post(
    "/records", **allowed("records"), request_max_body_size=LONG, responses=refusals(413, 422), summary="Bring a record"
)
async def bring(request: AnyRequest, person: Asker, cinema: TheCinema, data: JSONBody[NewRecord]) -> RecordSummary:
    """Keep a record for a while, to look at it again and to have it reviewed."""
    if not person.id:
        raise NotYours("Records are somebody's: come with a token, or with the cookie of your browser.")
    text = msgspec.json.encode(data.record).decode()
    row = await cinema.records.bring(person, text, data.name, asking(request, person))
    return RecordSummary(row.id, row.name, row.game, row.seats, row.choices, row.over)


@get("/records/{record_id:str}/replay", **allowed("look"), responses=refusals(404), summary="Look at a record")
async def replay_record(
    person: Asker, tables: TheTables, cinema: TheCinema, record_id: Id, view: View = "", at: At = 0,
    choices: After = None, many: Many = 1,
) -> ReplayView:  # fmt: skip
    """Moments of a match, from any seat, or open."""
    return await _replay(cinema, await cinema.kept(tables, person, "", record_id), view, at, choices, many)


@get("/records/{record_id:str}/review", **allowed("look"), responses=refusals(404), summary="The review of a record")
async def review_record(person: Asker, tables: TheTables, cinema: TheCinema, record_id: Id) -> ReviewResult:
    """What was found so far; it grows until it is done."""
    return await _review(cinema, await cinema.ended(tables, person, "", record_id))


@post("/records/{record_id:str}/review", **allowed("records"), status_code=202, responses=refusals(404, 422),
      summary="Have a record reviewed")  # fmt: skip
async def ask_review_of_record(
    request: AnyRequest, person: Asker, tables: TheTables, cinema: TheCinema, record_id: Id
) -> ApiDone:
    """Have a match that is over reviewed, unless somebody has."""
    return await _ask(request, person, cinema, await cinema.ended(tables, person, "", record_id))


@post("/records/{record_id:str}/remove", **allowed("records"), status_code=200, responses=refusals(404),
      summary="Let go of a record")  # fmt: skip
async def remove(person: Asker, cinema: TheCinema, record_id: Id) -> ApiDone:
    """A record of yours is gone."""
    await cinema.records.remove(person, record_id)
    return ApiDone()


def router() -> Router:
    """What can be looked at again."""
    handlers = [replay, review, ask_review, records, replay_record, review_record, ask_review_of_record, remove, bring]
    return Router("/api", route_handlers=handlers, tags=["replays"], request_max_body_size=SMALL)
