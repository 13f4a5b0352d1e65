"""What comes in and what is answered: bodies, identity, and refusals in one clear sentence."""

import logging
from dataclasses import replace
from typing import Annotated, Any

import msgspec
from litestar import MediaType, Request, Response
from litestar.di import NamedDependency
from litestar.exceptions import HTTPException, ValidationException
from litestar.response import Template
from litestar.routes import HTTPRoute

from sparring.engine.errors import BadRecord, SparringError, UnknownGame
from sparring.engine.formats.toml_reader import LONGEST_DRAWN
from sparring.tutorials import NoLesson
from sparring.web.accounts.accounts import SIGNED_OUT, Accounts, SessionRevoked, SignInFailed, SignInRequired
from sparring.web.accounts.passkeys import BadPasskey
from sparring.web.accounts.recovery_codes import BadCode
from sparring.web.api_tokens import BadToken, ScopeMissing, TokenNotFound, Tokens, allow
from sparring.web.identity import (
    CHOICES,
    COOKIE,
    FORFEITS,
    GUEST,
    JUST_NOW,
    LISTENING,
    PICTURES,
    STRANGER,
    WORDS,
    IdentityCookie,
    Person,
    one_line,
)  # fmt: skip
from sparring.web.security.bans import BanList, Banned
from sparring.web.security.networks import keyed, network
from sparring.web.security.rate_limits import Requester, TooMany
from sparring.web.security.refusals import ApiRefusal, is_api
from sparring.web.security.uploads import Busy
from sparring.web.storage import NoRecord, NoSet, StaleWrite, StoreError
from sparring.web.tables.chat.chat_actions import LineNotFound
from sparring.web.tables.lobby import Lobby
from sparring.web.tables.registry import OnOtherNode, ServerClosing, TableNotFound
from sparring.web.tables.table import NotYours, TooLate
from sparring.web.tables.tables import Tables

from .redirects import leads, split

log = logging.getLogger(__name__)

AnyRequest = Request[Any, Any, Any]

#: What handlers are given: whose browser asks, all tables, and where people meet.
Asker = NamedDependency[Person]
TheTables = NamedDependency[Tables]
TheAccounts = NamedDependency[Accounts]
TheLobby = NamedDependency[Lobby]

#: The header by which a refusal says which process has a table.
ELSEWHERE = "sparring-elsewhere"

#: How long the body of a small post may be, in bytes.
SMALL = 4096


#: Where a request keeps who came in by a token, and that what their browser remembered is kept with the person now.
COME_IN, TAKEN_OVER = "come in", "taken over"
#: What the browser of somebody says just after they chose.
JUST_SAID = {wish: f"{wish} now" for wish in (WORDS, PICTURES)}
YEAR = 365 * 24 * 3600
#: How much is told of what cannot be read, in letters.
LONGEST_REASON = 300


class PageNotFound(SparringError):
    """Something that there is not."""


class CrossSitePost(SparringError):
    """A post that another site made a browser send."""


class ForgedCookie(SparringError):
    """A cookie that was not made here."""


STATUS: dict[type[SparringError], int] = {
    BadToken: 401, Banned: 403, ScopeMissing: 403, NotYours: 403, CrossSitePost: 403, ForgedCookie: 403,
    SessionRevoked: 403, SignInRequired: 403,
    SignInFailed: 403, BadPasskey: 403, BadCode: 403, PageNotFound: 404, TokenNotFound: 404, TableNotFound: 404,
    LineNotFound: 404, NoSet: 404,
    NoRecord: 404, UnknownGame: 404, NoLesson: 404, TooLate: 409, StaleWrite: 409, BadRecord: 410, TooMany: 429,
    StoreError: 503, ServerClosing: 503, OnOtherNode: 503, Busy: 503,
}  # fmt: skip


class ChoiceAccepted(msgspec.Struct):
    """A choice was carried out and stored."""

    version: Annotated[int, msgspec.Meta(description="The version of the table that you see now.")]
    accepted: bool = True


