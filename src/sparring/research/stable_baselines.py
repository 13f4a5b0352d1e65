"""Stable-Baselines3: matches of a learner in a `VecEnv` on one `BatchEnv`, with opponents inside.

    from sb3_contrib import MaskablePPO
    from sparring.research.stable_baselines import SparringVecEnv

    envs = SparringVecEnv("make-your-moves", 64, opponent="random")
    MaskablePPO("MultiInputPolicy", envs).learn(100_000)

Needs the extra `research` and Stable-Baselines3. In processes, `SubprocVecEnv` runs the environments of
`sparring.research.gymnasium`.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from sparring.engine.game import Game
from sparring.engine.plugins import MissingExtra

try:
    from gymnasium.vector import AutoresetMode
except ModuleNotFoundError:
    raise MissingExtra("A `VecEnv` needs more packages", "research") from None

from .gymnasium import SparringVectorEnv

Array = np.ndarray[Any, Any]


class SparringVecEnv(VecEnv):  # type: ignore[misc]
    """A learner's matches in N environments, which start again in the step that ends one."""

    def __init__(self, game: str | Game, num_envs: int, **parameters: Any) -> None:
        """Compile the game; the parameters are those of `SparringVectorEnv`, except `autoreset_mode`."""
        self._envs = SparringVectorEnv(game, num_envs, autoreset_mode=AutoresetMode.SAME_STEP, **parameters)
        self.render_mode = None
        super().__init__(num_envs, self._envs.single_observation_space, self._envs.single_action_space)

    def reset(self) -> dict[str, Array]:
        """Start matches in all environments: the first ones with the seed of `seed`, otherwise the next ones."""
        observation, infos = self._envs.reset(seed=self._seeds[0])
        self.reset_infos = self._rows(infos)
        self._reset_seeds()
        return observation

    def step_async(self, actions: Array) -> None:
        """Remember the actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[dict[str, Array], Array, Array, list[dict[str, Any]]]:
        """Take the actions; where a match ends, `terminal_observation` is in its info, and the next one starts."""
        observation, rewards, terminated, truncated, infos = self._envs.step(self._actions)
        ended, rows = terminated | truncated, self._rows(infos)
        for i in np.flatnonzero(ended).tolist():
            rows[i]["terminal_observation"] = infos["final_obs"][i]
            rows[i]["TimeLimit.truncated"] = bool(truncated[i])
            rows[i]["illegal"] = bool(infos["final_info"]["illegal"][i])
        return observation, rewards.astype(np.float32), ended, rows

    def _rows(self, infos: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the infos of each environment."""
        seats, illegal = infos["seat"].tolist(), infos["illegal"].tolist()
        return [{"seat": seat, "illegal": lost} for seat, lost in zip(seats, illegal, strict=True)]

    def action_masks(self) -> Array:
        """Return the legal actions, bool (N, A)."""
        return self._envs.action_masks()

    def close(self) -> None:
        """Release nothing: the matches are only arrays."""

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        """Return an attribute, once for each environment: they share it."""
        value = getattr(self if hasattr(self, attr_name) else self._envs, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: int | Iterable[int] | None = None) -> None:
        """Refuse: the environments share everything, and are set when they are made."""
        raise AttributeError(f"{attr_name} can't be set in a batch; pass it to SparringVecEnv.")

    def env_method(
        self, method_name: str, *method_args: Any, indices: int | Iterable[int] | None = None, **method_kwargs: Any
    ) -> list[Any]:  # fmt: skip
        """Call a method that returns a row for each environment, such as `action_masks`, and return the rows."""
        rows = getattr(self, method_name)(*method_args, **method_kwargs)
        return [rows[i] for i in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: int | Iterable[int] | None = None) -> list[bool]:
        """Return False for each environment."""
        return [False for _ in self._get_indices(indices)]
