"""How a server is, for whoever watches over it: one sentence, and what it comes from."""

from typing import Any

import msgspec
from litestar import Response, get

from sparring.web.storage import StoreError

from .identity_and_errors import AnyRequest

WELL = "All is well."
NO_DATABASE = "The database does not answer: nothing can be opened or chosen until it does."
NO_BROKER = "The broker is away: tables of other machines cannot be reached, bots think here meanwhile."


class Health(msgspec.Struct, frozen=True):
    """How a server is. Without a broker nothing is said of one."""

    says: str
    database: bool
    broker: bool | None = None
    #: How many jobs workers elsewhere do at once.
    workers: int = 0


@get("/health", include_in_schema=False)
async def health(request: AnyRequest) -> Response[Health]:
    """How this process is; 503 where nobody can play at it."""
    others: Any = request.app.state.others
    broker = others.broker.there if others and others.broker else None
    workers = others.jobs.places if others and others.jobs else 0
    try:
        await request.app.state.tables.store.answers()
    except StoreError:
        return Response(Health(NO_DATABASE, False, broker, workers), status_code=503)
    return Response(Health(NO_BROKER if broker is False else WELL, True, broker, workers))
