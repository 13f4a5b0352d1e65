"""Glossaries: explain a game's terms on the table, in the terminal and in the rules.

Each table in `glossary.toml` is an entry, named by its term. `text` explains it. `shown` lists other forms in which the
term appears on the table; `*` matches any text (`* damage`), and case is ignored:

    [Asleep]
    text = "It neither attacks, strikes nor blocks until end of turn."
    shown = ["sleeps"]

Objects on the table do not refer to entries. An entry is found by the words shown, so no reference can be broken; the
words for spaces, tokens and other objects are in `terms` (`scene/model.py`).
"""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from .errors import BadContent

#: The maximum number of words in a glossary's cache.
MAX_CACHED = 2000


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """A term, its explanation, and its other forms."""

    word: str
    text: str
    shown: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The HTML id of the entry, such as `word-armor-1`."""
        return "word-" + re.sub(r"\W+", "-", self.word.casefold()).strip("-")

    def means(self, word: str) -> bool:
        """Return whether a word on the table is a form of this term."""
        return any(fnmatchcase(word.casefold(), form.casefold()) for form in (self.word, *self.shown))


class Glossary:
    """All entries of a game, in the order of its file."""

    def __init__(self, entries: Iterable[GlossaryEntry] = ()) -> None:
        self.entries = tuple(entries)
        self._found: dict[str, GlossaryEntry | None] = {}
        self._ids: dict[tuple[str, ...], str | None] = {}

    def find(self, word: str) -> GlossaryEntry | None:
        """Return the entry of a word on the table; exact terms take precedence over patterns."""
        if word not in self._found:
            _bound(self._found)
            exact = [entry for entry in self.entries if entry.word.casefold() == word.casefold()]
            self._found[word] = next((entry for entry in (*exact, *self.entries) if entry.means(word)), None)
        return self._found[word]

    def explain(self, words: Iterable[str]) -> tuple[GlossaryEntry, ...]:
        """Return the entries of some words, each once, in order."""
        return tuple(dict.fromkeys(entry for word in words if word and (entry := self.find(word))))

    def ids(self, words: tuple[str, ...]) -> str | None:
        """Return the HTML ids of the words' entries, separated by spaces; None if there are none."""
        if words not in self._ids:
            _bound(self._ids)
            self._ids[words] = " ".join(entry.id for entry in self.explain(words)) or None
        return self._ids[words]


#: The empty glossary.
NO_WORDS = Glossary()


def _bound(cache: dict[Any, Any]) -> None:
    """Clear a cache that is too large: numbers and names of players keep adding new words."""
    if len(cache) > MAX_CACHED:
        cache.clear()


def read_glossary(file: Path) -> Glossary:
    """Read a glossary from a file; without the file it is empty. Raises BadContent."""
    if not file.exists():
        return Glossary()
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise BadContent(f"{file.name} is not TOML: {problem}.") from None
    return Glossary(_entry(word, table, f"{file.name}: {word}") for word, table in tables.items())


def _entry(word: str, table: object, where: str) -> GlossaryEntry:
    if not isinstance(table, dict) or not isinstance(table.get("text"), str) or set(table) - {"text", "shown"}:
        raise BadContent(f'{where}: an entry must have the field "text" and can have the field "shown", but no others.')
    shown = table.get("shown", [])
    if not isinstance(shown, list) or not all(isinstance(form, str) for form in shown):
        raise BadContent(f"{where}: shown must be a list of words.")
    return GlossaryEntry(word, table["text"], tuple(shown))
