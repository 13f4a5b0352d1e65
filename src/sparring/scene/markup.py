"""Write HTML and SVG safely: every string that isn't Markup is escaped, and people's text becomes one clean line."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from markupsafe import Markup, escape

from sparring.engine.messages import AnyText, cached_by_language, say

from .playing_cards import card_text


#: Characters that count as printable but are invisible: fillers, blanks, joiners, variation selectors.
INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")

#: The most combining marks (accents) on one letter: more would run over the lines above and below.
MARKS = 3


def one_line(text: str) -> str:
    """Return text as one line without control, invisible or direction-changing characters."""
    visible = (char for char in text if (char.isprintable() or char.isspace()) and not INVISIBLE.match(char))
    return re.sub(r"\s+", " ", "".join(visible)).strip()


def plain(text: str) -> str:
    """Return text as one line, with no more combining marks on a letter than any language needs."""
    line = one_line(unicodedata.normalize("NFC", text))
    kept, marks = [], 0
    for char in line:
        marks = marks + 1 if unicodedata.category(char)[0] == "M" else 0
        if marks <= MARKS:
            kept.append(char)
    visible = any(unicodedata.category(char)[0] not in "MZ" for char in kept)
    return "".join(kept) if visible else ""


NOTHING = Markup("")

#: A playing card in a sentence: `10♦`, `K♠`.
_PLAYING_CARD = re.compile(r"((?:10|[2-9JQKA])[♣♦♥♠])")


def el(tag: str, *inside: str, **attributes: object) -> Markup:
    """Return an element. `class_` and `data_key` become `class` and `data-key`; None, False and "" are omitted."""
    if len(inside) == 1:
        body = inside[0] if type(inside[0]) is Markup else _escaped(inside[0])
    else:
        body = "".join([part if type(part) is Markup else _escaped(part) for part in inside])
    return _new(Markup, f"<{tag}{_written(attributes)}>{body}</{tag}>")


def void(tag: str, **attributes: object) -> Markup:
    """Return a void element such as `input`."""
    return _new(Markup, f"<{tag}{_written(attributes)}>")


def join(parts: Iterable[str]) -> Markup:
    """Join parts, escaping those that aren't Markup."""
    return _new(Markup, "".join([part if type(part) is Markup else _escaped(part) for part in parts]))


# A page has thousands of elements, so this code is optimized: it creates Markup without the constructor's checks, and
# caches escaped texts and attributes.

_new = str.__new__


def _written(attributes: dict[str, object]) -> str:
    return "".join(map(_attribute, attributes, attributes.values())) if attributes else ""


@lru_cache(maxsize=16384)
def _escaped(text: str) -> str:
    return _ascii(text)


def _sentence(text: str) -> Markup:
    """Return a part of a sentence with its playing cards in the colours of their suits."""
    return _new(Markup, _escaped(text)) if text.isascii() else _with_playing_cards(text)


@cached_by_language(16384)
def _with_playing_cards(text: str) -> Markup:
    return join(_playing_card(part) if i % 2 else part for i, part in enumerate(_PLAYING_CARD.split(text)))


def _playing_card(name: str) -> Markup:
    """Return a playing card's name with its suit's sign in colour; screen readers read the suit in words."""
    red = name[-1] in "♦♥"
    kind = f"suit tone-{'red' if red else 'black'}"
    return el("span", name, class_=kind, role="img", aria_label=str(card_text(name)))


def _ascii(value: object) -> str:
    """Escape a value as ASCII with character references: a single other character would double a page's memory."""
    return escape(value).encode("ascii", "xmlcharrefreplace").decode()


@lru_cache(maxsize=16384, typed=True)
def _attribute(name: str, value: object) -> str:
    if value is None or value is False or value == "":
        return ""
    name = name.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{_ascii(value)}"'


def seat_name(seat: int) -> str:
    """Return what a seat (from 1) is called while it has no name."""
    return say("Seat {number}", number=seat)


class SeatNames:
    """The players' names, which replace mentions such as `Seat 2` in sentences."""

    MENTION = re.compile(r"\bSeat (\d)\b")

    def __init__(self, names: Sequence[str] = ()) -> None:
        # Add the seat to names that occur twice.
        self.names = tuple(f"{name} {seat}" if names.count(name) > 1 else name for seat, name in enumerate(names, 1))

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.names == other.names

    def __hash__(self) -> int:
        return hash(self.names)

    def of(self, seat: int) -> str:
        """Return the name of a seat, counted from 1."""
        return self.names[seat - 1] if 0 < seat <= len(self.names) else seat_name(seat)

    def fill(self, markup: Markup) -> Markup:
        """Fill in the names that `NAMELESS` left as placeholders."""
        before, *rest = str(markup).split(_OPEN)
        names = {str(seat): _escaped(name) for seat, name in enumerate(self.names, 1)}
        for seat in {part[:1] for part in rest} - set(names):
            names[seat] = _escaped(seat_name(int(seat))) if seat.isdecimal() else seat
        return _new(Markup, "".join([before, *[names[part[:1]] + part[1:] for part in rest]]))

    def text(self, sentence: AnyText) -> str:
        """Return a sentence with names."""
        sentence = str(sentence)
        if "Seat " not in sentence:
            return sentence
        return self.MENTION.sub(lambda seat: self.of(int(seat[1])), sentence)

    def marked(self, sentence: AnyText) -> Markup:
        """Return a sentence with names, each in its seat's colour."""
        sentence = str(sentence)
        if "Seat " not in sentence:
            return _sentence(sentence)
        between = self.MENTION.split(sentence)
        return join(
            el("b", self.of(int(part)), class_=f"who s{part}") if i % 2 else _sentence(part)
            for i, part in enumerate(between)
        )


class _Nameless(SeatNames):
    """Writes placeholders for `SeatNames.fill`, so that drawings can be cached for all tables."""

    def of(self, seat: int) -> str:
        return f"{_OPEN}{seat}"


NAMELESS = _Nameless()
_OPEN = "\x1a"  # a character that occurs in no text; the seat's digit follows it
