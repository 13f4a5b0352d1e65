"""The pages on which matches are looked at again, and those of records that people bring."""

from dataclasses import dataclass, replace
from typing import Any

from litestar import MediaType, Response, get, post
from litestar.datastructures import UploadFile
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Template
from markupsafe import Markup

from sparring.engine.errors import BadContent, SparringError
from sparring.scene.markup import el, join
from sparring.web.identity import Person, somebody
from sparring.web.pages.rules_pages import rules_html
from sparring.web.pages.table_pages import page, shown_name, signed, titles, wants_words
from sparring.web.pages.tooltips import titled
from sparring.web.requests.identity_and_errors import AnyRequest, Asker, TheTables, asking, status_of
from sparring.web.requests.picture_routes import sent
from sparring.web.security.uploads import decode_content
from sparring.web.tables.table import NotYours
from sparring.web.tables.tables import Tables

from .moment_requests import TOGETHER, MomentClient, MomentRequest, ShownMoment, TimelineSandbox
from .open_information import OPEN
from .replay_access import ReplaySubject, of_record, of_table
from .review_jobs import MatchReviews
from .uploaded_records import UploadedRecords
from .win_chart import review_html

Id = FromPath[str]
#: A moment, or a choice after which one is looked for.
Place = FromQuery[int | None]
#: Where the same moments are told in words.
IN_WORDS = "replay/text"
#: No match has more of them.
MOST = 1 << 30


@dataclass(frozen=True)
class ReplayContext:
    """Where matches are looked at again: those of tables, and records."""

    films: TimelineSandbox
    records: UploadedRecords
    reviews: MatchReviews

    async def kept(self, tables: Tables, person: Person, table: str, record: str) -> ReplaySubject:
        """What an address speaks of."""
        if record:
            return of_record(await self.records.look(record), self.records.settings.secret)
        found = await tables.get(table)
        return of_table(found, person, await tables.hearing(found, person))

    async def ended(self, tables: Tables, person: Person, table: str, record: str) -> ReplaySubject:
        """The same, if the match is over."""
        kept = await self.kept(tables, person, table, record)
        if not kept.over:
            raise NotYours("A match can be reviewed when it is over.")
        return kept

    async def show(self, kept: ReplaySubject, wanted: MomentRequest) -> MomentClient:
        """Moments of it."""
        films = self.records.films if kept.base.startswith("/records") else self.films
        return await films.show(wanted)

    async def close(self) -> None:
        """End the processes."""
        await self.reviews.close()
        await self.films.close()
        await self.records.films.close()


TheCinema = NamedDependency[ReplayContext]


@get(["/table/{table_id:str}/replay", "/records/{record_id:str}/replay"], include_in_schema=False)
async def replay(
    request: AnyRequest, person: Asker, tables: TheTables, cinema: TheCinema, table_id: Id = "", record_id: Id = "",
    view: FromQuery[str] = "", at: Place = None, choices: Place = None, pictures: FromQuery[bool] = False,
) -> Template | Redirect:  # fmt: skip
    """A moment of a match: the one that the address names, or the last one of a match that goes on, else the first.

    Who wants tables as pages of words is led to that one, unless they say by `pictures` that this once they do not.
    """
    kept = await cinema.kept(tables, person, table_id, record_id)
    if not pictures and wants_words(request, person, f"{kept.base}/replay"):
        return Redirect(f"{kept.base}/{IN_WORDS}?{request.url.query}".rstrip("?"), status_code=303)
    viewer = kept.viewer(view, choices)
    if at is None and kept.over:
        at = 0
    showing = await cinema.show(kept, MomentRequest(kept.record, viewer, list(kept.names), within(at), within(choices)))
    moment = showing.moments[0]
    return page(
        "replay.html", request, person, kept=kept, game=kept.game, viewer=viewer, opened=viewer == OPEN,
        view="open" if viewer == OPEN else str(viewer), moment=moment, last=showing.last,
        in_words=replace(kept, page=IN_WORDS),
        here=f"{tables.settings.friends or str(request.base_url).rstrip('/')}{kept.link(viewer, at=moment.at)}",
        scene=titled(kept.hung(moment.steps[-1]), kept.game.glossary), said=Markup(moment.said),
        rules=rules_html(kept.game, 3),
    )  # fmt: skip


@get(["/table/{table_id:str}/replay/moments", "/records/{record_id:str}/replay/moments"], include_in_schema=False)
async def moments(
    person: Asker, tables: TheTables, cinema: TheCinema, table_id: Id = "", record_id: Id = "",
    view: FromQuery[str] = "", at: Place = 0,
) -> Response[str]:  # fmt: skip
    """Some moments with their beats, for a page that is played."""
    kept = await cinema.kept(tables, person, table_id, record_id)
    wanted = MomentRequest(kept.record, kept.viewer(view), list(kept.names), within(at), many=TOGETHER)
    showing = await cinema.show(kept, wanted)
    return Response(join(_moment(kept, moment) for moment in showing.moments), media_type=MediaType.HTML)


