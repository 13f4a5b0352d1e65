"""Crazy Eights: the rules (R1 to R7 of rules.md). A card is its rank times four plus its suit."""

import numpy as np

from sparring.engine.cards import (
    has,
    hide,
    lowest,
    offer_cards,
    only,
    put_cards,
    put_series,
    set_of,
    shuffle,
    take_top,
    without_lowest,
)
from sparring.engine.chance import below, forget, reseed
from sparring.engine.features import layout
from sparring.engine.rule import ActionSpace, clockwise, close, end_moment, offer, rule, seat_after
from sparring.engine.state import NO_ONE, Components, Header, flag, integer, per_seat, pile, scalar
from sparring.engine.types import Floats, Generator, Numbers

from .params import RANKS, SUITS, Params

SEATS = 5
CARDS = len(RANKS) * len(SUITS)
KINDS = len(SUITS)
TWO, EIGHT, JACK, QUEEN, ACE = (RANKS.index(rank) for rank in ("2", "8", "J", "Q", "A"))
DEALT, DEALT_TO_TWO = 5, 7
FOR_AN_EIGHT, FOR_A_PICTURE = 50, 10

#: Sets of cards: the pack, the cards of each rank, the cards of each suit.
PACK = set_of(range(CARDS))
OF_RANK: Numbers = np.array([set_of(range(KINDS * rank, KINDS * (rank + 1))) for rank in range(len(RANKS))])
OF_SUIT: Numbers = np.array([set_of(range(suit, CARDS, KINDS)) for suit in range(KINDS)])
#: The cards of the deck.
DECK = Components(lambda _setup: {card: (str(card),) for card in range(CARDS)}, numbered=True)

PHASES: tuple[str, ...] = ("play", "name a suit")
PLAY, NAME = range(2)
ENDINGS: tuple[str, ...] = ("out of cards", "blocked", "out of turns")
OUT, BLOCKED, TURNS = range(3)
BEATS: tuple[str, ...] = ()
ACTIONS = ActionSpace(play=CARDS, draw=1, **{"pass": 1}, suit=KINDS)
CARD, DRAW, PASS, SUIT = ACTIONS.starts
FEATURES = 2 * CARDS + KINDS + SEATS + 2
LAYOUT = layout(
    ("hand", CARDS, 0, 1, "the seat's own cards"),
    ("top", CARDS, 0, 1, "the top card, one-hot"),
    ("suit", KINDS, 0, 1, "the suit to follow, one-hot"),
    ("cards", SEATS, 0, 1, "cards of each seat, own seat first / 52"),
    ("deck", 1, 0, 1, "cards in the draw pile / 52"),
    ("owed", 1, 0, 1, "cards owed / 8"),
)


class State(Header, seats=SEATS):
    """The state of a match."""

    deck = pile(CARDS, of=DECK, seen_by=NO_ONE, custom=True)
    hand = per_seat(scalar("i8"))  # sets of cards; empty in views of other seats
    cards = per_seat(scalar())  # size of each hand
    played = scalar("i8")  # the set of played cards, with the top one
    top = scalar()  # the card played last
    suit = scalar()  # the suit to match: that of the top card, or the named one
    drawn = integer(0, CARDS)  # cards drawn before this play (R3)
    owed = integer(0, 8)  # cards to draw for Twos (R5)
    free = flag()  # whether passing is legal
    passes = integer(0, lambda params, s: s.seats + 1)  # consecutive passes with an empty deck
    way = integer(-1, 1, default=1)  # 1 clockwise, -1 the other way


def penalty(card: int) -> int:
    """Return a card's penalty points (R7)."""
    rank = card // KINDS
    if rank == EIGHT:
        return FOR_AN_EIGHT
    return FOR_A_PICTURE if rank >= JACK else card + 2


PENALTIES = np.array([penalty(card) for card in range(CARDS)])
WHOLE_PACK = int(PENALTIES.sum())


@rule
def setup(params: Params, s: State) -> None:
    """Deal in turn, the dealer last; turn up a card other than an Eight, which counts as the dealer's play (R1)."""
    put_series(s.deck, 0, CARDS)
    shuffle(s.rng, s.deck)
    dealer = below(s.rng, s.seats)
    seat = dealer
    for _ in range((DEALT_TO_TWO if s.seats == 2 else DEALT) * s.seats):
        seat = clockwise(s, seat)
        take(s, seat)
    while s.deck[s.deck[0]] // KINDS == EIGHT:
        shuffle(s.rng, s.deck)
    s.way = 1
    s.player = dealer
    place_on_top(params, s, take_top(s.deck))


@rule
def take(s: State, seat: int) -> None:
    """Give the top card to a seat."""
    s.hand[seat] |= only(take_top(s.deck))
    s.cards[seat] += 1


@rule
def legal(params: Params, s: State, out: Numbers) -> int:
    """Write cards that match, drawing, passing (R2 to R5), or the suits after an Eight."""
    if s.phase == NAME:
        for suit in range(KINDS):
            out[suit] = SUIT + suit
        return KINDS
    n = offer_cards(out, 0, CARD, s.hand[s.player] & matching(s))
    n = offer(out, n, DRAW, s.deck[0] != 0 and s.drawn < params.draws)
    return offer(out, n, PASS, s.free != 0 or s.deck[0] == 0)


