"""Endpoints of invitations to bring the other half of a match."""

from typing import Annotated

import msgspec
from litestar import Router, get, post
from litestar.params import JSONBody

from sparring.people.identity import with_name
from sparring.server.api.responses import ApiDone, Id, errors, needs_scope
from sparring.server.requests.identity import (
    EVERYONE,
    SMALL,
    AnyRequest,
    CurrentPerson,
    TablesDep,
    invite_link,
    requester_of,
)
from sparring.store.tables.half_store import InvitationGone
from sparring.tables.actions import OpenedTable
from sparring.tables.state.table import NotAllowed
from sparring.tables.state.table_settings import LONGEST_FIELD


class HalfInvitation(msgspec.Struct):
    """An invitation to bring the other half of a match."""

    game: Annotated[str, msgspec.Meta(description="The game's name.")]
    host: Annotated[str, msgspec.Meta(description="The name of the host.")]
    mine: Annotated[bool, msgspec.Meta(description="Whether it is yours.")]
    started: Annotated[bool, msgspec.Meta(description="Whether the match has started, at the table with this id.")]


class BroughtHalf(msgspec.Struct, forbid_unknown_fields=True):
    """The half that you bring."""

    half: Annotated[str, msgspec.Meta(max_length=40, description="`standard`, or the id of one of your sets.")]
    name: Annotated[
        str, msgspec.Meta(max_length=LONGEST_FIELD, description="Your name at this table, if not the usual one.")
    ] = ""


@get("/halves/{half_id:str}", **needs_scope("look"), responses=errors(404), summary="An invitation to bring a half")
async def look(person: CurrentPerson, tables: TablesDep, half_id: Id) -> HalfInvitation:
    """Return an invitation, or that its match has started."""
    try:
        row = await tables.halves.invitation(half_id, person)
    except InvitationGone:
        table = await tables.store.load(half_id)
        if table is None:
            raise
        host = next((seat.name for seat in table.seats if seat.person == table.host), "")
        return HalfInvitation(table.game, host, table.host == person.id, started=True)
    return HalfInvitation(row.game, row.name, row.person == person.id, started=False)


@post("/halves/{half_id:str}", **needs_scope("play", EVERYONE), responses=errors(404, 409, 413, 422),
      summary="Bring the other half")  # fmt: skip
async def accept(
    request: AnyRequest, person: CurrentPerson, tables: TablesDep, half_id: Id, data: JSONBody[BroughtHalf]
) -> OpenedTable:
    """Bring the other half and take seat 2. This creates the table."""
    if not person.id:
        raise NotAllowed("Sign in first, with a token or your browser's cookie, to take a seat.")
    player = with_name(person, data.name) if data.name else person
    table = await tables.halves.accept(half_id, player, data.half, requester_of(request, player))
    return OpenedTable(table.id, invite_link(request, tables, table.id))


@post("/halves/{half_id:str}/cancel", **needs_scope("tables"), status_code=200, responses=errors(404),
      summary="Cancel an invitation")  # fmt: skip
async def cancel(person: CurrentPerson, tables: TablesDep, half_id: Id) -> ApiDone:
    """Cancel your invitation."""
    await tables.halves.cancel(half_id, person)
    return ApiDone()


def router() -> Router:
    """Return the endpoints of halves."""
    return Router("/api", route_handlers=[look, accept, cancel], tags=["tables"], request_max_body_size=SMALL)
