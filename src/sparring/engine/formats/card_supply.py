"""The cards of a position: each card gets its place, by name or at random."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from sparring.engine.cards import put, shuffle
from sparring.engine.errors import BadPosition

from .position_reader import PositionReader, whole, words_in
from .spelling import plain

#: In a list of cards: all cards without another place, shuffled.
REST = -1
DRAW = "draw_pile"
DOTS = ("...", "…")
#: The maximum number of cards that an error names.
NAMED = 6

#: A pile in a position: its cards, their number, or nothing.
Told = list[int] | int | None


class CardSupply:
    """The cards that have no place yet. Equal cards are equal numbers, or numbers that share a name.

    `cards` are all cards in play; `names` holds the names of each card, the displayed one first.
    """

    def __init__(self, cards: Iterable[int], names: Mapping[int, Sequence[str]]) -> None:
        self.left = list(cards)
        self.names = names
        self.spellings = {card: {plain(name) for name in known} for card, known in names.items()}

    # Named cards

    def find(self, word: str, among: Iterable[int], key: str) -> int:
        """Return the first of some cards with this name."""
        wanted = plain(word)
        found = next((card for card in among if wanted in self.spellings[card]), None)
        if found is not None:
            return int(found)
        if word.strip() in DOTS:
            raise BadPosition(f"{key}: ... (the remaining cards) is only allowed in a pile.")
        if any(wanted in known for known in self.spellings.values()):
            raise BadPosition(f"{key}: there is no {word} left; it is already somewhere else.")
        raise BadPosition(f"{key}: there is no card {word}{self._known()}.")

    def take(self, words: Any, key: str, room: int | None = None) -> list[int]:
        """Place the named cards, and return them."""
        cards = []
        for word in words_in(words, key):
            cards.append(self.find(word, self.left, key))
            self.left.remove(cards[-1])
        if room is not None and len(cards) > room:
            raise BadPosition(f"{key} must have at most {room} cards, not {len(cards)}.")
        return cards

    def read_pile(self, entry: Any, key: str, *, from_top: bool = False) -> Told:
        """Read a pile from its bottom: cards by name (`...` for the remaining ones), a number of cards, or nothing."""
        if entry is None or isinstance(entry, int):
            return entry
        cards = [REST if word in DOTS else self.take([word], key)[0] for word in words_in(entry, key)]
        return cards[::-1] if from_top else cards

    def piles(self, fields: PositionReader) -> dict[str, Told]:
        """Read the draw pile (from the top) and the discard pile (from the bottom)."""
        return {key: self.read_pile(fields.take(key), key, from_top=key == DRAW) for key in (DRAW, "discard_pile")}

    # Random cards

    def shuffle(self, g: Any) -> None:
        """Shuffle the remaining cards."""
        pile = np.zeros(len(self.left) + 1, np.int16)
        for card in self.left:
            put(pile, card)
        shuffle(g, pile)
        self.left = pile[1 : pile[0] + 1].tolist()

    def deal(self, count: Any, key: str) -> list[int]:
        """Place the next `count` of the remaining cards, and return them."""
        if isinstance(count, int) and count > len(self.left):
            are = "is" if len(self.left) == 1 else "are"
            raise BadPosition(f"{key} needs {count} cards, but only {len(self.left)} {are} left.")
        return [self.left.pop() for _ in range(whole(key, count, 0, len(self.left)))]

    def fill(self, piles: Mapping[str, Told]) -> list[list[int]]:
        """Return the cards of each pile from its bottom, with all remaining cards placed.

        They go where `...` is, or else into the first pile of which nothing is said.
        """
        dotted = [key for key, told in piles.items() if isinstance(told, list) for card in told if card == REST]
        if len(dotted) > 1:
            raise BadPosition(f"{dotted[-1]}: ... means all remaining cards, so it can only be used once.")
        counted = {key: self.deal(told, key) for key, told in piles.items() if isinstance(told, int)}
        rest = next(iter(dotted), None) or next((key for key, told in piles.items() if told is None), None)
        if rest is None and self.left:
            raise BadPosition(self._missing())
        filled = []
        for key, told in piles.items():
            cards = counted.get(key, told if isinstance(told, list) else [REST] * (key == rest))
            filled.append([each for card in cards for each in (self.left if card == REST else [card])])
        return filled

    # Words

    def _known(self) -> str:
        """Return the valid names, if there are few."""
        shown = list(dict.fromkeys(known[0] for known in self.names.values()))
        return f"; the cards are {', '.join(shown)}" if len(shown) <= 2 * NAMED else ""

    def _missing(self) -> str:
        counts = Counter(self.names[card][0] for card in sorted(self.left)).most_common()
        missing = [f"{count} {name}" if count > 1 else name for name, count in counts]
        more = sum(count for _, count in counts[NAMED:])
        cards = ", ".join(missing[:NAMED]) + (f" and {more} more" if more else "")
        return f'Every card needs a place: say where to put {cards}, or write "..." in a pile.'
