"""World of Fighters: who knows what (section 8), and how the rest is imagined.

When the discards become the pile, all other cards are in the two hands, and each player can work out the other's.
"""

from sparring.engine.cards import UNKNOWN, count_of, hide, insert, put, remove, shuffle, take_top
from sparring.engine.chance import below, forget, reseed
from sparring.engine.game import SOMETHING
from sparring.engine.rule import rule

from .kit import DECK
from .moves import may_call
from .state import ACTION_CARD, BLOCK, MOVE_CARD, NOTHING, PUNCH, SEATS


@rule
def redact(kit, s, seat):
    """Forget the generator, the pile, the other hand, and what the other has committed and not turned up.

    The two cards of a player are committed as one: between them nobody else sees that the first one lies there.
    """
    forget(s.rng)
    hide(s.deck)
    if s.phase == ACTION_CARD and s.player != seat:
        s.phase = MOVE_CARD
        s.movement[s.player] = NOTHING
    for other in range(SEATS):
        if other != seat:
            hide(s.hand[other])
            hide_commitments(s, other)
        if seat < 0:
            s.sure[other] = 0  # who holds neither hand cannot tell them apart


@rule
def hide_commitments(s, seat):
    """Turn face down what lies face down: all until TURN UP, then the Action card if no call has told its kind."""
    if s.phase <= ACTION_CARD:
        s.called[seat] = 0
        if s.movement[seat] != NOTHING:
            s.movement[seat] = UNKNOWN
    if s.action[seat] != NOTHING and not s.shown and not s.called[seat]:
        s.action[seat] = UNKNOWN


@rule
def note_reshuffle(s):
    """The discards become the pile: whoever counts knows the other hand now."""
    for seat in range(SEATS):
        for kind in range(PUNCH, BLOCK + 1):
            s.sure[seat, kind] = count_of(s.hand[seat], kind)


@rule
def leaves_hand(s, seat, kind):
    """A card from the hand is seen: it may be the very one that the other player was sure of."""
    remove(s.hand[seat], kind)
    if s.sure[seat, kind] > 0:
        s.sure[seat, kind] -= 1


@rule
def sure_of(s, seat, kind):
    """How many cards of a kind are certainly in a hand: by counting, or because a called super takes one."""
    if s.sure[seat, kind] == 0 and s.action[seat] == kind and not s.shown:
        return 1
    return s.sure[seat, kind]


@rule
def glimpse(kit, s, action, seat):
    """Everything is chosen openly but the cards that are laid face down."""
    if seat != s.player and (s.phase == MOVE_CARD or s.phase == ACTION_CARD):
        return SOMETHING
    return action


@rule
def imagine(kit, s, seat, g):
    """Deal what the seat does not know at random, and suppose commitments that could have been made."""
    reseed(s.rng, g)
    pool_unseen(s, seat)
    shuffle(g, s.deck)
    for other in range(SEATS):
        if other != seat:
            deal_unseen(s, other)
            suppose_commitments(kit, s, other, g)


@rule
def pool_unseen(s, seat):
    """Gather every card that the seat has not seen in the pile."""
    s.deck[0] = 0
    for kind in range(PUNCH, BLOCK + 1):
        unseen = DECK[kind - 1] - count_of(s.discard, kind)
        if s.counter == kind:
            unseen -= 1
        for owner in range(SEATS):
            unseen -= count_of(s.hand[owner], kind) if owner == seat else sure_of(s, owner, kind)
            if s.shown and s.action[owner] == kind:
                unseen -= 1
        for _ in range(unseen):
            put(s.deck, kind)


@rule
def deal_unseen(s, seat):
    """Deal a hidden hand from the pile, beside what is sure of it."""
    hand = s.hand[seat]
    size = hand[0]
    hand[0] = 0
    for kind in range(PUNCH, BLOCK + 1):
        for _ in range(sure_of(s, seat, kind)):
            insert(hand, kind)
    while hand[0] < size:
        insert(hand, take_top(s.deck))


@rule
def suppose_commitments(kit, s, seat, g):
    """What lies face down: any available Movement card, any card of the hand; the super called or not if it may be."""
    if s.movement[seat] == UNKNOWN:
        card = 1 + below(g, 2 if s.resting[seat] else 3)
        s.movement[seat] = card + 1 if 0 < s.resting[seat] <= card else card
    if s.action[seat] == UNKNOWN:
        s.action[seat] = s.hand[seat, 1 + below(g, s.hand[seat, 0])]
        if s.phase <= ACTION_CARD and s.action[seat] == kit.super_kind[s.fighter[seat]] and may_call(kit, s, seat):
            s.called[seat] = below(g, 2)
