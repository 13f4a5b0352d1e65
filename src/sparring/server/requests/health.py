"""Health: whether people can play, and what has failed lately. Nothing waits for a database."""

import msgspec
from litestar import Response, get

from sparring.server.monitoring.overload import REFUSES
from sparring.settings.refusals import logged_as

from .identity import AnyRequest
from .probe import FAILS
from .server_state import server_state

WELL = "Everything works."
NO_JOBS = "The database of jobs is unreachable: bots run here until it is back."


class RecentFault(msgspec.Struct, frozen=True):
    """What has failed in the last two minutes: how often, and the entry of the log with the cause."""

    what: str
    times: int
    entry: str


class Health(msgspec.Struct, frozen=True):
    """The state of a process; `jobs` is None if it gives none to workers."""

    says: str
    database: bool
    jobs: bool | None = None
    #: How many jobs remote workers do at once.
    workers: int = 0
    faults: list[RecentFault] = []


def _health_of(request: AnyRequest) -> Health:
    state = server_state(request.app)
    probe, faults, queue = state.probe, state.faults, state.job_queue
    jobs, workers = (queue.connected, queue.places) if queue else (None, 0)
    recent = [RecentFault(fault.kind, fault.count, fault.id) for fault in faults.recent()]
    problems = [logged_as(FAILS, probe.entry)] if probe.entry else []
    problems += [*([NO_JOBS] if jobs is False else ()), *([REFUSES] if state.overload.active else ())]
    problems += [*state.database_bound.warnings, *([state.retention.asks] if state.retention.asks else ())]
    if others := [str(fault) for fault in faults.recent() if fault.id != probe.entry]:
        problems.append(f"In the last two minutes: {'; '.join(others)}.")
    return Health(" ".join(problems) or WELL, not probe.entry, jobs, workers, recent)


@get("/health", include_in_schema=False)
async def health(request: AnyRequest) -> Health:
    """Return the state of this process: 200 as long as it runs, so that a full disk doesn't restart it."""
    return _health_of(request)


@get("/ready", include_in_schema=False)
async def ready(request: AnyRequest) -> Response[Health]:
    """Return the state of this process; 503 while the database can't be written to, so that proxies can avoid it."""
    state = _health_of(request)
    return Response(state, status_code=200 if state.database else 503)
