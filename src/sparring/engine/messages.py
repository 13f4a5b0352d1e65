"""What people read, as data: an English template with values, looked up in a catalogue and filled in when it is shown.

The template is the key in the catalogue, as with gettext, so that code shows what it says; without a catalogue it is
what people read. `str(text)` shows a text in the reader's `LANGUAGE`.
"""

from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from gettext import NullTranslations
from types import MappingProxyType
from typing import Any, Final

#: The reader's language: a catalogue of translated templates; by default none, which shows the templates themselves.
LANGUAGE: Final[ContextVar[NullTranslations]] = ContextVar("LANGUAGE", default=NullTranslations())  # noqa: B039

_NONE: Mapping[str, Any] = MappingProxyType({})


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

    __slots__ = ("hit", "importance", "plural", "template", "values")

    def __init__(self, template: str, plural: str = "", /, **values: Any) -> None:
        self.template, self.plural, self.importance, self.hit = template, plural, "", False
        self.values: Mapping[str, Any] = values or _NONE
        for name, value in values.items():
            if isinstance(value, list | tuple):
                values[name] = Items(value)

    def but(self, importance: str, *, hit: bool = False, **values: Any) -> "Text":
        """Return this text with an importance, and with other values."""
        text = Text(self.template, self.plural, **{**self.values, **values})
        text.importance, text.hit = importance, hit
        return text

    def __str__(self) -> str:
        language = LANGUAGE.get()
        if not self.template:  # catalogues have their own description there
            return ""
        if self.plural:
            template = language.ngettext(self.template, self.plural, int(self.values["n"]))
        else:
            template = language.gettext(self.template)
        return template.format_map(self.values)

    def __format__(self, form: str) -> str:
        shown = str(self)
        starts_with_a_name = self.template.startswith("{")
        return shown[:1].lower() + shown[1:] if form == "inside" and not starts_with_a_name else shown

    def _key(self) -> tuple[object, ...]:
        return self.template, self.plural, tuple(self.values.items()), self.importance, self.hit

    def __eq__(self, other: object) -> bool:
        return type(other) is Text and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"Text({str(self)!r})"

    def __reduce__(self) -> Any:
        return _unpickled, (self.template, self.plural, dict(self.values), self.importance, self.hit)


def _unpickled(template: str, plural: str, values: dict[str, Any], importance: str, hit: bool) -> Text:
    return Text(template, plural, **values).but(importance, hit=hit)


def say(template: str, plural: str = "", /, **values: Any) -> str:
    """Return a text in the reader's language at once, for a scene, which is made when it is shown."""
    return str(Text(template, plural, **values))


class Items(tuple[Any, ...]):
    """The items of a list in a sentence."""

    __slots__ = ()

    def __format__(self, last: str) -> str:
        return listed(self, last or "and")


def listed(items: Iterable[Any], last: str = "and") -> str:
    """Return items as the reader's language lists them: `a, b and c`; `last` is `and` or `or`."""
    *most, final = [*map(str, items)] or [""]
    language = LANGUAGE.get()
    if not most:
        return final
    pattern = language.gettext("{items} or {last}" if last == "or" else "{items} and {last}")
    return pattern.format(items=language.gettext(", ").join(most), last=final)


#: A text, or an English sentence of a game that isn't converted yet.
AnyText = Text | str
