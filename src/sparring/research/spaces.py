"""What the adapters for Gymnasium and PettingZoo share: ids, spaces of actions and observations, a single action."""

from operator import index
from typing import Any, cast

import numpy as np
from gymnasium import spaces

from sparring.engine.errors import IllegalChoice
from sparring.engine.game import Game
from sparring.engine.layouts import bounds_of

#: An observation: `observation`, float32 (FEATURES,), and `action_mask`, int8 (number of actions,).
Observation = dict[str, np.ndarray[Any, Any]]

#: The namespace of the environments' ids.
NAMESPACE = "sparring"


def env_id(game: Game) -> str:
    """Return the id of a game's environment: `sparring/MakeYourMoves-v1`."""
    return f"{NAMESPACE}/{game.name.title().replace('-', '')}-v{game.version}"


def observation_space(game: Game) -> spaces.Space[Observation]:
    """Return the space of a seat's observations, with the bounds of the game's layout, and of the action mask."""
    low, high = bounds_of(game)
    parts: dict[str, spaces.Space[Any]] = {
        "observation": spaces.Box(low, high, dtype=np.float32),
        "action_mask": spaces.Box(0, 1, (len(game.rules.ACTIONS),), np.int8),
    }  # fmt: skip
    return cast("spaces.Space[Observation]", spaces.Dict(parts))


def state_space(game: Game, seats: int) -> spaces.Box:
    """Return the space of the observations of all seats, one after another."""
    low, high = bounds_of(game)
    return spaces.Box(np.tile(low, seats), np.tile(high, seats), dtype=np.float32)


def action_space(game: Game) -> spaces.Discrete:
    """Return the space of the game's actions."""
    return spaces.Discrete(len(game.rules.ACTIONS))


def read_action(action: Any) -> int:
    """Return an action as an integer. Raises IllegalChoice unless it is a single whole number."""
    try:
        if not isinstance(action, bool):
            return index(action)
    except TypeError:
        pass
    raise IllegalChoice(f"An action must be a whole number, not {action!r}.")
