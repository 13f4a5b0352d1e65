"""Where an action at a table is done: what its form and its endpoint both find out from the request."""

from functools import partial

from sparring.store.person import Person
from sparring.tables.actions import AtTable
from sparring.tables.tables import Tables

from .identity import AnyRequest, requester_of
from .server_state import server_state


async def find_table(request: AnyRequest, person: Person, table_id: str) -> AtTable:
    """Return a person at a table, with the services for what they do; raise TableNotFound if there is no such table."""
    state = server_state(request.app)
    tables = state.tables
    return AtTable(
        tables, state.tokens, state.friends, await tables.registry.get(table_id), person,
        requester_of(request, person), partial(invite_link, request, tables),
    )  # fmt: skip


def invite_link(request: AnyRequest, tables: Tables, table: str) -> str:
    """Return the invite link of a table."""
    return link_to(request, tables, f"/table/{table}")


def link_to(request: AnyRequest, tables: Tables, path: str) -> str:
    """Return the link to a page for other people."""
    return f"{tables.settings.friends or str(request.base_url).rstrip('/')}{path}"
