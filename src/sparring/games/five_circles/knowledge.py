"""Five Circles: hidden information (section 12): redaction and determinization."""

import numpy as np

from sparring.engine.cards import UNKNOWN, empty, insert, put, shuffle, take_top, count_cards
from sparring.engine.chance import forget, reseed
from sparring.engine.rule import no_private_observation, rule, zeros
from sparring.engine.types import CardPile, Generator

from .options import OWN, SEATS, Params
from .state import BLUE, EXTRA, GREEN, MAIN, PICK, PILE, RED, RESOURCE, RESOURCES_PHASE, SEEN, State
from .table import deck_of, discard_of, payable
from .using import ARRANGE, can_use

#: Cards have numbers below this one.
CARD_NUMBERS = RESOURCE + 3

private_observation = no_private_observation


@rule
def redact(kit: Params, s: State, seat: int) -> None:
    """Hide the random generator, decks except known tops, other hands, and an order still being picked."""
    forget(s.rng)
    for owner in range(SEATS):
        if owner == 0 or kit.decks == OWN:
            hide_deck(kit, s, deck_of(kit, s, owner), owner, seat)
        hide_hand(s, owner, seat)
    if seat != s.player:
        empty(s.picks)


@rule
def hide_deck(kit: Params, s: State, deck: CardPile, owner: int, seat: int) -> None:
    """Hide a deck's cards, except those on top that the seat knows."""
    known = s.known_top[seat] if seat >= 0 and (kit.decks != OWN or owner == seat) else 0
    for i in range(1, deck[0] + 1 - known):
        deck[i] = UNKNOWN


@rule
def hide_hand(s: State, owner: int, seat: int) -> None:
    """Hide a hand except for cards the seat has seen; its owner doesn't learn which of them those are."""
    hand = s.hand[owner]
    kept = 0
    count = int(hand[0])
    for i in range(1, count + 1):
        card = hand[i]
        if seat == owner or (seat >= 0 and s.status[card] & SEEN):
            kept += 1
            hand[kept] = card
        if seat == owner or seat < 0:
            s.status[card] = 0
    for i in range(kept + 1, count + 1):
        hand[i] = 0
    hand[0] = kept
    for colour in range(3):
        if seat == owner or seat < 0:
            s.known[owner, colour] = 0
        if seat != owner:
            s.held[owner, colour] = s.known[owner, colour]


@rule
def observe_action(kit: Params, s: State, action: int, seat: int) -> int:
    """Return the choice, or UNKNOWN for another seat's pick in Change the Future."""
    if s.phase == PICK and s.player != seat and kit.ability_wants[s.ability] == ARRANGE:
        return UNKNOWN
    return action


# Determinization


@rule
def determinize(kit: Params, s: State, seat: int, g: Generator) -> None:
    """Randomly deal the cards that the seat doesn't know, consistent with all it has seen."""
    reseed(s.rng, g)
    pool = zeros(PILE, np.int16)
    for owner in range(SEATS):
        if kit.decks == OWN or owner == 0:
            collect_unseen(kit, s, owner, pool)
            shuffle(g, pool)
            for holder in range(SEATS):
                if kit.decks != OWN or holder == owner:
                    deal_hand(kit, s, holder, pool)
            deck = deck_of(kit, s, owner)
            for i in range(1, deck[0] + 1):
                if deck[i] == UNKNOWN:
                    deck[i] = take_top(pool)
    if s.phase == PICK and seat != s.player and kit.ability_wants[s.ability] == ARRANGE:
        empty(s.picks)


@rule
def collect_unseen(kit: Params, s: State, owner: int, pool: CardPile) -> None:
    """Put all cards whose place is hidden into `pool`: those of one player's half, or of both if they are mixed."""
    empty(pool)
    seen = zeros(CARD_NUMBERS, np.int16)
    for seat in range(SEATS):
        count_cards(seen, s.hand[seat])
        if kit.decks != OWN or seat == owner:
            for colour in range(3):
                seen[RESOURCE + colour] += s.held[seat, colour] + s.ready[seat, colour] + s.spent[seat, colour]
    count_cards(seen, discard_of(kit, s, owner))
    count_cards(seen, deck_of(kit, s, owner))
    for card in range(kit.characters):
        if not seen[card] and s.at[card] == 0 and (kit.decks != OWN or kit.card_owner[card] == owner):
            put(pool, card)
    for colour in range(3):
        count = kit.resources[owner, colour]
        if kit.decks != OWN:
            count += kit.resources[1 - owner, colour]
        for _ in range(count - seen[RESOURCE + colour]):
            put(pool, RESOURCE + colour)


@rule
def deal_hand(kit: Params, s: State, seat: int, pool: CardPile) -> None:
    """Fill a hand from the pool; if its owner is choosing from the hand, deal at least one card that allows it."""
    unknown = s.cards[seat] - s.hand[seat, 0] - s.held[seat, RED] - s.held[seat, BLUE] - s.held[seat, GREEN]
    if unknown <= 0:
        return
    if seat == s.player and seat == s.active and s.phase <= EXTRA and needs_usable_card(kit, s, seat):
        ensure_usable_card(kit, s, seat, pool, unknown)
    for _ in range(unknown):
        card = take_top(pool)
        if card >= RESOURCE:
            s.held[seat, card - RESOURCE] += 1
        else:
            insert(s.hand[seat], card)


@rule
def needs_usable_card(kit: Params, s: State, seat: int) -> bool:
    """Return whether the phase would have been skipped with the known part of the hand alone."""
    if s.phase == RESOURCES_PHASE:
        return s.held[seat, RED] + s.held[seat, BLUE] + s.held[seat, GREEN] == 0
    if s.phase == EXTRA:
        return s.hand[seat, 0] == 0
    if s.phase != MAIN or can_use(kit, s, seat, MAIN):
        return False
    for i in range(1, s.hand[seat, 0] + 1):
        if payable(kit, s, seat, s.hand[seat, i]):
            return False
    return True


@rule
def is_usable(kit: Params, s: State, seat: int, card: int) -> bool:
    """Return whether a card can be chosen in this phase."""
    if card >= RESOURCE:
        return s.phase == RESOURCES_PHASE
    return s.phase == EXTRA or (s.phase == MAIN and payable(kit, s, seat, card))


@rule
def ensure_usable_card(kit: Params, s: State, seat: int, pool: CardPile, unknown: int) -> None:
    """Swap the first card of the pool with a usable one further down if none of the next `unknown` ones is usable."""
    top = pool[0]
    for i in range(top, 0, -1):
        card = pool[i]
        if is_usable(kit, s, seat, card):
            if i <= top - unknown:
                pool[i] = pool[top]
                pool[top] = card
            return
