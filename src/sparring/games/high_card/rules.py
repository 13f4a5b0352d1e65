"""High Card: rules, hidden information and features (rulings R1 to R3 of rules.md)."""

import numpy as np

from sparring.engine.cards import (
    count_cards, deal_cards, empty, put, put_series, put_uncounted, remove, shuffle, take_top,
)  # fmt: skip
from sparring.engine.chance import reseed
from sparring.engine.errors import BadPosition
from sparring.engine.features import layout
from sparring.engine.formats.positions import Positions
from sparring.engine.game import HIDDEN_ACTION, GameSetup
from sparring.engine.hiding import default_redact
from sparring.engine.rule import (
    ActionSpace, beat, clockwise, end_moment, finish, rule, seat_after, seats_with_most, zeros,
)  # fmt: skip
from sparring.engine.state import EVERYONE, NO_ONE, OWNER, Header, flag, integer, per_seat, pile, seat_number
from sparring.engine.types import Floats, Generator, Numbers

from .params import CARDS, HIGHEST, PACK, Params

SEATS = 4
HAND = 5

PHASES: tuple[str, ...] = ("lay", "call")
LAY, CALL = range(2)
ENDINGS: tuple[str, ...] = ("tricks",)
BEATS: tuple[str, ...] = ("turned up",)
TURNED_UP = 0
ACTIONS = ActionSpace(card=CARDS, high=1, low=1)
CARD, HIGH, LOW = ACTIONS.starts
FEATURES = SEATS + CARDS + 1
LAYOUT = layout(
    ("tricks", SEATS, 0, 1, "tricks of each seat, own seat first / 5"),
    ("hand", CARDS, 0, 1, "the cards in hand"),
    ("low", 1, 0, 1, "whether the lowest card takes this trick"),
)


@rule
def leader(params: Params, state: "State") -> int:
    """Return the seat that leads the trick; with calls, the lead passes clockwise (R3)."""
    return state.turn % state.seats if params.call else 0


@rule
def all_laid(state: "State") -> bool:
    """Return whether every seat has played a card, so that all are revealed."""
    for seat in range(state.seats):
        if state.laid[seat, 0] == 0:
            return False
    return True


class State(Header, seats=SEATS):
    """The state of a match: the header that all games share, and these fields."""

    turn = integer(0, HAND)  # the number of tricks so far
    player = seat_number(default=leader)
    deck = pile(CARDS, of=PACK, seen_by=NO_ONE, fills=True, from_top=True)
    gone = pile(CARDS, of=PACK, seen_by=EVERYONE)  # the cards of past tricks
    hand = per_seat(pile(HAND, of=PACK, seen_by=OWNER, ordered=True, key="hands"))
    laid = per_seat(pile(1, of=PACK, seen_by=all_laid))  # the card that each seat has played face down
    tricks = per_seat(integer(0, HAND))
    low = flag()  # whether the lowest card takes this trick


def check(setup: GameSetup, state: State, phase: str) -> None:
    """Check that a position fits the options, and that the player has a card."""
    if state.phase == CALL and not setup.params.call:
        raise BadPosition("Phase call needs the option call=leader.")
    if not state.over and state.hand[state.player, 0] == 0:
        raise BadPosition(f"Seat {state.player + 1} must have a card to play.")


#: How positions are read and written (their form is in positions.md). Cards that no pile names are never drawn.
POSITIONS = Positions(State, check, complete=False)


@rule
def setup(params: Params, state: State) -> None:
    """Deal a hand to every seat (R1)."""
    put_series(state.deck, 0, CARDS)
    shuffle(state.rng, state.deck)
    for seat in range(state.seats):
        deal_cards(state.deck, state.hand[seat], params.hand)
    lead(params, state)


@rule
def lead(params: Params, state: State) -> None:
    """Start a trick; with the option `call`, the leader calls high or low first (R3)."""
    state.player = leader(params, state)
    if params.call:
        state.phase = CALL


@rule
def legal(params: Params, state: State, out: Numbers) -> int:
    """Write the legal choices to `out` and return how many there are: high and low, or the cards in hand."""
    if state.phase == CALL:
        out[0], out[1] = HIGH, LOW
        return 2
    hand = state.hand[state.player]
    for i in range(1, hand[0] + 1):
        out[i - 1] = hand[i]
    return int(hand[0])


@rule
def step(params: Params, state: State, action: int) -> None:
    """Call high or low (R3), or play a card face down; the last card played ends the trick (R2)."""
    if state.phase == CALL:
        state.low = action == LOW  # the leader still has to play, so the call can be taken back: no end_moment
        state.phase = LAY
        return
    remove(state.hand[state.player], action)
    put(state.laid[state.player], action)
    end_moment(state)
    state.player = clockwise(state, state.player)
    if all_laid(state):
        take_trick(params, state)


@rule
def take_trick(params: Params, state: State) -> None:
    """Reveal all cards: the highest (or lowest, R3) takes the trick (R2). After the last trick, the most tricks win."""
    beat(state, TURNED_UP)
    best = 0
    taker = -1
    for place in range(state.seats):
        seat = seat_after(state, leader(params, state), place)
        value = params.value[state.laid[seat, 1]]
        if state.low:
            value = HIGHEST + 1 - value
        if value > best:
            best = value
            taker = seat
        elif value == best and params.tie == 0:
            taker = -1
    if taker >= 0:
        state.tricks[taker] += 1
    for seat in range(state.seats):
        put(state.gone, take_top(state.laid[seat]))
    state.turn += 1
    state.low = False
    if state.hand[0, 0] == 0:
        finish(state, 0, seats_with_most(state, state.tricks))
    else:
        lead(params, state)


redact = default_redact(State)


@rule
def determinize(params: Params, state: State, seat: int, g: Generator) -> None:
    """Randomly deal the cards that the seat has not seen."""
    reseed(state.rng, g)
    revealed = all_laid(state)
    seen = zeros(CARDS, np.int16)
    count_cards(seen, state.gone)
    for other in range(state.seats):
        count_cards(seen, state.laid[other])  # a face-down card of another seat is UNKNOWN here
    if seat >= 0:
        count_cards(seen, state.hand[seat])
    empty(state.deck)
    put_uncounted(state.deck, seen, 0, CARDS)
    shuffle(g, state.deck)
    for other in range(state.seats):
        if other != seat:
            if state.laid[other, 0] and not revealed:
                state.laid[other, 1] = take_top(state.deck)
            held = state.hand[other, 0]
            empty(state.hand[other])
            deal_cards(state.deck, state.hand[other], held)


@rule
def observe_action(params: Params, state: State, action: int, seat: int) -> int:
    """Return the choice, or HIDDEN_ACTION for another seat's card, which is played face down; calls are public."""
    return action if state.player == seat or state.phase == CALL else HIDDEN_ACTION


@rule
def features(params: Params, state: State, seat: int, out: Floats) -> None:
    """Write FEATURES floats to `out`: the tricks of each seat (own seat first), the cards in hand, the call."""
    for i in range(FEATURES):
        out[i] = 0.0
    for place in range(state.seats):
        out[place] = state.tricks[seat_after(state, seat, place)] / HAND
    for i in range(1, state.hand[seat, 0] + 1):
        out[SEATS + state.hand[seat, i]] = 1.0
    out[SEATS + CARDS] = state.low
