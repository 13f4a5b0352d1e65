"""Health check: one sentence, and the facts behind it."""

from typing import Any

import msgspec
from litestar import Response, get

from sparring.web.storage import StoreError

from .identity_and_errors import AnyRequest

WELL = "Everything works."
NO_DATABASE = "The database doesn't answer, so tables can't be created or played."
NO_JOBS = "The database of jobs is unreachable: bots run here until it is back."


class Health(msgspec.Struct, frozen=True):
    """The state of a server; `jobs` is None if it gives none to workers."""

    says: str
    database: bool
    jobs: bool | None = None
    #: How many jobs remote workers do at once.
    workers: int = 0


@get("/health", include_in_schema=False)
async def health(request: AnyRequest) -> Response[Health]:
    """Return the state of this process; 503 if the database doesn't answer."""
    queue: Any = request.app.state.jobs
    jobs, workers = (queue.connected, queue.places) if queue else (None, 0)
    try:
        await request.app.state.tables.store.ping()
    except StoreError:
        return Response(Health(NO_DATABASE, False, jobs, workers), status_code=503)
    return Response(Health(NO_JOBS if jobs is False else WELL, True, jobs, workers))
