"""High Card: rules, hidden information and features (rulings R1 to R3 of rules.md)."""

from sparring.engine.beats import beat
from sparring.engine.cards import empty, hide, holds, insert, put, remove, shuffle, take_top
from sparring.engine.chance import forget, reseed
from sparring.engine.game import HIDDEN_ACTION
from sparring.engine.layouts import layout
from sparring.engine.options import option_fields
from sparring.engine.rule import ActionSpace, clockwise, end_moment, finish, seat_after, record_dtype, rule, state_dtype

from .kit import CARDS, HIGHEST, OPTIONS

SEATS = 4
HAND = 5

PHASES: tuple[str, ...] = ("lay", "call")
LAY, CALL = range(2)
#: Phases whose number of legal choices is public, so that a forced choice can be made automatically without a leak.
OPEN: tuple[int, ...] = (LAY,)
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

KIT = record_dtype([*option_fields(OPTIONS), ("value", "i2", CARDS)])
STATE = state_dtype(
    SEATS,
    [
        ("deck", "i2", CARDS + 1),
        ("gone", "i2", CARDS + 1),
        ("hand", "i2", (SEATS, HAND + 1)),
        ("laid", "i2", (SEATS, 2)),
        ("tricks", "i2", SEATS),
        ("low", "i2"),  # whether the lowest card takes this trick
    ],
)


@rule
def setup(kit, s):
    """Deal a hand to every seat (R1)."""
    for card in range(CARDS):
        put(s.deck, card)
    shuffle(s.rng, s.deck)
    for seat in range(s.seats):
        for _ in range(kit.hand):
            insert(s.hand[seat], take_top(s.deck))
    lead(kit, s)


@rule
def lead(kit, s):
    """Start a trick; with the option `call`, the leader calls high or low first (R3)."""
    s.player = leader(kit, s)
    if kit.call:
        s.phase = CALL


@rule
def leader(kit, s):
    """Return the seat that leads the trick; with calls, the lead passes clockwise (R3)."""
    return s.turn % s.seats if kit.call else 0


@rule
def legal(kit, s, out):
    """Write the legal choices to `out` and return how many there are: high and low, or the cards in hand."""
    if s.phase == CALL:
        out[0], out[1] = HIGH, LOW
        return 2
    hand = s.hand[s.player]
    for i in range(1, hand[0] + 1):
        out[i - 1] = hand[i]
    return int(hand[0])


@rule
def step(kit, s, action):
    """Call high or low (R3), or play a card face down; the last card played ends the trick (R2)."""
    if s.phase == CALL:
        s.low = action == LOW  # the leader still has to play, so the call can be taken back: no end_moment
        s.phase = LAY
        return
    remove(s.hand[s.player], action)
    put(s.laid[s.player], action)
    end_moment(s)
    s.player = clockwise(s, s.player)
    if all_laid(s):
        take_trick(kit, s)


@rule
def take_trick(kit, s):
    """Reveal all cards: the highest (or lowest, R3) takes the trick (R2). After the last trick, the most tricks win."""
    beat(s, TURNED_UP)
    best = 0
    taker = -1
    for place in range(s.seats):
        seat = seat_after(s, leader(kit, s), place)
        value = kit.value[s.laid[seat, 1]]
        if s.low:
            value = HIGHEST + 1 - value
        if value > best:
            best = value
            taker = seat
        elif value == best and kit.tie == 0:
            taker = -1
    if taker >= 0:
        s.tricks[taker] += 1
    for seat in range(s.seats):
        put(s.gone, take_top(s.laid[seat]))
    s.turn += 1
    s.low = 0
    if s.hand[0, 0] == 0:
        finish(s, 0, most_tricks(s))
    else:
        lead(kit, s)


@rule
def most_tricks(s):
    """Return the seats with the most tricks, as a bit mask."""
    most = 0
    ahead = 0
    for seat in range(s.seats):
        if s.tricks[seat] > most:
            most = s.tricks[seat]
            ahead = 0
        if s.tricks[seat] == most:
            ahead |= 1 << seat
    return ahead


@rule
def redact(kit, s, seat):
    """Hide the random generator, the deck, other seats' hands, and the cards they have played face down."""
    forget(s.rng)
    hide(s.deck)
    revealed = all_laid(s)
    for other in range(s.seats):
        if other != seat:
            hide(s.hand[other])
            if not revealed:
                hide(s.laid[other])


@rule
def all_laid(s):
    """Return whether every seat has played a card, so that all are revealed."""
    for seat in range(s.seats):
        if s.laid[seat, 0] == 0:
            return False
    return True


@rule
def determinize(kit, s, seat, g):
    """Randomly deal the cards that the seat has not seen."""
    reseed(s.rng, g)
    revealed = all_laid(s)
    empty(s.deck)
    for card in range(CARDS):
        if not has_seen(s, seat, card):
            put(s.deck, card)
    shuffle(g, s.deck)
    for other in range(s.seats):
        if other != seat:
            if s.laid[other, 0] and not revealed:
                s.laid[other, 1] = take_top(s.deck)
            held = s.hand[other, 0]
            empty(s.hand[other])
            for _ in range(held):
                insert(s.hand[other], take_top(s.deck))


@rule
def has_seen(s, seat, card):
    """Return whether the seat knows where a card is."""
    if holds(s.gone, card):
        return True
    for other in range(s.seats):
        if holds(s.laid[other], card):  # a face-down card of another seat is UNKNOWN here
            return True
    return seat >= 0 and holds(s.hand[seat], card)


@rule
def observe_action(kit, s, action, seat):
    """Return the choice, or HIDDEN_ACTION for another seat's card, which is played face down; calls are public."""
    return action if s.player == seat or s.phase == CALL else HIDDEN_ACTION


@rule
def features(kit, s, seat, out):
    """Write FEATURES floats to `out`: the tricks of each seat (own seat first), the cards in hand, the call."""
    for i in range(FEATURES):
        out[i] = 0.0
    other = seat
    for place in range(s.seats):
        out[place] = s.tricks[other] / HAND
        other = clockwise(s, other)
    for i in range(1, s.hand[seat, 0] + 1):
        out[SEATS + s.hand[seat, i]] = 1.0
    out[SEATS + CARDS] = s.low
