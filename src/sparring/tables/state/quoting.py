"""Insert chat text into pages.

Each text gets its own element (`bdi`), so that it can't reorder the text beside it. It is inserted last, after names
and pictures have been replaced, so that its content isn't replaced too.
"""

import re
from collections.abc import Callable, Iterable

from markupsafe import Markup

from sparring.scene.descriptions import MoveDescriptions
from sparring.scene.html import description_slot
from sparring.scene.markup import NOTHING, SeatNames, el, join

#: The placeholder in a rendered table for the descriptions of an exchange.
PLACEHOLDER = re.compile(r'<div class="described" data-exchange="(\d+)"></div>')


def fill_placeholders(markup: Markup, of: Callable[[int], Markup]) -> Markup:
    """Fill the placeholders of a rendered table with what `of` returns for each exchange."""
    return Markup(PLACEHOLDER.sub(lambda match: of(int(match[1])), markup))


def quoted(descriptions: Iterable[tuple[int, str, str, str, Markup]]) -> Markup:
    """Return descriptions as a list; each is given as seat, name, move, words, and what to append."""
    lines = [
        el("li", who(seat, name), el("span", ", ", el("b", about, class_="deed")), ": ", in_quotes(words), suffix)
        for seat, name, about, words, suffix in descriptions
    ]
    return el("ul", join(lines), role="list") if lines else NOTHING


def who(seat: int, name: str) -> Markup:
    """Return a speaker's name in the colour of their seat."""
    return el("b", el("bdi", name), class_=f"who s{seat}" if seat else "who")


def in_quotes(text: str) -> Markup:
    """Return a quoted text."""
    return el("q", el("bdi", text))


def with_recorded_descriptions(markup: Markup, descriptions: Iterable[MoveDescriptions], names: SeatNames) -> Markup:
    """Insert the recorded descriptions of its exchange into a rendered replay, without applause."""

    def of(exchange: int) -> Markup:
        in_exchange = [each for each in descriptions if each.exchange == exchange]
        quotes = quoted((each.seat, names.of(each.seat), each.move, each.words, NOTHING) for each in in_exchange)
        return description_slot(exchange, quotes)

    return fill_placeholders(markup, of)
