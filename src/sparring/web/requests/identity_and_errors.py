"""Identity and errors of requests: who sends them, limits on bodies, and refusals in one clear sentence."""

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
from sparring.engine.formats.toml_reader import LONGEST_WITH_PICTURES
from sparring.tutorials import NoLesson
from sparring.web.accounts.accounts import SIGNED_OUT, Accounts, SessionRevoked, SignInFailed, SignInRequired
from sparring.web.accounts.passkeys import BadPasskey
from sparring.web.accounts.recovery_codes import BadCode
from sparring.web.api_tokens import BadToken, ScopeMissing, TokenNotFound, Tokens, check_scope
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
from sparring.web.tables.table import NotAllowed, TableChanged
from sparring.web.tables.tables import Tables

from .redirects import leads, split

log = logging.getLogger(__name__)

AnyRequest = Request[Any, Any, Any]

#: Dependencies of handlers: the person, all tables, accounts, and the lobby.
Asker = NamedDependency[Person]
TheTables = NamedDependency[Tables]
TheAccounts = NamedDependency[Accounts]
TheLobby = NamedDependency[Lobby]

#: The header of a refusal that names the process with the table.
ELSEWHERE = "sparring-elsewhere"

#: The largest body of a small POST, in bytes.
SMALL = 4096


#: Keys of a request's state: the person of a token, and that the browser's preference has been moved to the person.
COME_IN, TAKEN_OVER = "come in", "taken over"
#: The cookie values of a preference that has just changed.
JUST_SAID = {wish: f"{wish} now" for wish in (WORDS, PICTURES)}
YEAR = 365 * 24 * 3600
#: The longest description of unreadable input, in characters.
LONGEST_REASON = 300


class PageNotFound(SparringError):
    """The page doesn't exist."""


class CrossSitePost(SparringError):
    """Another site made a browser send this POST."""


class ForgedCookie(SparringError):
    """The cookie wasn't made by this server."""


STATUS: dict[type[SparringError], int] = {
    BadToken: 401, Banned: 403, ScopeMissing: 403, NotAllowed: 403, CrossSitePost: 403, ForgedCookie: 403,
    SessionRevoked: 403, SignInRequired: 403,
    SignInFailed: 403, BadPasskey: 403, BadCode: 403, PageNotFound: 404, TokenNotFound: 404, TableNotFound: 404,
    LineNotFound: 404, NoSet: 404,
    NoRecord: 404, UnknownGame: 404, NoLesson: 404, TableChanged: 409, StaleWrite: 409, BadRecord: 410, TooMany: 429,
    StoreError: 503, ServerClosing: 503, OnOtherNode: 503, Busy: 503,
}  # fmt: skip


class ChoiceAccepted(msgspec.Struct):
    """A choice was carried out and stored."""

    version: Annotated[int, msgspec.Meta(description="The version of the table that you see now.")]
    accepted: bool = True


async def provide_person(request: AnyRequest) -> Person:
    """Return the person who sends a request, by token or cookie; raise Banned if they are banned.

    A person with a revoked cookie may only look. The database is queried for new visitors only.
    """
    if known := request.scope["state"].get(COME_IN):
        return known  # type: ignore[no-any-return]
    passport: IdentityCookie = request.app.state.passport
    person = passport.read(request.cookies.get(COOKIE))
    if person is None and request.method == "POST":
        raise ForgedCookie("This browser's cookie was invalid and has been removed. Please try again.")
    bans: BanList = request.app.state.bans
    bans.check(person.id if person else "", address_of(request))
    if person is not None and person.id:
        accounts: Accounts = request.app.state.accounts
        person = await accounts.verify(person)
        if person.signed_out and request.method == "POST":
            raise SessionRevoked(SIGNED_OUT)
    person = await _listening(request, person or STRANGER)
    return replace(
        person, every_choice=request.cookies.get(CHOICES) == "every",
        forfeits=frozenset(request.cookies.get(FORFEITS, "").split(".")), network=_network_of(request),
    )  # fmt: skip


async def _listening(request: AnyRequest, person: Person) -> Person:
    """Apply the text-mode preference in the browser: for strangers, and just after it was changed.

    A preference that older versions stored in the browser is moved to the person, once.
    """
    told = request.cookies.get(LISTENING, "")
    if not person.id:
        return replace(person, text_mode=told == WORDS)
    if told == WORDS:
        accounts: Accounts = request.app.state.accounts
        if not await accounts.import_text_mode(person, requester_of(request, person)):
            return replace(person, text_mode=True)
        request.scope["state"][TAKEN_OVER] = True
        return await accounts.verify(person)
    return replace(person, text_mode=told == JUST_SAID[WORDS]) if told in JUST_SAID.values() else person


def remember_listening(answer: Response[Any], person: Person, *, words: bool) -> None:
    """Store a preference in the browser: a stranger's for long, others' until all processes know it."""
    wish = WORDS if words else PICTURES
    if person.id:
        answer.set_cookie(LISTENING, JUST_SAID[wish], max_age=JUST_NOW, samesite="lax")
    else:
        answer.set_cookie(LISTENING, wish, max_age=YEAR, samesite="lax")


def forget_person(request: AnyRequest, answer: Response[Any]) -> None:
    """Remove the identity from the browser, or restore the guest that it was before signing in."""
    passport: IdentityCookie = request.app.state.passport
    guest = passport.read(request.cookies.get(GUEST))
    if guest is None or not guest.id:
        answer.delete_cookie(COOKIE)
        return
    answer.set_cookie(passport.write(guest, secure=request.url.scheme == "https"))
    answer.delete_cookie(GUEST)


