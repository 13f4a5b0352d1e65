"""Sets of different cards, for hands whose order doesn't matter: card number n is bit n of an int64, for n up to 62.

0 is the empty set. `a | b` has the cards of both sets, `a & b` those in both, `a & ~b` those of `a` that aren't in `b`.
"""

from collections.abc import Iterable, Iterator

from .rule import rule
from .types import CardPile, Numbers


@rule
def only(card: int) -> int:
    """Return the set of one card."""
    return 1 << int(card)


@rule
def has(cards: int, card: int) -> int:
    """Return 1 if a card is in a set, otherwise 0."""
    return (int(cards) >> int(card)) & 1


@rule
def lowest(cards: int) -> int:
    """Return the card with the lowest number in a set that is not empty."""
    return (int(cards) & -int(cards)).bit_length() - 1  # machine code: see compilation.vectors


@rule
def without_lowest(cards: int) -> int:
    """Return a set without the card with its lowest number."""
    return int(cards) & (int(cards) - 1)


@rule
def offer_cards(out: Numbers, n: int, first: int, cards: int) -> int:
    """Write the action `first` + card for each card of a set to `out` from place `n` on; return the number in `out`."""
    rest = int(cards)
    while rest:
        out[n] = first + lowest(rest)
        n += 1
        rest = without_lowest(rest)
    return n


@rule
def put_cards(pile: CardPile, cards: int) -> None:
    """Put the cards of a set on top of a pile, in ascending order."""
    pile[0] = offer_cards(pile, pile[0] + 1, 0, cards) - 1


def set_of(cards: Iterable[int]) -> int:
    """Return the set of these cards."""
    return sum(only(card) for card in set(cards))


def members(cards: int) -> Iterator[int]:
    """Yield the cards of a set in ascending order."""
    rest = int(cards)
    while rest:
        yield int(lowest(rest))
        rest = int(without_lowest(rest))
