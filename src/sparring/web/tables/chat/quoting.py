"""Insert chat text into pages.

Each text gets an element of its own (`bdi`), so that it can't reorder what is beside it. It is inserted last, after
names and pictures have been replaced.
"""

import re
from collections.abc import Callable, Iterable

from markupsafe import Markup

from sparring.scene.html import description_slot
from sparring.scene.markup import NOTHING, SeatNames, el, join

from .move_descriptions import MoveDescriptions

#: The placeholder in a rendered table for the descriptions of an exchange.
HERE = re.compile(r'<div class="described" data-exchange="(\d+)"></div>')


def fill_placeholders(drawn: Markup, of: Callable[[int], Markup]) -> Markup:
    """Fill the placeholders of a rendered table with what `of` returns for each exchange."""
    return Markup(HERE.sub(lambda found: of(int(found[1])), drawn))


def quoted(told: Iterable[tuple[int, str, str, str, Markup]]) -> Markup:
    """Return descriptions as a list; each is given as seat, name, move, words, and what to append."""
    lines = [
        el("li", who(seat, name), ", ", el("b", about, class_="deed"), ": ", in_quotes(words), behind)
        for seat, name, about, words, behind in told
    ]
    return el("ul", join(lines), role="list") if lines else NOTHING


def who(seat: int, name: str) -> Markup:
    """Return a speaker's name in the colour of their seat."""
    return el("b", el("bdi", name), class_=f"who s{seat}" if seat else "who")


def in_quotes(text: str) -> Markup:
    """Return a quoted text."""
    return el("q", el("bdi", text))


def with_recorded_descriptions(drawn: Markup, told: Iterable[MoveDescriptions], names: SeatNames) -> Markup:
    """Insert the recorded descriptions of its exchange into a rendered replay, without applause."""

    def of(exchange: int) -> Markup:
        here = [each for each in told if each.exchange == exchange]
        said = quoted((each.seat, names.of(each.seat), each.move, each.words, NOTHING) for each in here)
        return description_slot(exchange, said)

    return fill_placeholders(drawn, of)
