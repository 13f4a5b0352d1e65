"""MACE: the items that the lab measures (ranks, suits and Actions), and how close a seat is to winning."""

from sparring.engine.game import Box, Item
from sparring.engine.rule import rule
from sparring.engine.types import Numbers

from .kit import CARDS, CLUBS, DIAMONDS, HEARTS, JOKER, SPADES, Params
from .moves import has_suit
from .state import HAND, PAYING, State

#: Item order: suits and Jokers, then what a card can do, then the ranks, lowest first.
SUITS = ("Clubs", "Spades", "Diamonds", "Hearts")
JOKERS = len(SUITS)
DONE = JOKERS + 1
ACTIONS = ("Strike", "Charge", "Blast", "Boost", "Block", "Dodge")
STRIKES, CHARGES, BLASTS, BOOSTS, BLOCKS, DODGES = range(DONE, DONE + len(ACTIONS))
RANK = DONE + len(ACTIONS)

#: The item for each block of card choices (momentum, strike, charge, blast, club, ...); -1 for none.
BY_BLOCK = (-1, STRIKES, CHARGES, BLASTS, -1, BOOSTS, BLOCKS, DODGES)


def names(box: Box) -> tuple[Item, ...]:
    """Return the suits, Actions and defences, and ranks."""
    return (
        *(Item("suit", suit) for suit in (*SUITS, "Jokers")),
        *(Item("action", action) for action in ACTIONS),
        *(Item("rank", rank) for rank in box.content.values),
    )


@rule
def mark_card(card: int, marks: Numbers) -> None:
    """Mark a card's suit and rank, or that it is a Joker."""
    if card >= JOKER:
        marks[JOKERS] += 1
    else:
        marks[card & 3] += 1
        marks[RANK + (card >> 2)] += 1


@rule
def held(kit: Params, s: State, seat: int, marks: Numbers) -> None:
    """Mark the cards in hand with what each can do, and the Charges."""
    hand = s.hand[seat]
    for i in range(1, hand[0] + 1):
        card = hand[i]
        mark_card(card, marks)
        marks[STRIKES] += has_suit(card, SPADES)
        marks[CHARGES] += has_suit(card, CLUBS)
        marks[BLOCKS] += has_suit(card, DIAMONDS)
        marks[DODGES] += has_suit(card, HEARTS)
        marks[BOOSTS] += card < JOKER
    charges = s.charges[seat]
    for i in range(1, charges[0] + 1):
        mark_card(charges[i], marks)
        marks[BLASTS] += 1


@rule
def played(kit: Params, s: State, action: int, marks: Numbers) -> None:
    """Mark the card that a choice uses, and how; cards paid or lost don't count."""
    if action >= PAYING:
        return
    block = action // CARDS
    mark_card(action - block * CARDS, marks)
    if BY_BLOCK[block] >= 0:
        marks[BY_BLOCK[block]] += 1


@rule
def ahead(kit: Params, s: State, seat: int) -> float:
    """Return the share of a full hand a seat holds: an empty hand is out (R29, R43)."""
    return s.hand[seat, 0] / HAND
