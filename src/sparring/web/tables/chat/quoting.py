"""What people say, as it is written into pages.

It is text in an element of its own (`bdi`), so that it turns nothing around that stands beside it, and comes into what
is drawn last, where names and pictures are in place already.
"""

import re
from collections.abc import Callable, Iterable

from markupsafe import Markup

from sparring.scene.html import described_here
from sparring.scene.markup import NOTHING, SeatNames, el, join

from .move_descriptions import MoveDescriptions

#: Where a drawn table leaves room for what is said of an exchange.
HERE = re.compile(r'<div class="described" data-exchange="(\d+)"></div>')


def fill(drawn: Markup, of: Callable[[int], Markup]) -> Markup:
    """A drawn table, with what `of` says of each exchange."""
    return Markup(HERE.sub(lambda found: of(int(found[1])), drawn))


def quoted(told: Iterable[tuple[int, str, str, str, Markup]]) -> Markup:
    """Descriptions: by whom (seat and name), of what, in which words, and what stands behind."""
    lines = [
        el("li", who(seat, name), ", ", el("b", about, class_="deed"), ": ", in_quotes(words), behind)
        for seat, name, about, words, behind in told
    ]
    return el("ul", join(lines), role="list") if lines else NOTHING


def who(seat: int, name: str) -> Markup:
    """The name of whoever speaks, in the colour of their seat."""
    return el("b", el("bdi", name), class_=f"who s{seat}" if seat else "who")


def in_quotes(text: str) -> Markup:
    """What somebody said."""
    return el("q", el("bdi", text))


def retold(drawn: Markup, told: Iterable[MoveDescriptions], names: SeatNames) -> Markup:
    """A drawn table, with how the exchange that stands there was described; nobody applauds any more."""

    def of(exchange: int) -> Markup:
        here = [each for each in told if each.exchange == exchange]
        said = quoted((each.seat, names.of(each.seat), each.move, each.words, NOTHING) for each in here)
        return described_here(exchange, said)

    return fill(drawn, of)
