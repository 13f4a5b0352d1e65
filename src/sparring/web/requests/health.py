"""Health check: one sentence, and the facts behind it."""

from typing import Any

import msgspec
from litestar import Response, get

from sparring.web.storage import StoreError

from .identity_and_errors import AnyRequest

WELL = "Everything works."
NO_DATABASE = "The database doesn't answer, so tables can't be created or played."
NO_BROKER = "The broker is unreachable: tables of other machines are unavailable, and bots run here until it is back."


class Health(msgspec.Struct, frozen=True):
    """The state of a server; `broker` is None if there is none."""

    says: str
    database: bool
    broker: bool | None = None
    #: How many jobs remote workers do at once.
    workers: int = 0


@get("/health", include_in_schema=False)
async def health(request: AnyRequest) -> Response[Health]:
    """Return the state of this process; 503 if the database doesn't answer."""
    cluster: Any = request.app.state.others
    broker = cluster.broker.connected if cluster and cluster.broker else None
    workers = cluster.jobs.places if cluster and cluster.jobs else 0
    try:
        await request.app.state.tables.store.ping()
    except StoreError:
        return Response(Health(NO_DATABASE, False, broker, workers), status_code=503)
    return Response(Health(NO_BROKER if broker is False else WELL, True, broker, workers))
