"""Writing HTML and SVG so that nothing goes unescaped: a string is text until it is Markup."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from markupsafe import Markup, escape

NOTHING = Markup("")


def el(tag: str, *inside: str, **attributes: object) -> Markup:
    """An element. `class_` and `data_key` are written `class` and `data-key`; None, False and "" leave it out."""
    if len(inside) == 1:
        body = inside[0] if type(inside[0]) is Markup else _escaped(inside[0])
    else:
        body = "".join([part if type(part) is Markup else _escaped(part) for part in inside])
    return _new(Markup, f"<{tag}{_written(attributes)}>{body}</{tag}>")


def void(tag: str, **attributes: object) -> Markup:
    """An element that has nothing inside and no end: `input`."""
    return _new(Markup, f"<{tag}{_written(attributes)}>")


def join(parts: Iterable[str]) -> Markup:
    """Parts one after the other."""
    return _new(Markup, "".join([part if type(part) is Markup else _escaped(part) for part in parts]))


# A page is made of thousands of these, so they go the short way: Markup of what is known to be a string, and texts and
# attributes that come again and again are escaped once.

_new = str.__new__


def _written(attributes: dict[str, object]) -> str:
    return "".join(map(_attribute, attributes, attributes.values())) if attributes else ""


@lru_cache(maxsize=16384)
def _escaped(text: str) -> str:
    return _ascii(text)


def _ascii(value: object) -> str:
    """Escaped, and every sign beyond ASCII as its number: one such would make a whole page twice as long in memory."""
    return escape(value).encode("ascii", "xmlcharrefreplace").decode()


@lru_cache(maxsize=16384, typed=True)
def _attribute(name: str, value: object) -> str:
    if value is None or value is False or value == "":
        return ""
    name = name.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{_ascii(value)}"'


class SeatNames:
    """Who sits where: puts people's names where a sentence says `Seat 2`."""

    MENTION = re.compile(r"\bSeat (\d)\b")

    def __init__(self, names: Sequence[str] = ()) -> None:
        # Two of the same name are told apart by their seats.
        self.names = tuple(f"{name} {seat}" if names.count(name) > 1 else name for seat, name in enumerate(names, 1))

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.names == other.names

    def __hash__(self) -> int:
        return hash(self.names)

    def of(self, seat: int) -> str:
        """The name of a seat, counted from 1."""
        return self.names[seat - 1] if 0 < seat <= len(self.names) else f"Seat {seat}"

    def fill(self, markup: Markup) -> Markup:
        """The same with names wherever `NAMELESS` left them open."""
        before, *rest = str(markup).split(_OPEN)
        names = {str(seat): _escaped(name) for seat, name in enumerate(self.names, 1)}
        named = [(names.get(part[:1]) or f"Seat {part[:1]}") + part[1:] for part in rest]
        return _new(Markup, "".join([before, *named]))

    def text(self, sentence: str) -> str:
        """The sentence with names."""
        if "Seat " not in sentence:
            return sentence
        return self.MENTION.sub(lambda seat: self.of(int(seat[1])), sentence)

    def marked(self, sentence: str) -> Markup:
        """The sentence with names, each in its seat's colour."""
        if "Seat " not in sentence:
            return _new(Markup, _escaped(sentence))
        between = self.MENTION.split(sentence)
        return join(
            el("b", self.of(int(part)), class_=f"who s{part}") if i % 2 else part for i, part in enumerate(between)
        )


class _Nameless(SeatNames):
    """Leaves names open, to be filled in later: what is drawn so can be kept for all tables, whoever sits there."""

    def of(self, seat: int) -> str:
        return f"{_OPEN}{seat}"


NAMELESS = _Nameless()
_OPEN = "\x1a"  # a sign that no text has; the seat whose name belongs there follows
