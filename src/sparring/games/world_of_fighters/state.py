"""World of Fighters: phases, actions, endings, beats, and the state of a match."""

from sparring.engine.rule import ActionSpace
from sparring.engine.squares import SIDE
from sparring.engine.state import (
    EVERYONE, NO_ONE, OWNER, UNKNOWN_SEAT, Header, array, dtype_of, flag, integer, per_seat, pile, scalar, seat_number,
)  # fmt: skip

from .kit import ACTION_CARDS, DECK, FIGHTERS, SEATS, Params

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

UPTO = 1  # of the option `movement`
BOTH = 1  # of the option `punch_ends`
TOGETHER = 1  # of the option `settle`
REVEAL, HEARD = 1, 2  # of the option `super_call`
PLUS = 1  # of the option `super_score`
RINGOUT = 1  # of the option `super_vs_block`

KIT = dtype_of(Params)


def has_begun(kit: Params, s: "State") -> bool:
    """Return whether the fighters are picked."""
    return s.phase != PICK


def missing_cards(kit: Params, s: "State", seat: int) -> int:
    """Return how many cards a hand has less than it should."""
    return 0 if s.over or not has_begun(kit, s) else int(HAND - s.shown - s.hand[seat, 0])


class State(Header, seats=SEATS):
    """The state of a match."""

    turn = integer(has_begun, lambda kit, s: kit.round_limit if has_begun(kit, s) else 1, key="round")
    player = seat_number(default=UNKNOWN_SEAT)  # it follows from the phase
    deck = pile(CARDS, of=ACTION_CARDS, seen_by=NO_ONE, fills=True, from_top=True, key="draw_pile")
    discard = pile(CARDS, of=ACTION_CARDS, seen_by=EVERYONE, fills=True, key="discard_pile")
    # It includes a committed Action card until it is revealed. In a position, cards that are not given are dealt.
    hand = per_seat(pile(HAND, of=ACTION_CARDS, seen_by=OWNER, ordered=True, key="hands", default=missing_cards))
    fighter = per_seat(scalar())
    square = per_seat(scalar())
    health = per_seat(
        integer(
            lambda kit, s: has_begun(kit, s) and not s.over,
            HEALTH,
            default=lambda kit, s: HEALTH if has_begun(kit, s) else 0,
        )
    )
    super_used = per_seat(flag())
    resting = per_seat(integer(0, 3))  # the Movement card used in the last round
    # Committed this round: Movement card, Action card, whether it calls the super.
    movement = per_seat(integer(0, 3))
    action = per_seat(scalar())
    called = per_seat(flag())
    performed = per_seat(flag())
    shown = flag(default=lambda _kit, s: s.phase in (CLAIM, COUNTER))  # whether the Action cards are face up
    counter = scalar()  # the card of a Counter
    lost = per_seat(integer(0, HEALTH))  # health lost since the Action cards were last revealed
    # The cards of the last round, which the table keeps showing.
    last_action = per_seat(scalar())
    last_performed = per_seat(scalar())
    last_counter = scalar()
    # How many cards of each kind the opponent knows are in a hand, from counting at the last reshuffle.
    sure = per_seat(array(BLOCK + 1))


STATE = dtype_of(State)
