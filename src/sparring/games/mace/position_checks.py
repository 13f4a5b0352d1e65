"""MACE: check that a position can be played on from."""

from typing import Any

import numpy as np

from sparring.engine.errors import BadPosition
from sparring.engine.game import Box

from .choices import legal
from .moves import count_in, distance_to_nearest
from .rounds import advance, begin_round
from .state import ACTIONS, NO_CARD, NO_SEAT, OFF

#: An extra phase of positions: the start of a Round, before its turn order is set.
ROUND = "round"
#: The phases in which the target chooses, and all phases of an attack.
TARGET_PHASES = ("defence", "dodge_move", "pay", "drop_charge")
ATTACK_PHASES = ("blast_card", "target", *TARGET_PHASES)
#: The number that a phase requires.
REQUIRED = {
    "blast_card": "range", "defence": "damage", "dodge_move": "steps", "pay": "damage", "drop_charge": "damage",
    "move": "steps",
}  # fmt: skip


def check_playable(box: Box, s: Any, phase: str, chooser: int) -> None:
    """Raise BadPosition unless `chooser` can choose in this phase; in phase `round`, start the Round first."""
    if count_in(s) < 2:
        raise BadPosition("out: at least two Fighters must be in, unless the position has an ending.")
    if phase == ROUND:
        s.rounds -= 1
        begin_round(s)
        advance(box.kit, s)
        return
    if phase in TARGET_PHASES and s.target == NO_SEAT:
        raise BadPosition(f"Phase {phase} needs a target.")
    if phase in REQUIRED and not s[REQUIRED[phase]]:
        raise BadPosition(f"Phase {phase} needs {REQUIRED[phase]}, at least 1.")
    if phase == "momentum":
        _check_momentum(s)
    elif phase != "forfeit" and s.out[s.active]:
        raise BadPosition(f"active: seat {s.active + 1} is out.")
    if chooser == NO_SEAT:
        count = int(s.order[0])
        raise BadPosition(
            f"place must be {count + 1} to {2 * count} in phase forfeit, a second pass through the order."
        )
    if s.player != chooser:
        raise BadPosition(f"player must be seat {chooser + 1} in phase {phase}, not seat {s.player + 1}.")
    if phase in TARGET_PHASES and s.target == s.active:
        raise BadPosition(f"target: seat {s.target + 1} can't attack itself.")
    if phase in ("defence", "dodge_move") and s.down[s.target]:
        raise BadPosition(f"down: seat {s.target + 1} can't block or dodge while it is Down.")
    if phase == "forfeit" and box.kit.forfeits == OFF:
        raise BadPosition("Phase forfeit needs the option forfeits=on.")
    out = np.zeros(len(ACTIONS), np.int16)
    unreachable = phase == "blast_card" and distance_to_nearest(s, int(s.active)) > s.range
    if s.out[s.player] or unreachable or legal(box.kit, s, out) == 0:
        raise BadPosition(f"Seat {s.player + 1} has no legal choice in this position.")


def _check_momentum(s: Any) -> None:
    for seat in range(s.seats):
        if (s.momentum[seat] == NO_CARD) != (seat >= s.player):
            raise BadPosition("momentum: in phase momentum, all seats before the player have a card, and no others.")
