"""What people read, as data: an English template with values, looked up in a catalogue and filled in when it is shown.

The template is the key in the catalogue, as with gettext, so that code shows what it says; without a catalogue it is
what people read. `str(text)` shows a text in the reader's `LANGUAGE`.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from gettext import NullTranslations
from numbers import Integral
from typing import Annotated, Any, Final, Generic, ParamSpec, Self, TypeVar, cast

import msgspec

P = ParamSpec("P")
T = TypeVar("T")

#: The reader's language: a catalogue of translated templates; None shows the templates themselves.
LANGUAGE: Final[ContextVar[NullTranslations | None]] = ContextVar("LANGUAGE", default=None)
#: The types of values with which labels are cached: those that are shown alike if they are equal.
CACHED: Final = frozenset({str, int})


@contextmanager
def reading_in(language: NullTranslations | None) -> Iterator[None]:
    """Show all texts in a language while the block runs; with None, the templates themselves, for what is stored."""
    token = LANGUAGE.set(language)
    try:
        yield
    finally:
        LANGUAGE.reset(token)


class Text:
    """A sentence or a label: the kind of it, which is its template, and its values.

    Values are names and numbers, shown as they are; further texts; or sequences of these, which are listed:

    >>> str(Text("{who} plays {cards}.", who="Ash", cards=["Jab", "Hook", "Kick"]))
    'Ash plays Jab, Hook and Kick.'
    >>> str(Text("Play {colours:or}.", colours=["Red", "Wild"]))
    'Play Red or Wild.'

    A second template is for every `n` but 1:

    >>> [str(Text("{n} card", "{n} cards", n=n)) for n in (1, 2)]
    ['1 card', '2 cards']

    A whole sentence can follow a colon in another one:

    >>> str(Text("Only one target: {choice:inside}", choice=Text("You attack {who}.", who="Ash")))
    'Only one target: you attack Ash.'

    `importance` is that of a line in the log (see `sparring.scene.sentences`), and `hit` whether it reports a blow.
    """

    plural = importance = ""
    hit = False
    _shown: "tuple[NullTranslations | None, str]" = (NullTranslations(), "")  # the last language, and the text in it

    def __init__(self, template: str, plural: str = "", /, **values: Any) -> None:
        self.template, self.values = template, values
        if plural:
            self.plural = plural
        for name, value in values.items():
            if type(value) is list or type(value) is tuple:
                values[name] = Items(value)

    def but(self, importance: str, *, hit: bool = False, **values: Any) -> "Text":
        """Return this text with an importance, and with other values."""
        text = Text(self.template, self.plural, **{**self.values, **values})
        text.importance, text.hit = importance, hit
        return text

    @property
    def subject(self) -> str:
        """Return whom it is about: `you` for what the reader does, `Seat 2` and so on for others; empty for none."""
        return "you" if self.template.startswith("You ") else str(self.values.get("who", ""))

    @property
    def translated(self) -> str:
        """Return the template in the reader's language, with its fields."""
        template, language = self.template, LANGUAGE.get()
        if language is None:
            return self.plural if self.plural and self.values["n"] != 1 else template
        if self.plural:
            return language.ngettext(template, self.plural, int(self.values["n"]))
        return language.gettext(template) if template else ""  # catalogues have their own description at the empty one

    def __str__(self) -> str:
        language = LANGUAGE.get()
        last_language, shown = self._shown  # read at once, as another thread may show it in another language
        if last_language is language:
            return shown
        template = self.translated if language or self.plural else self.template
        shown = template.format_map(self.values) if self.values else template
        self._shown = language, shown
        return shown

    def __format__(self, form: str) -> str:
        shown = str(self)
        if form != "inside" or self.translated.startswith("{") or shown.startswith("Seat "):  # a name comes first
            return shown
        return shown[:1].lower() + shown[1:]

    def __getstate__(self) -> dict[str, Any]:
        """Return what is copied and pickled: the text, without the last language and what was shown in it."""
        return {name: value for name, value in vars(self).items() if name != "_shown"}

    def _key(self) -> tuple[object, ...]:
        return self.template, self.plural, tuple(self.values.items()), self.importance, self.hit

    def __eq__(self, other: object) -> bool:
        return type(other) is Text and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"Text({self.template!r}, {self.values})"


def say(template: str, plural: str = "", /, **values: Any) -> str:
    """Return a text in the reader's language at once, for a scene, which is made when it is shown."""
    language = LANGUAGE.get()
    if not values and language is None:
        return template
    if CACHED.issuperset(map(type, values.values())):
        return _said(language, template, plural, **values)
    return str(Text(template, plural, **values))


@lru_cache(maxsize=4096)
def _said(language: NullTranslations | None, template: str, plural: str, /, **values: Any) -> str:
    return str(Text(template, plural, **values))


