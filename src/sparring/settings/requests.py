"""Requests: an action is declared once, for forms and JSON; refusals before the application reads one."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cached_property
from types import NoneType
from typing import Annotated, Any, get_type_hints

import msgspec

from sparring.engine.messages import say


@dataclass(frozen=True)
class Action:
    """What an action does, who may do it, and what the API's reference calls it."""

    #: The last part of its path.
    name: str
    #: A function of the place where it is done and, if it needs one, the request's struct (`data`). Its docstring is
    #: the reference text.
    do: Callable[..., Awaitable[Any]]
    #: The scope that a token needs.
    scope: str
    summary: str
    tag: str
    #: Who has to wait while the server is overloaded (`server/requests/identity.py`).
    newcomers: str = ""

    @cached_property
    def request(self) -> Any:
        """Return the struct of the request; None if it has none."""
        return get_type_hints(self.do).get("data")

    @cached_property
    def answer(self) -> Any:
        """Return the struct of the answer; None if there is nothing to tell."""
        answer = get_type_hints(self.do)["return"]
        return None if answer is NoneType else answer

    def lend_names(self, handler: Callable[..., Any]) -> None:
        """Give a handler the docstring and the names of `do`, for the reference and the log."""
        for name in ("__doc__", "__module__", "__name__", "__qualname__"):
            setattr(handler, name, getattr(self.do, name))


class ApiRefusal(msgspec.Struct):
    """Nothing was changed."""

    reason: Annotated[str, msgspec.Meta(description="One sentence: what was wrong, and what is possible.")]
    accepted: bool = False


def is_api(path: str) -> bool:
    """Return whether a path belongs to the API, which always answers in JSON; `/api` itself is a page."""
    return path.startswith("/api/")


def logged_as(sentence: str, entry: str) -> str:
    """Return a sentence that names the entry of the log with the cause, so that people can tell the operator."""
    return say("{sentence} (Log entry {entry})", sentence=sentence, entry=entry)


def refusal(sentence: str, *, json: bool) -> tuple[list[tuple[bytes, bytes]], bytes]:
    """Return the headers and the body of a refusal."""
    if json:
        kind, body = b"application/json", msgspec.json.encode(ApiRefusal(sentence))
    else:
        kind, body = b"text/plain; charset=utf-8", sentence.encode()
    return [(b"content-type", kind), (b"content-length", b"%d" % len(body))], body
