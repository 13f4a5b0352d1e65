"""`BatchEnv`: many matches of one game in arrays, played by compiled rules."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from sparring.bots.bot import Bot
from sparring.engine import chance
from sparring.engine.errors import SparringError
from sparring.engine.features import relative_rule
from sparring.engine.game import Game, GameSetup
from sparring.engine.match import Match
from sparring.engine.records import setup_of
from sparring.engine.views import Choice, View, digest, legal_in, view_of

from . import batch_driver
from .batch_arrays import Array, BatchArrays, match_seed
from .batch_driver import HISTORY, OBSERVE_ALL, RANDOM, RESET, SHOW, STEP
from .batch_runner import BatchBots, BatchRunner

AUTORESETS = {
    "disabled": batch_driver.DISABLED,
    "same_step": batch_driver.SAME_STEP,
    "next_step": batch_driver.NEXT_STEP,
}
ON_ILLEGAL = {"raise": batch_driver.REFUSE, "lose": batch_driver.LOSE, "random": batch_driver.REPLACE}
FRAMES = {"table": 0, "seat": 1}
MAX_SEED = 2**63 - 1


class BatchStep(NamedTuple):
    """The arrays of a batch after a step (see `BatchEnv`)."""

    obs: Array | None
    mask: Array
    player: Array
    rewards: Array
    terminated: Array
    truncated: Array


class BatchEnv:
    """Many matches of one game, stepped together by compiled code.

    All arrays belong to the environment, are C-contiguous and are overwritten by each step. Don't write to them. With N
    environments, A actions, F features and S seats:

    * `obs`: float32 (N, F), the observation of the seat that must act; after the end of a match that is not followed by
      another one, of the seat that would act.
    * `mask`: bool (N, A), the legal actions of that seat. `legal`: int16 (N, A), the same actions in ascending order,
      `n_legal`: int32 (N,) of them; the rest of a row is undefined.
    * `player`: int8 (N,), the seat that must act, from 0.
    * `rewards`: float32 (N, S), the payoffs if the match ended in this step, otherwise 0. `terminated`, `truncated`:
      bool (N,), whether it ended by the rules, or was cut off after `max_choices` actions, in this step.
    * `final_obs`: float32 (N, S, F), the last observation of every seat, and `final_length`: int32 (N,), the number of
      actions, of the last match that ended.
    * `over`: bool (N,), whether the match has ended and no other has started yet. No action is legal then.
    * `illegal`: bool (N,), whether the action of this step was illegal and was handled by `on_illegal`.
    * `episode`: int64 (N,), the number of the match, from 0; `length`: int32 (N,), its actions so far; `seed`: int64
      (N,), its seed: `Match.new` deals the same match from it.
    * `phase` and `turn`: integers (N,), the number of the phase (its name is in the game's PHASES), and the turn; they
      are parts of `states`, so they are not contiguous.
    * `history`: int32 (N, H, 4), what that seat observed of the last H actions (see `Match.observed_actions`).

    Match number k of environment i has the seed `match_seed(seed, i, k)`, so results do not depend on the number of
    threads, nor on when other matches end.
    """

    def __init__(
        self, game: str | Game, num_envs: int, *, seats: int | None = None, options: Mapping[str, Any] | None = None,
        content: Any = None, preset: str | None = None, seed: int = 0, threads: int = 1,
        autoreset: Literal["same_step", "next_step", "disabled"] = "same_step", max_choices: int | None = None,
        concede: bool = False, frame: Literal["seat", "table"] = "seat", observe: bool = True, history: int = 0,
        on_illegal: Literal["raise", "lose", "random"] = "raise",
    ) -> None:  # fmt: skip
        """Deal the first match of every environment.

        :param game: The game, or its name or title.
        :param num_envs: The number of environments.
        :param seats: The number of seats. Default: the smallest one.
        :param options: Options that differ from the defaults or the preset, by name.
        :param content: The path of a content file, its data, or a result of `read_content`. Default: the game's own.
        :param preset: The name of a variant of the game. Default: all options have their default values.
        :param seed: The seed of the batch, from 0 to 2**63 - 1.
        :param threads: The number of threads; results do not depend on it.
        :param autoreset: When the next match is dealt: in the step that ends one (`same_step`), in the next step, which
            ignores the action (`next_step`), or never (`disabled`: call `reset`).
        :param max_choices: Cut matches off after this many actions. Default: never.
        :param concede: Whether conceding is legal.
        :param frame: Whether actions name seats and squares as the observation does (`seat`), or as `Match` (`table`).
        :param observe: Whether to write observations; without, `obs` and `final_obs` are None.
        :param history: The number of actions in `history`.
        :param on_illegal: What an illegal action does: refuse the whole step before anything changes (`raise`), lose
            the match (`lose`: the seat gets the lowest payoff of the game, and the others share its opposite), or be
            replaced by a random legal one (`random`).
        :raises SparringError: There is no such game, option, number of seats, or value of a parameter.
        """
        self.setup = setup_of(game, options, content, preset)
        self.seats = self.setup.game.check_seats(seats)
        self.num_envs, self.threads, self.frame = num_envs, threads, frame
        self.autoreset, self.on_illegal, self.max_choices = autoreset, on_illegal, max_choices
        if num_envs < 1 or threads < 1 or history < 0 or (max_choices is not None and max_choices < 1):
            raise SparringError("num_envs, threads and max_choices must be at least 1, and history at least 0.")
        self._settings = np.array(
            [
                self.seats, max_choices or 0, _value(AUTORESETS, "autoreset", autoreset),
                _value(ON_ILLEGAL, "on_illegal", on_illegal), concede, _value(FRAMES, "frame", frame), observe, history,
            ], np.int64,
        )  # fmt: skip
        self._arrays = arrays = BatchArrays(self.game, num_envs, self.seats, observe=observe, history=history)
        self._runner = BatchRunner(self.setup, self._settings, arrays, threads)
        self._bots = BatchBots(self.setup, self.seats, threads)
        self._all = np.ones(num_envs, np.bool_)
        self.obs: Array | None = arrays.obs if observe else None
        self.final_obs: Array | None = arrays.final_obs if observe else None
        self.history = arrays.history if history else None
        self.mask, self.legal, self.n_legal, self.player = arrays.mask, arrays.legal, arrays.n_legal, arrays.player
        self.rewards, self.terminated, self.truncated = arrays.rewards, arrays.terminated, arrays.truncated
        self.illegal, self.over, self.final_length = arrays.illegal, arrays.over, arrays.final_length
        self.episode, self.length, self.seed = arrays.episode, arrays.length, arrays.seed
        self.phase, self.turn = self.states["phase"], self.states["turn"]
        # Built once: for one environment, building it would take as long as the driver.
        self._shown = BatchStep(self.obs, self.mask, self.player, self.rewards, self.terminated, self.truncated)
        arrays.base[:] = _checked_seeds(seed)
        self._runner.run(RESET, self._all)

    @property
    def game(self) -> Game:
        """The game being played."""
        return self.setup.game

    @property
    def num_actions(self) -> int:
        """The number of actions."""
        return len(self.game.rules.ACTIONS)

    @property
    def num_features(self) -> int:
        """The number of values of an observation."""
        return self.game.rules.FEATURES

    @property
    def states(self) -> Array:
        """The full states, as a read-only array of records, including hidden information."""
        states = self._arrays.states.view()
        states.flags.writeable = False
        return states

    # Playing

    def reset(self, seed: int | npt.ArrayLike | None = None, mask: npt.ArrayLike | None = None) -> BatchStep:
        """Start matches and return the arrays.

        :param seed: A new seed for the batch, or one for each environment, whose matches are then counted from 0.
            Without it, the environments start their next matches.
        :param mask: Which environments to reset, as bool of shape (N,). Default: all.
        """
        where = self._where(mask)
        if seed is None:
            self.episode[:] += where
        else:
            np.copyto(self._arrays.base, _checked_seeds(seed), where=where)
            np.copyto(self.episode, 0, where=where)
        self._runner.run(RESET, where)
        return self._step()

    def step(self, actions: npt.ArrayLike, where: npt.ArrayLike | None = None, *, copy: bool = False) -> BatchStep:
        """Take one action in every environment and return the arrays.

        :param actions: The actions, integers of shape (N,) of any type, in the frame of the environment. In an
            environment that starts a match in this step (`next_step`) the action is ignored.
        :param where: Which environments to step, as bool of shape (N,). The others keep their match, and get rewards of
            0. Default: all.
        :param copy: Return copies of the arrays.
        :raises ValueError: The actions have the wrong shape or type. With `on_illegal="raise"`: an action is illegal or
            a match is over; no environment has changed.
        """
        given = np.asarray(actions)
        if given.dtype.kind not in "iu" or given.shape != (self.num_envs,):
            raise ValueError(
                f"actions must be integers of shape ({self.num_envs},), not {given.dtype} of shape {given.shape}"
            )
        refused = self._runner.run(STEP, self._where(where), actions=given)
        if refused >= 0:
            raise ValueError(self._refusal(refused))
        if self.on_illegal == "lose" and self.game.payoffs:
            self.rewards[self.illegal] *= -self.game.payoffs.low  # the driver pays -1
        return self._step(copy)

    def step_random(
        self, n: int = 1, rng_seed: int | None = None, where: npt.ArrayLike | None = None
    ) -> BatchStep:  # fmt: skip
        """Take `n` uniformly random legal actions in every environment and return the arrays.

        The next matches start as in `step`; with `autoreset="disabled"` the rest of the actions is
        left out. Each environment has its own generator, which `reset` seeds; `rng_seed` seeds them now.

        :param where: Which environments to step, as bool of shape (N,). The others keep the results of their last step.
            Default: all.
        """
        if rng_seed is not None:
            for i, generator in enumerate(self._arrays.generators):
                chance.seed(generator, match_seed(rng_seed, i, 0), chance.CHOICES)
        self._runner.run(RANDOM, self._where(where), n)
        return self._step()

    def bot_actions(self, bot: str | Bot, where: npt.ArrayLike | None = None) -> Array:
        """Return a bot's actions for the seats that must act, as int64 of shape (N,); where it does not play, -1.

        The bot sees what its seat sees. Its decision depends on the view and `decision_stream`, so it is the same in
        any batch with any number of threads. Unlike `Bot.choose`, it does not search if only one action is legal.

        :param bot: A bot, or its specification: `random`, `search:level=gentle`, `plain:iterations=100` and so on.
        :param where: For which environments to choose, as bool of shape (N,). Default: all.
        :raises BadBot: The bot has a time budget, remembers the match or runs in another process.
        """
        return self._bots.choose(bot, self._runner, self._arrays, self._where(where), FRAMES[self.frame])

    def step_bot(self, bot: str | Bot, where: npt.ArrayLike | None = None) -> BatchStep:
        """Let a bot choose (see `bot_actions`) and step, in environments whose match is not over; return the arrays."""
        where = self._where(where) & ~self.over
        return self.step(self.bot_actions(bot, where), where)

    # Copying and storing

    def clone_into(self, other: "BatchEnv", source: npt.ArrayLike | None = None) -> None:
        """Copy matches into another batch of the same table, with their generators.

        The matches that follow are those of the other batch's environments.

        :param other: The batch to overwrite; it may be this one.
        :param source: For each of its environments, the number of the environment to copy, shape (other.num_envs,).
            Default: the same numbers.
        :raises ValueError: The batches differ in game, options, content, seats or history, or a number is wrong.
        """
        chosen = np.arange(other.num_envs) if source is None else np.asarray(source)
        if self._table() != other._table():
            raise ValueError("clone_into needs a batch with the same game, options, content, seats and history")
        if chosen.shape != (other.num_envs,) or chosen.dtype.kind not in "iu":
            raise ValueError(f"source must be integers of shape ({other.num_envs},)")
        if (chosen < 0).any() or (chosen >= self.num_envs).any():
            raise ValueError(f"source must be numbers from 0 to {self.num_envs - 1}")
        self._arrays.copy_into(other._arrays, chosen)
        other._runner.run(SHOW, other._all)

    def save(self) -> bytes:
        """Return all matches as bytes for `load`, with everything hidden, the generators and the results."""
        arrays = self._arrays.to_bytes()
        return msgspec.msgpack.encode({"table": self._table(), "num_envs": self.num_envs, "arrays": arrays})

    def load(self, saved: bytes) -> None:
        """Restore what `save` returned, in a batch of the same table and size.

        Raises ValueError if it comes from another table, another size or another version of the game.
        """
        data = msgspec.msgpack.decode(saved)
        if data["table"] != self._table() or data["num_envs"] != self.num_envs:
            raise ValueError(f"these are {data['num_envs']!s} matches of {data['table']!s}, not {self._table()!s}")
        self._arrays.from_bytes(data["arrays"])
        self._runner.run(SHOW, self._all)

    def __reduce__(self) -> Any:
        """Pickle or copy the batch as its parameters and what `save` returns: the copy continues exactly as this one.

        A game that isn't installed must be importable where the pickle is loaded.
        """
        settings = {
            "num_envs": self.num_envs, "seats": self.seats, "threads": self.threads, "autoreset": self.autoreset,
            "max_choices": self.max_choices, "concede": bool(self._settings[batch_driver.CONCEDE]),
            "frame": self.frame, "observe": self.obs is not None, "history": int(self._settings[HISTORY]),
            "on_illegal": self.on_illegal,
        }  # fmt: skip
        return _restored, (type(self), self.setup, settings, self.save())

    def _table(self) -> dict[str, Any]:
        """Return what two batches must have in common to exchange matches."""
        return {
            "game": self.game.name, "version": self.game.version, "seats": self.seats, "options": self.setup.options,
            "params": digest(self.setup.params.tobytes()).hex(), "frame": self.frame,
            "history": int(self._settings[HISTORY]),
        }  # fmt: skip

    # Reading

    def observe_all(self) -> Array:
        """Return the observations of all seats, as a new float32 array of shape (N, seats, F)."""
        observations = np.zeros((self.num_envs, self.seats, self.num_features), np.float32)
        self._runner.run(OBSERVE_ALL, self._all, final_obs=observations)
        return observations

    def view(self, i: int) -> View:
        """Return the view of the seat that must act in environment `i`, whose actions are those of the table."""
        seat = int(self._arrays.states[i].player) + 1
        return view_of(self.setup, self._arrays.states[i].copy(), seat, legal=self._legal_of)

    def _legal_of(self, state: Any) -> list[int]:
        legal = legal_in(self.setup, state)
        if self._settings[batch_driver.CONCEDE]:
            return legal
        return [action for action in legal if action not in self.game.conceding]

    def legal_words(self, i: int) -> list[Choice]:
        """Return the legal actions of environment `i`, in its frame, with their words."""
        view = self.view(i)
        to_frame = relative_rule(self.game)
        if not FRAMES[self.frame]:
            return view.choices
        return [
            Choice(int(to_frame(self.setup.params, view.state, view.seat - 1, choice.action)), choice.words)
            for choice in view.choices
        ]

    def match(self, i: int) -> Match:
        """Return a match that starts from the full state of environment `i`."""
        return Match.from_state_bytes(
            self.game, self._arrays.states[i].tobytes(), options=self.setup.options, content=self.setup.content
        )

    def _step(self, copy: bool = False) -> BatchStep:
        if not copy:
            return self._shown
        copies: Any = (None if array is None else array.copy() for array in self._shown)
        return BatchStep(*copies)

    def _where(self, mask: npt.ArrayLike | None) -> Array:
        if mask is None:
            return self._all
        where = np.asarray(mask)
        if where.dtype != np.bool_ or where.shape != (self.num_envs,):
            raise ValueError(f"a mask must be bool of shape ({self.num_envs},), not {where.dtype} of {where.shape}")
        return np.ascontiguousarray(where)

    def _refusal(self, i: int) -> str:
        """Return why environment `i` refuses its action."""
        if self.over[i]:
            return f"environment {i}: the match is over; reset it before the next step"
        return (
            f"environment {i}: action {self._arrays.actions[i]} is illegal for seat {self.player[i] + 1}; "
            f"legal are {self.legal[i, : self.n_legal[i]].tolist()}"
        )


def _restored(batch: type[BatchEnv], setup: GameSetup, settings: Mapping[str, Any], saved: bytes) -> BatchEnv:
    """Return the batch that `BatchEnv.__reduce__` describes."""
    env = batch(setup.game, options=setup.options, content=setup.content, **settings)
    env.load(saved)
    return env


def _value(values: Mapping[str, int], name: str, chosen: str) -> int:
    """Return the number of a named value of a parameter. Raises SparringError."""
    if chosen not in values:
        raise SparringError(f"{name} must be {', '.join(values)}, not {chosen}.")
    return values[chosen]


def _checked_seeds(seed: npt.ArrayLike | int) -> Array:
    """Return seeds as integers. Raises SparringError unless all are from 0 to 2**63 - 1."""
    if isinstance(seed, int) and 0 <= seed <= MAX_SEED:
        return np.array(seed)
    seeds = np.asarray(seed)
    if seeds.dtype.kind not in "iu" or (seeds < 0).any() or (seeds > MAX_SEED).any():
        raise SparringError(f"A seed must be a whole number from 0 to {MAX_SEED}, not {seed!s}.")
    return seeds.astype(np.int64)
