"""Who sends a request, by token or cookie, and to which table; what others may not send; who waits under overload."""

import hmac
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import msgspec
from litestar import Request, Response
from litestar.datastructures import UploadFile
from litestar.di import NamedDependency
from litestar.enums import RequestEncodingType
from markupsafe import Markup

from sparring.engine.errors import SparringError
from sparring.engine.messages import say
from sparring.monitoring import Overloaded
from sparring.people.accounts import Accounts, SessionRevoked
from sparring.people.api_tokens import check_scope
from sparring.people.fair_queue import caller
from sparring.people.identity import (
    CHOICES,
    COOKIE,
    GUEST,
    PICTURES,
    PROPAGATION_TIME,
    TEXT_MODE_COOKIE,
    WORDS,
)
from sparring.people.rate_limits import Requester
from sparring.scene.markup import void
from sparring.settings.requests import is_api
from sparring.settings.secrets import random_id
from sparring.store.accounts import SIGNED_OUT
from sparring.store.networks import keyed, network
from sparring.store.person import STRANGER, Person  # fmt: skip
from sparring.store.ratings import StreakStore
from sparring.tables.actions import AtTable
from sparring.tables.friends import Friends
from sparring.tables.lobby import Lobby
from sparring.tables.tables import Tables

from .server_state import server_state

AnyRequest = Request[Any, Any, Any]
A = TypeVar("A", bound=Response[Any])

#: Dependencies of handlers, which Litestar wants to be marked: the person, all tables, accounts, the lobby, friends,
#: and streaks of puzzles.
CurrentPerson = NamedDependency[Person]
TablesDep = NamedDependency[Tables]
AccountsDep = NamedDependency[Accounts]
LobbyDep = NamedDependency[Lobby]
FriendsDep = NamedDependency[Friends]
StreaksDep = NamedDependency[StreakStore]

#: The field of a form that creates something: a key, so that a second click creates nothing else.
ONCE = "once"

#: The largest body of a small POST, in bytes.
SMALL = 4096

#: The most fields of a form: more than any page sends.
MOST_FIELDS = 5000

#: Keys of a request's state: the person of a token, and whether the browser's preference was moved to the person.
TOKEN_PERSON, TEXT_MODE_IMPORTED = "token_person", "text_mode_imported"
#: The cookie values of a preference that has just changed.
JUST_SET = {wish: f"{wish} now" for wish in (WORDS, PICTURES)}
YEAR = 365 * 24 * 3600

#: Options of a route: who counts as a newcomer there, and has to wait while the server is overloaded. Everyone, because
#: it starts something new; people without a seat at the table of its path; visitors without an identity.
EVERYONE, UNSEATED, STRANGERS = ({"newcomers": who} for who in ("everyone", "unseated", "strangers"))


class CrossSitePost(SparringError):
    """Another site made a browser send this POST."""

    status = 403


class TooManyFields(SparringError):
    """The form has more fields than any page sends."""

    status = 413


class ForgedCookie(SparringError):
    """The cookie wasn't made by this server."""

    status = 403


async def provide_person(request: AnyRequest) -> Person:
    """Return the person who sends a request, by token or cookie; raise Banned if they are banned.

    A person with a revoked cookie may only read. The database is queried for new visitors only.
    """
    if known := request.scope["state"].get(TOKEN_PERSON):
        caller.get().person = known.responsible
        return replace(known, once=await _once(request, known))  # type: ignore[no-any-return]
    identity_cookie = server_state(request.app).identity_cookie
    person = identity_cookie.read(request.cookies.get(COOKIE))
    if person is None and request.method == "POST":
        raise ForgedCookie(say("This browser's cookie was invalid and has been removed. Please try again."))
    bans = server_state(request.app).bans
    bans.check(person.id if person else "", address_of(request))
    if person is not None and person.id:
        accounts = server_state(request.app).accounts
        person = await accounts.sessions.verify(person)
        if person.signed_out and request.method == "POST":
            raise SessionRevoked(say(SIGNED_OUT))
    person = await _with_text_mode(request, person or STRANGER)
    caller.get().person = person.responsible
    return replace(
        person, every_choice=request.cookies.get(CHOICES) == "every", network=_network_of(request),
        once=await _once(request, person),
    )  # fmt: skip


def once_field() -> Markup:
    """Return the hidden field with a new key. Browsers must not restore it when they reload the page."""
    return void("input", type="hidden", name=ONCE, value=random_id(16), autocomplete="off")


async def _once(request: AnyRequest, person: Person) -> str:
    """Return a secret that is the same for each repetition of a request with a key, and differs if its content does.

    Pages put a random key into forms that create something; it doesn't depend on the person, because a double click may
    come without the cookie that its first request sets. Programs choose their own keys.
    """
    kind = header(request, b"content-type") or ""
    content: list[Any]
    if request.method != "POST":
        return ""
    if wants_json(request):
        key = header(request, b"idempotency-key")
        content = [person.id, key, await request.body()]
    elif kind.startswith((RequestEncodingType.URL_ENCODED, RequestEncodingType.MULTI_PART)):
        form = await request.form()
        key, content = form.get(ONCE), []
        for name, value in form.multi_items() if key else ():
            content += [name, await value.read() if isinstance(value, UploadFile) else value]
            if isinstance(value, UploadFile):
                await value.seek(0)
    else:
        return ""
    if not key:
        return ""
    message = msgspec.json.encode([request.scope["path"], *content])
    return hmac.new(server_state(request.app).tables.settings.secret.encode(), message, "sha256").hexdigest()


