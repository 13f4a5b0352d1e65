"""The form of a game's content, declared once: from it a file is read, and the bench is made on which it is edited.

A form is a tree of fields. Each knows what it may hold and says in one sentence what is wrong; a `Fault` remembers
where in the data it arose, so that a page can show it there. What only the game can judge is a `check` of its own.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from .errors import BadContent, Fault, Step
from .spelling import plain

#: What a check of a game answers: for each fault the way to its field, from where the check stands, and the sentence.
Found = Iterable[tuple[tuple[Step, ...], str]]


@dataclass(frozen=True)
class Here:
    """Where a reader is: the steps that led there, how that is called in words, and what was found so far."""

    at: tuple[Step, ...]
    #: Words for what holds this place, and for the place itself.
    outer: str
    told: str
    found: list[Fault]

    def say(self, sentence: str, *steps: Step) -> None:
        """Something is wrong here, or at a place further in."""
        self.found.append(Fault(f"{self.told}: {sentence}", (*self.at, *steps), sentence))

    def say_above(self, sentence: str) -> None:
        """The same of what holds this place: `mine.toml: a deck has ...`."""
        self.found.append(Fault(f"{self.outer}: {sentence}", self.at, sentence))

    def inside(self, step: Step, words: str = "") -> "Here":
        """The place one step further in, by its own words or by the step's."""
        return Here((*self.at, step), self.told, f"{self.told}: {words or step}", self.found)

    def one_of(self, step: Step, words: str) -> "Here":
        """The same for one of many, which is called by its own words alone."""
        return Here((*self.at, step), self.outer, f"{self.outer}: {words}", self.found)


@dataclass(frozen=True)
class Text:
    """A text in one line: a name, mostly."""

    what: str = "name"
    _: KW_ONLY
    most: int = 24
    title: str = ""
    help: str = ""
    #: What is wrong with a text of the right length, in a sentence; empty if nothing.
    check: Callable[[str], str] = lambda _: ""
    #: The list in the content whose names are meant.
    names_of: str = ""
    #: The game says itself what is wrong with it, so anything is read.
    loose: bool = False
    default: Any = None

    def read(self, value: Any, here: Here) -> Any:
        """The text without blanks around it."""
        if self.loose:
            return value
        if not isinstance(value, str) or not 1 <= len(value.strip()) <= self.most or not value.isprintable():
            return here.say(f"{_a(self.what)} has 1 to {self.most} characters.")
        if wrong := self.check(value.strip()):
            return here.say(wrong)
        return value.strip()

    def blank(self) -> Any:
        """What stands there before anybody wrote something."""
        return ""


@dataclass(frozen=True)
class Whole:
    """A whole number from `low` to `high`."""

    low: int
    high: int
    what: str = "value"
    _: KW_ONLY
    title: str = ""
    help: str = ""
    loose: bool = False
    default: Any = None

    def read(self, value: Any, here: Here) -> Any:
        """The number."""
        if not self.loose and (type(value) is not int or not self.low <= value <= self.high):
            return here.say(
                f"{_short(value)} is none; {_a(self.what)} is a whole number from {self.low} to {self.high}."
            )
        return value

    def blank(self) -> Any:
        """The number nearest to 0."""
        return min(max(self.low, 0), self.high)


@dataclass(frozen=True)
class Pick:
    """One of a few values."""

    values: tuple[Any, ...]
    what: str
    _: KW_ONLY
    #: What there is to say of some values.
    about: Mapping[Any, str] = field(default_factory=dict)
    title: str = ""
    help: str = ""
    loose: bool = False
    default: Any = None

    def read(self, value: Any, here: Here) -> Any:
        """The value."""
        if not self.loose and not any(type(value) is type(known) and value == known for known in self.values):
            return here.say(f"{_short(value)} is none; {_a(self.what)} is {either(self.values)}.")
        return value

    def blank(self) -> Any:
        """The first one."""
        return self.values[0]


@dataclass(frozen=True)
class Pair:
    """Two whole numbers that say a place, as in [3, -1]; `rule` says what fits."""

    what: str
    rule: str
    fits: Callable[[int, int], bool]
    _: KW_ONLY
    title: str = ""
    help: str = ""
    default: Any = None

    def read(self, value: Any, here: Here) -> Any:
        """The two numbers."""
        whole = isinstance(value, list | tuple) and len(value) == 2 and all(type(number) is int for number in value)
        if not whole or not self.fits(*value):
            return here.say(f"{_short(value)} is no {self.what}; {_a(self.what)} is {self.rule}.")
        return tuple(value)

    def blank(self) -> Any:
        """The middle."""
        return [0, 0]


