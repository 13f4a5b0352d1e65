"""Print the layout of a game's observations as a table, for the docs and for `sparring observe`."""

from typing import Any

import numpy as np

from sparring.engine import chance
from sparring.engine.game import Box
from sparring.engine.layouts import layout_of
from sparring.engine.match import Match

#: The number of values of a field that the example shows.
SHOWN = 6


def observation_table(box: Box, *, seats: int | None = None, seed: int = 1, actions: int = 10) -> str:
    """Return a Markdown table of the fields: where they start, shapes, ranges, meanings, and an example.

    The example is the observation of the seat that must act after `actions` random actions (fewer if the match ends).
    """
    match = Match.deal(box, box.game.check_seats(seats), seed)
    stream = np.zeros(4, np.int64)
    chance.seed(stream, seed, chance.CHOICES)
    while not match.over and len(match.history) < actions:
        legal = [action for action in match.legal() if action not in box.game.conceding]
        match.choose(legal[int(chance.below(stream, len(legal)))])
    observation = match.view(match.seat or 1).observation()
    lines = ["| Field | From | Shape | Range | Meaning | Example |", "|---|---:|---|---|---|---|"]
    for field in layout_of(box.game):
        shape = " × ".join(map(str, field.shape))
        example = _example(field.of(observation))
        bounds = f"{field.low:g} to {field.high:g}"
        lines.append(f"| `{field.name}` | {field.start} | {shape} | {bounds} | {field.meaning} | {example} |")
    return "\n".join(lines)


def _example(values: np.ndarray[Any, Any]) -> str:
    """Return the first values of a field, in C order."""
    flat = values.ravel().tolist()
    return " ".join(f"{value:.3g}" for value in flat[:SHOWN]) + (" ..." if len(flat) > SHOWN else "")
