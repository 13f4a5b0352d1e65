"""Gymnasium spaces of a game's actions and observations."""

from typing import Any, cast

import numpy as np
from gymnasium import spaces

from sparring.engine.game import Game
from sparring.engine.layouts import bounds_of

#: An observation: `observation`, float32 (FEATURES,), and `action_mask`, int8 (number of actions,).
Observation = dict[str, np.ndarray[Any, Any]]


def observation_space(game: Game) -> spaces.Space[Observation]:
    """Return the space of a seat's observations, with the bounds of the game's layout, and of the action mask."""
    low, high = bounds_of(game)
    parts: dict[str, spaces.Space[Any]] = {
        "observation": spaces.Box(low, high, dtype=np.float32),
        "action_mask": spaces.Box(0, 1, (len(game.rules.ACTIONS),), np.int8),
    }  # fmt: skip
    return cast("spaces.Space[Observation]", spaces.Dict(parts))


def action_space(game: Game) -> spaces.Discrete:
    """Return the space of the game's actions."""
    return spaces.Discrete(len(game.rules.ACTIONS))
