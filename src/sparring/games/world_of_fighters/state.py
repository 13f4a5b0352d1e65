"""World of Fighters: phases, actions, beats, the state of a match, and what each seat knows of it."""

from sparring.engine.cards import (
    UNKNOWN, count_cards, count_of, hide, holds, insert, put_copies, remove, shuffle, take_top,
)  # fmt: skip
from sparring.engine.chance import below, forget, reseed
from sparring.engine.game import HIDDEN_ACTION
from sparring.engine.rule import ActionSpace, no_private_observation, rule
from sparring.engine.squares import SIDE
from sparring.engine.state import (
    EVERYONE, NO_ONE, OWNER, UNKNOWN_SEAT, Header, array, flag, integer, per_seat, pile, scalar, seat_number,
)  # fmt: skip
from sparring.engine.types import Generator

from .params import ACTION_CARDS, DECK, FIGHTERS, HEARD, REVEAL, SEATS, Params

HAND = 3
CARDS = sum(DECK)
HEALTH = 20
SUPER_HEALTH = 7  # a super needs this much health or less
SUPER_SCORE = 6
ROWS = 7  # on the largest board

NOTHING = 0  # no card
PUNCH, KICK, GRAPPLE, BLOCK = 1, 2, 3, 4
NO_FIGHTER = -1

PHASES: tuple[str, ...] = ("pick", "move_card", "action_card", "move", "claim", "counter")
PICK, MOVE_CARD, ACTION_CARD, MOVE, CLAIM, COUNTER = range(6)

ENDINGS: tuple[str, ...] = ("knock-out", "ring-out", "forced off", "round limit")
KNOCK_OUT, RING_OUT, FORCED_OFF, ROUND_LIMIT = range(4)

# Each beat shows the table right after the event that it names. The first blow is always the first mover's attack.
BEATS: tuple[str, ...] = (
    "moved", "shown", "thrown out", "first blow", "second blow", "two blocks", "counter", "reshuffled",
)  # fmt: skip
MOVED, SHOWN, THROWN_OUT, FIRST_BLOW, SECOND_BLOW, TWO_BLOCKS, COUNTERED, RESHUFFLED = range(8)

ACTIONS = ActionSpace(
    fighter=FIGHTERS, movement=3, card=4, call=4, square=ROWS * SIDE, claim=1, no=1, counter=3, skip=1
)
TO_PICK, TO_MOVE, TO_PLAY, TO_CALL, TO_SQUARE, TO_CLAIM, NOT_CLAIM, TO_COUNTER, SKIP = ACTIONS.starts


def has_begun(params: Params, s: "State") -> bool:
    """Return whether the fighters are picked."""
    return s.phase != PICK


def missing_cards(params: Params, s: "State", seat: int) -> int:
    """Return how many cards a hand has less than it should."""
    return 0 if s.over or not has_begun(params, s) else int(HAND - s.shown - s.hand[seat, 0])


class State(Header, seats=SEATS):
    """The state of a match."""

    turn = integer(has_begun, lambda params, s: params.round_limit if has_begun(params, s) else 1, key="round")
    player = seat_number(default=UNKNOWN_SEAT)  # it follows from the phase
    deck = pile(CARDS, of=ACTION_CARDS, seen_by=NO_ONE, fills=True, from_top=True, key="draw_pile")
    discard = pile(CARDS, of=ACTION_CARDS, seen_by=EVERYONE, fills=True, key="discard_pile")
    # It includes a committed Action card until it is revealed. In a position, cards that are not given are dealt.
    hand = per_seat(pile(HAND, of=ACTION_CARDS, seen_by=OWNER, ordered=True, key="hands", default=missing_cards))
    fighter = per_seat(scalar())
    square = per_seat(scalar())
    health = per_seat(
        integer(
            lambda params, s: has_begun(params, s) and not s.over,
            HEALTH,
            default=lambda params, s: HEALTH if has_begun(params, s) else 0,
        )
    )
    super_used = per_seat(flag())
    resting = per_seat(integer(0, 3))  # the Movement card used in the last round
    # Committed this round: Movement card, Action card, whether it calls the super.
    movement = per_seat(integer(0, 3))
    action = per_seat(scalar())
    called = per_seat(flag())
    performed = per_seat(flag())
    shown = flag(default=lambda _params, s: s.phase in (CLAIM, COUNTER))  # whether the Action cards are face up
    counter = scalar()  # the card of a Counter
    lost = per_seat(integer(0, HEALTH))  # health lost since the Action cards were last revealed
    # The cards of the last round, which the table keeps showing.
    last_action = per_seat(scalar())
    last_performed = per_seat(scalar())
    last_counter = scalar()
    # How many cards of each kind the opponent knows are in a hand, from counting at the last reshuffle.
    sure = per_seat(array(BLOCK + 1))


# Supers


@rule
def has_super(s: State, seat: int) -> bool:
    """Return whether a seat's health is low enough for its super, and the super unused (R24, R32)."""
    return 0 < s.health[seat] <= SUPER_HEALTH and s.super_used[seat] == 0


@rule
def may_call(params: Params, s: State, seat: int) -> bool:
    """Return whether a seat may call its super now: low health, super unused, and its card in hand (R24)."""
    return (
        has_super(s, seat) and params.super_call != REVEAL and holds(s.hand[seat], params.super_kind[s.fighter[seat]])
    )


# Hidden information. When the discards become the draw pile, every other card is in one of the two hands, so each
# player can work out the opponent's hand. `sure` records this.

private_observation = no_private_observation


@rule
def redact(params: Params, s: State, seat: int) -> None:
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
            hide_commitments(params, s, other)
        if seat < 0:  # a spectator can't tell the two hands apart
            for kind in range(PUNCH, BLOCK + 1):
                s.sure[other, kind] = 0


@rule
def hide_commitments(params: Params, s: State, seat: int) -> None:
    """Hide a seat's face-down cards; a Movement card is public once both seats have committed, as is a called super."""
    if s.phase <= ACTION_CARD:
        if params.super_call != HEARD:
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
def observe_action(params: Params, s: State, action: int, seat: int) -> int:
    """Return the choice, or HIDDEN_ACTION for another seat's face-down card, unless its call is heard at once (R24)."""
    heard = params.super_call == HEARD and action >= TO_CALL
    if seat != s.player and (s.phase == MOVE_CARD or s.phase == ACTION_CARD) and not heard:
        return HIDDEN_ACTION
    return action


@rule
def determinize(params: Params, s: State, seat: int, g: Generator) -> None:
    """Randomly deal the cards that the seat can't see, and sample legal commitments for its opponent."""
    reseed(s.rng, g)
    pool_unseen(s, seat)
    shuffle(g, s.deck)
    for other in range(SEATS):
        if other != seat:
            deal_unseen(s, other)
            sample_commitments(params, s, other, g)


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
def sample_commitments(params: Params, s: State, seat: int, g: Generator) -> None:
    """Sample a seat's face-down cards, and whether it calls its super if it may."""
    if s.movement[seat] == UNKNOWN:
        card = 1 + below(g, 2 if s.resting[seat] else 3)
        s.movement[seat] = card + 1 if 0 < s.resting[seat] <= card else card
    if s.action[seat] == UNKNOWN:
        s.action[seat] = s.hand[seat, 1 + below(g, s.hand[seat, 0])]
        secret = s.phase <= ACTION_CARD and params.super_call != HEARD
        if secret and s.action[seat] == params.super_kind[s.fighter[seat]] and may_call(params, s, seat):
            s.called[seat] = below(g, 2) == 1