def within(place: int | None) -> int | None:
    """A place that there may be: who asks for one before the first or after the last gets that."""
    return None if place is None else max(0, min(place, MOST))


def _moment(kept: ReplaySubject, moment: ShownMoment) -> Markup:
    """A moment, as the page's script takes it in. How many choices it comes after is told when all of it is open."""
    choices = moment.choices if kept.open else None
    steps = join(map(kept.hung, moment.steps))
    return el("article", steps, el("ol", Markup(moment.said)), data_at=moment.at, data_choices=choices)


@get(["/table/{table_id:str}/review", "/records/{record_id:str}/review"], include_in_schema=False)
async def review(
    request: AnyRequest, person: Asker, tables: TheTables, cinema: TheCinema, table_id: Id = "", record_id: Id = ""
) -> Template:  # fmt: skip
    """The review of a match as far as it goes, or the way to ask for one."""
    return await _review(request, person, cinema, await cinema.ended(tables, person, table_id, record_id))


async def _review(
    request: AnyRequest,
    person: Person,
    cinema: ReplayContext,
    kept: ReplaySubject,
    problem: str = "",
    status: int = 200,
) -> Template:
    review = await cinema.reviews.find(kept.record)
    found = review_html(kept, review) if review else ""
    return page("review.html", request, person, status, kept=kept, review=review, found=found, problem=problem)


@get(["/table/{table_id:str}/review/now", "/records/{record_id:str}/review/now"], include_in_schema=False)
async def review_now(
    person: Asker, tables: TheTables, cinema: TheCinema, table_id: Id = "", record_id: Id = ""
) -> Response[str]:
    """What was found so far, for the page that waits for more."""
    kept = await cinema.ended(tables, person, table_id, record_id)
    found = await cinema.reviews.find(kept.record)
    if found is None:
        raise NotFoundException("Nobody has asked for a review of this match.")
    return Response(review_html(kept, found), media_type=MediaType.HTML)


@post(["/table/{table_id:str}/review", "/records/{record_id:str}/review"], include_in_schema=False)
async def ask_review(
    request: AnyRequest, person: Asker, tables: TheTables, cinema: TheCinema, table_id: Id = "", record_id: Id = ""
) -> Template | Redirect:  # fmt: skip
    """Ask for the review of a match."""
    kept = await cinema.ended(tables, person, table_id, record_id)
    try:
        await cinema.reviews.begin(kept, asking(request, person))
    except SparringError as problem:
        return await _review(request, person, cinema, kept, str(problem), status_of(problem))
    return Redirect(f"{kept.base}/review", status_code=303)


@get("/records/{record_id:str}/pictures/{key:str}", include_in_schema=False)
async def picture(person: Asker, tables: TheTables, cinema: TheCinema, record_id: Id, key: Id) -> Response[bytes]:
    """A picture on a card of a record."""
    return sent((await cinema.kept(tables, person, "", record_id)).gallery, key)


@get("/records", include_in_schema=False)
async def records(request: AnyRequest, person: Asker, cinema: TheCinema) -> Template:
    """The records of a person, and how to bring one."""
    return await _records(request, person, cinema)


async def _records(
    request: AnyRequest, person: Person, cinema: ReplayContext, problem: str = "", status: int = 200
) -> Template:
    mine = await cinema.records.store.of(person.id) if person.id else []
    settings = cinema.records.settings
    return page("records.html", request, person, status, mine=mine, titles=titles(), problem=problem,
                most=settings.limits.records_each, days=settings.keep_days)  # fmt: skip


@post("/records", include_in_schema=False)
async def bring(request: AnyRequest, person: Asker, cinema: TheCinema) -> Template | Redirect:
    """Bring a record."""
    upload = (await request.form()).get("record")
    owner = somebody(person)
    try:
        name = shown_name(upload.filename) if isinstance(upload, UploadFile) else ""
        text = decode_content(await upload.read(), name) if isinstance(upload, UploadFile) else None
        if text is None:
            raise BadContent("Choose a file first: the record of a match, as a finished table gives it.")
        row = await cinema.records.bring(owner, text, name, asking(request, owner))
    except SparringError as problem:
        return await _records(request, person, cinema, str(problem), status_of(problem))
    return signed(request, owner, f"/records/{row.id}/replay")


@post("/records/{record_id:str}/remove", include_in_schema=False)
async def remove(person: Asker, cinema: TheCinema, record_id: Id) -> Redirect:
    """Let go of a record."""
    await cinema.records.remove(person, record_id)
    return Redirect("/records", status_code=303)


HANDLERS: list[Any] = [replay, moments, review, review_now, ask_review, picture, records, bring, remove]
