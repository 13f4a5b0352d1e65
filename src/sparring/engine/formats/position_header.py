"""Read and write the fields that every position has: phase, player, turn, moment, ending, payoff.

`Positions` reads turn, moment and player as declared fields.
"""

from collections.abc import Mapping
from typing import Any

from sparring.engine.errors import BadPosition
from sparring.engine.game import Box
from sparring.engine.types import AnyState

from .position_reader import PositionReader

#: The ending of a position that is not over.
NO_ENDING = "none"


def write_header(box: Box, s: AnyState, *, turn: str = "turn") -> dict[str, Any]:
    """Return the fields that every position has; `turn` is the field's name in this game."""
    rules = box.game.rules
    return {
        "phase": rules.PHASES[s.phase], "player": int(s.player) + 1, turn: int(s.turn), "moment": int(s.moment),
        "ending": rules.ENDINGS[s.ending] if s.over else NO_ENDING, "payoff": s.payoff[: s.seats].tolist(),
    }  # fmt: skip


def read_phase(
    box: Box, s: AnyState, fields: PositionReader, default: str = "", more: Mapping[str, int] | None = None
) -> str:
    """Read the phase into `s` and return the name that was given; the default is the first phase.

    `more` adds names for points between two decisions, from which the game continues, each with the phase of its state.
    """
    phases = box.game.rules.PHASES
    indices = {**{name: index for index, name in enumerate(phases)}, **(more or {})}
    name = tuple(indices)[fields.one_of("phase", tuple(indices), default or phases[0])]
    s.phase = indices[name]
    return name


def read_end(box: Box, s: AnyState, fields: PositionReader) -> None:
    """Read the ending, if there is one, and each seat's payoff into `s`."""
    rules, payoffs = box.game.rules, box.game.payoffs
    index = fields.one_of("ending", ("", NO_ENDING, *rules.ENDINGS), NO_ENDING) - 2
    s.over, s.ending = int(index >= 0), max(0, index)
    low, high = (payoffs.low, payoffs.high) if payoffs else (-1, int(s.seats) - 1)
    for seat, value in enumerate(fields.per_seat("payoff", 0.0)):
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise BadPosition(f"payoff must be a number from {low:g} to {high:g} for each seat, not {value}.")
        s.payoff[seat] = value
