"""Kuhn poker: the rules (R1 and R2 of rules.md)."""

from sparring.engine.beats import beat
from sparring.engine.cards import put, shuffle, take_top
from sparring.engine.chance import forget, reseed
from sparring.engine.rule import ActionSpace, close, end_moment, record_dtype, rule, state_dtype

from .kit import RANKS

SEATS = 2
CARDS = len(RANKS)
NO_CARD = -1

PHASES: tuple[str, ...] = ("bet",)
ENDINGS: tuple[str, ...] = ("folded", "shown")
FOLDED, SHOWN = range(2)
BEATS: tuple[str, ...] = ("shown",)
SHOW = 0
OPEN: tuple[int, ...] = ()
ACTIONS = ActionSpace(**{"pass": 1, "bet": 1})
PASS, BET = ACTIONS.starts
FEATURES = CARDS + 2

KIT = record_dtype([("cards", "i2")])
STATE = state_dtype(
    SEATS,
    [
        ("card", "i2", CARDS),  # of seat 1, of seat 2, of nobody
        ("chips", "i2", SEATS),  # put in so far
        ("open", "i2"),  # whether the cards of both lie face up
        ("pile", "i2", CARDS + 1),  # where cards lie while they are dealt
    ],
)


@rule
def setup(kit, s):
    """Both put in a chip and get a card; the third card nobody sees."""
    for place in range(CARDS):
        s.card[place] = NO_CARD
    s.chips[:] = 1
    s.turn = 1
    deal(s, s.rng)


@rule
def deal(s, g):
    """Lay the cards that lie nowhere yet at random where none is."""
    for card in range(CARDS):
        if card != s.card[0] and card != s.card[1] and card != s.card[2]:
            put(s.pile, card)
    shuffle(g, s.pile)
    for place in range(CARDS):
        if s.card[place] == NO_CARD:
            s.card[place] = take_top(s.pile)


@rule
def legal(kit, s, out):
    """Pass or bet (R1)."""
    out[0] = PASS
    out[1] = BET
    return 2


@rule
def step(kit, s, action):
    """A pass folds if the other has bet; a bet after a bet is a call (R1). Then both show (R2), or the other speaks."""
    player = s.player
    end_moment(s)
    faced = s.chips[1 - player] > s.chips[player]
    if action == BET:
        s.chips[player] += 1
    elif faced:
        pay(s, 1 - player, FOLDED)
        return
    if faced or (action == PASS and player == 1):
        s.open = 1
        beat(s, SHOW)
        pay(s, 0 if s.card[0] > s.card[1] else 1, SHOWN)
    else:
        s.player = 1 - player


@rule
def pay(s, winner, ending):
    """The loser pays what it has put in."""
    lost = s.chips[1 - winner]
    s.payoff[winner] = lost
    s.payoff[1 - winner] = -lost
    close(s, ending)


@rule
def redact(kit, s, seat):
    """Forget the generator, the card of nobody, and the other's until it is shown."""
    forget(s.rng)
    for place in range(CARDS):
        if place != seat and (place >= SEATS or not s.open):
            s.card[place] = NO_CARD


@rule
def determinize(kit, s, seat, g):
    """Deal what the seat has not seen at random."""
    reseed(s.rng, g)
    deal(s, g)


@rule
def observe_action(kit, s, action, seat):
    """All betting is open."""
    return action


@rule
def private_observation(kit, s, seat):
    """One's own card."""
    return 1 + s.card[seat]


@rule
def features(kit, s, seat, out):
    """One's own card, and the chips of both."""
    for i in range(FEATURES):
        out[i] = 0.0
    if s.card[seat] >= 0:
        out[s.card[seat]] = 1.0
    out[CARDS] = s.chips[seat] / 2
    out[CARDS + 1] = s.chips[1 - seat] / 2
