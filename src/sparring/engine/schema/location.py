"""Locations of fields in the content, as paths and in words for messages."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sparring.engine.errors import ContentFault, Step

#: The result of a game's check: for each fault the path to its field, relative to the check, and the sentence.
Faults = Iterable[tuple[tuple[Step, ...], str]]


@dataclass(frozen=True)
class SchemaLocation:
    """A place in the content: its path, its name in words, and the faults so far."""

    at: tuple[Step, ...]
    #: The names of the container and of this place.
    container: str
    name: str
    faults: list[ContentFault]

    def report(self, sentence: str, *steps: Step) -> None:
        """Report a fault here, or `steps` further in."""
        self.faults.append(ContentFault(f"{self.name}: {sentence}", (*self.at, *steps), sentence))

    def report_above(self, sentence: str) -> None:
        """Report a fault under the container's name: `mine.toml: a deck has ...`."""
        self.faults.append(ContentFault(f"{self.container}: {sentence}", self.at, sentence))

    def inside(self, step: Step, words: str = "") -> "SchemaLocation":
        """Return the location one step further in; `words` names the step (default: the step itself)."""
        return SchemaLocation((*self.at, step), self.name, f"{self.name}: {words or step}", self.faults)

    def one_of(self, step: Step, words: str) -> "SchemaLocation":
        """Return the location of a list entry, named after the container instead of the list."""
        return SchemaLocation((*self.at, step), self.container, f"{self.container}: {words}", self.faults)

    def report_all(self, faults: Faults) -> None:
        """Report the faults that a game's check found here."""
        for steps, sentence in faults:
            place = self
            for step in steps:
                place = place.inside(step)
            place.report(sentence)


def either(values: Iterable[Any], word: str = "or") -> str:
    """Join values with commas and "or": `close or long`, `1, 2 or 3`."""
    words = [str(value) for value in values]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {word} {words[-1]}"


def listed(values: Iterable[Any]) -> str:
    """Join values with commas and "and": `name, map and symmetry`."""
    return either(values, "and")


def shortened(value: object, limit: int = 60) -> str:
    """Return a value as text, shortened for a message."""
    text = str(value)
    return text if len(text) <= limit else f"{text[:limit]}…"


def with_article(word: str) -> str:
    """Put the indefinite article before a word: `a card`, `an arrow`."""
    return f"a{'n' if word[0] in 'aeiou' else ''} {word}"
