"""Routes of tunings: begin one, show its progress and proposals, try and take proposals, and undo."""

from typing import Any

from litestar import get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Template

from sparring.engine.errors import BadContent, SparringError
from sparring.server.requests.errors import told
from sparring.server.requests.identity import EVERYONE, AnyRequest, CurrentPerson, TablesDep, requester_of
from sparring.server.requests.pages import form_of
from sparring.site.pages.new_table_form import initial_values, to_table
from sparring.site.pages.table_pages import page
from sparring.store.group_commit import StaleWrite
from sparring.store.person import Person
from sparring.store.studio import NoSet
from sparring.tables.seating import players_for

from .edits import Edit, read_path
from .job_routes import StudioJobsDep, playable_content, seats_of
from .jobs.job_messages import BOTS, TuningProposal
from .jobs.job_service import TuningJob
from .jobs.tuning_plan import TunedItem, TuningPlan, percent, read_plan, tunable_items
from .picture_pad import LoadedSetDep, SetsDep
from .sandboxes import SetDraft
from .sets import LoadedSet, named_file
from .studio_routes import Id

Key = FromPath[str]


def _item(loaded: LoadedSet, at: str) -> TunedItem | None:
    """Return the item of which a path (JSON) is a part, or None."""
    path = tuple(read_path(at)[:2])
    return next((item for item in tunable_items(loaded.game.form, loaded.draft.data) if item.at == path), None)


def _page(
    request: AnyRequest, person: Person, loaded: LoadedSet, *, item: TunedItem | None = None,
    job: TuningJob | None = None, key: str = "", form: dict[str, str] | None = None, taken: int = 0, **more: Any,
) -> Template:  # fmt: skip
    return page(
        "tuning.html", request, person, held=loaded, base=f"/studio/{loaded.row.id}", item=item, job=job,
        key=key, form=form or {}, taken=taken, **more, bots=BOTS, even=percent(1 / seats_of(loaded)),
        items=tunable_items(loaded.game.form, loaded.draft.data), changes=_changes,
    )  # fmt: skip


def _changes(plan: TuningPlan, proposal: TuningProposal) -> list[tuple[str, int, int]]:
    """Return the numbers that a proposal changes: key, value before the tuning, value after it."""
    return [(key, plan.start[key], value) for key, value in proposal.values.items() if value != plan.start[key]]


@get("/studio/{set_id:str}/tune")
async def tuning_form(
    request: AnyRequest, person: CurrentPerson, loaded: LoadedSetDep, at: FromQuery[str] = "[]"
) -> Template:
    """Show what a tuning of an item may change; without an item, show the list of items."""
    return _page(request, person, loaded, item=_item(loaded, at))


@post("/studio/{set_id:str}/tune")
async def begin_tuning(
    request: AnyRequest, person: CurrentPerson, loaded: LoadedSetDep, studio_jobs: StudioJobsDep
) -> Template | Redirect:
    """Begin a tuning."""
    form = await form_of(request)
    item = _item(loaded, form.get("at", "[]"))
    if item is None:
        return _page(request, person, loaded, form=form)
    try:
        content = playable_content(loaded)
        key = await studio_jobs.tunings.begin(loaded.row.id, content, read_plan(item, form))
    except SparringError as problem:
        return _page(request, person, loaded, item=item, form=form, **told(request, problem))
    return Redirect(f"/studio/{loaded.row.id}/tune/{key}", status_code=303)


@get("/studio/{set_id:str}/tune/{key:str}")
async def tuning(
    request: AnyRequest, person: CurrentPerson, loaded: LoadedSetDep, studio_jobs: StudioJobsDep, key: Key,
    taken: FromQuery[int] = 0,
) -> Template:  # fmt: skip
    """Show the progress of a tuning, or its proposals."""
    job = await _job(studio_jobs, loaded, key)
    return _page(request, person, loaded, item=_current(loaded, job.plan), job=job, key=key, taken=taken)


