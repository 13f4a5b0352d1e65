"""The endpoints of the actions at a table (`tables/actions.py`)."""

from typing import Any

from litestar import post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody

from sparring.server.requests.identity import SMALL, AnyRequest, CurrentPerson
from sparring.server.requests.table_actions import find_table
from sparring.settings.action import Action
from sparring.tables.actions import TABLE_ACTIONS

from .responses import ApiDone, Id, errors, needs_scope

#: Not for the type checker: the struct is known at run time only.
BODY: Any = JSONBody


def endpoint(action: Action) -> HTTPRouteHandler:
    """Return the endpoint of an action, with the function's docstring, request and answer."""

    async def without_body(request: AnyRequest, person: CurrentPerson, table_id: Id) -> Any:
        return await action.do(await find_table(request, person, table_id)) or ApiDone()

    async def with_body(request: AnyRequest, person: CurrentPerson, table_id: Id, data: Any) -> Any:
        return await action.do(await find_table(request, person, table_id), data) or ApiDone()

    handle = with_body if action.request else without_body
    handle.__annotations__ |= {"data": BODY[action.request], "return": action.answer or ApiDone}
    action.lend_names(handle)
    mount = post(
        f"/api/table/{{table_id:str}}/{action.name}",
        **needs_scope(action.scope, {"newcomers": action.newcomers} if action.newcomers else {}),
        status_code=200,
        responses=errors(404, 409, 410, 413, 422),
        summary=action.summary,
        tags=[action.tag],
        request_max_body_size=SMALL,
    )
    return mount(handle)


HANDLERS = [endpoint(action) for action in TABLE_ACTIONS]
