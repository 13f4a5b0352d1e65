"""Health and metrics: whether people can play, what has failed lately, and figures for Prometheus.

Nothing waits for a database. Metrics are for this machine, or with the key of the setting `metrics_key`.
"""

import os
import secrets
from ipaddress import ip_address
from pathlib import Path

import msgspec
from litestar import MediaType, Response, get

from sparring.monitoring import REFUSES, Figures, ProcessReport, added_up, as_text, labels
from sparring.server.database_watch import FAILS, free_space
from sparring.settings import Settings
from sparring.settings.requests import logged_as
from sparring.store.database import Database
from sparring.tables.state.table import NotAllowed

from .identity import AnyRequest, header
from .server_state import ServerState, server_state

WELL = "Everything works."
NO_JOBS = "The database of jobs is unreachable: bots run here until it is back."

REFUSED = "Metrics are for programs on the server's machine, or with the key of the setting metrics_key."


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


@get("/health")
async def health(request: AnyRequest) -> Health:
    """Return the state of this process: 200 as long as it runs, so that a full disk doesn't restart it."""
    return _health_of(request)


@get("/ready")
async def ready(request: AnyRequest) -> Response[Health]:
    """Return the state of this process; 503 while the database can't be written to, so that proxies can avoid it."""
    state = _health_of(request)
    return Response(state, status_code=200 if state.database else 503)


@get("/metrics", media_type=MediaType.TEXT)
async def metrics(request: AnyRequest) -> Response[str]:
    """Return the metrics of all processes: this one's now, and the others' of a few seconds ago."""
    state = server_state(request.app)
    if not _is_allowed(request, state.tables.settings):
        raise NotAllowed(REFUSED)
    others = [msgspec.json.decode(report, type=ProcessReport).figures for report in state.probe.others]
    text = as_text(added_up([figures_of(state), *others]))
    return Response(text, headers={"Content-Type": "text/plain; version=0.0.4; charset=utf-8"})


def _is_allowed(request: AnyRequest, settings: Settings) -> bool:
    """Return whether a client may read metrics. A proxy on this machine isn't a client of this machine."""
    key = (header(request, b"authorization") or "").removeprefix("Bearer ")
    if settings.metrics_key and secrets.compare_digest(key.encode(), settings.metrics_key.encode()):
        return True
    forwarded = header(request, b"x-forwarded-for") or header(request, b"forwarded")
    return not forwarded and request.client is not None and ip_address(request.client.host).is_loopback


def report_of(state: ServerState) -> str:
    """Return the report of this process, as JSON."""
    faults = list(map(str, state.faults.recent()))
    return msgspec.json.encode(ProcessReport(figures_of(state), faults)).decode()


def figures_of(state: ServerState) -> dict[str, float]:
    """Return the figures of this process."""
    registry, store, writer = state.tables.registry, state.tables.store, state.tables.store.writer
    return {
        "sparring_processes": 1, "sparring_ready": float(not state.probe.entry),
        **{f"sparring_requests_total{labels(method=m, status=s)}": n for (m, s), n in state.meter.requests.items()},
        **state.meter.latency.figures("sparring_request_seconds"),
        "sparring_connections": state.connections.by_address.total(),
        "sparring_streams": state.streams.by_address.total(),
        **state.overload.lag.figures("sparring_loop_lag_seconds"), "sparring_overloaded": float(state.overload.active),
        "sparring_tables": registry.count, "sparring_bots_playing": len(registry.busy),
        "sparring_bot_questions_waiting": state.bot_pool.waiting,
        **{f"sparring_faults_total{labels(kind=kind)}": count for kind, count in state.faults.counts.items()},
        **{f"sparring_loop_failures_total{labels(loop=name)}": n for name, n in state.loops.failures.items()},
        **writer.durations.figures("sparring_commit_seconds"),
        **store.durations.figures("sparring_read_seconds"), **store.waits.figures("sparring_connection_wait_seconds"),
        "sparring_writes_waiting": writer.waiting, "sparring_memory_bytes": _memory(), **_disk(store),
    }  # fmt: skip


def _memory() -> float:
    """Return the resident memory in bytes; 0 on systems that don't say it in a file."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def _disk(store: Database) -> Figures:
    try:
        used, free = free_space(store)
    except OSError:
        return {}
    return {"sparring_disk_used_bytes": used, "sparring_disk_free_bytes": free}
