"""The words of a game explained: `glossary.toml` in its folder, for the table, the terminal and the rules alike.

Each table of the file is an entry, named by its word. `text` says what it means. `shown` are other ways in which the
word stands on the table; `*` in them is anything (`* damage`), and large and small letters are alike:

    [Asleep]
    text = "It neither attacks, strikes nor blocks until end of turn."
    shown = ["sleeps"]

Things on the table carry no names of entries: an entry is found by the word that is shown, so none can point nowhere.
A place of a board is found by its tone (`floor`), what stands there as `token` and by its state, the others as
`scene/glossary_terms.py` says.
"""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from .errors import BadContent

#: For how many words a glossary remembers what it found.
KEPT = 2000


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """A word, what it means, and how else it is shown."""

    word: str
    text: str
    shown: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """What it is called on a page: `word-armor-1`."""
        return "word-" + re.sub(r"\W+", "-", self.word.casefold()).strip("-")

    def means(self, word: str) -> bool:
        """Whether a word that is shown is this one."""
        return any(fnmatchcase(word.casefold(), form.casefold()) for form in (self.word, *self.shown))


class Glossary:
    """All entries of a game, in the order of its file."""

    def __init__(self, entries: Iterable[GlossaryEntry] = ()) -> None:
        self.entries = tuple(entries)
        self._found: dict[str, GlossaryEntry | None] = {}
        self._ids: dict[tuple[str, ...], str | None] = {}

    def find(self, word: str) -> GlossaryEntry | None:
        """The entry of a word as it is shown: the first that means it; those of the very word go before."""
        if word not in self._found:
            _bound(self._found)
            exact = [entry for entry in self.entries if entry.word.casefold() == word.casefold()]
            self._found[word] = next((entry for entry in (*exact, *self.entries) if entry.means(word)), None)
        return self._found[word]

    def explain(self, words: Iterable[str]) -> tuple[GlossaryEntry, ...]:
        """The entries of some words, each once, in their order; words without one are left out."""
        return tuple(dict.fromkeys(entry for word in words if word and (entry := self.find(word))))

    def ids(self, words: tuple[str, ...]) -> str | None:
        """The ids of the entries of some words, as a page refers to them; None if there is no entry."""
        if words not in self._ids:
            _bound(self._ids)
            self._ids[words] = " ".join(entry.id for entry in self.explain(words)) or None
        return self._ids[words]


#: The glossary of a game that has none.
NO_WORDS = Glossary()


def _bound(kept: dict[Any, Any]) -> None:
    """Make room where too much is kept: numbers and names that people give come and go."""
    if len(kept) > KEPT:
        kept.clear()


def read_glossary(file: Path) -> Glossary:
    """The glossary in a file; an empty one if there is no file."""
    if not file.exists():
        return Glossary()
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise BadContent(f"{file.name} is not TOML: {problem}.") from None
    return Glossary(_entry(word, table, f"{file.name}: {word}") for word, table in tables.items())


def _entry(word: str, table: Any, where: str) -> GlossaryEntry:
    if not isinstance(table, dict) or not isinstance(table.get("text"), str) or set(table) - {"text", "shown"}:
        raise BadContent(f"{where}: an entry has a text, and if need be shown, nothing else.")
    shown = table.get("shown", [])
    if not isinstance(shown, list) or not all(isinstance(form, str) for form in shown):
        raise BadContent(f"{where}: shown is a list of words.")
    return GlossaryEntry(word, table["text"], tuple(shown))
