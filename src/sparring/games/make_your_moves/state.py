"""Make Your Moves: phases, actions, endings, beats, and the state of a match."""

from sparring.engine.cards import UNKNOWN, insert
from sparring.engine.rule import ActionSpace, clockwise, rule
from sparring.engine.state import (
    CHOOSER, EVERYONE, NO_ONE, OWNER, UNKNOWN_SEAT, Header, array, flag, integer, option_value, per_seat, pile, scalar,
    seat_number, take_away,
)  # fmt: skip
from sparring.engine.types import CardPile

from .params import CARDS, PACK, Params

SEATS = 6
HAND = 5
NEEDED = 3  # points that win, or eliminate

PHASES: tuple[str, ...] = ("target", "attack", "respond", "four", "dodge_to", "assist_card", "assist_side", "discard")
TARGET, ATTACK, RESPOND, FOUR, DODGE_TO, ASSIST_CARD, ASSIST_SIDE, DISCARD = range(8)

ENDINGS: tuple[str, ...] = ("points", "last one in", "turn limit")
BY_POINTS, LAST_ONE_IN, TURN_LIMIT = range(3)

BEATS: tuple[str, ...] = ("compared", "scored", "countered", "reshuffled", "no attack")
COMPARED, SCORED, COUNTERED, RESHUFFLED, NO_ATTACK = range(5)

ACTIONS = ActionSpace(card=CARDS, seat=SEATS, skip=1, done=1, counter=1, dodge=1, attacker=1, defender=1)
CARD, SEAT, SKIP, DONE, COUNTER, DODGE, ATTACKER, DEFENDER = ACTIONS.starts

ELIMINATION = option_value(Params.match, "elimination")
ONE = option_value(Params.defence_wilds, "one")
SEAT1 = option_value(Params.first_control, "seat1")
MATCH = option_value(Params.assist_fit, "match")
MARKER = option_value(Params.point_cards, "marker")


@rule
def back(s: "State", card: int) -> int:
    """Return the back of a card, which shows the draw pile that it came from.

    When the discards become the draw pile, every player has just seen them. So players know from which draw pile a
    face-down card comes: UNKNOWN is the back of the oldest pile, and one less of each reshuffle since.
    """
    return UNKNOWN - int(s.shuffled[card])


@rule
def turn_face_down(s: "State", pile: CardPile) -> None:
    """Turn cards face down, sorted by their backs."""
    cards = pile[0]
    pile[0] = 0
    for i in range(1, cards + 1):
        card = pile[i]
        insert(pile, card if card < 0 else back(s, card))


class State(Header, seats=SEATS):
    """The state of a match."""

    turn = integer(1, "turn_limit")
    player = seat_number(default=UNKNOWN_SEAT)  # it follows from the phase
    # One byte per card in the two long piles: states are copied often, and CARDS is below 128.
    deck = pile(CARDS, of=PACK, seen_by=NO_ONE, dtype="i1", fills=True, from_top=True, key="draw_pile")
    discard = pile(CARDS, of=PACK, seen_by=EVERYONE, dtype="i1", fills=True, key="discard_pile")
    hand = per_seat(
        pile(
            HAND,
            of=PACK,
            seen_by=OWNER,
            hidden_as=turn_face_down,
            ordered=True,
            key="hands",
            default=lambda _params, s, seat: 0 if s.out[seat] else HAND,
        )
    )
    points = per_seat(integer(0, NEEDED))
    point_cards = per_seat(
        pile(
            NEEDED,
            of=PACK,
            seen_by=NO_ONE,
            hidden_as=turn_face_down,
            counted=True,
            default=lambda params, s, seat: 0 if params.point_cards == MARKER else int(s.points[seat]),
        )
    )
    out = per_seat(flag(listed=True))
    control = seat_number()
    attacker = seat_number(default=lambda _params, s: s.control)
    defender = seat_number(default=lambda _params, s: clockwise(s, s.attacker))
    # The seat asked in ASSIST or DISCARD, in places clockwise from the Attacker.
    asked = integer(
        0,
        lambda _params, s: s.seats,
        default=lambda _params, s: 0 if s.player == UNKNOWN_SEAT else (s.player - s.attacker) % s.seats,
    )
    attack = pile(HAND, of=PACK, seen_by=EVERYONE)
    defence = pile(HAND, of=PACK, seen_by=EVERYONE)
    fours = pile(4 * (SEATS - 1), of=PACK, seen_by=EVERYONE)
    help_attack = pile(SEATS - 1, of=PACK, seen_by=EVERYONE, key="help_attacker")
    help_defence = pile(SEATS - 1, of=PACK, seen_by=EVERYONE, key="help_defender")
    helping = pile(1, of=PACK, seen_by=EVERYONE)  # the card a helper has played but not yet given to a side
    picked = pile(4, of=PACK, seen_by=CHOOSER, hidden_as=take_away, custom=True)  # FOUR: still in the hand
    dodging = flag()
    # The attack: its colours and those with a card of power 2 or 3, as bits; the number of colours.
    attack_colours = scalar()
    strong_colours = scalar()
    ceiling = scalar()
    # The defence: units played, colours with a single as bits, the number of Wilds.
    units = scalar()
    single_colours = scalar()
    wilds = scalar()
    # Public inference about each hand (section 8): it has at least this many Wilds; it has a coloured card; it has a
    # card of one of these kinds (as bits; 0: nothing known).
    sure_wilds = per_seat(scalar())
    sure_coloured = per_seat(scalar())
    sure_kinds = per_seat(scalar())
    # The draw pile a card was last in: 0 for the oldest that still has cards, one more for each reshuffle since.
    shuffled = array(CARDS, "u1")
