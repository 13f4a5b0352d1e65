"""What every position says of where a match stands: phase, player, turn, moment, ending, payoff.

A game's `position.py` reads them in this order, with its own fields in between where one depends on another;
`write_header` writes them all.
"""

from collections.abc import Mapping
from typing import Any

from sparring.engine.errors import BadPosition
from sparring.engine.game import Box

from .position_reader import PositionReader

#: As many turns and moments as a position may count.
MOST = 1 << 30
#: What a position says that has not ended.
NO_ENDING = "none"


def write_header(box: Box, s: Any, *, turn: str = "turn") -> dict[str, Any]:
    """The fields that every position has; `turn` is what the game calls its turns."""
    rules = box.game.rules
    return {
        "phase": rules.PHASES[s.phase], "player": int(s.player) + 1, turn: int(s.turn), "moment": int(s.moment),
        "ending": rules.ENDINGS[s.ending] if s.over else NO_ENDING, "payoff": s.payoff[: s.seats].tolist(),
    }  # fmt: skip


def read_phase(
    box: Box, s: Any, fields: PositionReader, default: str = "", more: Mapping[str, int] | None = None
) -> str:
    """The phase by its name, the first one if nothing is said.

    `more` names moments in which a position may stand and a match never rests, each with the phase of its state;
    the game goes on from there itself.
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
    """Which turn and moment it is, and the seat that is to choose (`player`, from 0, if nobody is named)."""
    s.turn = fields.whole(turn, default, low, high)
    s.moment = fields.whole("moment", 0, 0, MOST)
    s.player = fields.seat("player", player)


def read_end(box: Box, s: Any, fields: PositionReader) -> None:
    """How the match ended, if it did, and what each seat won or lost."""
    rules, paid = box.game.rules, box.game.payoffs
    place = fields.one_of("ending", ("", NO_ENDING, *rules.ENDINGS), NO_ENDING) - 2
    s.over, s.ending = int(place >= 0), max(0, place)
    low, high = (paid.low, paid.high) if paid else (-1, int(s.seats) - 1)
    for seat, won in enumerate(fields.per_seat("payoff", 0.0)):
        if isinstance(won, bool) or not isinstance(won, int | float) or not low <= won <= high:
            raise BadPosition(f"payoff says what each seat won or lost, from {low:g} to {high:g}, not {won}.")
        s.payoff[seat] = won
