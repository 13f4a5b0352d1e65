"""Pages of replays, reviews and uploaded records."""

from dataclasses import dataclass, replace
from typing import Any

from litestar import MediaType, Response, get, post
from litestar.datastructures import UploadFile
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Template
from markupsafe import Markup

from sparring.engine.errors import BadContent, BadRecord, SparringError
from sparring.people.identity import GUEST_NAME, with_id
from sparring.scene.markup import el, join
from sparring.scene.sentences import say
from sparring.server.api.responses import Id
from sparring.server.requests.errors import told
from sparring.server.requests.identity import EVERYONE, AnyRequest, CurrentPerson, TablesDep, link_to, requester_of
from sparring.server.requests.pages import RendererDep
from sparring.site.pages.game_pictures import drawing, example_picture, picture_response, poster
from sparring.site.pages.rules_pages import rules_part, with_tooltips
from sparring.site.pages.table_pages import (
    display_file_name,
    page,
    prefers_text_mode,
    redirect_with_identity,
    show_rules,
    titles,
)
from sparring.store.person import Person
from sparring.tables.tables import Tables
from sparring.tables.workers.uploads import decode_content

from .moment_requests import MOST_MOMENTS, MomentRequest, MomentResponse, ShownMoment, TimelineSandbox
from .open_information import OPEN
from .replay_access import ReplaySubject, of_record, of_table
from .review_jobs import MatchReviews
from .stored_matches import MatchLines, UploadedRecords
from .win_chart import review_html

#: The number of a moment, or of the choice it follows.
Place = FromQuery[int | None]
#: The path of the replay in text mode.
TEXT_MODE = "replay/text"
#: A drawing of a finished match never changes. Opened on its own it can't run or load anything.
DRAWING = {
    "Cache-Control": "private, max-age=86400",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}
#: The highest moment number accepted.
MOST = 1 << 30


@dataclass(frozen=True)
class ReplayContext:
    """The services behind replays of tables and records."""

    timelines: TimelineSandbox
    records: UploadedRecords
    reviews: MatchReviews
    lines: MatchLines

    async def subject(self, tables: Tables, person: Person, table: str, record: str) -> ReplaySubject:
        """Return the replay of a table or a record."""
        if record:
            return of_record(await self.records.load(record), self.records.settings.secret)
        loaded = await tables.registry.get(table)
        return of_table(loaded, person, await tables.chat.filter_for(loaded, person))

    async def show(self, subject: ReplaySubject, request: MomentRequest) -> MomentResponse:
        """Render moments of a replay."""
        _, kind, number = subject.base.split("/")
        if kind != "records":
            return await self.timelines.show(request)
        try:
            return await self.records.timelines.show(request)
        except BadRecord as problem:
            await self.lines.check_record(await self.records.load(number), problem)
            raise

    async def close(self) -> None:
        """Stop the processes."""
        await self.reviews.close()
        await self.timelines.close()
        await self.records.timelines.close()


ReplaysDep = NamedDependency[ReplayContext]
SubjectDep = NamedDependency[ReplaySubject]


async def provide_subject(
    person: CurrentPerson, tables: TablesDep, replays: ReplaysDep, table_id: Id = "", record_id: Id = ""
) -> ReplaySubject:
    """Return the replay of the table or the record in a path."""
    return await replays.subject(tables, person, table_id, record_id)


