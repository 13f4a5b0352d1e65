"""The rules of Hush."""

from sparring.engine.cards import empty, hide, insert, pour, put, remove, shuffle, take_top
from sparring.engine.chance import forget
from sparring.engine.rule import ActionSpace, finish, rule
from sparring.engine.state import NO_ONE, OWNER, Header, per_seat, pile
from sparring.engine.types import Floats, Generator, Numbers

from .params import CARDS, PACK, Params

SEATS = 3
HAND = 3
FEATURES = 1
PHASES: tuple[str, ...] = ("lay",)
ENDINGS: tuple[str, ...] = ("totals", "gave up")
BEATS: tuple[str, ...] = ()
ACTIONS = ActionSpace(card=CARDS, done=1, give_up=1)
CARD, DONE, GIVE_UP = ACTIONS.starts


class State(Header, seats=SEATS):
    deck = pile(CARDS, of=PACK, seen_by=NO_ONE)
    hand = per_seat(pile(HAND, of=PACK, seen_by=OWNER))
    laid = per_seat(pile(HAND, of=PACK, seen_by=OWNER))


@rule
def setup(params: Params, s: State) -> None:
    for card in range(CARDS):
        put(s.deck, card)
    shuffle(s.rng, s.deck)
    for seat in range(s.seats):
        for _ in range(params.hand):
            insert(s.hand[seat], take_top(s.deck))


@rule
def legal(params: Params, s: State, out: Numbers) -> int:
    hand = s.hand[s.player]
    for i in range(1, hand[0] + 1):
        out[i - 1] = CARD + hand[i]
    out[hand[0]] = DONE
    out[hand[0] + 1] = GIVE_UP
    return int(hand[0]) + 2


@rule
def step(params: Params, s: State, action: int) -> None:
    seat = s.player
    if action < DONE:
        remove(s.hand[seat], action - CARD)
        insert(s.laid[seat], action - CARD)
    elif action == GIVE_UP:
        finish(s, 1, ((1 << s.seats) - 1) & ~(1 << seat))
    elif seat + 1 < s.seats:
        s.player += 1
        s.moment += 1
    else:
        finish(s, 0, winners(params, s))


@rule
def winners(params: Params, s: State) -> int:
    best = -1
    bits = 0
    for seat in range(s.seats):
        total = 0
        for i in range(1, s.laid[seat, 0] + 1):
            total += params.value[s.laid[seat, i]]
        if params.wins == 1:
            total = 1000 - total
        if total > best:
            best = total
            bits = 0
        if total == best:
            bits |= 1 << seat
    return bits


@rule
def redact(params: Params, s: State, seat: int) -> None:
    forget(s.rng)
    if s.over:
        return
    hide(s.deck)
    for other in range(s.seats):
        if other != seat:
            pour(s.laid[other], s.hand[other])
            hide(s.hand[other])


@rule
def determinize(params: Params, s: State, seat: int, g: Generator) -> None:
    empty(s.deck)
    for card in range(CARDS):
        known = False
        for i in range(1, s.hand[seat, 0] + 1):
            known = known or s.hand[seat, i] == card
        for i in range(1, s.laid[seat, 0] + 1):
            known = known or s.laid[seat, i] == card
        if not known:
            put(s.deck, card)
    shuffle(g, s.deck)
    for other in range(s.seats):
        if other != seat:
            empty(s.hand[other])
            for _ in range(params.hand):
                insert(s.hand[other], take_top(s.deck))


@rule
def observe_action(params: Params, s: State, action: int, seat: int) -> int:
    return action if seat == s.player or action == GIVE_UP else -1


@rule
def features(params: Params, s: State, seat: int, out: Floats) -> None:
    out[0] = s.hand[seat, 0] / 3
