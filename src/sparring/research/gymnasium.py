"""Gymnasium: every game as an environment for one learner, against bots or a policy; single, and many at once.

Importing this module registers the installed games, as `sparring/MakeYourMoves-v1` and so on; the number is the version
of the game's rules. `gymnasium.make("sparring.research.gymnasium:sparring/MakeYourMoves-v1")` imports it too.

>>> import gymnasium, sparring.research.gymnasium
>>> env = gymnasium.make("sparring/MakeYourMoves-v1", opponent="random", seat=1)
>>> observation, info = env.reset(seed=1)
>>> action = env.action_space.sample(observation["action_mask"])
>>> observation, reward, terminated, truncated, info = env.step(action)
>>> envs = gymnasium.make_vec("sparring/MakeYourMoves-v1", num_envs=8, vectorization_mode="vector_entry_point")
>>> envs.reset(seed=1)[0]["observation"].shape
(8, 131)

Needs the extra `research`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from sparring.engine.errors import BadOption, SparringError
from sparring.engine.game import Game, games
from sparring.engine.plugins import MissingExtra

try:
    import gymnasium
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError:
    raise MissingExtra("Environments for Gymnasium need more packages", "research") from None

from .adapters import Observation, action_space, env_id, observation_space, read_action, text_image
from .batch_arrays import Array, match_seed
from .batch_env import BatchEnv, BatchStep
from .opponents import Opponent, Opponents

#: The number of matches that opponents may end before the learner acts, until `reset` fails.
MOST_DEALS = 100


class LearnerBatch:
    """Matches that stop only where the learner must act, or at the end. Nothing is dealt before the first `reset`.

    With N environments: `seat`, int8 (N,), is the learner's seat, from 0; `rewards`, float64 (N,), its payoff if its
    match ended in the last step or reset, otherwise 0; `terminated`, `truncated`, `illegal`: bool (N,), as in
    `BatchEnv`.
    """

    def __init__(self, game: str | Game, num_envs: int, opponent: Opponent, seat: int | None, **table: Any) -> None:
        """Compile the game; `table` are the other parameters of `BatchEnv`.

        :param opponent: The opponents (see `opponents.Opponent`).
        :param seat: The learner's seat, from 1. Default: drawn for each match, from its seed.
        :raises SparringError: The parameters of the table, the seat or the bot are wrong.
        """
        self.env = BatchEnv(game, num_envs, autoreset="disabled", **table)
        if seat is not None and not 1 <= seat <= self.env.seats:
            raise BadOption(f"seat must be 1 to {self.env.seats}, not {seat}.")
        self._opponents, self._fixed = Opponents(self.env, opponent, seat), seat
        if self._opponents.remember and self.env.on_illegal == "random":
            raise BadOption('A bot that remembers can\'t play with on_illegal="random".')
        self.seat = np.zeros(num_envs, np.int8)
        self.rewards = np.zeros(num_envs)
        self.terminated, self.truncated, self.illegal = np.zeros((3, num_envs), np.bool_)
        self._rows = np.arange(num_envs)

    def reset(self, seed: int | npt.ArrayLike | None = None, mask: Array | None = None) -> None:
        """Start matches, as `BatchEnv.reset` does, and let opponents act until the learner must act.

        After a match that ends before the learner acts, the next one starts.
        """
        where = np.ones(len(self._rows), np.bool_) if mask is None else np.asarray(mask)
        for _ in range(MOST_DEALS):
            self.env.reset(seed=seed, mask=where)
            self._seat_learner(where)
            self._opponents.draw(where)
            self._clear(where)
            self._let_opponents_act()
            seed, where = None, where & self.env.over
            if not where.any():
                return
        raise SparringError(f"The opponents end {MOST_DEALS} matches one after another before the learner acts.")

    def _seat_learner(self, where: Array) -> None:
        """Set the learner's seat in matches that start."""
        seats = self.env.seats
        for i in np.flatnonzero(where).tolist():
            self.seat[i] = self._fixed - 1 if self._fixed else match_seed(int(self.env.seed[i]), 0, seats) % seats

    def step(self, actions: npt.ArrayLike, where: Array | None = None) -> None:
        """Take the learner's actions, and let opponents act until it must act again.

        Raises ValueError as `BatchEnv.step` does, and if a match is over.
        """
        where = np.ones(len(self._rows), np.bool_) if where is None else where
        if (ended := np.flatnonzero(where & self.env.over)).size:
            raise ValueError(f"environment {ended[0]}: the match is over; reset it before the next step")
        result = self._opponents.take(actions, where)
        self._clear(where)
        self._add(result, where)
        self._let_opponents_act()

    def observation(self) -> dict[str, Array]:
        """Return what the learner knows, as new arrays (see `opponents.Policy`); after the end, what it saw last."""
        env = self.env
        assert env.obs is not None
        assert env.final_obs is not None
        observation = env.obs.copy()
        if env.over.any():
            observation[env.over] = env.final_obs[env.over, self.seat[env.over]]
        return {"observation": observation, "action_mask": env.mask.astype(np.int8)}

    def _clear(self, where: Array) -> None:
        """Forget the results of the last step where another one is taken."""
        self.rewards[where] = 0
        for results in (self.terminated, self.truncated, self.illegal):
            results[where] = False

    def _add(self, result: BatchStep, where: Array) -> None:
        """Add the results of one action in these matches."""
        self.rewards[where] += result.rewards[self._rows, self.seat][where]
        self.terminated |= result.terminated & where
        self.truncated |= result.truncated & where
        self.illegal |= self.env.illegal & where

    def _let_opponents_act(self) -> None:
        """Let opponents act until the learner must act or the match is over, everywhere."""
        env = self.env
        while (waits := ~env.over & (env.player != self.seat)).any():
            self._add(*self._opponents.act(waits))


