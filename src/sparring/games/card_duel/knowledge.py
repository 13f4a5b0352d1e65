"""Card Duel: hidden information (hands and the order of decks): redaction and determinization."""

from sparring.engine.cards import count_of, empty, insert, put, shuffle, take_top
from sparring.engine.chance import reseed
from sparring.engine.hiding import default_redact
from sparring.engine.rule import rule
from sparring.engine.types import Generator

from .kit import SEATS, Params
from .state import State


#: `known` keeps the cards in hands that everyone has seen.
redact = default_redact(State)


@rule
def observe_action(kit: Params, s: State, action: int, seat: int) -> int:
    """Return the action: everything that players do is public."""
    return action


@rule
def determinize(kit: Params, s: State, seat: int, g: Generator) -> None:
    """Shuffle the cards that the seat has not seen into decks and hands; known cards stay in their hand."""
    reseed(s.rng, g)
    for other in range(SEATS):
        size = int(s.deck[other, 0])
        held = int(s.hand[other, 0])
        if other != seat:
            empty(s.hand[other])
            for card in range(kit.cards):
                for _ in range(s.known[other, card]):
                    insert(s.hand[other], card)
        collect_unseen(kit, s, other)
        shuffle(g, s.deck[other])
        while s.deck[other, 0] > size and s.hand[other, 0] < held:
            insert(s.hand[other], take_top(s.deck[other]))


@rule
def collect_unseen(kit: Params, s: State, owner: int) -> None:
    """Fill a deck with all cards of its owner that are in no hand, pile or slot."""
    empty(s.deck[owner])
    for card in range(kit.cards):
        left = kit.copies[owner, card] - count_of(s.discard[owner], card) - count_of(s.hand[owner], card)
        for seat in range(SEATS):
            for slot in range(kit.slots):
                if s.row[seat, slot] == card + 1 and s.owner[seat, slot] == owner:
                    left -= 1
        if owner == s.player and is_on_table(kit, s, card):
            left -= 1
        for _ in range(left):
            put(s.deck[owner], card)


@rule
def is_on_table(kit: Params, s: State, card: int) -> bool:
    """Return whether a card is being played and is not in a slot or pile yet."""
    return s.card == card + 1 and s.spot == 0
