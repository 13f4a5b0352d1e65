"""Card Duel: carry out waiting effects one after the other, and end the match (R2, R3, R12, R13)."""

from sparring.engine.rule import beat, finish, rule

from . import card_effects as E
from .board import change, change_player, random_slot, strongest, sweep, weakest
from .params import SEATS, Params
from .state import BY_LIFE, BY_POINTS, BY_ROUNDS, EFFECT, POINTS, State


@rule
def resolve(params: Params, s: State) -> None:
    """Carry out all waiting effects in order, and those that they cause, until the match is over (R12)."""
    while s.done < s.queued and not s.over:
        entry = s.waiting[s.done]
        s.done += 1
        card, seat, when, slot = int(entry[0]), int(entry[1]), int(entry[2]), int(entry[3]) - 1
        if when == E.PLAYED or when == E.DEFEATED or s.row[seat, slot] == card + 1:
            s.cause = card + 1
            s.cause_seat = seat
            s.cause_when = when
            for place in range(params.effects[card]):
                if params.effect_when[card, place] == when:
                    carry_out(params, s, card, place, seat, slot, int(entry[4]) - 1)
            sweep(params, s)
            beat(s, EFFECT)
            check_end(params, s)
    for place in range(s.queued):
        for column in range(5):
            s.waiting[place, column] = 0
    s.queued = 0
    s.done = 0
    s.cause = 0
    s.cause_seat = 0
    s.cause_when = 0


@rule
def carry_out(params: Params, s: State, card: int, place: int, seat: int, slot: int, aim: int) -> None:
    """Carry out one effect of a card that is or was in a slot (-1: none), with the chosen enemy's slot (R13)."""
    does = params.effect_does[card, place]
    to = params.effect_to[card, place]
    number = int(params.effect_number[card, place])
    enemy = 1 - seat
    if to == E.YOU:
        change_player(params, s, seat, does, number)
    elif to == E.OPPONENT:
        change_player(params, s, enemy, does, number)
    elif to == E.THIS:
        if slot >= 0 and s.row[seat, slot] == card + 1:
            change(params, s, seat, slot, does, number)
    elif to == E.CHOSEN:
        if aim >= 0:
            change(params, s, enemy, aim, does, number)
    elif to == E.OPPOSITE:
        change(params, s, enemy, slot, does, number)
    elif to == E.ENEMIES or to == E.OWN_ALL:
        whose = enemy if to == E.ENEMIES else seat
        for each in range(params.slots):
            change(params, s, whose, each, does, number)
    else:
        times = number if E.RETURN <= does <= E.CONTROL else 1
        for _ in range(times):
            whose = seat if to >= E.OWN_WEAKEST else enemy
            picked = pick(params, s, whose, to)
            if picked >= 0:
                change(params, s, whose, picked, does, number)


@rule
def pick(params: Params, s: State, seat: int, to: int) -> int:
    """Return the slot of a player's character that a target means, or -1 (R13)."""
    if to == E.RANDOM:
        return random_slot(params, s, seat)
    if to == E.WEAKEST or to == E.OWN_WEAKEST:
        return weakest(params, s, seat)
    return strongest(params, s, seat)


@rule
def check_end(params: Params, s: State) -> None:
    """End the match if a player has no life or enough points (R1, R2)."""
    winners = 0
    ended = False
    for seat in range(SEATS):
        down = s.life[seat] == 0
        scored = s.points[seat] >= params.points
        if down or scored:
            ended = True
        if not down and (scored or s.life[1 - seat] == 0):
            winners |= 1 << seat
    if not ended:
        return
    if winners == 3 and s.points[0] != s.points[1]:
        winners = 1 if s.points[0] > s.points[1] else 2
    if s.life[0] == 0 or s.life[1] == 0:
        finish(s, BY_LIFE, winners)
    else:
        finish(s, BY_POINTS, winners)


@rule
def end_by_rounds(params: Params, s: State) -> None:
    """End the match after the last round: more life wins, then more points, or points alone (R3)."""
    life = int(s.life[0]) - int(s.life[1])
    points = int(s.points[0]) - int(s.points[1])
    lead = points if params.win == POINTS else life
    if lead == 0 and params.win != POINTS:
        lead = points
    finish(s, BY_ROUNDS, 0 if lead == 0 else 1 if lead > 0 else 2)
