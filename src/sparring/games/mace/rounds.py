"""MACE: Rounds, Turns, elimination and the end of the Combat."""

from sparring.engine.beats import beat
from sparring.engine.rule import end_moment, finish, rule

from .kit import Params
from .moves import discard_all, count_in
from .state import (
    BETWEEN, DRAW, FORFEIT, GIVE_UP, KNOCKED_OUT, LAST_ONE_IN, MOST_CARDS, NEW_ROUND, OFF, ROUND_OVER, STALLED,
    TURN, UP_AGAIN, State,
)  # fmt: skip


@rule
def begin_round(s: State) -> None:
    """Set the turn order: Fighters still in by Momentum, highest first, ties by suit (R13, R40)."""
    s.rounds += 1
    s.hurt = False
    s.place = 0
    for i in range(s.order[0] + 1):
        s.order[i] = 0
    for seat in range(s.seats):
        if not s.out[seat]:
            place = s.order[0] + 1
            s.order[0] = place
            while place > 1 and s.momentum[s.order[place - 1]] < s.momentum[seat]:
                s.order[place] = s.order[place - 1]
                place -= 1
            s.order[place] = seat
    beat(s, NEW_ROUND)


@rule
def advance(kit: Params, s: State) -> None:
    """Advance to the next Turn, or past the end of the Round to the forfeits and the next Round."""
    while not s.over:
        if next_turn(s):
            return
        if s.place == s.order[0]:
            beat(s, ROUND_OVER)
        if kit.forfeits != OFF and ask_forfeit(s):
            return
        end_round(kit, s)
    s.phase = TURN


@rule
def next_turn(s: State) -> bool:
    """Begin the next Turn and return whether there is one; a Down Fighter misses it and gets up (R37, R39, R40)."""
    while s.place < s.order[0]:
        s.place += 1
        seat = s.order[s.place]
        if s.down[seat]:
            s.down[seat] = False
            beat(s, UP_AGAIN)
        elif not s.out[seat]:
            begin_turn(s, seat)
            return True
    return False


@rule
def begin_turn(s: State, seat: int) -> None:
    """Begin a seat's Turn with its Action and Boost unused (R14)."""
    s.turn += 1
    s.active = seat
    s.player = seat
    s.acted = False
    s.boosted = False
    s.phase = TURN
    end_moment(s)


@rule
def resume_turn(s: State) -> None:
    """Return to the active seat; its Turn is over if Action and Boost are both used."""
    s.player = s.active
    s.phase = BETWEEN if s.acted and s.boosted else TURN


@rule
def ask_forfeit(s: State) -> bool:
    """Ask the next Fighter still in, in turn order, whether to forfeit; return whether there is one (R41)."""
    while s.place < 2 * s.order[0]:
        s.place += 1
        seat = s.order[s.place - s.order[0]]
        if not s.out[seat]:
            s.player = seat
            s.phase = FORFEIT
            end_moment(s)
            return True
    return False


@rule
def resolve_forfeit(s: State, action: int) -> None:
    """Carry out a stay or a forfeit (R41)."""
    if action == GIVE_UP:
        eliminate(s, s.player)
    if not s.over:
        s.phase = BETWEEN


@rule
def end_round(kit: Params, s: State) -> None:
    """Begin the next Round, or end the Combat after too many quiet Rounds (R42, R43)."""
    s.quiet = 0 if s.hurt else s.quiet + 1
    if s.quiet < kit.stall_rounds:
        begin_round(s)
        return
    winners = leaders(s, kit.stall_result == DRAW)
    single = winners & (winners - 1) == 0
    finish(s, MOST_CARDS if single else STALLED, winners)


@rule
def leaders(s: State, everyone: bool) -> int:
    """Return, as bits, the Fighters still in who hold the most cards, or with `everyone` all those still in (R43)."""
    most = 0
    ahead = 0
    for seat in range(s.seats):
        if not s.out[seat]:
            held = 1 if everyone else s.hand[seat, 0]
            if held > most:
                most = held
                ahead = 0
            if held == most:
                ahead |= 1 << seat
    return ahead


@rule
def eliminate(s: State, seat: int) -> None:
    """Remove a Fighter and all its cards; the last one in wins at once (R1, R30)."""
    s.out[seat] = s.seats - count_in(s) + 1
    s.down[seat] = False
    discard_all(s, seat)
    beat(s, KNOCKED_OUT)
    if count_in(s) == 1:
        last = 0
        while s.out[last]:
            last += 1
        finish(s, LAST_ONE_IN, 1 << last)
