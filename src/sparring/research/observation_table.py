"""Describe a game as a research environment, for the docs and for `sparring observe`."""

from typing import Any

import numpy as np

from sparring.engine import chance
from sparring.engine.features import is_turned, layout_of
from sparring.engine.game import Game, GameSetup
from sparring.engine.match import Match

#: The number of values of a field that the example shows.
SHOWN = 6


def environment_summary(game: Game) -> str:
    """Return a Markdown table of a game's version, seats, actions, observations, rewards and endings."""
    rules, payoffs = game.rules, game.payoffs
    blocks = ", ".join(f"`{name}` {size}" for name, size in rules.ACTIONS.blocks.items())
    frames = "seats and squares as in the observation" if is_turned(game) else "the same in both frames"
    rewards = (
        f"{payoffs.low:g} to {payoffs.high:g} {payoffs.unit}{', zero-sum' if payoffs.zero_sum else ''}"
        if payoffs
        else "each loser -1, which the winners share; in a draw 0"
    )
    return "\n".join([
        f"| Name | `{game.name}`, version {game.version} |", "|---|---|",
        f"| Seats | {game.seats_in_words} |", f"| Actions | {len(rules.ACTIONS)}: {blocks} |",
        f"| In the frame `seat` | {frames} |", f"| Observation | {rules.FEATURES} values |",
        f"| Rewards | {rewards} |", f"| Endings | {', '.join(rules.ENDINGS)} |",
    ])  # fmt: skip


def observation_table(setup: GameSetup, *, seats: int | None = None, seed: int = 1, actions: int = 10) -> str:
    """Return a Markdown table of the fields: where they start, shapes, ranges, meanings, and an example.

    The example is the observation of the seat that must act after `actions` random actions (fewer if the match ends).
    """
    match = Match.deal(setup, setup.game.check_seats(seats), seed)
    stream = np.zeros(4, np.int64)
    chance.seed(stream, seed, chance.CHOICES)
    while not match.over and len(match.history) < actions:
        legal = [action for action in match.legal() if action not in setup.game.conceding]
        match.choose(legal[int(chance.below(stream, len(legal)))])
    observation = match.view(match.seat or 1).observation()
    lines = ["| Field | From | Shape | Range | Meaning | Example |", "|---|---:|---|---|---|---|"]
    for field in layout_of(setup.game):
        shape = " × ".join(map(str, field.shape))
        example = _example(field.of(observation))
        bounds = f"{field.low:g} to {field.high:g}"
        lines.append(f"| `{field.name}` | {field.start} | {shape} | {bounds} | {field.meaning} | {example} |")
    return "\n".join(lines)


def _example(values: np.ndarray[Any, Any]) -> str:
    """Return the first values of a field, in C order."""
    flat = values.ravel().tolist()
    return " ".join(f"{value:.3g}" for value in flat[:SHOWN]) + (" ..." if len(flat) > SHOWN else "")
