"""MACE: what its designer asks about: ranks, suits and Actions; and who holds most cards."""

from sparring.engine.game import Box, Item
from sparring.engine.rule import rule

from .kit import CLUBS, DIAMONDS, HEARTS, JOKER, SPADES
from .moves import fits
from .state import BLAST, BLOCK, BOOST, CHARGE, CLUB, COMMIT, DODGE, HAND, PAYING, STRIKE

#: Suits and Jokers come first, then what can be done with a card, then the ranks, the lowest first.
SUITS = ("Clubs", "Spades", "Diamonds", "Hearts")
JOKERS = len(SUITS)
DONE = JOKERS + 1
ACTIONS = ("Strike", "Charge", "Blast", "Boost", "Block", "Dodge")
STRIKES, CHARGES, BLASTS, BOOSTS, BLOCKS, DODGES = range(DONE, DONE + len(ACTIONS))
RANK = DONE + len(ACTIONS)


def names(box: Box) -> tuple[Item, ...]:
    """Suits, Actions and answers, ranks."""
    return (
        *(Item("suit", suit) for suit in (*SUITS, "Jokers")),
        *(Item("action", action) for action in ACTIONS),
        *(Item("rank", rank) for rank in box.content.values),
    )


@rule
def tell_card(card, out, n):
    """Suit and rank of a card by their numbers; of a Joker, that it is one. The place after."""
    if card >= JOKER:
        out[n] = JOKERS
        return n + 1
    out[n] = card & 3
    out[n + 1] = RANK + (card >> 2)
    return n + 2


@rule
def held(kit, s, seat, out):
    """The cards in hand with what each is good for; the Charges."""
    hand = s.hand[seat]
    n = 0
    for i in range(1, hand[0] + 1):
        card = hand[i]
        n = tell_card(card, out, n)
        if fits(card, SPADES):
            out[n] = STRIKES
            n += 1
        if fits(card, CLUBS):
            out[n] = CHARGES
            n += 1
        if fits(card, DIAMONDS):
            out[n] = BLOCKS
            n += 1
        if fits(card, HEARTS):
            out[n] = DODGES
            n += 1
        if card < JOKER:
            out[n] = BOOSTS
            n += 1
    charges = s.charges[seat]
    for i in range(1, charges[0] + 1):
        n = tell_card(charges[i], out, n)
        out[n] = BLASTS
        n += 1
    return n


@rule
def played(kit, s, action, out):
    """A card that is done something with, and what; not one that is paid or lost."""
    if action >= PAYING:
        return 0
    what = -1
    if action >= DODGE:
        card = action - DODGE
        what = DODGES
    elif action >= BLOCK:
        card = action - BLOCK
        what = BLOCKS
    elif action >= BOOST:
        card = action - BOOST
        what = BOOSTS
    elif action >= CLUB:
        card = action - CLUB
    elif action >= BLAST:
        card = action - BLAST
        what = BLASTS
    elif action >= CHARGE:
        card = action - CHARGE
        what = CHARGES
    elif action >= STRIKE:
        card = action - STRIKE
        what = STRIKES
    else:
        card = action - COMMIT
    n = tell_card(card, out, 0)
    if what >= 0:
        out[n] = what
        n += 1
    return n


@rule
def ahead(kit, s, seat):
    """The cards in its hand: without any it is out (R29, R43)."""
    return s.hand[seat, 0] / HAND
