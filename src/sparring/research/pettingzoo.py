"""PettingZoo: every game as an AEC environment, in which the seats are agents that act in turn.

>>> from sparring.research.pettingzoo import env
>>> table = env("make-your-moves", seats=3)
>>> table.reset(seed=1)
>>> for agent in table.agent_iter():
...     observation, reward, terminated, truncated, info = table.last()
...     done = terminated or truncated
...     table.step(None if done else table.action_space(agent).sample(observation["action_mask"]))

Importing this module also registers the installed games for `pettingzoo.make("aec", "sparring/MakeYourMoves-v1")`.
Needs the extra `research`.
"""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from sparring.engine.errors import IllegalChoice, SparringError
from sparring.engine.formats.position_reader import read_seed
from sparring.engine.game import Game, games
from sparring.engine.plugins import MissingExtra

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, register
    from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper
except ModuleNotFoundError:
    raise MissingExtra("Environments for PettingZoo need more packages", "research") from None

from .adapters import Observation, action_space, env_id, observation_space, read_action, state_space, text_image
from .batch_arrays import Array
from .batch_env import BatchEnv

#: The forms of `render`: print the view of the seat that must act, or return it as text or as an image of the text.
RENDER_MODES = ("human", "ansi", "rgb_array")


class SequentialEnv(AECEnv[str, Observation, "int | None"]):  # type: ignore[misc]
    """One match of a game; `raw_env` without wrappers.

    The agents are `seat_1`, `seat_2` and so on. An observation has `observation`, float32 (F,), what the seat knows,
    and `action_mask`, int8 (A,), its legal actions; the mask is all 0 unless the agent must act. Rewards are the
    payoffs, at the end. `infos` have the numbers of the `phase`, an index into `metadata["phases"]`, and of the `turn`.
    """

    def __init__(
        self, game: str | Game, *, seats: int | None = None, options: Mapping[str, Any] | None = None,
        content: Any = None, preset: str | None = None, max_choices: int | None = None,
        frame: Literal["seat", "table"] = "seat", render_mode: Literal["human", "ansi", "rgb_array"] | None = None,
    ) -> None:  # fmt: skip
        """Compile the game; `reset` deals a match.

        :param game: The game, or its name or title.
        :param seats: The number of seats. Default: the smallest one.
        :param options: Options that differ from the defaults or the preset, by name.
        :param content: The path of a content file, its data, or a result of `read_content`. Default: the game's own.
        :param preset: The name of a variant of the game. Default: all options have their default values.
        :param max_choices: Truncate the match after this many actions. Default: never.
        :param frame: Whether actions name seats and squares as the observation does (`seat`), or as `Match` (`table`).
        :param render_mode: Whether `render` prints the view of the seat that must act (`human`), or returns it as text
            (`ansi`) or as an image, uint8 (height, width, 3), of one size (`rgb_array`).
        :raises SparringError: There is no such game, option, number of seats, or value of a parameter.
        """
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise SparringError(f"render_mode must be {' or '.join(RENDER_MODES)}, not {render_mode}.")
        self._batch = BatchEnv(
            game, 1, seats=seats, options=options, content=content, preset=preset, max_choices=max_choices, frame=frame,
            autoreset="disabled",
        )  # fmt: skip
        found = self._batch.game
        self.payoffs = found.payoffs
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{found.name.replace('-', '_')}_v{found.version}", "render_modes": list(RENDER_MODES),
            "is_parallelizable": False, "phases": list(found.rules.PHASES),
        }  # fmt: skip
        self.possible_agents = [f"seat_{seat}" for seat in range(1, self._batch.seats + 1)]
        self.agents = list[str]()
        self._index = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: observation_space(found) for agent in self.possible_agents}
        self.state_space = state_space(found, self._batch.seats)
        self.action_spaces = {agent: action_space(found) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Observation]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a match: with a seed, that of `Match.new(seed=match_seed(seed, 0, 0))`; otherwise the next one.

        The first match without a seed is random. There are no `options`; as the API requires, others are ignored.
        """
        first = not hasattr(self, "agent_selection")
        self._batch.reset(seed=read_seed(None) if seed is None and first else seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._select()

    def _select(self) -> None:
        """Select the agent that must act, and describe the situation."""
        self.agent_selection = self.possible_agents[self._batch.player[0]]
        info = {"phase": int(self._batch.phase[0]), "turn": int(self._batch.turn[0])}
        self.infos = {agent: info.copy() for agent in self.agents}
        self._everyone: Any = None

    def observe(self, agent: str) -> Observation:
        """Return what an agent knows now, and its legal actions."""
        seat, batch = self._index[agent], self._batch
        assert batch.obs is not None
        assert batch.final_obs is not None
        if seat == batch.player[0]:
            return {"observation": batch.obs[0].copy(), "action_mask": batch.mask[0].astype(np.int8)}
        mask = np.zeros(batch.num_actions, np.int8)
        if batch.over[0]:
            return {"observation": batch.final_obs[0, seat].copy(), "action_mask": mask}
        if self._everyone is None:
            self._everyone = batch.observe_all()
        return {"observation": self._everyone[0, seat].copy(), "action_mask": mask}

    def state(self) -> Array:
        """Return the observations of all seats, one after another, float32 (seats x F,): for central critics.

        This is what all seats know together, so the order of a draw pile isn't in it.
        """
        return np.concatenate([self.observe(agent)["observation"] for agent in self.possible_agents])

    def step(self, action: int | None) -> None:
        """Take an action for the selected agent. Raises IllegalChoice; then nothing has changed."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        batch, action = self._batch, read_action(action)
        if not (0 <= action < batch.num_actions and batch.mask[0, action]):
            legal = batch.legal[0, : batch.n_legal[0]].tolist()
            raise IllegalChoice(f"Action {action} is illegal for {agent}; legal are {legal}.")
        result = batch.step([action])
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.agents, result.rewards[0].tolist(), strict=True))
        if batch.over[0]:
            self.terminations = dict.fromkeys(self.agents, bool(result.terminated[0]))
            self.truncations = dict.fromkeys(self.agents, bool(result.truncated[0]))
        self._select()
        self._accumulate_rewards()

    def render(self) -> str | Array | None:
        """Print or return the table as the seat that must act sees it. Without a `render_mode`, return None."""
        if self.render_mode is None:
            return None
        text = str(self._batch.view(0).scene)
        if self.render_mode == "ansi":
            return text
        if self.render_mode == "rgb_array":
            return text_image(text)
        print(text)
        return None

    def close(self) -> None:
        """Release nothing: the match is only arrays."""


def raw_env(game: str | Game, **table: Any) -> SequentialEnv:
    """Return a game as an AEC environment that refuses illegal actions; the parameters are those of `SequentialEnv`."""
    return SequentialEnv(game, **table)


def env(game: str | Game, **table: Any) -> AECEnv[str, Observation, int | None]:
    """Return a game in PettingZoo's usual wrappers: an illegal action ends the match with the game's lowest payoff.

    As PettingZoo's wrapper does it, the other agents get 0 then.
    The parameters are those of `SequentialEnv`.
    """
    plain = raw_env(game, **table)
    payoffs = plain.payoffs
    wrapped: Any = TerminateIllegalWrapper(plain, illegal_reward=payoffs.low if payoffs else -1.0)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(wrapped))


for _game in games().values():
    register("aec", env_id(_game), env, kwargs={"game": _game.name})
