"""Kuhn poker: the rules (R1 and R2 of rules.md)."""

from sparring.engine.cards import put, shuffle, take_top
from sparring.engine.chance import forget, reseed
from sparring.engine.features import layout
from sparring.engine.rule import ActionSpace, beat, close, end_moment, public_action, rule
from sparring.engine.state import NO_ONE, Header, flag, integer, integers, per_seat, pile
from sparring.engine.types import Floats, Generator, Numbers

from .params import PACK, RANKS, Params

SEATS = 2
CARDS = len(RANKS)
NO_CARD = -1

PHASES: tuple[str, ...] = ("bet",)
ENDINGS: tuple[str, ...] = ("folded", "shown")
FOLDED, SHOWN = range(2)
BEATS: tuple[str, ...] = ("shown",)
SHOW = 0
ACTIONS = ActionSpace(**{"pass": 1, "bet": 1})
PASS, BET = ACTIONS.starts
FEATURES = CARDS + 3
LAYOUT = layout(
    ("card", CARDS, 0, 1, "the seat's own card, one-hot"),
    ("chips", 2, 0, 1, "chips of this seat and of the other / 2"),
    ("seat", 1, 0, 1, "0 for the seat that acts first, 1 for the other"),
)


class State(Header, seats=SEATS):
    """The state of a match."""

    turn = integer(1, 1)
    card = integers(CARDS, NO_CARD, CARDS - 1, key="cards")  # of seat 1, of seat 2, the unused one
    chips = per_seat(integer(1, 2))  # put in so far
    open = flag()  # whether both cards are face up
    stock = pile(CARDS, of=PACK, seen_by=NO_ONE, custom=True)  # cards being dealt; empty between two actions


@rule
def setup(params: Params, s: State) -> None:
    """Put in a chip and deal a card for each seat; the third card stays hidden."""
    for place in range(CARDS):
        s.card[place] = NO_CARD
    s.chips[:] = 1
    s.turn = 1
    deal(s, s.rng)


@rule
def deal(s: State, g: Generator) -> None:
    """Deal the remaining cards at random to the empty places."""
    for card in range(CARDS):
        if card != s.card[0] and card != s.card[1] and card != s.card[2]:
            put(s.stock, card)
    shuffle(g, s.stock)
    for place in range(CARDS):
        if s.card[place] == NO_CARD:
            s.card[place] = take_top(s.stock)


@rule
def legal(params: Params, s: State, out: Numbers) -> int:
    """Write pass and bet (R1)."""
    out[0] = PASS
    out[1] = BET
    return 2


@rule
def step(params: Params, s: State, action: int) -> None:
    """Pass or bet; a pass after a bet folds, a bet after a bet calls (R1).

    Then both show (R2), or the other seat acts.
    """
    player = s.player
    end_moment(s)
    faced = s.chips[1 - player] > s.chips[player]
    if action == BET:
        s.chips[player] += 1
    elif faced:
        pay(s, 1 - player, FOLDED)
        return
    if faced or (action == PASS and player == 1):
        s.open = True
        beat(s, SHOW)
        pay(s, 0 if s.card[0] > s.card[1] else 1, SHOWN)
    else:
        s.player = 1 - player


@rule
def pay(s: State, winner: int, ending: int) -> None:
    """Pay the loser's chips to the winner."""
    lost = s.chips[1 - winner]
    s.payoff[winner] = lost
    s.payoff[1 - winner] = -lost
    close(s, ending)


@rule
def redact(params: Params, s: State, seat: int) -> None:
    """Erase the generator, the unused card, and the other seat's card until it is shown."""
    forget(s.rng)
    for place in range(CARDS):
        if place != seat and (place >= SEATS or not s.open):
            s.card[place] = NO_CARD


@rule
def determinize(params: Params, s: State, seat: int, g: Generator) -> None:
    """Deal the cards that the seat has not seen at random."""
    reseed(s.rng, g)
    deal(s, g)


observe_action = public_action


@rule
def private_observation(params: Params, s: State, seat: int) -> int:
    """Return the seat's own card."""
    return 1 + s.card[seat]


@rule
def features(params: Params, s: State, seat: int, out: Floats) -> None:
    """Write the seat's own card, the chips of both seats, and the seat."""
    for i in range(FEATURES):
        out[i] = 0.0
    if s.card[seat] >= 0:
        out[s.card[seat]] = 1.0
    out[CARDS] = s.chips[seat] / 2
    out[CARDS + 1] = s.chips[1 - seat] / 2
    out[CARDS + 2] = seat
