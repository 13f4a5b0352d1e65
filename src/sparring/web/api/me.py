"""Who one is, for programs, and the tables at which one sits."""

from typing import Annotated

import msgspec
from litestar import Router, get

from sparring.web.requests.exchange import Asker, TheTables
from sparring.web.tables.lobby import MINE

from .answers import allowed, refusals
from .tables import MyTable


class Me(msgspec.Struct):
    """As whom you come in."""

    name: Annotated[str, msgspec.Meta(description="What you are called at tables; empty: you never said it.")]
    scopes: Annotated[list[str], msgspec.Meta(description="What your token may do; empty: no token, a browser.")]
    bot_of: Annotated[str, msgspec.Meta(description="Whose bot you are; empty: you act as the person.")]


@get("/me", **allowed(""), responses=refusals(), summary="Who you are")
async def me(person: Asker) -> Me:
    """What is known of whoever asks."""
    by = person.by
    return Me(person.name, sorted(by.scopes) if by else [], by.bot_of if by else "")


@get("/me/tables", **allowed("look"), responses=refusals(), summary="Your tables")
async def my_tables(person: Asker, tables: TheTables) -> list[MyTable]:
    """The tables at which you sit: those where you are asked, then those that were opened last."""
    rows = await tables.lists.of(person.id, MINE) if person.id else []
    return [MyTable(row.id, row.game, row.over, [seat.name for seat in row.seats]) for row in rows]


def router() -> Router:
    """What is yours."""
    return Router("/api", route_handlers=[me, my_tables], tags=["you"])
