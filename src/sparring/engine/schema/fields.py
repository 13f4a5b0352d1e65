"""Fields that hold one thing, or counts of known kinds."""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from sparring.engine.formats.card_pictures import InvalidPicture, read_picture

from .location import SchemaLocation, a, either, shortened


@dataclass(frozen=True, kw_only=True)
class LabelledField:
    """What every field may have: a title in place of its name, help, and what holds where it is left out."""

    title: str = ""
    help: str = ""
    #: None: the field has to be there.
    default: Any = None

    @property
    def needed(self) -> bool:
        """Whether it has to be there."""
        return self.default is None

    def missing(self, key: str) -> str:
        """What is said where it has to be there and is not."""
        return f"{key} is missing."


@dataclass(frozen=True, kw_only=True)
class LooseField(LabelledField):
    """A field that may be `loose`: anything is read, because the game says itself what is wrong with it."""

    loose: bool = False

    @property
    def needed(self) -> bool:
        """Whether it has to be there."""
        return super().needed and not self.loose


@dataclass(frozen=True)
class Text(LooseField):
    """A text in one line: a name, mostly."""

    what: str = "name"
    _: KW_ONLY
    most: int = 24
    #: What is wrong with a text of the right length, in a sentence; empty if nothing.
    check: Callable[[str], str] = lambda _: ""
    #: The list in the content whose names are meant.
    names_of: str = ""

    def read(self, value: Any, here: SchemaLocation) -> Any:
        """The text without blanks around it."""
        if self.loose:
            return value
        if not isinstance(value, str) or not 1 <= len(value.strip()) <= self.most or not value.isprintable():
            return here.say(f"{a(self.what)} has 1 to {self.most} characters.")
        if wrong := self.check(value.strip()):
            return here.say(wrong)
        return value.strip()

    def blank(self) -> Any:
        """What stands there before anybody wrote something."""
        return ""


@dataclass(frozen=True)
class Whole(LooseField):
    """A whole number from `low` to `high`."""

    low: int
    high: int
    what: str = "value"

    def read(self, value: Any, here: SchemaLocation) -> Any:
        """The number."""
        if not self.loose and (type(value) is not int or not self.low <= value <= self.high):
            return here.say(
                f"{shortened(value)} is none; {a(self.what)} is a whole number from {self.low} to {self.high}."
            )
        return value

    def blank(self) -> Any:
        """The number nearest to 0."""
        return min(max(self.low, 0), self.high)


@dataclass(frozen=True)
class Pick(LooseField):
    """One of a few values."""

    values: tuple[Any, ...]
    what: str
    _: KW_ONLY
    #: What there is to say of some values.
    about: Mapping[Any, str] = field(default_factory=dict)

    def read(self, value: Any, here: SchemaLocation) -> Any:
        """The value."""
        if not self.loose and not any(type(value) is type(known) and value == known for known in self.values):
            return here.say(f"{shortened(value)} is none; {a(self.what)} is {either(self.values)}.")
        return value

    def blank(self) -> Any:
        """The first one."""
        return self.values[0]


@dataclass(frozen=True)
class Pair(LabelledField):
    """Two whole numbers that say a place, as in [3, -1]; `rule` says what fits."""

    what: str
    rule: str
    fits: Callable[[int, int], bool]
    #: The hexes that fit, row by row, if they are to be painted on a board of them.
    places: tuple[tuple[int, int], ...] = ()

    def read(self, value: Any, here: SchemaLocation) -> Any:
        """The two numbers."""
        whole = isinstance(value, list | tuple) and len(value) == 2 and all(type(number) is int for number in value)
        if not whole or not self.fits(*value):
            return here.say(f"{shortened(value)} is no {self.what}; {a(self.what)} is {self.rule}.")
        return tuple(value)

    def blank(self) -> Any:
        """The middle."""
        return [0, 0]


@dataclass(frozen=True)
class Map(LabelledField):
    """A map drawn with signs, a line for each row; each sign has a word for what it stands for."""

    signs: Mapping[str, str]
    low: int
    high: int

    def read(self, value: Any, here: SchemaLocation) -> Any:
        """The rows."""
        rows = (
            tuple(value.split()) if isinstance(value, str) else tuple(value) if isinstance(value, list | tuple) else ()
        )
        if not rows or not all(isinstance(row, str) for row in rows):
            return here.say("a map is a text with a line of signs for each row.")
        if not self.low <= len(rows) <= self.high:
            return here.say(f"there are {len(rows)} rows; a board has {self.low} to {self.high}.")
        if not self.low <= len(rows[0]) <= self.high:
            return here.say(f"row 0 has {len(rows[0])} spaces; a row has {self.low} to {self.high}.")
        for number, row in enumerate(rows):
            if len(row) != len(rows[0]):
                wide = len(rows[0])
                return here.say(f"row {number} has {len(row)} spaces, row 0 has {wide}; rows are equally long.")
            for column, drawn in enumerate(row):
                if drawn not in self.signs:
                    known = either([f"{sign} ({word})" for sign, word in self.signs.items()])
                    return here.say(f"space {number},{column} is “{drawn}”; a space is {known}.")
        return rows

    def blank(self) -> Any:
        """A square of the sign that is named first."""
        side = (self.low + self.high) // 2
        return "\n".join([next(iter(self.signs)) * side] * side) + "\n"


@dataclass(frozen=True)
class Tally(LabelledField):
    """How many there are of each of some kinds: `{ Red = 5, Blue = 6 }`, or a list that names each one."""

    kinds: tuple[str, ...]
    high: int
    rule: str

    def read(self, value: Any, here: SchemaLocation) -> Any:
        """The counts by kind. A kind that there is not is read too: the game says so itself."""
        if isinstance(value, Mapping) and all(type(count) is int and count >= 0 for count in value.values()):
            return {kind: min(count, self.high) for kind, count in value.items()}
        if isinstance(value, list | tuple):
            return {kind: value.count(kind) for kind in dict.fromkeys(map(str, value))}
        here.say_above(self.rule)
        return {}

    def blank(self) -> Any:
        """None of any."""
        return dict.fromkeys(self.kinds, 0)


@dataclass(frozen=True)
class Drawing(LabelledField):
    """A picture that somebody drew or brought (`engine/formats/card_pictures.py`); empty for none.

    `inks` are those of a game's own cards, by the words of `scene/pictures/shapes.py`; the pad offers them first.
    """

    default: Any = ""
    inks: tuple[str, ...] = ()

    def read(self, value: Any, here: SchemaLocation) -> str:
        """The picture as it stands; one that cannot be is none."""
        if isinstance(value, str) and value:
            try:
                read_picture(value)
                return value
            except InvalidPicture as problem:
                here.say(str(problem))
        elif value != "":
            here.say("This is no picture; one is drawn or brought in the studio.")
        return ""

    def blank(self) -> Any:
        """No picture."""
        return ""


@dataclass(frozen=True)
class Anything(LabelledField):
    """What nobody has declared: read as it stands, and judged by the game alone."""

    default: Any = ""

    def read(self, value: Any, here: SchemaLocation) -> Any:
        """The value."""
        return value

    def blank(self) -> Any:
        """An empty text."""
        return ""
