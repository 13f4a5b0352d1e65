"""Errors of requests: each is refused in one clear sentence, as JSON or as a page."""

import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from typing import Any

from litestar import MediaType, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.response import Template
from litestar.routes import HTTPRoute

from sparring.engine.errors import SparringError
from sparring.engine.formats.toml import LONGEST_WITH_PICTURES
from sparring.engine.messages import say
from sparring.monitoring import Overloaded
from sparring.people.accounts import SessionRevoked
from sparring.people.api_tokens import BadToken
from sparring.scene.markup import SeatNames, el, join, one_line
from sparring.settings.requests import ApiRefusal, logged_as
from sparring.tables.play.match_history import CannotReplay, GoneRefusal

from .identity import AnyRequest, ForgedCookie, forget_person, wants_json
from .pages import leads, split
from .server_state import server_state

#: The longest description of unreadable input, in characters.
LONGEST_REASON = 300


#: The pages of a table and of a replay, with pictures and in text mode.
MATCH_PAGE = re.compile("/(table|records)/[^/]+(/replay)?(/text)?")

#: What Litestar raises, with status 500, when a client leaves before its request is complete.
DISCONNECTED = "client disconnected prematurely"
#: The sentence about a bug.
BUG = "Something went wrong on the server. Nothing you saved is lost. Please try again."


class PageNotFound(SparringError):
    """The page doesn't exist."""

    status = 404


def explain(request: AnyRequest, problem: Exception, sentence: str = "") -> str:
    """Return the sentence about an error. If the client isn't to blame, log it, and name the entry of the log."""
    sentence, status = sentence or str(problem), 500
    if isinstance(problem, SparringError | HTTPException):
        status = problem.status if isinstance(problem, SparringError) else problem.status_code
    if status < 500 or getattr(problem, "detail", "") == DISCONNECTED:
        return sentence
    kind = f"{request.scope.get('route_handler')} failed" if status == 500 else sentence
    faults = server_state(request.app).faults
    return logged_as(sentence, faults.report(kind, problem))


def told(request: AnyRequest, problem: SparringError) -> dict[str, Any]:
    """Return what a page says about an error: the context of its template, and its status."""
    return {"problem": explain(request, problem), "status": problem.status}


async def explained(
    request: AnyRequest, parts: AsyncGenerator[bytes], last: Callable[[str], bytes]
) -> AsyncIterator[bytes]:
    """Yield the parts of a response; if one fails, end it with `last` of the sentence about the error."""
    try:
        async with aclosing(parts):
            async for part in parts:
                yield part
    except Exception as problem:  # noqa: BLE001 - the status is sent already, so no handler could answer
        yield last(explain_late(request, problem))


def explain_late(request: AnyRequest, problem: Exception) -> str:
    """Return the sentence about an error of a response that has begun; log it if the client isn't to blame."""
    return explain(request, problem, "" if isinstance(problem, SparringError) else say(BUG))


def refuse(request: AnyRequest, problem: SparringError) -> Response[Any]:
    """Respond to an error with its sentence, as JSON or as a page."""
    if isinstance(problem, CannotReplay):
        return _show_kept_match(request, problem)
    retry_after = problem.retry_after if isinstance(problem, Overloaded) else 0
    response = _respond(request, problem.status, explain(request, problem), retry_after)
    if isinstance(problem, ForgedCookie | SessionRevoked):
        forget_person(request, response)
    if isinstance(problem, BadToken):
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


def _show_kept_match(request: AnyRequest, problem: CannotReplay) -> Response[Any]:
    """Respond with what is left of a match. Its table and its replay show that; everything else is gone."""
    match = problem.match
    if _is_program(request):
        return Response(GoneRefusal(str(problem), match=match), status_code=410, media_type=MediaType.JSON)
    names = SeatNames(match.names)
    log = join(el("li", names.marked(line.text), class_=line.kind or None) for line in match.lines or ())
    context = {"match": match, "sentence": str(problem), "log": log, "theme": request.cookies.get("theme", "")}
    is_page = request.method == "GET" and MATCH_PAGE.fullmatch(request.url.path)
    return Template("kept_match.html", context=context, status_code=200 if is_page else 410)


def refuse_http(request: AnyRequest, problem: HTTPException) -> Response[Any]:
    """Respond to errors of Litestar itself."""
    sentences = {
        404: say("There is nothing at this address."),
        405: say("This address doesn't accept requests with this HTTP method."),
        413: say(
            "This is too long: a file can have at most {n} characters, including its pictures. Nothing was changed.",
            n=f"{LONGEST_WITH_PICTURES:,}",
        ),
    }
    if not wants_json(request):  # a form's address, bookmarked or typed
        sentences[405] = say("You can't open this page by its address. Please start again from the start page.")
    sentence = sentences.get(problem.status_code, f"{problem.detail}".rstrip(".") + ".")
    if isinstance(problem, ValidationException):
        sentence = _validation_error(problem)
    response = _respond(request, problem.status_code, explain(request, problem, sentence))
    if problem.status_code == 405:
        response.headers["Allow"] = ", ".join(allowed_methods(request))
    return response


def _validation_error(problem: ValidationException) -> str:
    """Describe what is wrong with the fields of a request."""
    errors = problem.extra if isinstance(problem.extra, list) else []
    messages = [
        ": ".join(each[part] for part in ("key", "message") if each.get(part, "data") != "data") for each in errors
    ]
    reason = one_line("; ".join(messages))[:LONGEST_REASON] or problem.detail
    return say("This request can't be read: {reason}.", reason=reason)


def allowed_methods(request: AnyRequest) -> list[str]:
    """Return the methods that a path accepts."""
    words = split(request.url.path)
    methods = set[str]()
    for route in request.app.routes:
        if isinstance(route, HTTPRoute) and leads(route.path_components, words):
            methods |= route.methods
    return sorted(methods)


def refuse_depth(request: AnyRequest, _: RecursionError) -> Response[Any]:
    """Respond to a body that is nested too deeply."""
    return _respond(request, 400, say("This request can't be read: it is nested too deeply."))


def refuse_bytes(request: AnyRequest, _: UnicodeDecodeError) -> Response[Any]:
    """Respond to a body that isn't text."""
    return _respond(request, 400, say("This request can't be read: it isn't UTF-8 text."))


def report_bug(request: AnyRequest, problem: Exception) -> Response[Any]:
    """Respond to a bug; details go to the log only."""
    return _respond(request, 500, explain(request, problem, say(BUG)))


def _is_program(request: AnyRequest) -> bool:
    """Return whether the client takes JSON, as Sparring's own scripts do."""
    return wants_json(request) or request.headers.get("accept") == "application/json"


def _respond(request: AnyRequest, status: int, sentence: str, retry_after: int = 0) -> Response[Any]:
    headers = {"Retry-After": str(retry_after)} if retry_after else {}
    if _is_program(request):
        return Response(ApiRefusal(sentence), status_code=status, media_type=MediaType.JSON, headers=headers)
    parts = request.url.path.split("/")
    table = parts[2] if len(parts) > 3 and parts[1] == "table" else ""
    context = {
        "sentence": sentence, "status": status, "table": table, "theme": request.cookies.get("theme", ""),
        "retry_after": retry_after, "retries": retry_after and request.method == "GET",
        "texts": server_state(request.app).texts,
    }  # fmt: skip
    return Template("problem.html", context=context, status_code=status, headers=headers)