async def _job(studio_jobs: Any, loaded: LoadedSet, key: str) -> TuningJob:
    job: TuningJob | None = await studio_jobs.tunings.find((loaded.row.id, key))
    if job is None:
        raise NoSet("This tuning is no longer stored. Start it again from the set.")
    return job


def _current(loaded: LoadedSet, plan: TuningPlan) -> TunedItem | None:
    """Return the tuned item as it is in the set now, or None if it has been removed or renamed."""
    items = tunable_items(loaded.game.form, loaded.draft.data)
    return next((item for item in items if (item.at[0], item.name) == (plan.key_of_list, plan.name)), None)


def _edits(loaded: LoadedSet, job: TuningJob, number: str) -> list[Edit]:
    """Return the edits that a proposal (counted from 1) makes to the set as it is now."""
    proposals = job.progress.proposals
    if not (number.isascii() and number.isdigit() and len(number) < 3 and 1 <= int(number) <= len(proposals)):
        raise BadContent("There is no such proposal.")
    item = _current(loaded, job.plan)
    if item is None:
        raise BadContent(f"{job.plan.name} is no longer in this set.")
    # Unlike `set`, `cell` is never joined with an earlier change, so each proposal is a version to undo.
    return [Edit("cell", [*item.at, key], str(value)) for key, value in proposals[int(number) - 1].values.items()]


@post("/studio/{set_id:str}/tune/{key:str}/take")
async def take(
    request: AnyRequest, person: CurrentPerson, loaded: LoadedSetDep, sets: SetsDep, studio_jobs: StudioJobsDep,
    key: Key,
) -> Redirect:  # fmt: skip
    """Write a proposal's values into the set, as one version."""
    number = str((await request.form()).get("number", ""))
    edits = _edits(loaded, await _job(studio_jobs, loaded, key), number)
    await sets.edit(loaded.row, edits, [], requester_of(request, person))
    return Redirect(f"/studio/{loaded.row.id}/tune/{key}?taken={int(number)}", status_code=303)


@post("/studio/{set_id:str}/tune/{key:str}/undo")
async def undo(request: AnyRequest, person: CurrentPerson, sets: SetsDep, set_id: Id, key: Key) -> Redirect:
    """Undo taking a proposal, unless the set has changed since."""
    row = await sets.own(person, set_id)
    if str((await request.form()).get("row_version", "")) != str(row.row_version):
        raise StaleWrite("This set has changed since you took the proposal. Undo in the editor instead.")
    await sets.move_in_history(row, "undo", requester_of(request, person))
    return Redirect(f"/studio/{row.id}/tune/{key}", status_code=303)


@post("/studio/{set_id:str}/tune/{key:str}/try", opt=EVERYONE)
async def try_proposal(
    request: AnyRequest, person: CurrentPerson, loaded: LoadedSetDep, sets: SetsDep, tables: TablesDep,
    studio_jobs: StudioJobsDep, key: Key,
) -> Redirect:  # fmt: skip
    """Create a table with a proposal, which stays out of the set, with the tuned item in the person's hand."""
    job, number = await _job(studio_jobs, loaded, key), str((await request.form()).get("number", ""))
    version = loaded.version
    draft = await sets.drafts.draft(
        SetDraft(loaded.row.game, version.toml, loaded.options, _edits(loaded, job, number))
    )  # fmt: skip
    if draft.faults:
        raise BadContent(f"This proposal no longer fits the set: {draft.faults[0].words}")
    table = await tables.creation.create(
        loaded.game, players_for(list(initial_values(loaded.game).values()), person), options=loaded.options,
        toml=named_file(loaded.row, draft.toml), where=loaded.row.name, set_id=loaded.row.id,
        requester=requester_of(request, person),
        begin_with={job.plan.name.casefold()},
    )  # fmt: skip
    return to_table(table, f"/studio/{loaded.row.id}/tune/{key}")
