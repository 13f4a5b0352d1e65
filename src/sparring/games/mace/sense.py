"""MACE: whether a position can be played on."""

from typing import Any

import numpy as np

from sparring.engine.errors import BadPosition
from sparring.engine.game import Box

from .choices import legal
from .moves import nearest, still_in
from .rounds import begin_round, go_on
from .state import ACTIONS, NO_CARD, NO_SEAT, OFF

#: A position may also stand at the very start of a Round, before its order is known.
ROUND = "round"
#: Phases in which the target chooses, and all phases of an attack.
ANSWERS = ("defence", "dodge_move", "pay", "drop_charge")
ATTACK = ("blast_card", "target", *ANSWERS)
#: Numbers without which a phase cannot go on.
NEEDED = {
    "blast_card": "range", "defence": "damage", "dodge_move": "steps", "pay": "damage", "drop_charge": "damage",
    "move": "steps",
}  # fmt: skip


def check_playable(box: Box, s: Any, phase: str, chooser: int) -> None:
    """A position that is not over must be able to go on; the start of a Round does."""
    if still_in(s) < 2:
        raise BadPosition("out: at least two Fighters must be in, or the position has an ending.")
    if phase == ROUND:
        s.rounds -= 1
        begin_round(s)
        go_on(box.kit, s)
        return
    if phase in ANSWERS and s.target == NO_SEAT:
        raise BadPosition(f"The phase {phase} needs a target.")
    if phase in NEEDED and not s[NEEDED[phase]]:
        raise BadPosition(f"The phase {phase} needs {NEEDED[phase]}.")
    if phase == "momentum":
        _check_momentum(s)
    elif phase != "forfeit" and s.out[s.active]:
        raise BadPosition(f"active: seat {s.active + 1} is out.")
    if chooser == NO_SEAT:
        raise BadPosition("place: for the forfeits it counts on, once more through the order.")
    if s.player != chooser:
        raise BadPosition(f"player: in the phase {phase} it is seat {chooser + 1} that chooses here.")
    if phase in ANSWERS and s.target == s.active:
        raise BadPosition("target: nobody attacks themselves.")
    if phase in ("defence", "dodge_move") and s.down[s.target]:
        raise BadPosition(f"down: seat {s.target + 1} can neither block nor dodge while it is Down.")
    if phase == "forfeit" and box.kit.forfeits == OFF:
        raise BadPosition("The phase forfeit is only played with the option forfeits on.")
    out = np.zeros(len(ACTIONS), np.int16)
    unreachable = phase == "blast_card" and nearest(s, int(s.active)) > s.range
    if s.out[s.player] or unreachable or legal(box.kit, s, out) == 0:
        raise BadPosition(f"Seat {s.player + 1} could choose nothing in this position.")


def _check_momentum(s: Any) -> None:
    for seat in range(s.seats):
        if (s.momentum[seat] == NO_CARD) != (seat >= s.player):
            raise BadPosition("momentum: in the phase momentum the seats before the one to choose have one, no others.")