def cached_by_language(size: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Cache a function whose result shows texts, as `lru_cache` with `size` results does: apart for each language.

    Its arguments are given by position, which is faster.
    """
    language = LANGUAGE.get

    def decorated(function: Callable[P, T]) -> Callable[P, T]:
        @lru_cache(size)
        def results(_language: NullTranslations | None, *arguments: Any) -> T:
            return cast(Callable[..., T], function)(*arguments)

        @wraps(function)
        def cached(*arguments: Any) -> T:
            return results(language(), *arguments)

        cached.cache_clear = results.cache_clear  # type: ignore[attr-defined]
        return cast(Callable[P, T], cached)

    return decorated


class property_by_language(Generic[T]):  # noqa: N801 - it is used as `cached_property` is
    """Cache a property that shows texts, as `cached_property` does: apart for each language."""

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute, self.__doc__ = compute, compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = f"_{owner.__name__}_{name}_by_language"

    def __get__(self, thing: Any, owner: type | None = None) -> T:
        if thing is None:
            return cast(T, self)
        values, language = vars(thing).setdefault(self._name, {}), LANGUAGE.get()
        if language not in values:
            values[language] = self._compute(thing)
        return cast(T, values[language])


class Items(tuple[Any, ...]):
    """The items of a list in a sentence."""

    __slots__ = ()

    def __format__(self, last: str) -> str:
        return listed(self, last or "and")


def listed(items: Iterable[Any], last: str = "and") -> str:
    """Return items as the reader's language lists them: `a, b and c`; `last` is `and` or `or`."""
    *most, final = [*map(str, items)] or [""]
    if not most:
        return final
    items = say(", ").join(most)
    if last == "or":
        return say("{items} or {last}", items=items, last=final)
    return say("{items} and {last}", items=items, last=final)


#: A template whose fields have only a name, and the formats of texts and lists: with others, it could fill the memory.
_PLAIN = r"^([^{}]|\{[^\W\d]\w*(:inside|:or)?\})*$"
_FIELD = re.compile(r"\{(\w+)(:?)")
#: How many texts may be inside each other; those of games are two or three.
_MAX_DEPTH = 8
PlainTemplate = Annotated[str, msgspec.Meta(pattern=_PLAIN)]


class StoredText(msgspec.Struct, frozen=True):
    """A text as data, for the database and for other processes: it has no language until it is read."""

    template: PlainTemplate
    plural: PlainTemplate = ""
    values: dict[str, "StoredText | str | int | list[StoredText | str | int]"] = {}

    @classmethod
    def of(cls, text: Text) -> Self:
        """Return a text as data, without its importance. One with other formats becomes what it says now.

        So does one with braces but no values: they are no fields, but part of a plain sentence.
        """
        is_plain = all(re.match(_PLAIN, template) for template in (text.template, text.plural))
        if not is_plain or (not text.values and "{" in text.template):
            return cls("{text}", values={"text": str(text)})
        return cls(text.template, text.plural, {name: _stored(value) for name, value in text.values.items()})

    @property
    def text(self) -> Text:
        """Return the text."""
        return Text(self.template, self.plural, **{name: _read(value) for name, value in self.values.items()})

    @property
    def is_complete(self) -> bool:
        """Return whether it can be shown: each field has a value that fits it, and no text becomes endless."""
        return self._fits(_MAX_DEPTH)

    def _fits(self, depth: int) -> bool:
        """Return whether it can be shown, with at most `depth` texts inside each other; each value is shown once."""
        fields = [_FIELD.findall(template) for template in (self.template, self.plural)]
        texts = [each for value in self.values.values() for each in (value if isinstance(value, list) else [value])]
        return (
            depth > 0
            and all(len(dict(each)) == len(each) for each in fields)
            and all(self._has_value(name, bool(form)) for each in fields for name, form in each)
            and (not self.plural or isinstance(self.values.get("n"), int))
            and all(each._fits(depth - 1) for each in texts if isinstance(each, StoredText))
        )

    def _has_value(self, name: str, has_format: bool) -> bool:
        """Return whether there is a value for a field; only texts and lists have formats."""
        return name in self.values and not (has_format and isinstance(self.values[name], str | int))


def _stored(value: Any) -> Any:
    if isinstance(value, Items):
        return [_stored(item) for item in value]
    if isinstance(value, Text):
        return StoredText.of(value)
    return int(value) if isinstance(value, Integral) else str(value)


def _read(value: Any) -> Any:
    if isinstance(value, list):
        return [_read(item) for item in value]
    return value.text if isinstance(value, StoredText) else value


#: A text, or a plain sentence of a game that says what it has to say in one language.
AnyText = Text | str


def as_text(line: AnyText) -> Text:
    """Return a plain sentence of a game as a text; one that doesn't begin as most sentences do begins with a name."""
    if isinstance(line, Text):
        return line
    return Text(line) if line.startswith(("You ", "The ", "Your ")) else Text("{line}", line=line)
