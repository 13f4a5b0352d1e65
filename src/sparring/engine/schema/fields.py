"""Fields with one value: texts, numbers, choices, pictures."""

import re
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from sparring.engine.errors import BadContent
from sparring.engine.formats import normalize
from sparring.engine.formats.card_pictures import InvalidPicture, read_picture
from sparring.engine.formats.toml import read_toml

from .field import Field, SchemaLocation, either, shortened, whole_number, with_article, words_of


@dataclass(frozen=True, kw_only=True)
class LooseField(Field):
    """A field that may be `loose`: it accepts any value, which the game itself validates."""

    loose: bool = False

    @property
    def required(self) -> bool:
        """Whether the field is required."""
        return super().required and not self.loose


@dataclass(frozen=True)
class Text(LooseField):
    """A text on one line, usually a name."""

    widget = "text"
    fits_line, fits_cell = True, True

    what: str = "name"
    _: KW_ONLY
    max_length: int = 24
    #: Returns what is wrong with a text of valid length, in a sentence; empty if nothing is.
    check: Callable[[str], str] = lambda _: ""
    #: The list in the content that the text refers to by name.
    names_of: str = ""

    def read(self, value: object, location: SchemaLocation) -> Any:
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

    def json_type(self) -> dict[str, Any]:
        """Return the JSON Schema of the field's type."""
        return {"type": "string", "maxLength": self.max_length}

    def cell_help(self) -> str:
        """Return what a cell may contain."""
        if not self.names_of:
            return f"up to {self.max_length} characters"
        return f"names of {words_of(self.names_of).lower()}"


@dataclass(frozen=True)
class Integer(LooseField):
    """An integer from `low` to `high`."""

    widget = "integer"
    fits_line, fits_cell = True, True

    low: int
    high: int
    what: str = "value"

    def read(self, value: object, location: SchemaLocation) -> Any:
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

    def parse(self, typed: str | list[str]) -> Any:
        """Convert typed text to a number."""
        return whole_number(typed)

    @property
    def number_range(self) -> tuple[int, int]:
        """The lowest and highest number."""
        return self.low, self.high

    def json_type(self) -> dict[str, Any]:
        """Return the JSON Schema of the field's type."""
        return {"type": "integer", "minimum": self.low, "maximum": self.high}

    def cell_value(self, text: str) -> Any:
        """Return the value of a cell."""
        text = text.strip()
        return int(text) if re.fullmatch(r"[+-]?[0-9]{1,17}", text) else text

    def cell_help(self) -> str:
        """Return what a cell may contain."""
        return f"{self.low} to {self.high}"


@dataclass(frozen=True)
class Choice(LooseField):
    """One of a few values."""

    widget = "choice"
    fits_line, fits_cell = True, True

    values: tuple[Any, ...]
    what: str
    _: KW_ONLY
    #: Descriptions of some values.
    about: Mapping[Any, str] = field(default_factory=dict)

    def read(self, value: object, location: SchemaLocation) -> Any:
        """Return the valid value."""
        if not self.loose and not any(type(value) is type(known) and value == known for known in self.values):
            return location.report(f"{with_article(self.what)} must be {either(self.values)}, not {shortened(value)}.")
        return value

    def blank(self) -> Any:
        """Return the first value."""
        return self.values[0]

    def parse(self, typed: str | list[str]) -> Any:
        """Convert typed text to the value that it names."""
        return next((known for known in self.values if str(known) == typed), typed)

    @property
    def number_range(self) -> tuple[int, int] | None:
        """The lowest and highest value, if all are whole numbers."""
        return (min(self.values), max(self.values)) if all(type(known) is int for known in self.values) else None

    @property
    def offers(self) -> tuple[str, ...]:
        """The values as text."""
        return tuple(map(str, self.values))

    def json_type(self) -> dict[str, Any]:
        """Return the JSON Schema of the field's type."""
        return {"enum": list(self.values)}

    def cell_value(self, text: str) -> Any:
        """Return the value of a cell."""
        text = text.strip()
        return next((known for known in self.values if normalize(str(known)) == normalize(text)), text)

    def cell_help(self) -> str:
        """Return what a cell may contain."""
        return ", ".join(self.offers)


@dataclass(frozen=True)
class Drawing(Field):
    """A picture that a person drew or uploaded (`engine/formats/card_pictures.py`); may be empty.

    `inks` are the colours of the game's own cards, as named in `scene/pictures.py`; the editor offers them
    first.
    """

    widget = "drawing"
    fits_line = True

    default: Any = ""
    inks: tuple[str, ...] = ()

    def read(self, value: object, location: SchemaLocation) -> str:
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

    def parse(self, typed: str | list[str]) -> Any:
        """Return the picture. Raises InvalidPicture, because the editor could neither show nor repair that one."""
        if isinstance(typed, str) and typed:
            read_picture(typed)
        return typed or None

    def json_type(self) -> dict[str, Any]:
        """Return the JSON Schema of the field's type."""
        return {"type": "string", "x-picture": True}

    def cell_text(self, value: object) -> str:
        """Return an empty text: spreadsheets leave pictures as they are."""
        return ""


@dataclass(frozen=True)
class Anything(Field):
    """A field of unknown type: it accepts any value, which the game itself validates."""

    widget = "anything"

    default: Any = ""

    def read(self, value: object, location: SchemaLocation) -> Any:
        """Return the value."""
        return value

    def blank(self) -> Any:
        """Return an empty text."""
        return ""

    def parse(self, typed: str | list[str]) -> Any:
        """Parse a TOML value; return anything else as text."""
        if not isinstance(typed, str):
            return typed
        try:
            data = read_toml(f"value = {typed}", "")
        except BadContent:
            return typed
        return data["value"] if len(data) == 1 else typed
