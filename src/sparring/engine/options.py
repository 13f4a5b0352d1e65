"""The options of a game, declared once for command line, form and docs; the file of a set, which has its own."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any

from .errors import BadContent, BadOption
from .formats import normalize
from .formats.toml import write_toml

#: The value of an option: a name or an integer.
Value = str | int

#: In a set's file, the name of the table of options.
OPTIONS_TABLE = "options"

#: In a set's file, the line with the name above the first table, and the table of options.
_NAME = re.compile(r"\A((?:(?!\[)[^\n]*\n)*?)name[ \t]*=[^\n]*\n")
_TABLE = re.compile(rf"^\[{OPTIONS_TABLE}\][ \t]*\n(?:(?!\[).*\n?)*", re.MULTILINE)


@dataclass(frozen=True)
class ChoiceOption:
    """An option with a few named values; the first is the default. The params record stores the value's index."""

    name: str
    values: tuple[str, ...]
    help: str
    ruling: str = ""
    _: KW_ONLY
    #: For forms: a title, the values in words, and the heading of its group.
    title: str = ""
    words: tuple[str, ...] = ()
    group: str = ""
    #: The list in the content file whose names are the values; `values` are those of the game's own file.
    names_of: str = ""
    #: The default of the game's own file, which old tables and records of other content name: it means the first value.
    instead_of: str = ""
    #: Whether the default is ours, because the document that the game follows says nothing.
    ours: bool = False
    #: The value in stored matches that don't name the option, if not the default (see `complete`).
    when_missing: str | None = None
    #: Whether it only changes what is drawn. The rules, and so the params, don't have it.
    drawn: bool = False

    @property
    def default(self) -> str:
        """The default value."""
        return self.values[0]

    @property
    def heading(self) -> str:
        """The title, or else the name in readable form."""
        return _heading(self)

    def in_words(self, value: Value) -> str:
        """Return a value in words; the value itself where the game has none."""
        return self.words[self.number(value)] if self.words else str(value)

    def with_content(self, content: object) -> "ChoiceOption":
        """Return the option with the names in this content (raw or read) as its values."""
        if not self.names_of:
            return self
        if isinstance(content, Mapping):  # raw, and perhaps faulty
            rows = content.get(self.names_of)
            names = [row.get("name") for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []
        else:
            names = [row.name for row in getattr(content, self.names_of)]
        values = tuple(name for name in names if isinstance(name, str) and name)
        words = dict(zip(self.values, self.words, strict=True))
        listed = tuple(words.get(name, name) for name in values)
        if not values:
            return self
        return replace(self, values=values, words=listed, instead_of=self.default, when_missing=None)

    def read(self, value: Any) -> str:
        """Check a value that a person wrote and return it as declared. Raises BadOption."""
        word = {True: "yes", False: "no"}.get(value, value) if isinstance(value, bool) else value
        for known in self.values:
            if isinstance(word, str) and normalize(word) == normalize(known):
                return known
        if self.instead_of and value == self.instead_of:
            return self.default
        raise BadOption(f"{self.name} must be {_either(self.values)}, not {value}.")

    def number(self, value: Value) -> int:
        """Return the number that the params record stores for a value."""
        return self.values.index(str(value))

    @property
    def type(self) -> str:
        """The kind of option, for lists."""
        return "choice"


@dataclass(frozen=True)
class NumberOption:
    """An option that is an integer from `low` to `high`."""

    name: str
    default: int
    low: int
    high: int
    help: str
    ruling: str = ""
    _: KW_ONLY
    #: For forms: a title, and the heading of its group.
    title: str = ""
    group: str = ""
    #: Whether the default is ours, because the document that the game follows says nothing.
    ours: bool = False
    #: The value in stored matches that don't name the option, if that isn't the default (see `complete`).
    when_missing: int | None = None

    @property
    def heading(self) -> str:
        """The title, or else the name in readable form."""
        return _heading(self)

    def in_words(self, value: Value) -> str:
        """Return a value in words."""
        return str(value)

    def with_content(self, content: object) -> "NumberOption":
        """Return the option itself: its values don't depend on the content."""
        return self

    def read(self, value: Any) -> int:
        """Check a value that a person wrote and return it as an integer. Raises BadOption."""
        try:
            if isinstance(value, (bool, float)):
                raise ValueError
            number = int(value)
        except (TypeError, ValueError):
            number = self.low - 1
        if not self.low <= number <= self.high:
            raise BadOption(f"{self.name} must be a whole number from {self.low} to {self.high}, not {value}.")
        return number

    def number(self, value: Value) -> int:
        """Return the number that the params record stores for a value."""
        return int(value)

    @property
    def type(self) -> str:
        """The kind of option, for lists."""
        return "number"


Option = ChoiceOption | NumberOption


def grouped(options: Sequence[Option]) -> dict[str, list[Option]]:
    """Return the options by group, in order of first occurrence."""
    groups: dict[str, list[Option]] = {}
    for option in options:
        groups.setdefault(option.group, []).append(option)
    return groups


def in_params(option: Option) -> bool:
    """Return whether rules need an option, because it changes more than what is drawn."""
    return not (isinstance(option, ChoiceOption) and option.drawn)


def read_options(game: str, options: Sequence[Option], given: Mapping[str, Any]) -> dict[str, Value]:
    """Return all options of a game with their values: the given ones, checked, and defaults. Raises BadOption."""
    values = {normalize(name): given[name] for name in given}
    known = {normalize(option.name): option for option in options}
    for name in given:
        if normalize(name) not in known:
            names = ", ".join(option.name for option in options)
            raise BadOption(f"{game} has no option {name}; its options are {names or 'none'}.")
    return {
        option.name: option.read(values[name]) if name in values else option.default for name, option in known.items()
    }


def complete(options: Sequence[Option], stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a stored match with those that it doesn't name, as they were when it was stored.

    It is older than an option, or was stored when only differences from the defaults were. So a changed default or a
    new option changes no match.
    """
    missing = {each.name: each.default if each.when_missing is None else each.when_missing for each in options}
    return {**missing, **stored}


def _heading(option: Option) -> str:
    return option.title or option.name.replace("_", " ").capitalize()


def _either(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def split_options(
    data: Mapping[str, Any], known: Sequence[Option], where: str
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Return the content and the options of a set's file; the options are None if the file has none.

    `known` are the game's options. Raises BadContent, which names the file as `where`, for an unknown option or value.
    """
    content = dict(data)
    if OPTIONS_TABLE not in content:
        return content, None
    options = content.pop(OPTIONS_TABLE)
    if not isinstance(options, Mapping):
        raise BadContent(f"{where}: options must be a table, as in [options].")
    try:
        read_options("the game", [option.with_content(content) for option in known], options)
    except BadOption as problem:
        raise BadContent(f"{where}: {problem}") from None
    return content, dict(options)


def with_options(toml: str, options: Mapping[str, Any]) -> str:
    """Return a content file with the options of its variant; the file's own text stays as it is."""
    return f"{toml.rstrip()}\n\n{write_toml({OPTIONS_TABLE: dict(options)})}"


def with_name(toml: str, name: str) -> str:
    """Return a content file with what the game is called (empty: without it); the rest stays as it is."""
    text = _NAME.sub(r"\1", toml)
    return f"{write_toml({'name': name})}{text}" if name else text


def without_options(toml: str) -> str:
    """Return a valid set's file without its table of options; the rest stays as it is."""
    return f"{_TABLE.sub('', toml).rstrip()}\n"
