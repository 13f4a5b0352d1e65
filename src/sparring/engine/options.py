"""The options of a game: one declared model, from which the command line, the web form and the documents are made."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

from .errors import BadOption
from .formats.spelling import plain
from .rule import Field

#: What people write: the name of a value, or a whole number.
Value = str | int


@dataclass(frozen=True)
class ChoiceOption:
    """An option with a few named values; the first is the default. In the kit it is the value's place, from 0."""

    name: str
    values: tuple[str, ...]
    help: str
    ruling: str = ""
    _: KW_ONLY
    #: What people read: a title, the values in words, and the heading it stands under among the others.
    title: str = ""
    words: tuple[str, ...] = ()
    group: str = ""

    @property
    def default(self) -> str:
        """The value by the letter of the rulings."""
        return self.values[0]

    @property
    def heading(self) -> str:
        """The title, or else the name as people would write it."""
        return _heading(self)

    def said(self, value: Value) -> str:
        """A value in words for people; the value itself where the game has none."""
        return self.words[self.number(value)] if self.words else str(value)

    def read(self, value: Any) -> str:
        """The value that somebody wrote."""
        word = {True: "yes", False: "no"}.get(value, value) if isinstance(value, bool) else value
        for known in self.values:
            if isinstance(word, str) and plain(word) == plain(known):
                return known
        raise BadOption(f"{self.name} cannot be {value}; it can be {_either(self.values)}.")

    def number(self, value: Value) -> int:
        """How the value stands in the kit."""
        return self.values.index(str(value))

    @property
    def type(self) -> str:
        """For lists: which kind of option this is."""
        return "choice"


@dataclass(frozen=True)
class NumberOption:
    """An option that is a whole number from `low` to `high`."""

    name: str
    default: int
    low: int
    high: int
    help: str
    ruling: str = ""
    _: KW_ONLY
    #: What people read: a title, and the heading it stands under among the others.
    title: str = ""
    group: str = ""

    @property
    def heading(self) -> str:
        """The title, or else the name as people would write it."""
        return _heading(self)

    def said(self, value: Value) -> str:
        """A value in words for people."""
        return str(value)

    def read(self, value: Any) -> int:
        """The value that somebody wrote."""
        try:
            if isinstance(value, (bool, float)):
                raise ValueError
            number = int(value)
        except (TypeError, ValueError):
            number = self.low - 1
        if not self.low <= number <= self.high:
            raise BadOption(f"{self.name} cannot be {value}; it is a whole number from {self.low} to {self.high}.")
        return number

    def number(self, value: Value) -> int:
        """How the value stands in the kit."""
        return int(value)

    @property
    def type(self) -> str:
        """For lists: which kind of option this is."""
        return "number"


Option = ChoiceOption | NumberOption


def grouped(options: Sequence[Option]) -> dict[str, list[Option]]:
    """The options under their headings, in the order in which these occur first."""
    found: dict[str, list[Option]] = {}
    for option in options:
        found.setdefault(option.group, []).append(option)
    return found


def option_fields(options: Sequence[Option]) -> list[Field]:
    """The fields of the kit that hold the options."""
    return [(option.name, "i4") for option in options]


def read_options(game: str, options: Sequence[Option], given: Mapping[str, Any]) -> dict[str, Value]:
    """All options of a game with their values: the given ones, checked, and the defaults of the rest."""
    written = {plain(name): given[name] for name in given}
    known = {plain(option.name): option for option in options}
    for name in given:
        if plain(name) not in known:
            names = ", ".join(option.name for option in options)
            raise BadOption(f"{game} has no option {name}; its options are {names or 'none'}.")
    return {
        option.name: option.read(written[name]) if name in written else option.default for name, option in known.items()
    }


def _heading(option: Option) -> str:
    return option.title or option.name.replace("_", " ").capitalize()


def _either(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
