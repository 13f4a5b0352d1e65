"""Giving up, draws and pauses for programs, and for our own script."""

from typing import Annotated

import msgspec
from litestar import Router, post
from litestar.params import JSONBody

from sparring.web.requests.identity_and_errors import SMALL, Asker, ChoiceAccepted, TheTables
from sparring.web.tables.clocks.clock_state import What

from .responses import Id, allowed, refusals

REFUSALS = refusals(404, 409, 410, 413, 422)


class ProposeRequest(msgspec.Struct, forbid_unknown_fields=True):
    """What is proposed to the others."""

    what: Annotated[What, msgspec.Meta(description="A draw, which ends the match, or a pause.")]


class AgreeRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Whether one agrees to what is proposed."""

    agree: Annotated[bool, msgspec.Meta(description="False: it is off; who proposed it takes it back so.")]


@post("/table/{table_id:str}/give-up", **allowed("play"), status_code=200, responses=REFUSALS, summary="Give up")
async def give_up(person: Asker, tables: TheTables, table_id: Id) -> ChoiceAccepted:
    """Lose the match at once. Against one other it is over; several others play on, and a bot on your seat."""
    return ChoiceAccepted(await tables.give_up(await tables.get(table_id), person))


@post("/table/{table_id:str}/propose", **allowed("play"), status_code=200, responses=REFUSALS,
      summary="Offer a draw, or ask for a pause")  # fmt: skip
async def propose(person: Asker, tables: TheTables, table_id: Id, data: JSONBody[ProposeRequest]) -> ChoiceAccepted:
    """Propose something. It happens when all who play have agreed, and lapses when another one has had a turn."""
    return ChoiceAccepted(await tables.propose(await tables.get(table_id), person, data.what))


@post("/table/{table_id:str}/answer", **allowed("play"), status_code=200, responses=REFUSALS,
      summary="Agree to what is proposed, or not")  # fmt: skip
async def answer(person: Asker, tables: TheTables, table_id: Id, data: JSONBody[AgreeRequest]) -> ChoiceAccepted:
    """Say whether you agree to what another one proposes."""
    return ChoiceAccepted(await tables.answer(await tables.get(table_id), person, data.agree))


@post("/table/{table_id:str}/go-on", **allowed("play"), status_code=200, responses=REFUSALS, summary="End a pause")
async def go_on(person: Asker, tables: TheTables, table_id: Id) -> ChoiceAccepted:
    """End a pause. Where another one is asked they have a minute to come back before their clock goes on."""
    return ChoiceAccepted(await tables.go_on(await tables.get(table_id), person))


def router() -> Router:
    """What can be done about time and its end."""
    handlers = [give_up, propose, answer, go_on]
    return Router("/api", route_handlers=handlers, tags=["tables"], request_max_body_size=SMALL)
