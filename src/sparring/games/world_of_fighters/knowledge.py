"""World of Fighters: hidden information: redaction, inference after a reshuffle, determinization.

When the discards become the draw pile, every other card is in one of the two hands, so each player can work out the
opponent's hand. `sure` records this.
"""

from sparring.engine.cards import UNKNOWN, count_cards, count_of, hide, insert, put_copies, remove, shuffle, take_top
from sparring.engine.chance import below, forget, reseed
from sparring.engine.game import HIDDEN_ACTION
from sparring.engine.rule import no_private_observation, rule
from sparring.engine.types import Generator

from .kit import DECK, SEATS, Params
from .moves import may_call
from .state import ACTION_CARD, BLOCK, HEARD, MOVE_CARD, NOTHING, PUNCH, TO_CALL, State

private_observation = no_private_observation


@rule
def redact(kit: Params, s: State, seat: int) -> None:
    """Hide the random generator, the draw pile, other hands, and commitments not yet revealed.

    A player's two cards count as one commitment: until the second is chosen, others don't see the first one.
    """
    forget(s.rng)
    hide(s.deck)
    if s.phase == ACTION_CARD and s.player != seat:
        s.phase = MOVE_CARD
        s.movement[s.player] = NOTHING
    for other in range(SEATS):
        if other != seat:
            hide(s.hand[other])
            hide_commitments(kit, s, other)
        if seat < 0:  # a spectator can't tell the two hands apart
            for kind in range(PUNCH, BLOCK + 1):
                s.sure[other, kind] = 0


@rule
def hide_commitments(kit: Params, s: State, seat: int) -> None:
    """Hide a seat's face-down cards; a Movement card is public once both seats have committed, as is a called super."""
    if s.phase <= ACTION_CARD:
        if kit.super_call != HEARD:
            s.called[seat] = False
        if s.movement[seat] != NOTHING:
            s.movement[seat] = UNKNOWN
    if s.action[seat] != NOTHING and not s.shown and not s.called[seat]:
        s.action[seat] = UNKNOWN


@rule
def note_reshuffle(s: State) -> None:
    """Record a reshuffle of the discards: by counting cards, each player now knows the opponent's hand."""
    for seat in range(SEATS):
        for kind in range(PUNCH, BLOCK + 1):
            s.sure[seat, kind] = 0
        count_cards(s.sure[seat], s.hand[seat])


@rule
def take_from_hand(s: State, seat: int, kind: int) -> None:
    """Take a card that everyone sees from a hand; it may be one that the opponent knew about."""
    remove(s.hand[seat], kind)
    s.sure[seat, kind] -= int(s.sure[seat, kind] > 0)


@rule
def known_cards(s: State, seat: int, kind: int) -> int:
    """Return how many cards of a kind are known to be in a hand: by counting, or from a called super."""
    if s.sure[seat, kind] == 0 and s.action[seat] == kind and not s.shown:
        return 1
    return s.sure[seat, kind]


@rule
def observe_action(kit: Params, s: State, action: int, seat: int) -> int:
    """Return the choice, or HIDDEN_ACTION for another seat's face-down card, unless its call is heard at once (R24)."""
    heard = kit.super_call == HEARD and action >= TO_CALL
    if seat != s.player and (s.phase == MOVE_CARD or s.phase == ACTION_CARD) and not heard:
        return HIDDEN_ACTION
    return action


@rule
def determinize(kit: Params, s: State, seat: int, g: Generator) -> None:
    """Randomly deal the cards that the seat can't see, and sample legal commitments for its opponent."""
    reseed(s.rng, g)
    pool_unseen(s, seat)
    shuffle(g, s.deck)
    for other in range(SEATS):
        if other != seat:
            deal_unseen(s, other)
            sample_commitments(kit, s, other, g)


@rule
def pool_unseen(s: State, seat: int) -> None:
    """Put every card that the seat has not seen into the draw pile."""
    s.deck[0] = 0
    for kind in range(PUNCH, BLOCK + 1):
        unseen = DECK[kind - 1] - count_of(s.discard, kind)
        if s.counter == kind:
            unseen -= 1
        for owner in range(SEATS):
            unseen -= count_of(s.hand[owner], kind) if owner == seat else known_cards(s, owner, kind)
            if s.shown and s.action[owner] == kind:
                unseen -= 1
        put_copies(s.deck, kind, unseen)


@rule
def deal_unseen(s: State, seat: int) -> None:
    """Deal a hidden hand: the cards that are known, then cards from the draw pile."""
    hand = s.hand[seat]
    size = hand[0]
    hand[0] = 0
    for kind in range(PUNCH, BLOCK + 1):
        for _ in range(known_cards(s, seat, kind)):
            insert(hand, kind)
    while hand[0] < size:
        insert(hand, take_top(s.deck))


@rule
def sample_commitments(kit: Params, s: State, seat: int, g: Generator) -> None:
    """Sample a seat's face-down cards, and whether it calls its super if it may."""
    if s.movement[seat] == UNKNOWN:
        card = 1 + below(g, 2 if s.resting[seat] else 3)
        s.movement[seat] = card + 1 if 0 < s.resting[seat] <= card else card
    if s.action[seat] == UNKNOWN:
        s.action[seat] = s.hand[seat, 1 + below(g, s.hand[seat, 0])]
        secret = s.phase <= ACTION_CARD and kit.super_call != HEARD
        if secret and s.action[seat] == kit.super_kind[s.fighter[seat]] and may_call(kit, s, seat):
            s.called[seat] = below(g, 2) == 1
