"""Endpoints for giving up, draws, pauses and new deals."""

from typing import Annotated

import msgspec
from litestar import Router, post
from litestar.params import JSONBody

from sparring.web.api.responses import Id, errors, needs_scope
from sparring.web.requests.identity_and_errors import SMALL, Asker, ChoiceAccepted, TheTables
from sparring.web.tables.clocks.clock_state import What

REFUSALS = errors(404, 409, 410, 413, 422)


class ProposeRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A proposal to the other players."""

    what: Annotated[What, msgspec.Meta(description="A draw, which ends the match; a pause; or a take-back.")]


class AgreeRequest(msgspec.Struct, forbid_unknown_fields=True):
    """An answer to a proposal."""

    agree: Annotated[bool, msgspec.Meta(description="False declines the proposal, or withdraws your own.")]
    proposal: Annotated[
        str, msgspec.Meta(max_length=32, description="The id of the proposal, as the table's `time` has it.")
    ]


@post("/table/{table_id:str}/give-up", **needs_scope("play"), status_code=200, responses=REFUSALS, summary="Give up")
async def give_up(person: Asker, tables: TheTables, table_id: Id) -> ChoiceAccepted:
    """Lose the match at once. A single opponent wins; several play on, and a bot takes your seat."""
    return ChoiceAccepted(await tables.clocks.give_up(await tables.registry.get(table_id), person))


@post("/table/{table_id:str}/propose", **needs_scope("play"), status_code=200, responses=REFUSALS,
      summary="Propose a draw, a pause or a take-back")  # fmt: skip
async def propose(person: Asker, tables: TheTables, table_id: Id, data: JSONBody[ProposeRequest]) -> ChoiceAccepted:
    """Propose a draw, a pause or a take-back, which needs all players to agree.

    You can ask to take back your last choice until another player chooses, unless it ended in a result, used chance or
    showed you something hidden. Bots agree. A proposal lapses when a player who hasn't agreed ends a turn, and a
    take-back with the next choice. If it is a bot's turn, the bot waits a minute for the answers, then plays on.
    """
    return ChoiceAccepted(await tables.clocks.propose(await tables.registry.get(table_id), person, data.what))


@post("/table/{table_id:str}/answer", **needs_scope("play"), status_code=200, responses=REFUSALS,
      summary="Answer a proposal")  # fmt: skip
async def answer(person: Asker, tables: TheTables, table_id: Id, data: JSONBody[AgreeRequest]) -> ChoiceAccepted:
    """Accept or decline another player's proposal, or withdraw your own.

    If that proposal is no longer open, nothing changes, even if there is another one by now.
    """
    table = await tables.registry.get(table_id)
    return ChoiceAccepted(await tables.clocks.answer(table, person, data.agree, data.proposal))


@post("/table/{table_id:str}/go-on", **needs_scope("play"), status_code=200, responses=REFUSALS,
      summary="Resume a match")  # fmt: skip
async def go_on(person: Asker, tables: TheTables, table_id: Id) -> ChoiceAccepted:
    """End a pause. If it is another player's turn, they have a minute to return before their clock runs."""
    return ChoiceAccepted(await tables.clocks.go_on(await tables.registry.get(table_id), person))


@post("/table/{table_id:str}/new-deal", **needs_scope("play"), status_code=200, responses=REFUSALS,
      summary="Deal everything hidden again")  # fmt: skip
async def new_deal(person: Asker, tables: TheTables, table_id: Id) -> ChoiceAccepted:
    """Deal decks, hands and cards played face down again, once, at a table with a `known_deal`.

    Secret choices that are not revealed yet are taken back.
    """
    return ChoiceAccepted(await tables.clocks.new_deal(await tables.registry.get(table_id), person))


def router() -> Router:
    """Return the endpoints for giving up, draws, pauses and new deals."""
    handlers = [give_up, propose, answer, go_on, new_deal]
    return Router("/api", route_handlers=handlers, tags=["tables"], request_max_body_size=SMALL)
