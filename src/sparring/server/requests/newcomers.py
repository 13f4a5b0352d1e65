"""Newcomers: the requests that wait while the server is overloaded. Routes declare them, and `admit` refuses them."""

from typing import Any

from litestar import Request

from sparring.people.identity import COOKIE
from sparring.server.monitoring import Overloaded
from sparring.store.person import STRANGER, Person

from .server_state import server_state

#: Options of a route: who counts as a newcomer there. Everyone, because it starts something new; people without a seat
#: at the table of its path; visitors without an identity.
EVERYONE, UNSEATED, STRANGERS = ({"newcomers": who} for who in ("everyone", "unseated", "strangers"))


async def admit(request: Request[Any, Any, Any], owner: Person | None = None) -> None:
    """Raise Overloaded for a newcomer while the server is overloaded; `owner` is the person of a token."""
    overload = server_state(request.app).overload
    who = request.route_handler.opt.get("newcomers")
    if not overload.active or who is None:
        return
    identity_cookie = server_state(request.app).identity_cookie
    person = owner or identity_cookie.read(request.cookies.get(COOKIE)) or STRANGER
    if who == "strangers" and person.id:
        return
    if who == "unseated" and person.id:
        tables = server_state(request.app).tables
        if (await tables.registry.get(request.path_params["table_id"])).seats_of(person):
            return
    raise Overloaded
