"""The rules of Hush."""

from typing import Any

from sparring.engine.cards import empty, hide, insert, pour, put, remove, shuffle, take_top
from sparring.engine.chance import forget
from sparring.engine.options import option_fields
from sparring.engine.rule import ActionSpace, finish, record_dtype, rule, state_dtype

from .kit import CARDS, OPTIONS

SEATS = 3
HAND = 3
FEATURES = 1
PHASES: tuple[str, ...] = ("lay",)
OPEN: tuple[int, ...] = ()
ENDINGS: tuple[str, ...] = ("totals", "gave up")
BEATS: tuple[str, ...] = ()
ACTIONS = ActionSpace(card=CARDS, done=1, give_up=1)
CARD, DONE, GIVE_UP = ACTIONS.starts

KIT = record_dtype([*option_fields(OPTIONS), ("value", "i2", CARDS)])
STATE = state_dtype(
    SEATS, [("deck", "i2", CARDS + 1), ("hand", "i2", (SEATS, HAND + 1)), ("laid", "i2", (SEATS, HAND + 1))]
)


@rule
def setup(kit: Any, s: Any) -> None:
    for card in range(CARDS):
        put(s.deck, card)
    shuffle(s.rng, s.deck)
    for seat in range(s.seats):
        for _ in range(kit.hand):
            insert(s.hand[seat], take_top(s.deck))


@rule
def legal(kit: Any, s: Any, out: Any) -> int:
    hand = s.hand[s.player]
    for i in range(1, hand[0] + 1):
        out[i - 1] = CARD + hand[i]
    out[hand[0]] = DONE
    out[hand[0] + 1] = GIVE_UP
    return int(hand[0]) + 2


@rule
def step(kit: Any, s: Any, action: int) -> None:
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
        finish(s, 0, winners(kit, s))


@rule
def winners(kit: Any, s: Any) -> int:
    best = -1
    bits = 0
    for seat in range(s.seats):
        total = 0
        for i in range(1, s.laid[seat, 0] + 1):
            total += kit.value[s.laid[seat, i]]
        if kit.wins == 1:
            total = 1000 - total
        if total > best:
            best = total
            bits = 0
        if total == best:
            bits |= 1 << seat
    return bits


@rule
def redact(kit: Any, s: Any, seat: int) -> None:
    forget(s.rng)
    if s.over:
        return
    hide(s.deck)
    for other in range(s.seats):
        if other != seat:
            pour(s.laid[other], s.hand[other])
            hide(s.hand[other])


@rule
def determinize(kit: Any, s: Any, seat: int, g: Any) -> None:
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
            for _ in range(kit.hand):
                insert(s.hand[other], take_top(s.deck))


@rule
def observe_action(kit: Any, s: Any, action: int, seat: int) -> int:
    return action if seat == s.player or action == GIVE_UP else -1


@rule
def features(kit: Any, s: Any, seat: int, out: Any) -> None:
    out[0] = s.hand[seat, 0] / 3
