"""Place the cards of a position: by name, by number of cards, or at random."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from sparring.engine.cards import put, shuffle
from sparring.engine.errors import BadPosition
from sparring.engine.types import Generator

from . import normalize
from .position_reader import read_integer, words_in

#: In a list of cards: all remaining cards, shuffled.
REST = -1
ELLIPSES = ("...", "…")
#: The maximum number of cards that an error names.
MAX_NAMED = 6

#: The entry of a pile in a position: its cards, their number, or None if it is left out.
PileEntry = list[int] | int | None


class CardSupply:
    """The cards that have no place yet (`left`). Equal cards are equal numbers, or numbers that share a name.

    `cards` are all cards in play; `names` has the names of each card, the displayed one first.
    """

    def __init__(self, cards: Iterable[int], names: Mapping[int, Sequence[str]]) -> None:
        self.left = list(cards)
        self.names = names
        self.spellings = {card: {normalize(name) for name in known} for card, known in names.items()}

    # Named cards

    def find(self, word: object, among: Iterable[int], key: str) -> int:
        """Return the first card `among` some that has this name; `key` is the field. Raises BadPosition."""
        if not isinstance(word, str):
            raise BadPosition(f"{key} must be the name of a card, not {word}.")
        spelling = normalize(word)
        card = next((each for each in among if spelling in self.spellings[each]), None)
        if card is not None:
            return int(card)
        if word.strip() in ELLIPSES:
            raise BadPosition(f"{key}: ... (the remaining cards) is only allowed in a pile.")
        if any(spelling in known for known in self.spellings.values()):
            raise BadPosition(f"{key}: there is no {word} left; it is already somewhere else.")
        raise BadPosition(f"{key}: there is no card {word}{self._known()}.")

    def take(self, words: object, key: str, room: int | None = None) -> list[int]:
        """Take the named cards and return them; at most `room`, if given. Raises BadPosition."""
        cards = []
        for word in self.words_in(words, key):
            cards.append(self.find(word, self.left, key))
            self.left.remove(cards[-1])
        if room is not None and len(cards) > room:
            raise BadPosition(f"{key} must have at most {room} cards, not {len(cards)}.")
        return cards

    def words_in(self, entry: object, key: str) -> list[str]:
        """Return the names in a list or a text, which may also be one name with spaces. Raises BadPosition."""
        names = (name.lower() for known in self.names.values() for name in known)
        return [entry] if isinstance(entry, str) and entry.strip().lower() in names else words_in(entry, key)

    def read_pile(self, entry: object, key: str, *, from_top: bool = False) -> PileEntry:
        """Read the entry of a pile; cards are named from the bottom, and `...` means the remaining ones (REST).

        With `from_top`, the entry names them from the top. The result is always from the bottom.
        """
        if entry is None or isinstance(entry, int):
            return entry
        cards = [REST if word in ELLIPSES else self.take([word], key)[0] for word in self.words_in(entry, key)]
        return cards[::-1] if from_top else cards

    # Random cards

    def shuffle(self, g: Generator) -> None:
        """Shuffle the remaining cards."""
        pile: Any = np.zeros(len(self.left) + 1, np.int16)
        for card in self.left:
            put(pile, card)
        shuffle(g, pile)
        self.left = pile[1 : pile[0] + 1].tolist()

    def deal(self, count: object, key: str) -> list[int]:
        """Take the next `count` of the remaining cards and return them. Raises BadPosition."""
        if isinstance(count, int) and count > len(self.left):
            are = "is" if len(self.left) == 1 else "are"
            raise BadPosition(f"{key} needs {count} cards, but only {len(self.left)} {are} left.")
        return [self.left.pop() for _ in range(read_integer(key, count, 0, len(self.left)))]

    def fill(self, piles: Mapping[str, PileEntry], *, complete: bool = True) -> list[list[int]]:
        """Return the cards of each pile from its bottom, after placing all remaining cards.

        They go where `...` is, or else into the first pile whose entry is None. Without either they have no place, an
        error if the position must be `complete`. Raises BadPosition.
        """
        dotted = [key for key, entry in piles.items() if isinstance(entry, list) for card in entry if card == REST]
        if len(dotted) > 1:
            raise BadPosition(f"{dotted[-1]}: ... means all remaining cards, so it can only be used once.")
        counted = {key: self.deal(entry, key) for key, entry in piles.items() if isinstance(entry, int)}
        rest = next(iter(dotted), None) or next((key for key, entry in piles.items() if entry is None), None)
        if rest is None and self.left and complete:
            raise BadPosition(self._missing())
        filled = []
        for key, entry in piles.items():
            cards = counted.get(key, entry if isinstance(entry, list) else [REST] * (key == rest))
            filled.append([each for card in cards for each in (self.left if card == REST else [card])])
        return filled

    # Parts of messages

    def _known(self) -> str:
        """Return the valid names, if there are few."""
        shown = list(dict.fromkeys(known[0] for known in self.names.values()))
        return f"; the cards are {', '.join(shown)}" if len(shown) <= 2 * MAX_NAMED else ""

    def _missing(self) -> str:
        counts = Counter(self.names[card][0] for card in sorted(self.left)).most_common()
        missing = [f"{count} {name}" if count > 1 else name for name, count in counts]
        more = sum(count for _, count in counts[MAX_NAMED:])
        cards = ", ".join(missing[:MAX_NAMED]) + (f" and {more} more" if more else "")
        return f'Every card needs a place: say where to put {cards}, or write "..." in a pile.'
