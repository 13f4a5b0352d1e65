"""Forms for giving up, proposals, pauses and new deals, for pages without scripts."""

from typing import Literal

import msgspec
from litestar import Router, get, post
from litestar.params import URLEncodedBody
from litestar.response import Redirect

from sparring.web.tables.clocks.clock_state import What

from .action_routes import Id
from .identity_and_errors import SMALL, Asker, TheTables


class ProposalPost(msgspec.Struct):
    """A proposal to the others."""

    what: What


class ProposalReply(msgspec.Struct):
    """The answer to a proposal."""

    agree: Literal["yes", "no"]
    #: The id of the proposal.
    proposal: str


@post("/{table_id:str}/give-up")
async def give_up(person: Asker, tables: TheTables, table_id: Id) -> Redirect:
    """Give up the match."""
    await tables.clocks.give_up(await tables.registry.get(table_id), person)
    return _back(table_id)


@post("/{table_id:str}/propose")
async def propose(person: Asker, tables: TheTables, table_id: Id, data: URLEncodedBody[ProposalPost]) -> Redirect:
    """Propose a draw or a pause."""
    await tables.clocks.propose(await tables.registry.get(table_id), person, data.what)
    return _back(table_id)


@post("/{table_id:str}/answer")
async def answer(person: Asker, tables: TheTables, table_id: Id, data: URLEncodedBody[ProposalReply]) -> Redirect:
    """Accept or decline a proposal."""
    table = await tables.registry.get(table_id)
    await tables.clocks.answer(table, person, data.agree == "yes", data.proposal)
    return _back(table_id)


@post("/{table_id:str}/go-on")
async def go_on(person: Asker, tables: TheTables, table_id: Id) -> Redirect:
    """End a pause."""
    await tables.clocks.go_on(await tables.registry.get(table_id), person)
    return _back(table_id)


@post("/{table_id:str}/new-deal")
async def new_deal(person: Asker, tables: TheTables, table_id: Id) -> Redirect:
    """Deal everything hidden again, at a table with a known deal."""
    await tables.clocks.new_deal(await tables.registry.get(table_id), person)
    return _back(table_id)


class TurnStatus(msgspec.Struct):
    """Whether it is the person's turn."""

    yours: bool


@get("/{table_id:str}/turn")
async def turn(person: Asker, tables: TheTables, table_id: Id) -> TurnStatus:
    """Return whether it is the person's turn, for a page in the background that has no event stream."""
    table = await tables.registry.get(table_id)
    return TurnStatus(table.chooser in table.seats_of(person))


def _back(table: str) -> Redirect:
    return Redirect(f"/table/{table}", status_code=303)


def router() -> Router:
    """Return the router of these forms."""
    forms = [give_up, propose, answer, go_on, new_deal, turn]
    return Router("/table", route_handlers=forms, include_in_schema=False, request_max_body_size=SMALL)
