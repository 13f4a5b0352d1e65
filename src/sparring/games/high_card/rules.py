"""High Card: the rules (R1 to R3 of rules.md)."""

from sparring.engine.beats import beat
from sparring.engine.cards import empty, hide, holds, insert, put, remove, shuffle, take_top
from sparring.engine.chance import forget, reseed
from sparring.engine.game import SOMETHING
from sparring.engine.options import option_fields
from sparring.engine.rule import Actions, clockwise, end_moment, finish, places_on, record_dtype, rule, state_dtype

from .kit import CARDS, HIGHEST, OPTIONS

SEATS = 4
HAND = 5

PHASES: tuple[str, ...] = ("lay", "call")
LAY, CALL = range(2)
#: The phases in which everybody can see whether there is one choice only: hands are counted openly.
OPEN: tuple[int, ...] = (LAY,)
ENDINGS: tuple[str, ...] = ("tricks",)
BEATS: tuple[str, ...] = ("turned up",)
TURNED_UP = 0
ACTIONS = Actions(card=CARDS, high=1, low=1)
CARD, HIGH, LOW = ACTIONS.starts
FEATURES = SEATS + CARDS + 1

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
    """Deal a hand to everybody (R1)."""
    for card in range(CARDS):
        put(s.deck, card)
    shuffle(s.rng, s.deck)
    for seat in range(s.seats):
        for _ in range(kit.hand):
            insert(s.hand[seat], take_top(s.deck))
    lead(kit, s)


@rule
def lead(kit, s):
    """A trick begins; who leads it calls high or low first, if that is played (R3)."""
    s.player = leader(kit, s)
    if kit.call:
        s.phase = CALL


@rule
def leader(kit, s):
    """The seat that leads the trick: it goes round where there is something to call (R3)."""
    return s.turn % s.seats if kit.call else 0


@rule
def legal(kit, s, out):
    """High or low, or any card of the hand."""
    if s.phase == CALL:
        out[0], out[1] = HIGH, LOW
        return 2
    hand = s.hand[s.player]
    for i in range(1, hand[0] + 1):
        out[i - 1] = hand[i]
    return int(hand[0])


@rule
def step(kit, s, action):
    """Call high or low (R3); or lay a card face down, and after the last one all are turned up (R2)."""
    if s.phase == CALL:
        s.low = action == LOW  # everybody hears it, so the moment goes on: it can be taken back
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
    """All cards are turned up; the highest (or lowest, R3) takes the trick (R2). Without cards, most tricks win."""
    beat(s, TURNED_UP)
    best = 0
    taker = -1
    for place in range(s.seats):
        seat = places_on(s, leader(kit, s), place)
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
    """Who has most tricks, as bits."""
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
    """Forget the generator, the deck, what the others hold, and what they have laid until it is turned up."""
    forget(s.rng)
    hide(s.deck)
    turned_up = all_laid(s)
    for other in range(s.seats):
        if other != seat:
            hide(s.hand[other])
            if not turned_up:
                hide(s.laid[other])


@rule
def all_laid(s):
    """Whether everybody has laid a card: then they lie face up."""
    for seat in range(s.seats):
        if s.laid[seat, 0] == 0:
            return False
    return True


@rule
def imagine(kit, s, seat, g):
    """Deal what the seat has not seen at random."""
    reseed(s.rng, g)
    turned_up = all_laid(s)
    empty(s.deck)
    for card in range(CARDS):
        if not has_seen(s, seat, card):
            put(s.deck, card)
    shuffle(g, s.deck)
    for other in range(s.seats):
        if other != seat:
            if s.laid[other, 0] and not turned_up:
                s.laid[other, 1] = take_top(s.deck)
            held = s.hand[other, 0]
            empty(s.hand[other])
            for _ in range(held):
                insert(s.hand[other], take_top(s.deck))


@rule
def has_seen(s, seat, card):
    """Whether the seat knows where a card is."""
    if holds(s.gone, card):
        return True
    for other in range(s.seats):
        if holds(s.laid[other], card):  # what lies face down is no card that anybody knows
            return True
    return seat >= 0 and holds(s.hand[seat], card)


@rule
def glimpse(kit, s, action, seat):
    """A call is open. A card is laid face down: the others see that, and not which."""
    return action if s.player == seat or s.phase == CALL else SOMETHING


@rule
def observe(kit, s, seat, out):
    """The tricks of each seat, one's own first, the cards in hand, and what was called."""
    for i in range(FEATURES):
        out[i] = 0.0
    other = seat
    for place in range(s.seats):
        out[place] = s.tricks[other] / HAND
        other = clockwise(s, other)
    for i in range(1, s.hand[seat, 0] + 1):
        out[SEATS + s.hand[seat, i]] = 1.0
    out[SEATS + CARDS] = s.low
