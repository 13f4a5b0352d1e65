"""Card Duel: phases, actions, endings, beats, the state of a match, and which of it a seat knows."""

from sparring.engine.cards import count_of, empty, insert, put, shuffle, take_top
from sparring.engine.chance import reseed
from sparring.engine.hiding import default_redact
from sparring.engine.rule import ActionSpace, public_action, rule
from sparring.engine.state import (
    EVERYONE, NO_ONE, OWNER, Header, array, integer, option_value, per_seat, pile, scalar, seat_number, table,
)  # fmt: skip
from sparring.engine.types import Generator

from .params import CARDS, DECK_CARDS, DESIGNS, HAND_LIMIT, SEATS, SLOTS, Params

#: The most cards played and attacks made in one turn (R11).
MOVES = 20
#: The most effects that follow from one choice (R12).
CHAIN = 24
#: Limits of numbers at the table, so that they fit everywhere.
MOST_STAT = 99
MOST_SHIELDS = 9
MOST_ENERGY_NOW = 20

PHASES: tuple[str, ...] = ("main", "place", "aim", "target")
MAIN, PLACE, AIM, TARGET = range(4)

ENDINGS: tuple[str, ...] = ("life", "points", "rounds")
BY_LIFE, BY_POINTS, BY_ROUNDS = range(3)

BEATS: tuple[str, ...] = ("played", "struck", "effect")
CARD_PLAYED, STRUCK, EFFECT = range(3)

ACTIONS = ActionSpace(card=DESIGNS, slot=SLOTS, enemy=SLOTS, opponent=1, done=1)
CARD, SLOT, ENEMY, OPPONENT, DONE = ACTIONS.starts

POINTS = option_value(Params.win, "points")
FIXED = option_value(Params.growth, "fixed")
LANES = option_value(Params.combat, "lanes")
SEAT1 = option_value(Params.first, "seat1")

#: Whether a character can attack: `READY`, it has attacked (`USED`), or it came this turn (`ARRIVED`).
READY, USED, ARRIVED = range(3)
#: What keeps a player from playing a card, or from attacking with a character, besides `USED` and `ARRIVED`.
NOTHING, TOO_EXPENSIVE, ROW_FULL, NO_CHARACTER, NO_ATTACK = 0, 3, 4, 5, 6


class State(Header, seats=SEATS):
    """The state of a match."""

    turn = integer(1, lambda params, _s: 2 * params.rounds)
    life = per_seat(integer(0, "life", default="life"))
    points = per_seat(integer(0, MOST_STAT))
    energy = per_seat(integer(0, MOST_ENERGY_NOW))
    first = seat_number(default=lambda _params, s: (s.player + s.turn + 1) % SEATS)  # the seat that goes first
    moves = integer(0, MOVES)  # cards played and attacks made this turn
    # Cards are numbers of designs; copies are equal. One byte per card in piles: states are copied often.
    deck = per_seat(pile(CARDS, of=DECK_CARDS, seen_by=NO_ONE, dtype="i1", fills=True, from_top=True, key="draw_pile"))
    discard = per_seat(pile(CARDS, of=DECK_CARDS, seen_by=EVERYONE, dtype="i1", fills=True, key="discard_pile"))
    hand = per_seat(
        pile(
            HAND_LIMIT,
            of=DECK_CARDS,
            seen_by=OWNER,
            dtype="i1",
            ordered=True,
            counted=True,
            key="hands",
            default=lambda params, _s, _seat: int(params.hand),
        )
    )
    known = per_seat(array(DESIGNS, "i1"))  # copies of each card that are in a hand as everyone knows
    # Characters in play, by seat and slot: the card plus 1, its owner, and how it has changed.
    row = per_seat(array(SLOTS))
    owner = per_seat(array(SLOTS))
    damage = per_seat(array(SLOTS))
    more_attack = per_seat(array(SLOTS))
    more_health = per_seat(array(SLOTS))
    shield = per_seat(array(SLOTS))
    tired = per_seat(array(SLOTS))
    card = scalar()  # the card being played, plus 1
    spot = integer(0, "slots")  # the slot that it has taken, plus 1
    attacker = integer(0, "slots")  # the slot of the attacker that is choosing its target, plus 1
    # Effects that wait: the card, its seat, when (one of WHEN), its slot plus 1, the chosen enemy's slot plus 1.
    waiting = table(CHAIN, 5, "i1")
    queued = scalar()
    done = scalar()
    # The cause of what a beat shows: the card plus 1, its seat, and when.
    cause = scalar()
    cause_seat = scalar()
    cause_when = scalar()


#: `known` keeps the cards in hands that everyone has seen.
redact = default_redact(State)
observe_action = public_action


@rule
def determinize(params: Params, s: State, seat: int, g: Generator) -> None:
    """Shuffle the cards that the seat has not seen into decks and hands; known cards stay in their hand."""
    reseed(s.rng, g)
    for other in range(SEATS):
        size = int(s.deck[other, 0])
        held = int(s.hand[other, 0])
        if other != seat:
            empty(s.hand[other])
            for card in range(params.cards):
                for _ in range(s.known[other, card]):
                    insert(s.hand[other], card)
        collect_unseen(params, s, other)
        shuffle(g, s.deck[other])
        while s.deck[other, 0] > size and s.hand[other, 0] < held:
            insert(s.hand[other], take_top(s.deck[other]))


@rule
def collect_unseen(params: Params, s: State, owner: int) -> None:
    """Fill a deck with all cards of its owner that are in no hand, pile or slot."""
    empty(s.deck[owner])
    for card in range(params.cards):
        left = params.copies[owner, card] - count_of(s.discard[owner], card) - count_of(s.hand[owner], card)
        for seat in range(SEATS):
            for slot in range(params.slots):
                if s.row[seat, slot] == card + 1 and s.owner[seat, slot] == owner:
                    left -= 1
        if owner == s.player and is_on_table(params, s, card):
            left -= 1
        for _ in range(left):
            put(s.deck[owner], card)


@rule
def is_on_table(params: Params, s: State, card: int) -> bool:
    """Return whether a card is being played and is not in a slot or pile yet."""
    return s.card == card + 1 and s.spot == 0
