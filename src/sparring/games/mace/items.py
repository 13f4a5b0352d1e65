"""MACE: what its designer asks about: ranks, suits and Actions; and who holds most cards."""

from sparring.engine.game import Box, Item
from sparring.engine.rule import rule

from .kit import CARDS, CLUBS, DIAMONDS, HEARTS, JOKER, SPADES
from .moves import fits
from .state import HAND, PAYING

#: Suits and Jokers come first, then what can be done with a card, then the ranks, the lowest first.
SUITS = ("Clubs", "Spades", "Diamonds", "Hearts")
JOKERS = len(SUITS)
DONE = JOKERS + 1
ACTIONS = ("Strike", "Charge", "Blast", "Boost", "Block", "Dodge")
STRIKES, CHARGES, BLASTS, BOOSTS, BLOCKS, DODGES = range(DONE, DONE + len(ACTIONS))
RANK = DONE + len(ACTIONS)

#: What is done with a card, by the blocks of choices that name one: momentum, strike, charge, blast, club, and so on.
BY_BLOCK = (-1, STRIKES, CHARGES, BLASTS, -1, BOOSTS, BLOCKS, DODGES)


def names(box: Box) -> tuple[Item, ...]:
    """Suits, Actions and answers, ranks."""
    return (
        *(Item("suit", suit) for suit in (*SUITS, "Jokers")),
        *(Item("action", action) for action in ACTIONS),
        *(Item("rank", rank) for rank in box.content.values),
    )


@rule
def mark_card(card, marks):
    """Suit and rank of a card; of a Joker, that it is one."""
    if card >= JOKER:
        marks[JOKERS] += 1
    else:
        marks[card & 3] += 1
        marks[RANK + (card >> 2)] += 1


@rule
def held(kit, s, seat, marks):
    """The cards in hand with what each is good for; the Charges."""
    hand = s.hand[seat]
    for i in range(1, hand[0] + 1):
        card = hand[i]
        mark_card(card, marks)
        marks[STRIKES] += fits(card, SPADES)
        marks[CHARGES] += fits(card, CLUBS)
        marks[BLOCKS] += fits(card, DIAMONDS)
        marks[DODGES] += fits(card, HEARTS)
        marks[BOOSTS] += card < JOKER
    charges = s.charges[seat]
    for i in range(1, charges[0] + 1):
        mark_card(charges[i], marks)
        marks[BLASTS] += 1


@rule
def played(kit, s, action, marks):
    """A card that is done something with, and what; not one that is paid or lost."""
    if action >= PAYING:
        return
    block = action // CARDS
    mark_card(action - block * CARDS, marks)
    if BY_BLOCK[block] >= 0:
        marks[BY_BLOCK[block]] += 1


@rule
def ahead(kit, s, seat):
    """The cards in its hand: without any it is out (R29, R43)."""
    return s.hand[seat, 0] / HAND