@dataclass(frozen=True)
class Map:
    """A map drawn with signs, a line for each row; each sign has a word for what it stands for."""

    signs: Mapping[str, str]
    low: int
    high: int
    _: KW_ONLY
    title: str = ""
    help: str = ""
    default: Any = None

    def read(self, value: Any, here: Here) -> Any:
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
class Tally:
    """How many there are of each of some kinds: `{ Red = 5, Blue = 6 }`, or a list that names each one."""

    kinds: tuple[str, ...]
    high: int
    rule: str
    _: KW_ONLY
    title: str = ""
    help: str = ""
    default: Any = None

    def read(self, value: Any, here: Here) -> Any:
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
class Many:
    """A list of `low` to `high` fields of one form, each called `one`; `whole` is what has them: a deck has cards."""

    of: "Field"
    one: str
    whole: str
    low: int = 0
    high: int = 500
    _: KW_ONLY
    title: str = ""
    help: str = ""
    #: What is said where no list stands.
    like: str = ""
    #: Each of the values to pick from is there or is not.
    toggles: bool = False
    #: Whether no two may be typed alike: what goes by a name, or the texts themselves.
    unique: bool = False
    check: Callable[[list[Any]], Found] = lambda _: ()
    default: Any = None

    def read(self, value: Any, here: Here) -> list[Any]:
        """All that stands in the list."""
        if not isinstance(value, list | tuple):
            here.say_above(self.like or f"{here.at[-1]} is a list of {self.one}s.")
            return []
        if not self.low <= len(value) <= self.high:
            here.say_above(f"{_a(self.whole)} has {self.count}; this one has {len(value)}.")
        before, names, read = len(here.found), dict[str, int](), []
        for number, row in enumerate(value):
            place = here.one_of(number, f"{self.one} {number + 1}{_called(row)}")
            read.append(self.of.read(row, place))
            if self.unique and isinstance(name := _name(row), str) and plain(name):
                first = names.setdefault(plain(name), number)
                if first != number:
                    named = here.one_of(number, f"{self.one} {number + 1}").inside("name")
                    named.say(f"{name.strip()} is typed like the name of {self.one} {first + 1}.")
        if len(here.found) == before:
            _tell(self.check(read), here)
        return read

    @property
    def count(self) -> str:
        """How many there may be: `30 to 120 cards`."""
        many = f"{self.low}" if self.low == self.high else f"{self.low} to {self.high}"
        return f"{many} {self.one}{'s' if self.high != 1 else ''}"

    def blank(self) -> Any:
        """As few as there must be."""
        return [self.of.blank() for _ in range(self.low)]


@dataclass(frozen=True)
class Entries:
    """A table with names of its own, as the ranks of a pack with their values."""

    of: "Field"
    key: str
    whole: str
    low: int
    high: int
    #: What names must be like, and how that is said.
    pattern: re.Pattern[str]
    rule: str
    _: KW_ONLY
    title: str = ""
    help: str = ""
    example: str = ""
    check: Callable[[dict[str, Any]], Found] = lambda _: ()
    default: Any = None

    def read(self, value: Any, here: Here) -> dict[str, Any]:
        """All entries."""
        if not isinstance(value, Mapping) or not self.low <= len(value) <= self.high:
            words = f"{here.at[-1]} is a table of {self.low} to {self.high} {self.key}s, as in {self.example}."
            here.say_above(words)
            return {}
        before, read = len(here.found), {}
        for name, entry in value.items():
            if not self.pattern.fullmatch(name):
                here.say(f"{_short(name)} is no {self.key}; {_a(self.key)} is {self.rule}.", name)
            read[name] = self.of.read(entry, here.inside(name))
        if len(here.found) == before:
            _tell(self.check(read), here)
        return read

    def blank(self) -> Any:
        """No entry."""
        return {}