class SparringEnv(gymnasium.Env[Observation, np.int64]):
    """A learner's matches, one after another.

    An observation has `observation`, float32 (F,), what the learner knows, and `action_mask`, int8 (A,), its legal
    actions, all 0 after the end. The reward is the learner's payoff at the end, and otherwise 0. `info` has the
    learner's `seat`, from 1, `illegal`: whether its last action was illegal, and the `action_mask`, as `action_masks`
    returns it.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 1}  # type: ignore[misc]

    def __init__(
        self, game: str | Game, *, opponent: Opponent = "random", seat: int | None = None, seats: int | None = None,
        options: Mapping[str, Any] | None = None, content: Any = None, preset: str | None = None,
        max_choices: int | None = None, frame: Literal["seat", "table"] = "seat",
        on_illegal: Literal["raise", "lose", "random"] = "lose",
        render_mode: Literal["ansi", "rgb_array"] | None = None,
    ) -> None:  # fmt: skip
        """Compile the game; `reset` deals a match.

        :param game: The game, or its name or title.
        :param opponent: Who plays the other seats: a bot or its specification (`random`, `search:level=gentle`, `mix`,
            an installed bot); a custom bot with `choose(view)`; a policy, a function from a batch of observations,
            whose arrays have one more dimension, to their actions; an `OpponentPool` of these; or a dictionary of
            these by seat.
        :param seat: The learner's seat, from 1. Default: drawn for each match.
        :param seats: The number of seats. Default: the smallest one.
        :param options: Options that differ from the defaults or the preset, by name.
        :param content: The path of a content file, its data, or a result of `read_content`. Default: the game's own.
        :param preset: The name of a variant of the game. Default: all options have their default values.
        :param max_choices: Truncate matches after this many actions of all seats. Default: never.
        :param frame: Whether actions name seats and squares as the observation does (`seat`), or as `Match` (`table`).
        :param on_illegal: What an illegal action does (see `BatchEnv`).
        :param render_mode: Whether `render` returns the learner's view as text (`ansi`) or as an image of the text,
            uint8 (height, width, 3), of one size (`rgb_array`).
        :raises SparringError: There is no such game, option, number of seats, bot, or value of a parameter.
        """
        self._batch = LearnerBatch(
            game, 1, opponent, seat, seats=seats, options=options, content=content, preset=preset,
            max_choices=max_choices, frame=frame, on_illegal=on_illegal,
        )  # fmt: skip
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise SparringError(f"render_mode must be {' or '.join(self.metadata['render_modes'])}, not {render_mode}.")
        self.render_mode = render_mode
        self.observation_space = observation_space(self._batch.env.game)
        self.action_space = action_space(self._batch.env.game)
        self._started = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a match: with a seed, the first of its matches; without one, the next. There are no `options`."""
        super().reset(seed=seed)
        self._batch.reset(_first_seed(self, seed))
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take the learner's action, and let opponents act until it must act again or the match is over."""
        batch = self._batch
        batch.step([read_action(action)])
        ended = bool(batch.terminated[0]), bool(batch.truncated[0])
        return self._observation(), float(batch.rewards[0]), *ended, self._info()

    def render(self) -> str | Array | None:
        """Return the table as the learner sees it, or None without a `render_mode`."""
        if self.render_mode is None:
            return None
        text = str(self._batch.env.match(0).view(int(self._batch.seat[0]) + 1).scene)
        return text if self.render_mode == "ansi" else text_image(text)

    def action_masks(self) -> Array:
        """Return the legal actions, bool (A,), where MaskablePPO of sb3-contrib looks for them."""
        return self._batch.env.mask[0].copy()  # type: ignore[no-any-return]

    def _observation(self) -> Observation:
        return {name: values[0] for name, values in self._batch.observation().items()}

    def _info(self) -> dict[str, Any]:
        seat, illegal = int(self._batch.seat[0]) + 1, bool(self._batch.illegal[0])
        return {"seat": seat, "illegal": illegal, "action_mask": self.action_masks()}