async def _with_text_mode(request: AnyRequest, person: Person) -> Person:
    """Apply the text-mode preference in the browser: for strangers, and just after it was changed.

    A preference that older versions stored in the browser is moved to the person, once.
    """
    value = request.cookies.get(TEXT_MODE_COOKIE, "")
    if not person.id:
        return replace(person, text_mode=value == WORDS)
    if value == WORDS:
        accounts = server_state(request.app).accounts
        if not await accounts.import_text_mode(person, requester_of(request, person)):
            return replace(person, text_mode=True)
        request.scope["state"][TEXT_MODE_IMPORTED] = True
        return await accounts.sessions.verify(person)
    return replace(person, text_mode=value == JUST_SET[WORDS]) if value in JUST_SET.values() else person


def store_text_mode(response: Response[Any], person: Person, *, words: bool) -> None:
    """Store a preference in the browser: a stranger's for long, others' until all processes know it."""
    value = WORDS if words else PICTURES
    if person.id:
        response.set_cookie(TEXT_MODE_COOKIE, JUST_SET[value], max_age=PROPAGATION_TIME, samesite="lax")
    else:
        response.set_cookie(TEXT_MODE_COOKIE, value, max_age=YEAR, samesite="lax")


def with_identity_cookie(request: AnyRequest, person: Person, response: A, key: str = COOKIE) -> A:
    """Set the cookie that tells who the person is."""
    identity_cookie = server_state(request.app).identity_cookie
    response.set_cookie(identity_cookie.write(person, secure=request.url.scheme == "https", key=key))
    return response


def forget_person(request: AnyRequest, response: Response[Any]) -> None:
    """Remove the identity from the browser, or restore the guest that it was before signing in."""
    identity_cookie = server_state(request.app).identity_cookie
    guest = identity_cookie.read(request.cookies.get(GUEST))
    if guest is None or not guest.id:
        response.delete_cookie(COOKIE)
        return
    with_identity_cookie(request, guest, response)
    response.delete_cookie(GUEST)


def address_of(request: AnyRequest) -> str:
    """Return the client's address as it is counted."""
    return network(request.client.host) if request.client else ""


def _network_of(request: AnyRequest) -> str:
    """Return a keyed hash of the client's network."""
    return keyed(address_of(request), server_state(request.app).tables.settings.secret)


def requester_of(request: AnyRequest, person: Person) -> Requester:
    """Return the client for rate limits."""
    return Requester(person.responsible, address_of(request), person.once)


async def find_table(request: AnyRequest, person: Person, table_id: str) -> AtTable:
    """Return a person at a table as this process knows it, with the services for what they do; raise TableNotFound."""
    state = server_state(request.app)
    tables = state.tables
    return AtTable(
        tables, state.tokens, state.friends, await tables.registry.get(table_id, newest=False), person,
        requester_of(request, person), partial(invite_link, request, tables),
    )  # fmt: skip


def invite_link(request: AnyRequest, tables: Tables, table: str) -> str:
    """Return the invite link of a table."""
    return link_to(request, tables, f"/table/{table}")


def link_to(request: AnyRequest, tables: Tables, path: str) -> str:
    """Return the link to a page for other people."""
    return f"{tables.settings.friends or str(request.base_url).rstrip('/')}{path}"


async def authorize(request: AnyRequest) -> None:
    """Authorize a request by its token, which no other site can make a browser send; otherwise check its origin.

    Tokens are for programs, and are ignored outside `/api`.
    """
    scheme, _, token = (header(request, b"authorization") or "").partition(" ")
    if scheme.lower() != "bearer" or not wants_json(request):
        await admit(request)
        return await check_post(request)
    tokens = server_state(request.app).tokens
    person = await tokens.read(token.strip())
    check_scope(person, request.route_handler.opt.get("scope"))
    await admit(request, person)
    bans = server_state(request.app).bans
    for banned_id in {person.id, person.responsible}:
        bans.check(banned_id, address_of(request))
    accounts = server_state(request.app).accounts
    verified = await accounts.sessions.verify(person)
    request.scope["state"][TOKEN_PERSON] = replace(verified, network=_network_of(request))
    return None


async def admit(request: AnyRequest, owner: Person | None = None) -> None:
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


async def check_post(request: AnyRequest) -> None:
    """Refuse POSTs that another site makes a browser send, and forms with too many fields to parse.

    The same host over http is another site, since anyone on the way can write its pages. A page over https is accepted
    by a server that is asked over http: a proxy may not tell it the scheme.
    """
    if request.method != "POST":
        return
    site, origin = header(request, b"sec-fetch-site"), header(request, b"origin")
    scheme, _, host = (origin or "").partition("://")
    foreign = host != header(request, b"host") or scheme not in ("https", request.scope["scheme"])
    if site not in (None, "same-origin", "none") or (origin and foreign):
        raise CrossSitePost(say("This request came from another site. Use the form on Sparring's own page."))
    kind = header(request, b"content-type") or ""
    if not kind.startswith(("application/json", "multipart/")) and (await request.body()).count(b"&") >= MOST_FIELDS:
        raise TooManyFields(say("This form has more than {n} fields. Nothing was changed.", n=f"{MOST_FIELDS:,}"))


def header(request: AnyRequest, name: bytes) -> str | None:
    """Return a header. Litestar's parser reads all of them, which would double the cost of authorization."""
    return next((value.decode("latin-1") for each, value in request.scope["headers"] if each == name), None)


def wants_json(request: AnyRequest) -> bool:
    """Return whether the client is a program."""
    return is_api(request.scope["path"])
