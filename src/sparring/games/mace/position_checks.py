"""MACE: check that a position can be played on from."""

import numpy as np

from sparring.engine.errors import BadPosition
from sparring.engine.game import Box

from .choices import legal
from .moves import count_in, distance_to_nearest
from .rounds import advance, begin_round
from .state import (
    ACTIONS, BLAST_CARD, DEFENCE, DODGE_MOVE, DROP_CHARGE, FORFEIT, MOMENTUM, NO_CARD, NO_SEAT, OFF, PAY, State,
)  # fmt: skip

#: An extra phase of positions: the start of a Round, before its turn order is set.
ROUND = "round"
#: The phases in which the target chooses.
TARGET_PHASES = (DEFENCE, DODGE_MOVE, PAY, DROP_CHARGE)
#: The number that a phase requires.
REQUIRED = {
    "blast_card": "range", "defence": "damage", "dodge_move": "steps", "pay": "damage", "drop_charge": "damage",
    "move": "steps",
}  # fmt: skip


def first_seat(*seats: int) -> int:
    """Return the first of `seats` that is not NO_SEAT."""
    return next((int(seat) for seat in seats if seat != NO_SEAT), NO_SEAT)


def chooser_of(s: State) -> int:
    """Return the seat that must choose, or NO_SEAT if none can."""
    if s.phase == MOMENTUM:
        momentum = s.momentum[: s.seats].tolist()
        return momentum.index(NO_CARD) if NO_CARD in momentum else 0
    if s.phase == FORFEIT:
        return int(s.order[s.place - s.order[0]]) if s.place > s.order[0] else NO_SEAT
    return int(s.target if s.phase in TARGET_PHASES else s.active)


def check_playable(box: Box, s: State, phase: str) -> None:
    """Raise BadPosition unless a seat can choose in this phase; in phase `round`, start the Round first."""
    if count_in(s) < 2:
        raise BadPosition("out: at least two Fighters must be in, unless the position has an ending.")
    if phase == ROUND:
        s.rounds -= 1
        begin_round(s)
        advance(box.kit, s)
        return
    chooser = chooser_of(s)
    if s.phase in TARGET_PHASES and s.target == NO_SEAT:
        raise BadPosition(f"Phase {phase} needs a target.")
    if phase in REQUIRED and not getattr(s, REQUIRED[phase]):
        raise BadPosition(f"Phase {phase} needs {REQUIRED[phase]}, at least 1.")
    if s.phase == MOMENTUM:
        _check_momentum(s)
    elif s.phase != FORFEIT and s.out[s.active]:
        raise BadPosition(f"active: seat {s.active + 1} is out.")
    if chooser == NO_SEAT:
        count = int(s.order[0])
        raise BadPosition(
            f"place must be {count + 1} to {2 * count} in phase forfeit, a second pass through the order."
        )
    if s.player != chooser:
        raise BadPosition(f"player must be seat {chooser + 1} in phase {phase}, not seat {s.player + 1}.")
    if s.phase in TARGET_PHASES and s.target == s.active:
        raise BadPosition(f"target: seat {s.target + 1} can't attack itself.")
    if s.phase in (DEFENCE, DODGE_MOVE) and s.down[s.target]:
        raise BadPosition(f"down: seat {s.target + 1} can't block or dodge while it is Down.")
    if s.phase == FORFEIT and box.kit.forfeits == OFF:
        raise BadPosition("Phase forfeit needs the option forfeits=on.")
    out = np.zeros(len(ACTIONS), np.int16)
    unreachable = s.phase == BLAST_CARD and distance_to_nearest(s, s.active) > s.range
    if s.out[s.player] or unreachable or legal(box.kit, s, out) == 0:
        raise BadPosition(f"Seat {s.player + 1} has no legal choice in this position.")


def _check_momentum(s: State) -> None:
    for seat in range(s.seats):
        if (s.momentum[seat] == NO_CARD) != (seat >= s.player):
            raise BadPosition("momentum: in phase momentum, all seats before the player have a card, and no others.")
