"""Routes of the studio's jobs: balance stream, report, training and printing."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from functools import partial
from typing import Annotated

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import QueryParameter
from litestar.response import Redirect, Stream, Template

from sparring.engine.errors import CannotPrint
from sparring.web.pages.table_form import first_values
from sparring.web.pages.table_pages import page
from sparring.web.requests.event_stream import STILL_HERE, while_known, written
from sparring.web.requests.identity_and_errors import AnyRequest, Asker, address_of
from sparring.web.security.rate_limits import TooMany
from sparring.web.security.streams import StreamLimits
from sparring.web.studio.edits import read_way
from sparring.web.studio.sets import HeldSet
from sparring.web.studio.studio_routes import Id, TheSets

from . import balance_panel
from .job_messages import Print, Thing, file_name
from .job_service import StudioJobs
from .measuring import SetMeasuring, SetWatch

TheWorkshop = NamedDependency[StudioJobs]

#: Event names: the stream is complete, or the client should try again later.
DONE, LATER = "done", "later"

#: The content security policy of reports: inline styles, no scripts and no requests.
ALONE = (
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; "
    "sandbox allow-same-origin"
)


def thing_of(held: HeldSet) -> Thing:
    """Return the job input for a set's current version."""
    return Thing(held.row.game, held.version.toml, held.options)


def seats_of(held: HeldSet) -> int:
    """Return the number of seats of a table created from a set."""
    return len(first_values(held.game))


def legal(held: HeldSet) -> Thing:
    """Return the job input for a set. Raises BadContent if it isn't playable."""
    held.check()
    return thing_of(held)


@get(["/studio/{set_id:str}/worth", "/studio/shared/{share:str}/worth"], include_in_schema=False)
async def worth(
    request: AnyRequest, person: Asker, sets: TheSets, workshop: TheWorkshop, set_id: Id = "", share: Id = "",
    at: Annotated[str, QueryParameter(max_length=1000)] = "[]",
) -> Stream:  # fmt: skip
    """Stream a set's balance while the page is open; `at` is the path (JSON) of the previewed item."""
    held = await sets.look(await sets.either(person, set_id, share))
    streams: StreamLimits = request.app.state.streams
    address = address_of(request)
    who = person.id or address
    names = balance_panel.names_at(held.game.form, held.draft.data, read_way(at))
    if held.draft.faults:
        return while_known(request, person, _once(balance_panel.FAULTY, DONE))
    if not sets.settings.measuring:
        return while_known(request, person, _once(balance_panel.LEFT_OUT, DONE))
    try:
        streams.check(person.answers, address)
        workshop.measurings.check_room(who, held.row.id)
    except TooMany as problem:
        once = _once(f"Not measured: {problem}", LATER)
        return while_known(request, person, once)  # scripts can't read the error of a refused stream

    async def events() -> AsyncGenerator[bytes]:
        with (
            streams.open(person.answers, address),
            workshop.measurings.watch(who, held.row.id, thing_of(held)) as watch,
        ):
            async for event in told(watch, partial(balance_panel.told, names=names), sets.settings.heartbeat):
                yield event

    return while_known(request, person, events())


async def _once(words: str, then: str) -> AsyncGenerator[bytes]:
    yield written(balance_panel.unmeasured(words)) + written("", then)


async def told(watch: SetWatch, tell: Callable[[SetMeasuring], str], heartbeat: float) -> AsyncIterator[bytes]:
    """Yield an event for each change, until measuring is done or the set has changed."""
    measuring, changes = watch.measuring, -1
    while not watch.is_over:
        if measuring.changes != changes:
            changes = measuring.changes
            yield written(tell(measuring))
        if measuring.is_done:
            break
        try:
            async with asyncio.timeout(heartbeat):
                await measuring.news(changes)
        except TimeoutError:
            yield STILL_HERE
    yield written("", DONE)


@post(["/studio/{set_id:str}/report", "/studio/shared/{share:str}/report"], include_in_schema=False)
async def ask_for_report(
    request: AnyRequest, person: Asker, sets: TheSets, workshop: TheWorkshop, set_id: Id = "", share: Id = ""
) -> Redirect:
    """Start a report job."""
    held = await sets.look(await sets.either(person, set_id, share))
    workshop.reports.begin(legal(held), held.row.name, person.id or address_of(request))
    return Redirect(request.url.path, status_code=303)


@get(["/studio/{set_id:str}/report", "/studio/shared/{share:str}/report"], include_in_schema=False)
async def report(
    request: AnyRequest, person: Asker, sets: TheSets, workshop: TheWorkshop, set_id: Id = "", share: Id = ""
) -> Template | Response[bytes]:
    """Show the report of a set's current version, or its progress."""
    held = await sets.look(await sets.either(person, set_id, share))
    writing = workshop.reports.of(thing_of(held), held.row.name)
    if writing and writing.page:
        return Response(writing.page, media_type="text/html; charset=utf-8", headers={"Content-Security-Policy": ALONE})
    return page("report.html", request, person, held=held, writing=writing, base=request.url.path.rpartition("/")[0])


@post(["/studio/{set_id:str}/learn", "/studio/shared/{share:str}/learn"], include_in_schema=False)
async def ask_to_learn(
    request: AnyRequest, person: Asker, sets: TheSets, workshop: TheWorkshop, set_id: Id = "", share: Id = ""
) -> Redirect:
    """Start a training job."""
    held = await sets.look(await sets.either(person, set_id, share))
    workshop.courses.begin(legal(held), seats_of(held), person.id or address_of(request))
    return Redirect(request.url.path, status_code=303)


@get(["/studio/{set_id:str}/learn", "/studio/shared/{share:str}/learn"], include_in_schema=False)
async def learned(
    request: AnyRequest, person: Asker, sets: TheSets, workshop: TheWorkshop, set_id: Id = "", share: Id = ""
) -> Template:
    """Show the training progress of a set's current version."""
    held = await sets.look(await sets.either(person, set_id, share))
    seats = seats_of(held)
    course = workshop.courses.of(thing_of(held), seats)
    base = request.url.path.rpartition("/")[0]
    return page("learned.html", request, person, held=held, course=course, seats=seats, base=base)


@post(["/studio/{set_id:str}/print", "/studio/shared/{share:str}/print"], include_in_schema=False)
async def on_paper(
    request: AnyRequest, person: Asker, sets: TheSets, workshop: TheWorkshop, set_id: Id = "", share: Id = ""
) -> Response[bytes]:
    """Return a set as a PDF to print, cut out and play."""
    held = await sets.look(await sets.either(person, set_id, share))
    made = await workshop.processes.print(Print(legal(held)), person.id or address_of(request))
    if made.problem:
        raise CannotPrint(made.problem)
    named = {"Content-Disposition": f'attachment; filename="{file_name(held.row.name)}.pdf"'}
    return Response(made.file, media_type="application/pdf", headers=named)


HANDLERS = [worth, ask_for_report, report, ask_to_learn, learned, on_paper]
