"""Hands and piles of cards; sets of different cards, for hands whose order doesn't matter.

A pile is an integer array. Its first entry is the number of cards; the cards follow from bottom to top, and the rest is
0. A hand is a pile kept in ascending order, so that lists made from it are ascending too. A pile may be a field of a
record or a row of one (`s.hand[seat]`). Rules that add a card assume that the array has room for it.

In a set, card number n is bit n of an int64, for n up to 62. 0 is the empty set. `a | b` has the cards of both sets,
`a & b` those in both, `a & ~b` those of `a` that aren't in `b`.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from .chance import below, copy_generator
from .rule import offer, rule, zeros
from .types import CardPile, Generator, Numbers

#: A hidden card in a view.
UNKNOWN = -1


def in_order(pile: CardPile) -> list[int]:
    """Return the cards of a pile, bottom first, as Python integers."""
    return pile[1 : pile[0] + 1].tolist()


@rule
def put(pile: CardPile, card: int) -> None:
    """Put a card on top."""
    n = pile[0] + 1
    pile[0] = n
    pile[n] = card


@rule
def put_copies(pile: CardPile, card: int, copies: int) -> None:
    """Put equal cards on top."""
    n = pile[0]
    for i in range(copies):
        pile[n + 1 + i] = card
    pile[0] = n + copies


@rule
def put_series(pile: CardPile, first: int, last: int) -> None:
    """Put the cards `first` to `last` - 1 on top, in this order."""
    n = pile[0] + 1 - first
    for card in range(first, last):
        pile[n + card] = card
    pile[0] = n + last - 1


@rule
def put_uncounted(pile: CardPile, counts: Numbers, first: int, last: int) -> None:
    """Put those of the cards `first` to `last` - 1 on top whose count is 0, in this order (see `count_cards`)."""
    n = pile[0] + 1
    for card in range(first, last):
        n = offer(pile, n, card, counts[card] == 0)
    if n < len(pile):
        pile[n] = 0
    pile[0] = n - 1


@rule
def take_top(pile: CardPile) -> int:
    """Take and return the top card of a pile that is not empty."""
    n = pile[0]
    card = pile[n]
    pile[n] = 0
    pile[0] = n - 1
    return card


@rule
def insert(hand: CardPile, card: int) -> None:
    """Insert a card into a hand, in ascending order."""
    n = hand[0] + 1
    for i in range(1, n):
        here = hand[i]
        hand[i] = min(here, card)
        card = max(here, card)
    hand[n] = card
    hand[0] = n


@rule
def remove(pile: CardPile, card: int) -> None:
    """Remove a card from a hand or pile that holds it; the others keep their order."""
    n = pile[0]
    closing = 0
    for i in range(1, n):
        closing |= int(pile[i] == card)
        pile[i] = pile[i + closing]
    pile[n] = 0
    pile[0] = n - 1


@rule
def take_at(pile: CardPile, place: int) -> int:
    """Remove and return the card at a place, counted from 1 at the bottom; the others keep their order."""
    card = pile[place]
    n = pile[0]
    for i in range(place, n):
        pile[i] = pile[i + 1]
    pile[n] = 0
    pile[0] = n - 1
    return card


@rule
def holds(pile: CardPile, card: int) -> bool:
    """Return whether a card is in a hand or pile."""
    for i in range(1, pile[0] + 1):
        if pile[i] == card:
            return True
    return False


@rule
def count_of(pile: CardPile, card: int) -> int:
    """Return how often a card is in a hand or pile."""
    count = 0
    for i in range(1, pile[0] + 1):
        if pile[i] == card:
            count += 1
    return count


@rule
def count_cards(counts: Numbers, pile: CardPile) -> None:
    """Add 1 to `counts` for each face-up card of a hand or pile."""
    for i in range(1, pile[0] + 1):
        if pile[i] >= 0:
            counts[pile[i]] += 1


@rule
def empty(pile: CardPile) -> None:
    """Remove all cards."""
    for i in range(pile[0] + 1):
        pile[i] = 0


@rule
def pour(source: CardPile, target: CardPile) -> None:
    """Move all cards of `source` on top of `target`, the bottom one first."""
    n = target[0]
    for i in range(1, source[0] + 1):
        target[n + i] = source[i]
        source[i] = 0
    target[0] = n + source[0]
    source[0] = 0


@rule
def shuffle(g: Generator, pile: CardPile) -> None:
    """Shuffle a pile with the generator `g` (Fisher-Yates shuffle).

    Compiled code keeps the copy of the generator in registers; the generator itself might overlap the pile.
    """
    copy = zeros(4, np.int64)
    copy_generator(copy, g)
    for i in range(pile[0], 1, -1):
        j = below(copy, i) + 1
        card = pile[i]
        pile[i] = pile[j]
        pile[j] = card
    copy_generator(g, copy)


@rule
def reshuffle(g: Generator, deck: CardPile, discard: CardPile) -> None:
    """Shuffle the discard pile into the empty deck."""
    pour(discard, deck)
    shuffle(g, deck)


@rule
def draw(g: Generator, deck: CardPile, discard: CardPile) -> int:
    """Draw the top card of the deck; an empty deck is first refilled from the discard pile.

    Return UNKNOWN if both are empty.
    """
    if deck[0] == 0:
        if discard[0] == 0:
            return UNKNOWN
        reshuffle(g, deck, discard)
    return take_top(deck)


@rule
def deal_cards(deck: CardPile, hand: CardPile, cards: int) -> None:
    """Deal a number of cards from the top of a deck into a hand."""
    for _ in range(cards):
        insert(hand, take_top(deck))


@rule
def hide(pile: CardPile) -> None:
    """Turn all cards of a pile face down (UNKNOWN); their number stays."""
    for i in range(1, pile[0] + 1):
        pile[i] = UNKNOWN


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
