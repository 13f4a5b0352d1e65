"""Where a reader is in some content, and how that and what is wrong there is said."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sparring.engine.errors import ContentFault, Step

#: What a check of a game answers: for each fault the way to its field, from where the check stands, and the sentence.
Found = Iterable[tuple[tuple[Step, ...], str]]


@dataclass(frozen=True)
class SchemaLocation:
    """Where a reader is: the steps that led there, how that is called in words, and what was found so far."""

    at: tuple[Step, ...]
    #: Words for what holds this place, and for the place itself.
    outer: str
    told: str
    found: list[ContentFault]

    def say(self, sentence: str, *steps: Step) -> None:
        """Something is wrong here, or at a place further in."""
        self.found.append(ContentFault(f"{self.told}: {sentence}", (*self.at, *steps), sentence))

    def say_above(self, sentence: str) -> None:
        """The same of what holds this place: `mine.toml: a deck has ...`."""
        self.found.append(ContentFault(f"{self.outer}: {sentence}", self.at, sentence))

    def inside(self, step: Step, words: str = "") -> "SchemaLocation":
        """The place one step further in, by its own words or by the step's."""
        return SchemaLocation((*self.at, step), self.told, f"{self.told}: {words or step}", self.found)

    def one_of(self, step: Step, words: str) -> "SchemaLocation":
        """The same for one of many, which is called by its own words alone."""
        return SchemaLocation((*self.at, step), self.outer, f"{self.outer}: {words}", self.found)

    def tell(self, found: Found) -> None:
        """What a check of a game has found here."""
        for steps, sentence in found:
            place = self
            for step in steps:
                place = place.inside(step)
            place.say(sentence)


def either(values: Iterable[Any], word: str = "or") -> str:
    """`close or long`, `1, 2 or 3`."""
    words = [str(value) for value in values]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {word} {words[-1]}"


def listed(values: Iterable[Any]) -> str:
    """`name, map and symmetry`."""
    return either(values, "and")


def shortened(value: Any, most: int = 60) -> str:
    """A value as it stands in a sentence."""
    text = str(value)
    return text if len(text) <= most else f"{text[:most]}…"


def a(word: str) -> str:
    """`a card`, `an arrow`."""
    return f"a{'n' if word[0] in 'aeiou' else ''} {word}"