class SparringVectorEnv(VectorEnv[dict[str, Array], Array, Array]):
    """A learner's matches in N environments, on `BatchEnv`.

    Observations, rewards and infos are those of `SparringEnv`, in arrays of N rows. All three autoreset modes of
    Gymnasium work; in `SAME_STEP`, `final_obs` and `final_info` hold the end of matches.
    """

    def __init__(
        self, game: str | Game, num_envs: int = 1, *, opponent: Opponent = "random", seat: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP, threads: int = 1, **table: Any,
    ) -> None:  # fmt: skip
        """Compile the game; `reset` deals the matches.

        :param num_envs: The number of environments.
        :param autoreset_mode: When the next match starts: `NEXT_STEP`, `SAME_STEP` or `DISABLED`.
        :param threads: The number of threads; results do not depend on it.
        :param table: The other parameters of `SparringEnv`, except `render_mode`.
        :raises SparringError: There is no such game, option, number of seats, bot, or value of a parameter.
        """
        self._batch = LearnerBatch(game, num_envs, opponent, seat, threads=threads, **{"on_illegal": "lose", **table})
        self.num_envs, self._mode = num_envs, AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self._mode}
        self.single_observation_space = observation_space(self._batch.env.game)
        self.single_action_space = action_space(self._batch.env.game)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._started = False

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Array], dict[str, Any]]:
        """Start matches: with a seed (of the batch, or of each environment) the first ones, otherwise the next ones.

        `options={"reset_mask": mask}` resets only some environments, as bool of shape (N,).
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        self._batch.reset(_first_seed(self, seed), (options or {}).get("reset_mask"))
        return self._batch.observation(), self._infos()

    def step(self, actions: npt.ArrayLike) -> tuple[dict[str, Array], Array, Array, Array, dict[str, Any]]:
        """Take the learner's action in every environment, and let opponents act until it must act again."""
        batch, over = self._batch, self._batch.env.over
        infos: dict[str, Any] = {}
        if self._mode == AutoresetMode.NEXT_STEP and over.any():
            ended = over.copy()
            batch.step(actions, ~ended)
            batch.reset(mask=ended)
        else:
            batch.step(actions)
        results = batch.rewards.copy(), batch.terminated.copy(), batch.truncated.copy()
        if self._mode == AutoresetMode.SAME_STEP and over.any():
            infos = self._final_infos(over.copy())
            batch.reset(mask=over.copy())
        return batch.observation(), *results, {**self._infos(), **infos}

    def action_masks(self) -> Array:
        """Return the legal actions, bool (N, A)."""
        return self._batch.env.mask.copy()

    def _infos(self) -> dict[str, Any]:
        batch = self._batch
        infos = {"seat": batch.seat + 1, "illegal": batch.illegal.copy(), "action_mask": self.action_masks()}
        return {**infos, **{f"_{name}": np.ones(self.num_envs, np.bool_) for name in infos}}

    def _final_infos(self, ended: Array) -> dict[str, Any]:
        """Return the observations and infos at the end of matches, in Gymnasium's form."""
        observations, last = np.full(self.num_envs, None, object), self._batch.observation()
        for i in np.flatnonzero(ended).tolist():
            observations[i] = {name: values[i] for name, values in last.items()}
        final = {name: values if name[0] != "_" else ended for name, values in self._infos().items()}
        return {"final_obs": observations, "_final_obs": ended, "final_info": final, "_final_info": ended}


def _first_seed(env: Any, seed: Any) -> Any:
    """Return the seed of a reset: the given one, a random one for the first reset, or None."""
    first, env._started = not env._started, True
    return int(env.np_random.integers(2**63 - 1)) if seed is None and first else seed


def register(game: Game) -> str:
    """Register a game's environments, unless it is registered already, as installed games are; return their id."""
    if env_id(game) not in gymnasium.registry:
        gymnasium.register(
            env_id(game), entry_point=f"{__name__}:SparringEnv", vector_entry_point=f"{__name__}:SparringVectorEnv",
            kwargs={"game": game.name if games().get(game.name) is game else game},
        )  # fmt: skip
    return env_id(game)


for _game in games().values():
    register(_game)
