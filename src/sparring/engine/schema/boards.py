"""Fields that describe boards and piles: places, maps drawn with characters, counts of known kinds."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any

from sparring.engine.errors import Step
from sparring.engine.formats import normalize

from .field import Field, Part, SchemaLocation, either, shortened, whole_number, with_article
from .fields import Integer


@dataclass(frozen=True)
class Pair(Field):
    """A place given by two integers, such as [3, -1]; `rule` describes valid pairs."""

    widget = "pair"

    what: str
    rule: str
    fits: Callable[[int, int], bool]
    #: The valid hexes, row by row, if the editor shows them as a board.
    places: tuple[tuple[int, int], ...] = ()

    def read(self, value: Any, location: SchemaLocation) -> Any:
        """Return the valid pair."""
        whole = isinstance(value, list | tuple) and len(value) == 2 and all(type(number) is int for number in value)
        if not whole or not self.fits(*value):
            return location.report(f"{with_article(self.what)} must be {self.rule}, not {shortened(value)}.")
        return tuple(value)

    def blank(self) -> Any:
        """Return the origin."""
        return [0, 0]

    def empty(self) -> Any:
        """Return the origin, whose numbers can be set one by one."""
        return self.blank()

    def parse(self, typed: str | list[str]) -> Any:
        """Convert typed text such as `3, -1` to a pair."""
        two = re.fullmatch(r"\s*(-?[0-9]{1,3}),\s*(-?[0-9]{1,3})\s*", typed) if isinstance(typed, str) else None
        return [int(two[1]), int(two[2])] if two else whole_number(typed)

    @property
    def inner(self) -> tuple[Field, ...]:
        """The field of each number."""
        return (Integer(-99, 99),)

    def children(self, value: object) -> Iterator[Part]:
        """Yield the two numbers."""
        numbers = value if isinstance(value, list) and len(value) == 2 else [None, None]
        return (Part(place, self.inner[0], number) for place, number in enumerate(numbers))

    def json_type(self) -> dict[str, Any]:
        """Return the JSON Schema of the field's type."""
        return {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2, "x-rule": self.rule}


@dataclass(frozen=True)
class Map(Field):
    """A map drawn with characters, one line per row; `signs` gives the meaning of each character."""

    widget, fits_cell = "map", True

    signs: Mapping[str, str]
    low: int
    high: int
    _: KW_ONLY
    #: Returns a legal map of this many rows and columns to start from.
    template: Callable[[int, int], str] | None = None

    def read(self, value: Any, location: SchemaLocation) -> Any:
        """Return the rows of the valid map."""
        rows = (
            tuple(value.split()) if isinstance(value, str) else tuple(value) if isinstance(value, list | tuple) else ()
        )
        if not rows or not all(isinstance(row, str) for row in rows):
            return location.report("a map must be text with one line of characters per row.")
        if not self.low <= len(rows) <= self.high:
            return location.report(f"a board must have {self.low} to {self.high} rows, not {len(rows)}.")
        if not self.low <= len(rows[0]) <= self.high:
            return location.report(f"a row must have {self.low} to {self.high} spaces, not {len(rows[0])} (row 0).")
        for number, row in enumerate(rows):
            if len(row) != len(rows[0]):
                wide = len(rows[0])
                return location.report(f"row {number} must have {wide} spaces like row 0, not {len(row)}.")
            for column, drawn in enumerate(row):
                if drawn not in self.signs:
                    known = either([f"{sign} ({word})" for sign, word in self.signs.items()])
                    return location.report(f"space {number},{column} must be {known}, not “{drawn}”.")
        return rows

    def blank(self) -> Any:
        """Return the template of medium size, or a square of the first character."""
        side = (self.low + self.high) // 2
        if self.template:
            return self.template(side, side)
        return "\n".join([next(iter(self.signs)) * side] * side) + "\n"

    def json_type(self) -> dict[str, Any]:
        """Return the JSON Schema of the field's type."""
        return {"type": "string", "x-signs": dict(self.signs), "x-rows": [self.low, self.high]}

    def cell_text(self, value: object) -> str:
        """Return the rows, one per line."""
        rows = map(str, value) if isinstance(value, list | tuple) else str("" if value is None else value).split()
        return "\n".join(rows)

    def cell_value(self, text: str) -> Any:
        """Return the map drawn in a cell."""
        return "\n".join(text.split()) + "\n"

    def cell_help(self) -> str:
        """Return what a cell may contain."""
        return f"a drawing of {'  '.join(self.signs)}, one row per line"


@dataclass(frozen=True)
class Tally(Field):
    """Counts of known kinds: `{ Red = 5, Blue = 6 }`, or a list of names; `rule` is the message for anything else."""

    widget, holds, fits_cell = "tally", dict, True

    kinds: tuple[str, ...]
    high: int
    rule: str

    def read(self, value: Any, location: SchemaLocation) -> Any:
        """Return the counts by kind; it accepts unknown kinds, which the game itself validates."""
        if isinstance(value, Mapping) and all(type(count) is int and count >= 0 for count in value.values()):
            return {kind: min(count, self.high) for kind, count in value.items()}
        if isinstance(value, list | tuple):
            return {kind: value.count(kind) for kind in dict.fromkeys(map(str, value))}
        location.report_above(self.rule)
        return {}

    def blank(self) -> Any:
        """Return a count of 0 for each kind."""
        return dict.fromkeys(self.kinds, 0)

    def parse(self, typed: str | list[str]) -> Any:
        """Convert typed text to a number."""
        return whole_number(typed)

    def child(self, step: Step) -> Field | None:
        """Return the field of the count of a kind."""
        return Integer(0, self.high, title=step) if isinstance(step, str) else None

    def children(self, value: object) -> Iterator[Part]:
        """Yield the count of every known kind, then those of other kinds."""
        if isinstance(value, list):
            value = {kind: value.count(kind) for kind in dict.fromkeys(map(str, value))}
        counts = value if isinstance(value, Mapping) else {}
        return (Part(kind, self.child(kind), counts.get(kind, 0)) for kind in dict.fromkeys([*self.kinds, *counts]))

    def json_type(self) -> dict[str, Any]:
        """Return the JSON Schema of the field's type."""
        counts = {kind: Integer(0, self.high).json_type() for kind in self.kinds}
        return {"type": "object", "properties": counts, "x-rule": self.rule}

    def cell_value(self, text: str) -> Any:
        """Return counts by kind from `5 Red, 6 Blue` or `Red 5, Blue 6`; other text stays text."""
        kinds, counts, text = {normalize(kind): kind for kind in self.kinds}, dict[str, int](), text.strip()
        for part in filter(None, re.split(r"\s*[,;\n]\s*", text)):
            found = re.fullmatch(r"([0-9]{1,3})\s*x?\s*(\D+)|(\D+?)\s*x?\s*([0-9]{1,3})", part)
            if not found:
                return text
            kind, count = found[2] or found[3], found[1] or found[4]
            counts[kinds.get(normalize(kind), kind.strip())] = int(count)
        return counts

    def cell_help(self) -> str:
        """Return what a cell may contain."""
        return f"counts such as {', '.join(f'5 {kind}' for kind in self.kinds[:2])}"