@get(["/table/{table_id:str}/replay", "/records/{record_id:str}/replay"])
async def replay(
    request: AnyRequest, person: CurrentPerson, subject: SubjectDep, tables: TablesDep, replays: ReplaysDep,
    renderer: RendererDep, view: FromQuery[str] = "", at: Place = None, choices: Place = None,
    pictures: FromQuery[bool] = False,
) -> Template | Redirect:  # fmt: skip
    """Show a moment of a match: the one in the URL, by default the first, or the last during a match.

    Players who prefer text mode are redirected to it unless `pictures` is set.
    """
    if not pictures and prefers_text_mode(request, person, f"{subject.base}/replay"):
        return Redirect(f"{subject.base}/{TEXT_MODE}?{request.url.query}".rstrip("?"), status_code=303)
    viewer = subject.viewer(view, choices)
    if at is None and subject.over:
        at = 0
    response = await replays.show(
        subject, MomentRequest(subject.record, viewer, list(subject.names), clamp_moment(at), clamp_moment(choices))
    )
    moment = response.moments[0]
    return page(
        "replay.html", request, person, kept=subject, setup=subject.setup, game=subject.game, viewer=viewer,
        opened=viewer == OPEN, view="open" if viewer == OPEN else str(viewer), moment=moment, last=response.last,
        in_words=replace(subject, page=TEXT_MODE),
        here=link_to(request, tables, subject.link(viewer, at=moment.at)),
        scene=with_tooltips(subject.complete(moment.steps[-1]), subject.game.glossary), said=Markup(moment.log),
        rules=await rules_part(renderer, subject.setup, 3, subject.base),
    )  # fmt: skip


@get(["/table/{table_id:str}/rules", "/records/{record_id:str}/rules"])
async def rules(request: AnyRequest, person: CurrentPerson, subject: SubjectDep, renderer: RendererDep) -> Template:
    """Show the rules for the options and the content of a match."""
    return await show_rules(request, person, renderer, subject.setup, subject.base)


@get(["/table/{table_id:str}/examples/{number:int}", "/records/{record_id:str}/examples/{number:int}"])
async def example(subject: SubjectDep, renderer: RendererDep, number: FromPath[int]) -> Response[str]:
    """Return the picture of an example in the rules of a match, counted from 1."""
    return await renderer.run(lambda: example_picture(subject.setup, number))


@get("/table/{table_id:str}/picture.svg")
async def poster_of_table(tables: TablesDep, renderer: RendererDep, table_id: Id) -> Response[str]:
    """Return the poster of the game with the content of a table; its match is another one."""
    table = await tables.registry.get(table_id)
    return drawing(await renderer.run(lambda: poster(table.public_setup)))


@get(["/table/{table_id:str}/replay/moments", "/records/{record_id:str}/replay/moments"])
async def moments(subject: SubjectDep, replays: ReplaysDep, view: FromQuery[str] = "", at: Place = 0) -> Response[str]:
    """Return moments with their beats, for a page that plays them."""
    request = MomentRequest(
        subject.record, subject.viewer(view), list(subject.names), clamp_moment(at), count=MOST_MOMENTS
    )
    response = await replays.show(subject, request)
    return Response(join(_moment(subject, moment) for moment in response.moments), media_type=MediaType.HTML)


def clamp_moment(place: int | None) -> int | None:
    """Limit a moment number to the accepted range."""
    return None if place is None else max(0, min(place, MOST))


def _moment(subject: ReplaySubject, moment: ShownMoment) -> Markup:
    """Render a moment for the page's script. The number of choices is included only if the whole match is open."""
    choices = moment.choices if subject.open else None
    steps = join(map(subject.complete, moment.steps))
    return el("article", steps, el("ol", Markup(moment.log)), data_at=moment.at, data_choices=choices)


@get(["/table/{table_id:str}/review", "/records/{record_id:str}/review"])
async def review(request: AnyRequest, person: CurrentPerson, subject: SubjectDep, replays: ReplaysDep) -> Template:
    """Show the review of a match so far, or a button to request one."""
    return await _review(request, person, replays, subject)


async def _review(
    request: AnyRequest, person: Person, replays: ReplayContext, subject: ReplaySubject, **more: Any
) -> Template:
    review = await replays.reviews.find(subject.finished.record)
    html = review_html(subject, review) if review else ""
    return page("review.html", request, person, kept=subject, review=review, found=html, **more)


@get(["/table/{table_id:str}/review/now", "/records/{record_id:str}/review/now"])
async def review_now(subject: SubjectDep, replays: ReplaysDep) -> Response[str]:
    """Return the review so far, for a page that refreshes itself."""
    so_far = await replays.reviews.find(subject.finished.record)
    if so_far is None:
        raise NotFoundException(say("This match hasn't been reviewed."))
    return Response(review_html(subject, so_far), media_type=MediaType.HTML)


