"""The endpoint for the queries of text mode."""

from typing import Annotated

import msgspec
from litestar import Router, get
from litestar.params import QueryParameter

from sparring.server.api.responses import Id, errors, needs_scope
from sparring.server.requests.identity import SMALL, CurrentPerson, TablesDep
from sparring.site.text_mode.typed_queries import answer_query
from sparring.tables.action_requests import LONGEST_WORDS

Question = Annotated[str, QueryParameter(max_length=LONGEST_WORDS, description="A query, such as `hand` or `at c3`.")]


class TableAnswer(msgspec.Struct):
    """The answer to a query."""

    said: Annotated[list[str], msgspec.Meta(description="The answer, line by line.")]


@get("/table/{table_id:str}/ask", **needs_scope("look"), responses=errors(404, 410, 422), summary="Query a table")
async def ask(person: CurrentPerson, tables: TablesDep, table_id: Id, words: Question) -> TableAnswer:
    """Answer a query of text mode, such as `hand`, `at c3` or `last`; `help` lists them all."""
    table = await tables.registry.get(table_id)
    return TableAnswer(answer_query(table, await table.catch_up(table.seat_of(person)), words))


def router() -> Router:
    """Return the endpoint."""
    return Router("/api", route_handlers=[ask], tags=["tables"], request_max_body_size=SMALL)
