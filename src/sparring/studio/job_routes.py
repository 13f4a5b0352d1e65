"""Routes of the studio's jobs: balance stream, report, training and printing."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from functools import partial
from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import QueryParameter
from litestar.response import Redirect, Stream, Template

from sparring.engine.errors import CannotPrint, Step
from sparring.people.fair_queue import current_caller
from sparring.people.rate_limits import TooMany
from sparring.server.requests.event_stream import HEADERS, HEARTBEAT, encode_event, until_revoked
from sparring.server.requests.identity import AnyRequest, CurrentPerson, address_of
from sparring.server.requests.server_state import server_state
from sparring.site.pages.new_table_form import initial_values
from sparring.site.pages.table_pages import page

from .edits import read_path
from .jobs import balance_panel
from .jobs.job_messages import PRINT_FORMS, Print, SetContent, file_name
from .jobs.job_service import StudioJobs
from .jobs.measuring import SetMeasuring, SetWatch
from .picture_pad import LoadedSetDep, SetsDep
from .sets import LoadedSet

StudioJobsDep = NamedDependency[StudioJobs]

#: Event names: the stream is complete, or the client should try again later.
DONE, LATER = "done", "later"

#: The content security policy of reports: inline styles, no scripts and no requests.
REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; "
    "sandbox allow-same-origin"
)


def content_of(loaded: LoadedSet, at: Sequence[Step] = ()) -> SetContent:
    """Return the job input for a set's current version, looked at from the path `at`."""
    return SetContent(loaded.row.game, loaded.version.toml, loaded.options_at(at))


def seats_of(loaded: LoadedSet) -> int:
    """Return the number of seats of a table created from a set."""
    return len(initial_values(loaded.game))


def playable_content(loaded: LoadedSet, at: Sequence[Step] = ()) -> SetContent:
    """Return the job input for a set. Raises BadContent if it isn't playable."""
    loaded.check_playable()
    return content_of(loaded, at)


def printed_content(loaded: LoadedSet, at: Sequence[Step] = ()) -> SetContent:
    """Return the job input for printing a set, with its name. Raises BadContent if it isn't playable."""
    return msgspec.structs.replace(playable_content(loaded, at), toml=loaded.file)


@get(["/studio/{set_id:str}/card-values", "/studio/shared/{share:str}/card-values"])
async def card_values(
    request: AnyRequest, person: CurrentPerson, loaded: LoadedSetDep, sets: SetsDep, studio_jobs: StudioJobsDep,
    at: Annotated[str, QueryParameter(max_length=1000)] = "[]", rows: Annotated[bool, QueryParameter()] = False,
) -> Stream:  # fmt: skip
    """Stream a set's balance while the page is open.

    `at` is the path (JSON) of the previewed item. With `rows`, the data is JSON for the table: each item's win rate.
    """
    who = current_caller()
    path = read_path(at)
    names = balance_panel.names_on_path(loaded.game.form, loaded.draft.data, path)
    if loaded.draft.faults:
        return _once(balance_panel.FAULTY, DONE)
    if not sets.settings.measuring:
        return _once(balance_panel.SWITCHED_OFF, DONE)
    try:
        server_state(request.app).streams.check(person.responsible, address_of(request))
        studio_jobs.measurings.check_room(who, loaded.row.id)
    except TooMany as problem:
        return _once(f"Not measured: {problem}", LATER)  # scripts can't read the error of a refused stream

    async def events() -> AsyncGenerator[bytes]:
        with studio_jobs.measurings.watch(who, loaded.row.id, content_of(loaded, path)) as watch:
            panel = balance_panel.rates_json if rows else partial(balance_panel.panel_html, names=names)
            async for event in balance_events(watch, panel, sets.settings.heartbeat):
                yield event

    return until_revoked(request, person, events())


def _once(words: str, then: str) -> Stream:
    data = encode_event(balance_panel.unmeasured_html(words)) + encode_event("", then)
    return Stream(iter([data]), media_type="text/event-stream", headers=HEADERS)


async def balance_events(
    watch: SetWatch, render_panel: Callable[[SetMeasuring], str], heartbeat: float
) -> AsyncIterator[bytes]:
    """Yield an event for each change, until measuring is done or the set has changed."""
    measuring, changes = watch.measuring, -1
    while not watch.is_over:
        if measuring.changes != changes:
            changes = measuring.changes
            yield encode_event(render_panel(measuring))
        if measuring.is_done:
            break
        try:
            async with asyncio.timeout(heartbeat):
                await measuring.wait_for_change(changes)
        except TimeoutError:
            yield HEARTBEAT
    yield encode_event("", DONE)


@post(["/studio/{set_id:str}/report", "/studio/shared/{share:str}/report"])
async def ask_for_report(request: AnyRequest, loaded: LoadedSetDep, studio_jobs: StudioJobsDep) -> Redirect:
    """Start a report job."""
    await studio_jobs.reports.begin(playable_content(loaded), loaded.row.name)
    return Redirect(request.url.path, status_code=303)


@get(["/studio/{set_id:str}/report", "/studio/shared/{share:str}/report"])
async def report(
    request: AnyRequest, person: CurrentPerson, loaded: LoadedSetDep, studio_jobs: StudioJobsDep
) -> Template | Response[bytes]:
    """Show the report of a set's current version, or its progress."""
    job = await studio_jobs.reports.of(content_of(loaded), loaded.row.name)
    if job and job.page:
        return Response(
            job.page, media_type="text/html; charset=utf-8", headers={"Content-Security-Policy": REPORT_POLICY}
        )
    return page("report.html", request, person, held=loaded, writing=job, base=request.url.path.rpartition("/")[0])


@post(["/studio/{set_id:str}/learn", "/studio/shared/{share:str}/learn"])
async def ask_to_learn(request: AnyRequest, loaded: LoadedSetDep, studio_jobs: StudioJobsDep) -> Redirect:
    """Start a training job."""
    await studio_jobs.trainings.begin(playable_content(loaded), seats_of(loaded))
    return Redirect(request.url.path, status_code=303)


@get(["/studio/{set_id:str}/learn", "/studio/shared/{share:str}/learn"])
async def learned(
    request: AnyRequest, person: CurrentPerson, loaded: LoadedSetDep, studio_jobs: StudioJobsDep
) -> Template:
    """Show the training progress of a set's current version."""
    seats = seats_of(loaded)
    training = await studio_jobs.trainings.of(content_of(loaded), seats)
    base = request.url.path.rpartition("/")[0]
    return page("learned.html", request, person, held=loaded, course=training, seats=seats, base=base)


@post(["/studio/{set_id:str}/print", "/studio/shared/{share:str}/print"])
async def on_paper(request: AnyRequest, loaded: LoadedSetDep, studio_jobs: StudioJobsDep) -> Response[bytes]:
    """Return a set to print, cut out and play, as a virtual table, or as the files of a print service."""
    posted = await request.form()
    form = str(posted.get("as", "pdf"))
    if form not in PRINT_FORMS:
        raise CannotPrint("A set can't be printed in this form; choose one from the list.")
    order = Print(printed_content(loaded, read_path(str(posted.get("at", "[]")))), form)
    printed = await studio_jobs.processes.print(order)
    if printed.problem:
        raise CannotPrint(printed.problem)
    name = f"{file_name(loaded.row.name)}.{PRINT_FORMS[form].ending}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(printed.file, media_type=PRINT_FORMS[form].media_type, headers=headers)
