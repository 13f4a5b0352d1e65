"""Hands and piles.

A pile is a short row of whole numbers: its first entry says how many cards there are, the cards follow from bottom
to top, what lies behind them is 0. A hand is a pile that is kept in ascending order, so that a list made from it is
ascending too. A pile may be a field of a record or a row of one (`s.hand[seat]`).
"""

from typing import Any

from .chance import below
from .rule import rule

#: Stands for a card that the owner of a view may not know.
UNKNOWN = -1


def in_order(pile: Any) -> list[int]:
    """The cards of a pile, bottom first, as ordinary numbers."""
    cards: list[int] = pile[1 : pile[0] + 1].tolist()
    return cards


@rule
def put(pile, card):
    """Lay a card on top."""
    n = pile[0] + 1
    pile[0] = n
    pile[n] = card


@rule
def take_top(pile):
    """Take the top card of a pile that has one."""
    n = pile[0]
    card = pile[n]
    pile[n] = 0
    pile[0] = n - 1
    return card


@rule
def insert(hand, card):
    """Put a card into a hand, at its place in the order."""
    i = hand[0]
    hand[0] = i + 1
    while i > 0 and hand[i] > card:
        hand[i + 1] = hand[i]
        i -= 1
    hand[i + 1] = card


@rule
def remove(pile, card):
    """Take a card that is there out of a hand or pile; the rest keeps its order."""
    n = pile[0]
    i = 1
    while pile[i] != card:
        i += 1
    while i < n:
        pile[i] = pile[i + 1]
        i += 1
    pile[n] = 0
    pile[0] = n - 1


@rule
def holds(pile, card):
    """Whether a card is in a hand or pile."""
    for i in range(1, pile[0] + 1):
        if pile[i] == card:
            return True
    return False


@rule
def count_of(pile, card):
    """How many cards like this are in a hand or pile."""
    count = 0
    for i in range(1, pile[0] + 1):
        if pile[i] == card:
            count += 1
    return count


@rule
def tally(counts, pile):
    """Count the cards of a hand or pile that lie face up: one more for each in `counts`."""
    for i in range(1, pile[0] + 1):
        if pile[i] >= 0:
            counts[pile[i]] += 1


@rule
def empty(pile):
    """Take everything away."""
    for i in range(pile[0] + 1):
        pile[i] = 0


@rule
def pour(source, target):
    """Lay all cards of `source` on `target`, the bottom one first."""
    n = target[0]
    for i in range(1, source[0] + 1):
        target[n + i] = source[i]
        source[i] = 0
    target[0] = n + source[0]
    source[0] = 0


@rule
def shuffle(g, pile):
    """Bring a pile into random order (Fisher and Yates)."""
    for i in range(pile[0], 1, -1):
        j = below(g, i) + 1
        card = pile[i]
        pile[i] = pile[j]
        pile[j] = card


@rule
def renew(g, deck, discard):
    """The shuffled discard pile becomes the deck, which is empty."""
    pour(discard, deck)
    shuffle(g, deck)


@rule
def draw(g, deck, discard):
    """Take the top card of the deck; an empty deck is first made anew from the shuffled discard pile.

    UNKNOWN if both are empty.
    """
    if deck[0] == 0:
        if discard[0] == 0:
            return UNKNOWN
        renew(g, deck, discard)
    return take_top(deck)


@rule
def hide(pile):
    """Turn every card of a pile face down: the number stays, the faces go."""
    for i in range(1, pile[0] + 1):
        pile[i] = UNKNOWN