@dataclass(frozen=True)
class Record:
    """A table with known fields."""

    one: str
    fields: Mapping[str, "Field"]
    _: KW_ONLY
    title: str = ""
    help: str = ""
    #: Numbers that share a budget: sliders turn one up and the others down.
    keeps: tuple[str, ...] = ()
    #: What is wrong with fields that are right each for itself.
    check: Callable[[dict[str, Any]], Found] = lambda _: ()
    default: Any = None

    def read(self, value: Any, here: Here) -> dict[str, Any]:
        """All fields; what is missing and need not be there has its default."""
        names = listed(self.fields)
        if not isinstance(value, Mapping):
            sentence = f"is not a table with {names}."
            here.found.append(Fault(f"{here.told} {sentence}", here.at, f"This {sentence}"))
            return {}
        before, read = len(here.found), {}
        for key, inner in self.fields.items():
            read[key] = _nothing(inner)
            if key in value:
                read[key] = inner.read(value[key], here.inside(key))
            elif inner.default is None and not getattr(inner, "loose", False):
                here.say(getattr(inner, "like", "") or f"{key} is missing.", key)
        for key in value:
            if key not in self.fields:
                here.say(f"there is no field {_short(key)}; {_a(self.one)} has {names}.", key)
        if len(here.found) == before:
            _tell(self.check(read), here)
        return read

    def blank(self) -> Any:
        """Every field that must be there, blank."""
        return {key: inner.blank() for key, inner in self.fields.items() if inner.default is None}


@dataclass(frozen=True)
class Anything:
    """What nobody has declared: read as it stands, and judged by the game alone."""

    title: str = ""
    help: str = ""
    default: Any = field(default="", repr=False)

    def read(self, value: Any, here: Here) -> Any:
        """The value."""
        return value

    def blank(self) -> Any:
        """An empty text."""
        return ""


Field = Text | Whole | Pick | Pair | Map | Tally | Many | Entries | Record | Anything


def look(form: Record, data: Mapping[str, Any], where: str = "") -> tuple[dict[str, Any], list[Fault]]:
    """What a file of this form holds, as far as it can be understood, and everything that is wrong with its form."""
    found: list[Fault] = []
    return form.read(data, Here((), where, where, found)), found


def read(form: Record, data: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The same for a file to play with: BadContent with all that is wrong."""
    value, found = look(form, data, where)
    if found:
        raise BadContent(*found)
    return value


def inferred(data: Mapping[str, Any]) -> Record:
    """A form for content of which nothing is declared: that of the game's own file. What fits is the game's to say."""
    return Record("content file", {key: _like(value) for key, value in data.items()})


def _like(value: Any) -> Field:
    if isinstance(value, str):
        return Text("text", most=1000, default="")
    if type(value) is int:
        return Whole(-(10**9), 10**9, default=0)
    if isinstance(value, list) and value and all(isinstance(one, type(value[0])) for one in value):
        of = _like(value[0])
        if isinstance(of, Record):
            of = Record("entry", {key: _like(entry) for one in value for key, entry in one.items()}, default={})
        return Many(of, "entry", "list", default=[])
    if isinstance(value, dict):
        return Record("table", {key: _like(entry) for key, entry in value.items()}, default={})
    return Anything()


def either(values: Iterable[Any], word: str = "or") -> str:
    """`close or long`, `1, 2 or 3`."""
    words = [str(value) for value in values]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {word} {words[-1]}"


def listed(values: Iterable[Any]) -> str:
    """`name, map and symmetry`."""
    return either(values, "and")


def fields_on(form: Record, at: Sequence[Step]) -> Iterator[Field]:
    """The fields on a way into the content, the form itself first; it ends where nothing is declared."""
    here: Field | None = form
    for step in (*at, None):
        if here is None:
            return
        yield here
        if isinstance(here, Record):
            here = here.fields.get(str(step))
        elif isinstance(here, Many | Entries):
            here = here.of
        else:
            here = None


def _nothing(field: Field) -> Any:
    """What is read where a field is missing: its default, and no thing of several."""
    if field.default is not None:
        return field.default
    return [] if isinstance(field, Many) else {} if isinstance(field, Entries | Record | Tally) else None


def _tell(found: Found, here: Here) -> None:
    for steps, sentence in found:
        place = here
        for step in steps:
            place = place.inside(step)
        place.say(sentence)


def _name(row: Any) -> Any:
    return row.get("name") if isinstance(row, Mapping) else row


def _called(row: Any) -> str:
    """The name of a record in brackets, if it can be read."""
    name = row.get("name") if isinstance(row, Mapping) else None
    known = isinstance(name, str) and 1 <= len(name.strip()) <= 24 and name.isprintable()
    return f" ({name.strip()})" if known and isinstance(name, str) else ""


def _short(value: Any) -> str:
    """A value as it stands in a sentence."""
    text = str(value)
    return text if len(text) <= 60 else f"{text[:60]}…"


def _a(word: str) -> str:
    return f"a{'n' if word[0] in 'aeiou' else ''} {word}"
