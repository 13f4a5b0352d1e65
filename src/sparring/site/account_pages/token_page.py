"""The page for creating and revoking API tokens. Tokens can't be used for that themselves."""

import time
from typing import Any

from litestar import Router, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Template

from sparring.engine.errors import SparringError
from sparring.people.api_tokens import SCOPES, TokenRequest
from sparring.people.identity import with_name
from sparring.server.requests.errors import explain
from sparring.server.requests.identity import SMALL, AnyRequest, CurrentPerson, requester_of
from sparring.server.requests.server_state import server_state
from sparring.settings import DAY
from sparring.site.pages.table_pages import page
from sparring.store.person import Person

#: Lifetimes of tokens: days (0: unlimited) and labels.
LASTS = {"7": "7 days", "30": "30 days", "90": "90 days", "365": "a year", "0": "unlimited"}


@get("/me/tokens", include_in_schema=False)
async def tokens_page(request: AnyRequest, person: CurrentPerson) -> Template:
    """Show the person's tokens and the form for a new one."""
    return await _page(request, person, {"scope.look": "on", "scope.play": "on", "days": "90"})


async def _page(
    request: AnyRequest, person: Person, values: dict[str, str], status: int = 200, **more: Any
) -> Template:
    tokens = server_state(request.app).tokens
    mine = await tokens.store.of(person.id) if person.id else []
    context = {"made": "", "problem": "", **more}
    return page("tokens.html", request, person, status, mine=mine, values=values, scopes=SCOPES, lasts=LASTS,
                today=int(time.time()) // DAY, day=_day, now=time.time(), **context)  # fmt: skip


def _day(seconds: float) -> str:
    return time.strftime("%d %B %Y", time.gmtime(seconds)).lstrip("0")


@post("/me/tokens", include_in_schema=False, status_code=200)
async def make(request: AnyRequest, person: CurrentPerson) -> Template:
    """Create a token and show it this once."""
    form = {key: value for key, value in (await request.form()).items() if isinstance(value, str)}
    tokens = server_state(request.app).tokens
    days = form.get("days", "")
    scopes = [key.removeprefix("scope.") for key in form if key.startswith("scope.")]
    try:
        if days not in LASTS:
            raise SparringError(f"Choose the token's lifetime: {', '.join(LASTS.values())}.")
        owner = person if person.name else with_name(person, form.get("owner", ""))
        wanted = TokenRequest(form.get("name", ""), scopes, int(days), form.get("kind") == "bot")
        made = await tokens.make(owner, wanted, requester_of(request, owner))
    except SparringError as problem:
        return await _page(request, person, form, problem.status, problem=explain(request, problem))
    response = await _page(request, owner, {"scope.look": "on", "scope.play": "on", "days": "90"}, made=made)
    identity_cookie = server_state(request.app).identity_cookie
    if owner is not person:
        response.set_cookie(identity_cookie.write(owner, secure=request.url.scheme == "https"))
    return response


@post("/me/tokens/{token:str}/revoke", include_in_schema=False)
async def revoke(request: AnyRequest, person: CurrentPerson, token: FromPath[str]) -> Redirect:
    """Revoke a token."""
    tokens = server_state(request.app).tokens
    await tokens.revoke(person, token)
    return Redirect("/me/tokens", status_code=303)


def router() -> Router:
    """Return the routes of the page and its forms."""
    return Router("/", route_handlers=[tokens_page, make, revoke], request_max_body_size=SMALL)