async def provide_person(request: AnyRequest) -> Person:
    """Who asks: whoever a token speaks for, or else whose browser this is; refused if they are kept out.

    With a cookie that counts for nothing one may look, and no more. It waits for the database when somebody is first
    seen, and for nothing afterwards.
    """
    if known := request.scope["state"].get(COME_IN):
        return known  # type: ignore[no-any-return]
    passport: IdentityCookie = request.app.state.passport
    person = passport.read(request.cookies.get(COOKIE))
    if person is None and request.method == "POST":
        raise ForgedCookie(
            "The cookie of this browser was not made by this table; it has been removed, please try again."
        )
    bans: BanList = request.app.state.bans
    bans.check(person.id if person else "", address_of(request))
    if person is not None and person.id:
        accounts: Accounts = request.app.state.accounts
        person = await accounts.recognise(person)
        if person.signed_out and request.method == "POST":
            raise SessionRevoked(SIGNED_OUT)
    person = await _listening(request, person or STRANGER)
    return replace(
        person, every_choice=request.cookies.get(CHOICES) == "every",
        forfeits=frozenset(request.cookies.get(FORFEITS, "").split(".")), network=_network_of(request),
    )  # fmt: skip


async def _listening(request: AnyRequest, person: Person) -> Person:
    """Somebody as their browser knows what they want: while they are a stranger, and just after they said it.

    What a browser has remembered of somebody from before is kept with the person, once.
    """
    told = request.cookies.get(LISTENING, "")
    if not person.id:
        return replace(person, listens=told == WORDS)
    if told == WORDS:
        accounts: Accounts = request.app.state.accounts
        if not await accounts.take_over(person, asking(request, person)):
            return replace(person, listens=True)
        request.scope["state"][TAKEN_OVER] = True
        return await accounts.recognise(person)
    return replace(person, listens=told == JUST_SAID[WORDS]) if told in JUST_SAID.values() else person


def remember_listening(answer: Response[Any], person: Person, *, words: bool) -> None:
    """The browser of a stranger remembers what they want; that of somebody says it until all processes know."""
    wish = WORDS if words else PICTURES
    if person.id:
        answer.set_cookie(LISTENING, JUST_SAID[wish], max_age=JUST_NOW, samesite="lax")
    else:
        answer.set_cookie(LISTENING, wish, max_age=YEAR, samesite="lax")


def forget_person(request: AnyRequest, answer: Response[Any]) -> None:
    """The browser belongs to nobody, or to the guest again that it belonged to before somebody signed in."""
    passport: IdentityCookie = request.app.state.passport
    guest = passport.read(request.cookies.get(GUEST))
    if guest is None or not guest.id:
        answer.delete_cookie(COOKIE)
        return
    answer.set_cookie(passport.write(guest, secure=request.url.scheme == "https"))
    answer.delete_cookie(GUEST)


def address_of(request: AnyRequest) -> str:
    """From where somebody asks, as far as that tells people apart."""
    return network(request.client.host) if request.client else ""


def _network_of(request: AnyRequest) -> str:
    """Return a keyed hash of the network from which somebody asks."""
    return keyed(address_of(request), request.app.state.tables.settings.secret)


def asking(request: AnyRequest, person: Person) -> Requester:
    """Who asks for something that one may not ask for too often."""
    return Requester(person.answers, address_of(request))


async def admit(request: AnyRequest) -> None:
    """Let a request in: by a token, which no other site can make a browser send, or else as `same_origin` says.

    Tokens are for programs, and nothing but what stands under `/api` looks at them.
    """
    kind, _, token = (said(request, b"authorization") or "").partition(" ")
    if kind.lower() != "bearer" or not wants_json(request):
        return await same_origin(request)
    tokens: Tokens = request.app.state.tokens
    person = await tokens.read(token.strip())
    allow(person, request.route_handler.opt.get("scope"))
    bans: BanList = request.app.state.bans
    for who in {person.id, person.answers}:
        bans.check(who, address_of(request))
    accounts: Accounts = request.app.state.accounts
    recognised = await accounts.recognise(person)
    request.scope["state"][COME_IN] = replace(recognised, network=_network_of(request))
    return None