@post(["/table/{table_id:str}/review", "/records/{record_id:str}/review"])
async def ask_review(
    request: AnyRequest, person: CurrentPerson, subject: SubjectDep, replays: ReplaysDep
) -> Template | Redirect:
    """Request the review of a match."""
    try:
        await replays.reviews.begin(subject.finished, requester_of(request, person))
    except SparringError as problem:
        return await _review(request, person, replays, subject, **told(request, problem))
    return Redirect(f"{subject.base}/review", status_code=303)


@get(["/table/{table_id:str}/review/{number:int}/position", "/records/{record_id:str}/review/{number:int}/position"])
async def position(
    subject: SubjectDep, replays: ReplaysDep, number: FromPath[int], seat: FromQuery[int],
    better: FromQuery[int | None] = None,
) -> Response[str]:  # fmt: skip
    """Draw the position before a choice, as a seat saw it, with the choice and a better one marked."""
    subject = subject.finished
    if not 0 <= number < subject.choices:
        raise SparringError(
            say("This match has only {n} choice.", "This match has only {n} choices.", n=subject.choices)
        )
    viewer = subject.viewer(str(seat))
    request = MomentRequest(subject.record, viewer, list(subject.names), choices=number, form="picture", better=better)
    response = await replays.show(subject, request)
    return Response(response.moments[0].steps[0], media_type="image/svg+xml", headers=DRAWING)


@post("/table/{table_id:str}/review/{number:int}/play", opt=EVERYONE)
async def play_from(
    request: AnyRequest, person: CurrentPerson, subject: SubjectDep, tables: TablesDep, replays: ReplaysDep,
    table_id: Id, number: FromPath[int],
) -> Template | Redirect:  # fmt: skip
    """Create a table at the position before a choice, against bots."""
    subject, player = subject.finished, with_id(person)
    player = replace(player, name=player.name or GUEST_NAME)
    try:
        table = await tables.registry.get(table_id)
        created = await tables.creation.play_on(table, number, player, requester_of(request, player))
    except SparringError as problem:
        return await _review(request, person, replays, subject, **told(request, problem))
    return redirect_with_identity(request, player, f"/table/{created}")


@get("/records/{record_id:str}/pictures/{key:str}")
async def picture(subject: SubjectDep, key: Id) -> Response[bytes]:
    """Serve a custom picture of an uploaded record."""
    return picture_response(subject.gallery, key)


@get("/records")
async def records(request: AnyRequest, person: CurrentPerson, replays: ReplaysDep) -> Template:
    """Show the person's saved matches and the upload form."""
    return await _records(request, person, replays)


async def _records(request: AnyRequest, person: Person, replays: ReplayContext, **more: Any) -> Template:
    mine = await replays.records.store.of(person.id) if person.id else []
    settings = replays.records.settings
    return page("records.html", request, person, mine=mine, titles=titles(), most=settings.limits.records_each,
                days=settings.keep_days, **more)  # fmt: skip


@post("/records")
async def upload(request: AnyRequest, person: CurrentPerson, replays: ReplaysDep) -> Template | Redirect:
    """Upload a record."""
    upload = (await request.form()).get("record")
    owner = with_id(person)
    try:
        name = display_file_name(upload.filename) if isinstance(upload, UploadFile) else ""
        text = decode_content(await upload.read(), name) if isinstance(upload, UploadFile) else None
        if text is None:
            raise BadContent("Choose a file first: a finished match that you downloaded.")
        row = await replays.records.upload(owner, text, name, requester_of(request, owner))
    except SparringError as problem:
        return await _records(request, person, replays, **told(request, problem))
    return redirect_with_identity(request, owner, f"/records/{row.id}/replay")


@post("/records/{record_id:str}/remove")
async def remove(person: CurrentPerson, replays: ReplaysDep, record_id: Id) -> Redirect:
    """Delete a record."""
    await replays.records.remove(person, record_id)
    return Redirect("/records", status_code=303)
