"""Leduc poker: the rules (R1 to R3 of rules.md)."""

from sparring.engine.cards import hide, put, shuffle, take_top
from sparring.engine.chance import forget, reseed
from sparring.engine.features import layout
from sparring.engine.rule import ActionSpace, beat, close, end_moment, public_action, rule
from sparring.engine.state import NO_ONE, Header, flag, integer, per_seat, pile, scalar
from sparring.engine.types import Floats, Generator, Numbers

from .params import PACK, RANKS, Params

SEATS = 2
CARDS = 2 * len(RANKS)
NO_CARD = -1
MOST_RAISES = 2

PHASES: tuple[str, ...] = ("bet",)
ENDINGS: tuple[str, ...] = ("folded", "shown")
FOLDED, SHOWN = range(2)
BEATS: tuple[str, ...] = ("turned up", "shown")
TURNED_UP, SHOW = range(2)
ACTIONS = ActionSpace(fold=1, call=1, **{"raise": 1})
FOLD, CALL, RAISE = ACTIONS.starts
FEATURES = 2 * len(RANKS) + 5
LAYOUT = layout(
    ("card", len(RANKS), 0, 1, "the seat's own rank, one-hot"),
    ("public", len(RANKS), 0, 1, "the rank of the public card, one-hot"),
    ("chips", 2, 0, 1, "chips of this seat and of the other / 13"),
    ("raises", 1, 0, 1, "raises in this round / 2"),
    ("round", 1, 0, 1, "0 in the first round, 1 in the second"),
    ("seat", 1, 0, 1, "0 for the seat that acts first, 1 for the other"),
)


class State(Header, seats=SEATS):
    """The state of a match."""

    deck = pile(CARDS, of=PACK, seen_by=NO_ONE, custom=True)
    card = per_seat(scalar())
    public = integer(NO_CARD, CARDS - 1)
    turn = integer(1, 2, key="round", default=lambda params, s: 1 if s.public == NO_CARD else 2)
    chips = per_seat(integer(1, 13))  # put in so far
    raises = integer(0, MOST_RAISES)
    calls = integer(0, 2)
    open = flag()  # whether both cards are face up


@rule
def setup(params: Params, s: State) -> None:
    """Put in a chip and deal a card for each seat."""
    for card in range(CARDS):
        put(s.deck, card)
    shuffle(s.rng, s.deck)
    for seat in range(SEATS):
        s.card[seat] = take_top(s.deck)
        s.chips[seat] = 1
    s.public = NO_CARD
    s.turn = 1


@rule
def legal(params: Params, s: State, out: Numbers) -> int:
    """Write fold if something is owed, call, and raise up to twice a round (R1)."""
    n = 0
    if s.chips[s.player] < s.chips[1 - s.player]:
        out[n] = FOLD
        n += 1
    out[n] = CALL
    n += 1
    if s.raises < MOST_RAISES:
        out[n] = RAISE
        n += 1
    return n


@rule
def step(params: Params, s: State, action: int) -> None:
    """Fold, call or raise; then the other seat acts, or the round ends."""
    player = s.player
    end_moment(s)
    if action == FOLD:
        pay(s, 1 - player, FOLDED)
        return
    s.chips[player] = s.chips[1 - player]
    if action == RAISE:
        s.chips[player] += 2 * s.turn
        s.raises += 1
        s.calls = 0
    else:
        s.calls += 1
    if s.calls == (1 if s.raises else 2):
        end_round(s)
    else:
        s.player = 1 - player


@rule
def end_round(s: State) -> None:
    """Turn up the public card (R2), or show both cards (R3)."""
    if s.turn == 2:
        show(s)
        return
    s.public = take_top(s.deck)
    s.turn = 2
    s.raises = 0
    s.calls = 0
    s.player = 0
    beat(s, TURNED_UP)


@rule
def show(s: State) -> None:
    """Show the cards: a pair wins, then the higher card; equal cards share (R3)."""
    s.open = True
    beat(s, SHOW)
    one, other = worth(s, 0), worth(s, 1)
    pay(s, -1 if one == other else 0 if one > other else 1, SHOWN)


@rule
def worth(s: State, seat: int) -> int:
    """Return the value of a seat's card together with the public one."""
    rank = s.card[seat] // 2
    return rank + len(RANKS) * (rank == s.public // 2)


@rule
def pay(s: State, winner: int, ending: int) -> None:
    """Pay the loser's chips to the winner; nothing if both share (`winner` -1)."""
    if winner >= 0:
        lost = s.chips[1 - winner]
        s.payoff[winner] = lost
        s.payoff[1 - winner] = -lost
    close(s, ending)


@rule
def redact(params: Params, s: State, seat: int) -> None:
    """Erase the generator, the deck, and the other seat's card until it is shown."""
    forget(s.rng)
    hide(s.deck)
    for other in range(SEATS):
        if other != seat and not s.open:
            s.card[other] = NO_CARD


@rule
def determinize(params: Params, s: State, seat: int, g: Generator) -> None:
    """Deal the cards that the seat has not seen at random."""
    reseed(s.rng, g)
    s.deck[0] = 0
    for card in range(CARDS):
        if card != s.public and card != s.card[0] and card != s.card[1]:
            put(s.deck, card)
    shuffle(g, s.deck)
    for other in range(SEATS):
        if s.card[other] == NO_CARD:
            s.card[other] = take_top(s.deck)


observe_action = public_action


@rule
def private_observation(params: Params, s: State, seat: int) -> int:
    """Return the ranks of the seat's own card and the public one; suits make no difference."""
    return 1 + s.card[seat] // 2 + len(RANKS) * (s.public // 2 + 1)


@rule
def features(params: Params, s: State, seat: int, out: Floats) -> None:
    """Write the seat's own rank, the public one, the chips of both seats, the raises, the round, the seat."""
    for i in range(FEATURES):
        out[i] = 0.0
    if s.card[seat] >= 0:
        out[s.card[seat] // 2] = 1.0
    if s.public >= 0:
        out[len(RANKS) + s.public // 2] = 1.0
    last = 2 * len(RANKS)
    out[last] = s.chips[seat] / 13
    out[last + 1] = s.chips[1 - seat] / 13
    out[last + 2] = s.raises / MOST_RAISES
    out[last + 3] = s.turn - 1.0
    out[last + 4] = seat