@rule
def matching(s: State) -> int:
    """Return the cards that match the top card, and Eights; only Twos if cards are owed (R2, R5)."""
    if s.owed:
        return OF_RANK[TWO]
    return OF_RANK[s.top // KINDS] | OF_SUIT[s.suit] | OF_RANK[EIGHT]


@rule
def step(params: Params, s: State, action: int) -> None:
    """Play, draw, pass, or name a suit."""
    end_moment(s)
    if action == PASS:
        make_pass(params, s)
        return
    s.passes = 0
    if action >= SUIT:
        s.suit = action - SUIT
        s.phase = PLAY
        pass_turn(s, 1)
    elif action == DRAW and s.owed:
        draw_owed(params, s)
    elif action == DRAW:
        draw_one(params, s)
        s.drawn += 1
        if s.deck[0] == 0:
            s.drawn = params.draws
        if s.drawn == params.draws:
            s.free = True
    else:
        play(params, s, action - CARD)


@rule
def pass_turn(s: State, places: int) -> None:
    """Pass the turn on by 1 or 2 seats in the current direction."""
    s.player = seat_after(s, s.player, places if s.way > 0 else s.seats - places)


@rule
def make_pass(params: Params, s: State) -> None:
    """Pass; with an empty deck, one more consecutive pass than there are seats ends the match (R6)."""
    s.passes = 0 if s.deck[0] else s.passes + 1
    if s.passes > s.seats:
        pay(s, BLOCKED)
        return
    if s.drawn == params.draws:
        s.drawn = 0
    pass_turn(s, 1)
    if s.deck[0]:
        s.free = False


@rule
def draw_one(params: Params, s: State) -> None:
    """Draw the top card; after the last one, played cards become the deck if the option says so (R4)."""
    take(s, s.player)
    if s.deck[0] == 0 and params.reshuffle:
        rebuild_deck(s)
    if s.deck[0] == 0:
        s.free = True


@rule
def rebuild_deck(s: State) -> None:
    """Make the deck from all played cards but the top one (R4)."""
    put_cards(s.deck, s.played & ~only(s.top))
    s.played = only(s.top)
    shuffle(s.rng, s.deck)


@rule
def draw_owed(params: Params, s: State) -> None:
    """Draw the cards for all Twos at once, until the deck is empty (R5)."""
    while s.owed:
        draw_one(params, s)
        s.owed -= 1
        if s.deck[0] == 0:
            s.passes += s.owed == 0
            s.owed = 0
    pass_turn(s, 1)


@rule
def play(params: Params, s: State, card: int) -> None:
    """Play a card; the last card in hand, or of the match, ends the match (R6)."""
    s.free = False
    s.drawn = 0
    s.turn += 1
    s.hand[s.player] &= ~only(card)
    s.cards[s.player] -= 1
    if s.cards[s.player] == 0 or s.turn >= params.turns:
        put_on_top(s, card)
        pay(s, OUT if s.cards[s.player] == 0 else TURNS)
    else:
        place_on_top(params, s, card)


@rule
def put_on_top(s: State, card: int) -> None:
    """Make a card the top card, whose suit must be matched."""
    s.played |= only(card)
    s.top = card
    s.suit = card % KINDS


@rule
def place_on_top(params: Params, s: State, card: int) -> None:
    """Put a card on top and apply its effects (R2, R5)."""
    put_on_top(s, card)
    if s.deck[0] == 0 and params.reshuffle:
        rebuild_deck(s)
    rank = card // KINDS
    if rank == EIGHT:
        s.phase = NAME
        return
    places = 1
    if params.special:
        if rank == QUEEN:
            places = 2
        elif rank == ACE:
            s.way = -s.way
        elif rank == TWO and s.deck[0]:
            s.owed += 2
    pass_turn(s, places)


@rule
def pay(s: State, ending: int) -> None:
    """Count every card in hand against its holder (R7)."""
    for seat in range(s.seats):
        rest = s.hand[seat]
        while rest:
            s.payoff[seat] -= PENALTIES[lowest(rest)]
            rest = without_lowest(rest)
    close(s, ending)


@rule
def redact(params: Params, s: State, seat: int) -> None:
    """Erase the generator, the deck, and the other hands until the match is over."""
    forget(s.rng)
    hide(s.deck)
    for other in range(s.seats):
        if other != seat and not s.over:
            s.hand[other] = 0


@rule
def determinize(params: Params, s: State, seat: int, g: Generator) -> None:
    """Deal the cards that the seat has not seen at random."""
    reseed(s.rng, g)
    seen = s.played
    for other in range(s.seats):
        seen |= s.hand[other]
    s.deck[0] = 0
    put_cards(s.deck, PACK & ~seen)
    shuffle(g, s.deck)
    for other in range(s.seats):
        if other != seat and not s.over:
            for _ in range(s.cards[other]):
                s.hand[other] |= only(take_top(s.deck))


@rule
def observe_action(params: Params, s: State, action: int, seat: int) -> int:
    """Return the action: every seat sees what is played, drawn, passed and named, though not which card is drawn."""
    return action


@rule
def features(params: Params, s: State, seat: int, out: Floats) -> None:
    """Write the seat's own cards, the top card, the suit, the sizes of hands and deck, and the cards owed."""
    for i in range(FEATURES):
        out[i] = 0.0
    for card in range(CARDS):
        out[card] = has(s.hand[seat], card)
    out[CARDS + s.top] = 1.0
    out[2 * CARDS + s.suit] = 1.0
    last = 2 * CARDS + KINDS
    for i in range(s.seats):
        out[last + i] = s.cards[(seat + i) % s.seats] / CARDS
    out[last + SEATS] = s.deck[0] / CARDS
    out[last + SEATS + 1] = s.owed / 8
