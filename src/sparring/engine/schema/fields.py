"""Schema fields with one value, and counts of known kinds."""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from sparring.engine.formats.card_pictures import InvalidPicture, read_picture

from .location import SchemaLocation, either, shortened, with_article


@dataclass(frozen=True, kw_only=True)
class LabelledField:
    """The settings of every field: a title for people, help, and a default."""

    title: str = ""
    help: str = ""
    #: None: the field is required.
    default: Any = None
    #: Whether the studio's editor shows it; a set's name is edited in its heading instead.
    in_editor: bool = True

    @property
    def required(self) -> bool:
        """Whether the field is required."""
        return self.default is None

    def missing(self, key: str) -> str:
        """Return the message for a missing field."""
        return f"{key} is missing."


@dataclass(frozen=True, kw_only=True)
class LooseField(LabelledField):
    """A field that may be `loose`: it accepts any value, which the game itself validates."""

    loose: bool = False

    @property
    def required(self) -> bool:
        """Whether the field is required."""
        return super().required and not self.loose


@dataclass(frozen=True)
class Text(LooseField):
    """A text on one line, usually a name."""

    what: str = "name"
    _: KW_ONLY
    max_length: int = 24
    #: Returns what is wrong with a text of valid length, in a sentence; empty if nothing is.
    check: Callable[[str], str] = lambda _: ""
    #: The list in the content that the text refers to by name.
    names_of: str = ""

    def read(self, value: Any, location: SchemaLocation) -> Any:
        """Return the text without surrounding spaces; an optional one may be empty."""
        if self.loose or value == self.default:
            return value
        if not isinstance(value, str) or not 1 <= len(value.strip()) <= self.max_length or not value.isprintable():
            return location.report(f"{with_article(self.what)} must have 1 to {self.max_length} characters.")
        if wrong := self.check(value.strip()):
            return location.report(wrong)
        return value.strip()

    def blank(self) -> Any:
        """Return an empty text."""
        return ""


@dataclass(frozen=True)
class Integer(LooseField):
    """An integer from `low` to `high`."""

    low: int
    high: int
    what: str = "value"

    def read(self, value: Any, location: SchemaLocation) -> Any:
        """Return the valid number."""
        if not self.loose and (type(value) is not int or not self.low <= value <= self.high):
            return location.report(
                f"{with_article(self.what)} must be a whole number from {self.low} to {self.high}, "
                f"not {shortened(value)}."
            )
        return value

    def blank(self) -> Any:
        """Return the valid number closest to 0."""
        return min(max(self.low, 0), self.high)


@dataclass(frozen=True)
class Choice(LooseField):
    """One of a few values."""

    values: tuple[Any, ...]
    what: str
    _: KW_ONLY
    #: Descriptions of some values.
    about: Mapping[Any, str] = field(default_factory=dict)

    def read(self, value: Any, location: SchemaLocation) -> Any:
        """Return the valid value."""
        if not self.loose and not any(type(value) is type(known) and value == known for known in self.values):
            return location.report(f"{with_article(self.what)} must be {either(self.values)}, not {shortened(value)}.")
        return value

    def blank(self) -> Any:
        """Return the first value."""
        return self.values[0]


@dataclass(frozen=True)
class Pair(LabelledField):
    """A place given by two integers, such as [3, -1]; `rule` describes valid pairs."""

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


@dataclass(frozen=True)
class Map(LabelledField):
    """A map drawn with characters, one line per row; `signs` gives the meaning of each character."""

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


@dataclass(frozen=True)
class Tally(LabelledField):
    """Counts of known kinds: `{ Red = 5, Blue = 6 }`, or a list of names; `rule` is the message for anything else."""

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


@dataclass(frozen=True)
class Drawing(LabelledField):
    """A picture that a person drew or uploaded (`engine/formats/card_pictures.py`); may be empty.

    `inks` are the colours of the game's own cards, as named in `scene/pictures/shapes.py`; the editor offers them
    first.
    """

    default: Any = ""
    inks: tuple[str, ...] = ()

    def read(self, value: Any, location: SchemaLocation) -> str:
        """Return the valid picture, or an empty text."""
        if isinstance(value, str) and value:
            try:
                read_picture(value)
                return value
            except InvalidPicture as problem:
                location.report(str(problem))
        elif value != "":
            location.report("This is not a picture; draw or upload one in the studio.")
        return ""

    def blank(self) -> Any:
        """Return an empty text, which means no picture."""
        return ""


@dataclass(frozen=True)
class Anything(LabelledField):
    """A field of unknown type: it accepts any value, which the game itself validates."""

    default: Any = ""

    def read(self, value: Any, location: SchemaLocation) -> Any:
        """Return the value."""
        return value

    def blank(self) -> Any:
        """Return an empty text."""
        return ""