def address_of(request: AnyRequest) -> str:
    """Return the client's address as it is counted."""
    return network(request.client.host) if request.client else ""


def _network_of(request: AnyRequest) -> str:
    """Return a keyed hash of the client's network."""
    return keyed(address_of(request), request.app.state.tables.settings.secret)


def requester_of(request: AnyRequest, person: Person) -> Requester:
    """Return the client for rate limits."""
    return Requester(person.responsible, address_of(request))


async def authorize(request: AnyRequest) -> None:
    """Authorize a request: by a token, which no other site can make a browser send, or else as in `same_origin`.

    Tokens are for programs, and are ignored outside `/api`.
    """
    kind, _, token = (header(request, b"authorization") or "").partition(" ")
    if kind.lower() != "bearer" or not wants_json(request):
        return await same_origin(request)
    tokens: Tokens = request.app.state.tokens
    person = await tokens.read(token.strip())
    check_scope(person, request.route_handler.opt.get("scope"))
    bans: BanList = request.app.state.bans
    for who in {person.id, person.responsible}:
        bans.check(who, address_of(request))
    accounts: Accounts = request.app.state.accounts
    recognised = await accounts.verify(person)
    request.scope["state"][COME_IN] = replace(recognised, network=_network_of(request))
    return None


async def same_origin(request: AnyRequest) -> None:
    """Refuse POSTs that another site makes a browser send.

    This is `async` although it awaits nothing: Litestar would run it in a thread, at the cost of everything else
    together.
    """
    if request.method != "POST":
        return
    site, origin = header(request, b"sec-fetch-site"), header(request, b"origin")
    if site not in (None, "same-origin", "none") or (origin and origin.partition("://")[2] != header(request, b"host")):
        raise CrossSitePost("This request came from another site. Use the form on Sparring's own page.")


def header(request: AnyRequest, name: bytes) -> str | None:
    """Return a raw header; parsing all of them would double the cost of authorization."""
    return next((value.decode("latin-1") for each, value in request.scope["headers"] if each == name), None)


def wants_json(request: AnyRequest) -> bool:
    """Return whether the client is a program."""
    return is_api(request.scope["path"])


def status_of(problem: SparringError) -> int:
    """Return the HTTP status of an error."""
    return next((code for kind, code in STATUS.items() if isinstance(problem, kind)), 422)


def refuse(request: AnyRequest, problem: SparringError) -> Response[Any]:
    """Respond to an error with its sentence, as JSON or as a page."""
    answer = _answer(request, status_of(problem), str(problem))
    if isinstance(problem, ForgedCookie | SessionRevoked):
        forget_person(request, answer)
    if isinstance(problem, BadToken):
        answer.headers["WWW-Authenticate"] = "Bearer"
    if isinstance(problem, OnOtherNode):  # only `cluster/proxying.py` sees this
        answer.headers[ELSEWHERE] = " ".join(problem.where)
    return answer


def refuse_http(request: AnyRequest, problem: HTTPException) -> Response[Any]:
    """Respond to errors of Litestar itself."""
    sentences = {
        404: "There is nothing at this address.",
        405: "This address doesn't accept requests with this HTTP method.",
        413: f"This is too long: a file can have at most {LONGEST_WITH_PICTURES:,} characters, including its pictures. "
        "Nothing was changed.",
    }
    sentence = sentences.get(problem.status_code, f"{problem.detail}".rstrip(".") + ".")
    if isinstance(problem, ValidationException):
        sentence = _unreadable(problem)
    answer = _answer(request, problem.status_code, sentence)
    if problem.status_code == 405:
        answer.headers["Allow"] = ", ".join(allowed(request))
    return answer


def _unreadable(problem: ValidationException) -> str:
    """Describe what is wrong with the fields of a request."""
    found = problem.extra if isinstance(problem.extra, list) else []
    told = [": ".join(each[part] for part in ("key", "message") if each.get(part, "data") != "data") for each in found]
    return f"This request can't be read: {one_line('; '.join(told))[:LONGEST_REASON] or problem.detail}."


def allowed(request: AnyRequest) -> list[str]:
    """Return the methods that a path accepts."""
    asked = split(request.url.path)
    methods = set[str]()
    for route in request.app.routes:
        if isinstance(route, HTTPRoute) and leads(route.path_components, asked):
            methods |= route.methods
    return sorted(methods)


def refuse_depth(request: AnyRequest, _: RecursionError) -> Response[Any]:
    """Respond to a body that is nested too deeply."""
    return _answer(request, 400, "This request can't be read: it is nested too deeply.")


def refuse_bytes(request: AnyRequest, _: UnicodeDecodeError) -> Response[Any]:
    """Respond to a body that isn't text."""
    return _answer(request, 400, "This request can't be read: it isn't UTF-8 text.")


def report_bug(request: AnyRequest, problem: Exception) -> Response[Any]:
    """Respond to a bug; details go to the log only."""
    log.error("A request to %s failed", request.url.path, exc_info=problem)
    return _answer(request, 500, "Something went wrong on the server. Nothing you saved is lost. Please try again.")


def _answer(request: AnyRequest, status: int, sentence: str) -> Response[Any]:
    if wants_json(request) or request.headers.get("accept") == "application/json":  # as Sparring's own scripts do
        return Response(ApiRefusal(sentence), status_code=status, media_type=MediaType.JSON)
    parts = request.url.path.split("/")
    table = parts[2] if len(parts) > 3 and parts[1] == "table" else ""
    context = {"sentence": sentence, "status": status, "table": table, "theme": request.cookies.get("theme", "")}
    return Template("problem.html", context=context, status_code=status)
