"""What pages share: parts that are rendered in a thread, the fields of forms, and redirects that stay on this server.

Expensive parts have a fair queue, and are cached if they are the same for many people. So the event loop stays free,
and an address that asks for many expensive pages waits for its own.
"""

import asyncio
import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, get_args
from urllib.parse import urlsplit

from litestar import Litestar, Request
from litestar.di import NamedDependency
from litestar.response import Redirect, Template
from litestar.routes import HTTPRoute

from sparring.engine.messages import LANGUAGE
from sparring.people.fair_queue import FairQueue
from sparring.store.ttl_cache import TtlCache

T = TypeVar("T")

#: The most parts that wait, and the number of cached ones (up to half a megabyte each).
MOST_WAITING, CACHED = 50, 64


class PageRenderer:
    """The parts of pages that are rendered in a thread, one after the other."""

    def __init__(self) -> None:
        self.turns = FairQueue(
            1, most=MOST_WAITING, busy="The server is busy preparing other pages. Please try again soon."
        )
        self._parts = TtlCache[Any](CACHED, age=None)

    async def run(self, work: Callable[[], T]) -> T:
        """Return the result of work in the thread."""
        async with self.turns.turn():
            return await asyncio.to_thread(work)

    async def part(self, render: Callable[[], T], *name: object) -> T:
        """Return a part of a page by its name, which says everything that it depends on besides the language."""
        language = LANGUAGE.get()
        key = f"{name!r} {id(language)}"
        if key not in self._parts:  # the language is kept with the part, so that no other object can get its id
            self._parts[key] = await self.run(lambda: self._parts[key] if key in self._parts else (language, render()))
        part: T = self._parts[key][1]
        return part


#: The dependency of handlers.
RendererDep = NamedDependency[PageRenderer]


#: The form of this server's page addresses: plain words between slashes, and an optional plain query, without encoded
#: bytes, backslashes, control characters, dots, a host or a scheme.
PAGE = re.compile(r"(/|(/[A-Za-z0-9_-]+)+)(\?[A-Za-z0-9_.=&-]*)?")


class TextFields(dict[str, str]):
    """A form's text fields; missing ones are empty."""

    def __missing__(self, _: str) -> str:
        return ""


async def form_of(request: Request[Any, Any, Any]) -> TextFields:
    """Return the text fields of a form."""
    return TextFields({name: value for name, value in (await request.form()).items() if isinstance(value, str)})


def back_to(app: Litestar, address: str) -> Redirect:
    """Redirect to a page of this server; to the start page if the router knows no page at the address."""
    return Redirect(address if is_page(app, address) else "/", status_code=303)


def is_page(app: Litestar, address: str) -> bool:
    """Return whether an address has the form of a page's, and the router has a page for it."""
    if not PAGE.fullmatch(address):
        return False
    words = split(address.partition("?")[0])
    return any(_shows_page(route) and leads(route.path_components, words) for route in app.routes)


def _shows_page(route: object) -> bool:
    """Return whether a GET of a route returns a page from a template."""
    if not isinstance(route, HTTPRoute) or "GET" not in route.methods:
        return False
    handler, _ = route.route_handler_map["GET"]
    returned = handler.parsed_fn_signature.return_type.annotation
    return Template in (returned, *get_args(returned))


def path_of(address: str) -> str:
    """Return the path of a client's address; empty if it is malformed."""
    try:
        return urlsplit(address).path
    except ValueError:
        return ""


def split(path: str) -> list[str]:
    """Split a path into its words."""
    return [word for word in path.split("/") if word]


def leads(parts: Sequence[object], words: Sequence[str]) -> bool:
    """Return whether a path matches a route's parts, which are words or placeholders."""
    matches = (not isinstance(part, str) or part == word for part, word in zip(parts, words, strict=False))
    return len(parts) == len(words) and all(matches)
