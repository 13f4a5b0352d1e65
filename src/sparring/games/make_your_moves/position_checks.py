"""Make Your Moves: check that a position is possible and can be played on."""

import numpy as np

from sparring.engine.errors import BadPosition

from .choices import legal
from .kit import Params
from .knowledge import has_coloured, is_consistent
from .moves import count_in, has_several_fours
from .state import (
    ACTIONS, ASSIST_CARD, ASSIST_SIDE, ATTACK, DISCARD, ELIMINATION, FOUR, MARKER, NEEDED, PHASES, TARGET, State,
)  # fmt: skip


def check_seats(kit: Params, s: State) -> None:
    """Check points, point cards and which seats are out (R7, R25 to R27)."""
    for seat in range(s.seats):
        points, out = int(s.points[seat]), bool(s.out[seat])
        if out and (kit.match != ELIMINATION or points < NEEDED or s.hand[seat, 0]):
            raise BadPosition(f"Seat {seat + 1} can be out only in an elimination match, with 3 points and no hand.")
        if points == NEEDED and not out:
            raise BadPosition(f"Seat {seat + 1} has 3 points, so the match is over or the seat must be in `out`.")
        if s.point_cards[seat, 0] > (0 if kit.point_cards == MARKER else points):
            raise BadPosition(f"point_cards: seat {seat + 1} has more cards than {points} points allow.")
    if count_in(s) < 2:
        raise BadPosition("At least two seats must still be in.")
    if s.out[s.control]:
        raise BadPosition(f"Seat {s.control + 1} is out and can't be in control.")


def check_played(s: State, phase: str) -> None:
    """Check which cards can be on the table in a phase (section 5)."""
    others = s.defence[0] + s.fours[0] + s.help_attack[0] + s.help_defence[0]
    if phase in ("target", "discard", "draw"):
        if s.attack[0] or others:
            raise BadPosition(f"In phase {phase} no cards can be on the table.")
    elif phase == "attack":
        if others:
            raise BadPosition("In phase attack only the attack can be on the table.")
    elif s.ceiling == 0:
        raise BadPosition(f"Phase {phase} needs an attack with a coloured card.")
    elif s.defender == s.attacker or s.out[s.defender]:
        raise BadPosition("The defender must still be in, and can't be the attacker.")
    if s.helping[0] != (phase == "assist_side"):
        raise BadPosition("helping must be one card in phase assist_side, and empty in every other phase.")


def check_chooser(kit: Params, s: State) -> None:
    """Check which seat must choose, and that it has a choice now and later."""
    if s.out[s.player] or not _can_choose(s):
        raise BadPosition(f"Seat {s.player + 1} has no choice to make in phase {PHASES[s.phase]}.")
    if s.phase in (TARGET, ATTACK) and s.ceiling == 0 and not has_coloured(kit, s.hand[s.attacker]):
        raise BadPosition("The Attacker needs a coloured card; start a turn without an attack in phase draw.")
    for seat in range(s.seats):
        if not is_consistent(kit, s, seat, s.hand[seat]):
            raise BadPosition(f"known: the hand of seat {seat + 1} contradicts what is known about it.")
    if s.phase == FOUR and not has_several_fours(kit, s.hand[s.player]):
        raise BadPosition("Phase four needs a hand with more than one set of four to choose from.")
    if legal(kit, s, np.zeros(len(ACTIONS), np.int16)) == 0:
        raise BadPosition("This position has no legal choice.")


def _can_choose(s: State) -> bool:
    """Return whether `s.player` can be the seat to choose in this phase."""
    if s.phase in (TARGET, ATTACK):
        return bool(s.player == s.attacker)
    if s.phase in (ASSIST_CARD, ASSIST_SIDE):
        return bool(s.player not in (s.attacker, s.defender))
    return bool(s.phase == DISCARD or s.player == s.defender)
