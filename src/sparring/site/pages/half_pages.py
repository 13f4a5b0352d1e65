"""The page of an invitation to bring the other half of a match."""

from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import msgspec
from litestar import get, post
from litestar.params import FromPath
from litestar.response import Redirect, Template

from sparring.engine.errors import SparringError
from sparring.engine.game import game as find_game
from sparring.people.identity import GUEST_NAME, with_id, with_name
from sparring.server.requests.errors import explain
from sparring.server.requests.identity import (
    EVERYONE,
    SMALL,
    STRANGERS,
    AnyRequest,
    CurrentPerson,
    TablesDep,
    link_to,
    requester_of,
)
from sparring.server.security.hosts import is_loopback
from sparring.site.table_parts.seat_panel import qr_code
from sparring.store.person import Person
from sparring.store.tables.half_store import InvitationGone
from sparring.tables.state.table_settings import TableSettings
from sparring.tables.tables import Tables

from .table_pages import page, redirect_with_identity


@get("/halves/{half_id:str}", include_in_schema=False, opt=STRANGERS)
async def invitation(
    request: AnyRequest, person: CurrentPerson, tables: TablesDep, half_id: FromPath[str]
) -> Template | Redirect:
    """Show the host that the invitation waits, and everyone else what they can bring; then redirect to the table."""
    try:
        return await _page(request, person, tables, half_id)
    except InvitationGone:
        if await tables.store.load(half_id):
            return Redirect(f"/table/{half_id}", status_code=303)
        raise


async def _page(
    request: AnyRequest, person: Person, tables: Tables, half_id: str, problem: str = "", status: int = 200
) -> Template:
    row = await tables.halves.invitation(half_id, person)
    game = find_game(row.game)
    link = link_to(request, tables, f"/halves/{row.id}")
    return page(
        "half.html", request, person, status, row=row, game=game, mine=row.person == person.id, link=link,
        here_only=is_loopback(urlsplit(link).hostname or ""), qr_code=qr_code(link),
        halves=await tables.halves.offered(game, person), rules=game.describe_options(msgspec.json.decode(row.options)),
        settings=TableSettings.read(row.settings), days=tables.settings.keep_unused, problem=problem,
    )  # fmt: skip


@post("/halves/{half_id:str}", include_in_schema=False, request_max_body_size=SMALL, opt=EVERYONE)
async def accept(
    request: AnyRequest, person: CurrentPerson, tables: TablesDep, half_id: FromPath[str]
) -> Template | Redirect:
    """Bring the other half and start the match. A person without a name is a guest."""
    form = await request.form()
    try:
        name = str(form.get("name", "")).strip() or person.name
        player = with_name(person, name) if name else replace(with_id(person), name=GUEST_NAME)
        half = str(form.get("half", ""))[:40]
        table = await tables.halves.accept(half_id, player, half, requester_of(request, player))
    except InvitationGone:
        raise
    except SparringError as problem:
        return await _page(request, person, tables, half_id, explain(request, problem), problem.status)
    return redirect_with_identity(request, player, f"/table/{table.id}")


@post("/halves/{half_id:str}/cancel", include_in_schema=False, request_max_body_size=SMALL)
async def cancel(person: CurrentPerson, tables: TablesDep, half_id: FromPath[str]) -> Redirect:
    """Cancel one's own invitation."""
    try:
        await tables.halves.cancel(half_id, person)
    except InvitationGone:  # it may have become a table meanwhile
        return Redirect(f"/halves/{half_id}", status_code=303)
    return Redirect("/", status_code=303)


HANDLERS: list[Any] = [invitation, accept, cancel]
