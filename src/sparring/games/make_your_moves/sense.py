"""Make Your Moves: whether a position that somebody wrote can stand on the table and be played on."""

from typing import Any

import numpy as np

from sparring.engine.errors import BadPosition

from . import rules
from .knowledge import agrees, has_coloured
from .moves import choice_of_fours, still_in
from .state import (
    ACTIONS, ASSIST_CARD, ASSIST_SIDE, ATTACK, DISCARD, ELIMINATION, FOUR, MARKER, NEEDED, TARGET,
)  # fmt: skip


def check_seats(kit: Any, s: Any) -> None:
    """Points, point cards, and who is out (R7, R25 to R27)."""
    for seat in range(s.seats):
        points, out = int(s.points[seat]), bool(s.out[seat])
        if out and (kit.match != ELIMINATION or points < NEEDED or s.hand[seat, 0]):
            raise BadPosition(f"Seat {seat + 1} can be out in an elimination match only, with 3 points and no hand.")
        if points == NEEDED and not out:
            raise BadPosition(f"Seat {seat + 1} has 3 points: then it has won, or it is out.")
        if s.point_cards[seat, 0] > (0 if kit.point_cards == MARKER else points):
            raise BadPosition(f"point_cards: seat {seat + 1} has more of them than it can have for {points} points.")
    if still_in(s) < 2:
        raise BadPosition("At least two seats are in as long as the match is not over.")
    if s.out[s.control]:
        raise BadPosition(f"Seat {s.control + 1} is out and cannot be in control.")


def check_laid(s: Any, phase: str) -> None:
    """What can lie on the table in a phase (section 5)."""
    besides = s.defence[0] + s.fours[0] + s.help_attack[0] + s.help_defence[0]
    if phase in ("target", "discard", "draw"):
        if s.attack[0] or besides:
            raise BadPosition(f"In phase {phase} nothing lies on the table.")
    elif phase == "attack":
        if besides:
            raise BadPosition("In phase attack only the attack lies on the table.")
    elif s.ceiling == 0:
        raise BadPosition(f"Phase {phase} needs an attack, with a coloured card.")
    elif s.defender == s.attacker or s.out[s.defender]:
        raise BadPosition("The defender is another player than the attacker, and still in.")
    if s.helping[0] != (phase == "assist_side"):
        raise BadPosition("helping is the one card of phase assist_side that has no side yet.")


def check_asked(kit: Any, s: Any) -> None:
    """Who is asked, and that there is something to choose now and later."""
    if s.out[s.player] or not _may_be_asked(s):
        raise BadPosition(f"Seat {s.player + 1} is not asked in phase {rules.PHASES[s.phase]}.")
    if s.phase in (TARGET, ATTACK) and s.ceiling == 0 and not has_coloured(kit, s.hand[s.attacker]):
        raise BadPosition("Without a coloured card the Attacker cannot attack; such a turn begins with phase draw.")
    for seat in range(s.seats):
        if not agrees(kit, s, seat, s.hand[seat]):
            raise BadPosition(f"known: seat {seat + 1} does not hold what is known of its hand.")
    if s.phase == FOUR and not choice_of_fours(kit, s.hand[s.player]):
        raise BadPosition("Phase four needs a hand with more than one four to choose from.")
    if rules.legal(kit, s, np.zeros(len(ACTIONS), np.int16)) == 0:
        raise BadPosition("In this position there is nothing to choose.")


def _may_be_asked(s: Any) -> bool:
    """Whether the phase can ask this player."""
    if s.phase in (TARGET, ATTACK):
        return bool(s.player == s.attacker)
    if s.phase in (ASSIST_CARD, ASSIST_SIDE):
        return bool(s.player not in (s.attacker, s.defender))
    return bool(s.phase == DISCARD or s.player == s.defender)