async def same_origin(request: AnyRequest) -> None:
    """Refuse posts that another site makes a browser send.

    It waits for nothing, but what is not `async` Litestar runs in a thread, which costs as much as all the rest.
    """
    if request.method != "POST":
        return
    site, origin = said(request, b"sec-fetch-site"), said(request, b"origin")
    if site not in (None, "same-origin", "none") or (origin and origin.partition("://")[2] != said(request, b"host")):
        raise CrossSitePost("This came from another site; choose on the table's own page.")


def said(request: AnyRequest, name: bytes) -> str | None:
    """What a header says: looked for as it came, as reading all of them costs as much as the rest of letting in."""
    return next((value.decode("latin-1") for each, value in request.scope["headers"] if each == name), None)


def wants_json(request: AnyRequest) -> bool:
    """Return whether a program asks, and not a browser."""
    return is_api(request.scope["path"])


def status_of(problem: SparringError) -> int:
    """The number that goes with a refusal."""
    return next((code for kind, code in STATUS.items() if isinstance(problem, kind)), 422)


def refuse(request: AnyRequest, problem: SparringError) -> Response[Any]:
    """The answer to bad input: its sentence, as JSON or as a page."""
    answer = _answer(request, status_of(problem), str(problem))
    if isinstance(problem, ForgedCookie | SessionRevoked):
        forget_person(request, answer)
    if isinstance(problem, BadToken):
        answer.headers["WWW-Authenticate"] = "Bearer"
    if isinstance(problem, OnOtherNode):  # nobody sees that but `many/passing.py`
        answer.headers[ELSEWHERE] = " ".join(problem.where)
    return answer


def refuse_http(request: AnyRequest, problem: HTTPException) -> Response[Any]:
    """The same for what Litestar itself refuses."""
    sentences = {
        404: "There is nothing at this address.",
        405: "This address does not take that kind of request.",
        413: f"This is too long: a file has at most {LONGEST_DRAWN:,} signs with its pictures. Nothing was changed.",
    }
    sentence = sentences.get(problem.status_code, f"{problem.detail}".rstrip(".") + ".")
    if isinstance(problem, ValidationException):
        sentence = _unreadable(problem)
    answer = _answer(request, problem.status_code, sentence)
    if problem.status_code == 405:
        answer.headers["Allow"] = ", ".join(allowed(request))
    return answer


def _unreadable(problem: ValidationException) -> str:
    """What was wrong with the fields of a body or an address."""
    found = problem.extra if isinstance(problem.extra, list) else []
    told = [": ".join(each[part] for part in ("key", "message") if each.get(part, "data") != "data") for each in found]
    return f"This cannot be read: {one_line('; '.join(told))[:LONGEST_REASON] or problem.detail}."


def allowed(request: AnyRequest) -> list[str]:
    """What an address takes."""
    asked = split(request.url.path)
    methods = set[str]()
    for route in request.app.routes:
        if isinstance(route, HTTPRoute) and leads(route.path_components, asked):
            methods |= route.methods
    return sorted(methods)


def refuse_depth(request: AnyRequest, _: RecursionError) -> Response[Any]:
    """The same for a body that is nested more deeply than anything we read."""
    return _answer(request, 400, "This post cannot be read: it is nested too deeply.")


def refuse_bytes(request: AnyRequest, _: UnicodeDecodeError) -> Response[Any]:
    """The same for a body that is no text."""
    return _answer(request, 400, "This post cannot be read: it is not text in UTF-8.")


def apologise(request: AnyRequest, problem: Exception) -> Response[Any]:
    """The answer when we made a mistake; what was wrong goes to the server's log alone."""
    log.error("A request to %s failed", request.url.path, exc_info=problem)
    return _answer(request, 500, "Something went wrong at our side; what was stored is safe. Please try again.")


def _answer(request: AnyRequest, status: int, sentence: str) -> Response[Any]:
    if wants_json(request) or request.headers.get("accept") == "application/json":  # as scripts of ours ask
        return Response(ApiRefusal(sentence), status_code=status, media_type=MediaType.JSON)
    parts = request.url.path.split("/")
    table = parts[2] if len(parts) > 3 and parts[1] == "table" else ""
    context = {"sentence": sentence, "status": status, "table": table, "theme": request.cookies.get("theme", "")}
    return Template("problem.html", context=context, status_code=status)
