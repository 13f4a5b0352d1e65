"""The fields that every position has: phase, player, turn, moment, ending, payoff.

A game's `position.py` reads them in this order, mixed with its own fields where one depends on another; `write_header`
writes them all.
"""

from collections.abc import Mapping
from typing import Any

from sparring.engine.errors import BadPosition
from sparring.engine.game import Box

from .position_reader import PositionReader

#: The maximum turn and moment.
MOST = 1 << 30
#: The ending of a position that is not over.
NO_ENDING = "none"


def write_header(box: Box, s: Any, *, turn: str = "turn") -> dict[str, Any]:
    """Return the fields that every position has; `turn` is the game's name for its turns."""
    rules = box.game.rules
    return {
        "phase": rules.PHASES[s.phase], "player": int(s.player) + 1, turn: int(s.turn), "moment": int(s.moment),
        "ending": rules.ENDINGS[s.ending] if s.over else NO_ENDING, "payoff": s.payoff[: s.seats].tolist(),
    }  # fmt: skip


def read_phase(
    box: Box, s: Any, fields: PositionReader, default: str = "", more: Mapping[str, int] | None = None
) -> str:
    """Read the phase by name; the default is the first one.

    `more` adds names of moments between two decisions, each with the phase of its state; the game continues from there.
    """
    phases = box.game.rules.PHASES
    places = {**{name: place for place, name in enumerate(phases)}, **(more or {})}
    name = tuple(places)[fields.one_of("phase", tuple(places), default or phases[0])]
    s.phase = places[name]
    return name


def read_turn(
    s: Any,
    fields: PositionReader,
    default: int = 0,
    low: int = 0,
    high: int = MOST,
    *,
    turn: str = "turn",
    player: int = 0,
) -> None:
    """Read the turn, the moment, and the seat that must act (`player`, from 0, by default)."""
    s.turn = fields.whole(turn, default, low, high)
    s.moment = fields.whole("moment", 0, 0, MOST)
    s.player = fields.seat("player", player)


def read_end(box: Box, s: Any, fields: PositionReader) -> None:
    """Read the ending, if there is one, and each seat's payoff."""
    rules, paid = box.game.rules, box.game.payoffs
    place = fields.one_of("ending", ("", NO_ENDING, *rules.ENDINGS), NO_ENDING) - 2
    s.over, s.ending = int(place >= 0), max(0, place)
    low, high = (paid.low, paid.high) if paid else (-1, int(s.seats) - 1)
    for seat, won in enumerate(fields.per_seat("payoff", 0.0)):
        if isinstance(won, bool) or not isinstance(won, int | float) or not low <= won <= high:
            raise BadPosition(f"payoff must be a number from {low:g} to {high:g} for each seat, not {won}.")
        s.payoff[seat] = won
