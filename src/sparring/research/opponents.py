"""Bots and policies that play seats of a batch, one or drawn from a pool, and their payoffs against each other."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from sparring.bots import parse
from sparring.bots.bot import Bot
from sparring.bots.bot_host import as_choice
from sparring.engine.errors import BadOption, IllegalChoice, SparringError
from sparring.engine.features import absolute_rule, relative_rule, same_action
from sparring.engine.formats.choice_parser import read_choice
from sparring.engine.game import Game
from sparring.engine.views import Observation, View, memory_of

from .batch_arrays import Array, match_seed
from .batch_env import FRAMES, BatchEnv, BatchStep
from .batch_runner import decision_stream

#: Chooses actions, integers of shape (M,), for a batch of M observations: `observation`, float32 (M, F), and
#: `action_mask`, int8 (M, A).
Policy = Callable[[dict[str, Array]], npt.ArrayLike]


class Chooser(Protocol):
    """A custom bot: it gets the view of its seat, and returns the number or the words of an action."""

    def choose(self, view: View) -> Any:
        """Return an action."""


#: A bot specification, a bot, a custom bot, or a policy.
Player = str | Bot | Chooser | Policy


class OpponentPool:
    """Players of which one is drawn for each seat and match, in proportion to the weights.

    `add` another one at any time, such as a snapshot of the learner; matches that have begun keep their players.
    """

    def __init__(self, players: Iterable[Player] = (), weights: Iterable[float] | None = None) -> None:
        """Add the players, all with the same weight unless `weights` are given."""
        self.players: list[Player] = []
        self.weights: list[float] = []
        #: Whether any of them needs what its seat observed earlier.
        self.remembers = False
        players = list(players)
        for player, weight in zip(players, weights or [1.0] * len(players), strict=True):
            self.add(player, weight)

    def add(self, player: Player, weight: float = 1.0) -> None:
        """Add a player. Raises BadOption, or BadBot for a specification that no bot has."""
        if not 0 <= weight < float("inf"):
            raise BadOption(f"A weight must be a number from 0, not {weight}.")
        player = parse(player) if isinstance(player, str) else player
        self.players.append(player)
        self.weights.append(weight)
        self.remembers |= isinstance(player, Bot) and player.remembers

    def draw(self, number: int) -> int:
        """Return the index of the player for a random number from 0 to 2**63 - 1. Raises BadOption without weights."""
        sums = np.cumsum(self.weights)
        if not len(sums) or not sums[-1] > 0:
            raise BadOption("A pool of opponents needs a player with a weight above 0.")
        return int(np.searchsorted(sums, number / 2**63 * sums[-1], side="right").clip(max=len(sums) - 1))


#: One player or pool for all seats, or one for each seat (from 1).
Opponent = Player | OpponentPool | Mapping[int, Player | OpponentPool]


class Opponents:
    """The opponents in a batch, with the member of its pool that plays each seat of each match."""

    def __init__(self, env: BatchEnv, opponent: Opponent, learner: int | None = None) -> None:
        """Check the opponents; `learner` is the seat that needs none, from 1. Raises BadOption or BadBot."""
        self._env, self._rows = env, np.arange(env.num_envs)
        seats = range(1, env.seats + 1)
        by_seat = opponent if isinstance(opponent, Mapping) else dict.fromkeys(seats, opponent)
        if not {*seats} - {learner} <= {*by_seat} <= {*seats}:
            raise BadOption(f"opponent must name the seats 1 to {env.seats}, not {', '.join(map(str, by_seat))}.")
        distinct = {id(player): player for player in by_seat.values()}
        self._pools = [one if isinstance(one, OpponentPool) else OpponentPool([one]) for one in distinct.values()]
        numbers = list(distinct)
        #: The number of each seat's pool, and of the member that plays each seat, (N, seats).
        self._pool_of = np.array([numbers.index(id(by_seat[seat])) if seat in by_seat else -1 for seat in seats])
        self.drawn = np.zeros((env.num_envs, env.seats), np.intp)
        #: The full states and actions of each match so far, and what each seat remembers of them, if a bot needs it.
        self._past: list[list[tuple[Any, int]]] = [[] for _ in self._rows]
        self._memories: dict[tuple[int, int], list[Observation]] = {}

    @property
    def remember(self) -> bool:
        """Whether any bot needs what its seat observed earlier."""
        return any(pool.remembers for pool in self._pools)

    def draw(self, where: Array) -> None:
        """Draw the players of matches that start, each from the seed of its match."""
        for i in np.flatnonzero(where).tolist():
            self._past[i].clear()
            for seat, k in enumerate(self._pool_of.tolist()):
                self._memories.pop((i, seat), None)
                if k >= 0 and len(self._pools[k].players) != 1:
                    self.drawn[i, seat] = self._pools[k].draw(match_seed(int(self._env.seed[i]), 1, seat))

    def take(self, actions: npt.ArrayLike, where: Array) -> BatchStep:
        """Take actions in a batch, and remember them if a bot needs it."""
        env, given = self._env, np.asarray(actions)
        rows = np.flatnonzero(where & ~env.over).tolist() if self.remember else []
        states = [env.states[i].copy() for i in rows]
        result = env.step(actions, where)
        absolute: Any = absolute_rule(env.game) if FRAMES[env.frame] else same_action
        for i, state in zip(rows, states, strict=True):
            if not env.illegal[i]:
                action = int(absolute(env.setup.params, state, int(state.player), int(given[i])))
                self._past[i].append((state, action))
        return result

    def act(self, where: Array) -> tuple[BatchStep, Array]:
        """Let one of the players that must act take an action; return the results, and in which matches it acted.

        Raises IllegalChoice.
        """
        env = self._env
        chosen, pool, member = where, 0, 0
        if len(self._pools) > 1 or len(self._pools[0].players) > 1:
            pools, members = self._pool_of[env.player], self.drawn[self._rows, env.player]
            i = int(where.argmax())
            pool, member = int(pools[i]), int(members[i])
            chosen = where & (pools == pool) & (members == member)
        player = self._pools[pool].players[member]
        if isinstance(player, Bot) and not player.searches and player.plays_compiled and not self.remember:
            return env.step_random(where=chosen), chosen  # without compiling a search
        actions, rows = self._actions(player, chosen), np.flatnonzero(chosen)
        for i, action in zip(rows.tolist(), actions[rows].tolist(), strict=True):
            if not (0 <= action < env.num_actions and env.mask[i, action]):
                legal = env.legal[i, : env.n_legal[i]].tolist()
                seat = env.player[i] + 1
                raise IllegalChoice(
                    f"environment {i}: the opponent on seat {seat} chose action {action}; legal are {legal}"
                )
        return self.take(actions, chosen), chosen

    def _actions(self, player: Player, where: Array) -> Array:
        """Return a player's actions, in the frame of the batch, int64 (N,); where it does not play, -1."""
        env, rows = self._env, np.flatnonzero(where)
        if isinstance(player, Bot) and player.plays_compiled:
            return env.bot_actions(player, where)
        actions = np.full(env.num_envs, -1, np.int64)
        if hasattr(player, "choose"):
            actions[rows] = [self._choice(player, i) for i in rows.tolist()]
            return actions
        assert callable(player)
        assert env.obs is not None
        given = np.asarray(player({"observation": env.obs[rows], "action_mask": env.mask[rows].astype(np.int8)}))
        if given.dtype.kind not in "iu" or given.shape != rows.shape:
            raise SparringError(
                f"A policy must return integers of shape ({len(rows)},), not {given.dtype} of shape {given.shape}."
            )
        actions[rows] = given
        return actions

    def _choice(self, player: Bot | Chooser, i: int) -> int:
        """Return the action of a bot that isn't compiled, in the frame of the batch. Raises IllegalChoice."""
        env, view = self._env, self._env.view(i)
        if isinstance(player, Bot):
            if player.remembers:
                memory = self._memories.setdefault((i, view.seat - 1), [])
                memory.extend(memory_of(env.setup, self._past[i][len(memory) :], view.seat))
                view = replace(view, memory=tuple(memory))
            stream = decision_stream(int(env.seed[i]), int(env.length[i]), view.seat)
            action = player.choose(view, stream)
        elif isinstance(answer := as_choice(player.choose(view)), str):
            action = read_choice(view.setup, view.state, list(view.legal), answer)
        else:
            action = answer
        if action not in view.legal:
            raise IllegalChoice(
                f"environment {i}: the opponent on seat {view.seat} chose action {action}; legal are {list(view.legal)}"
            )
        to_frame: Any = relative_rule(env.game) if FRAMES[env.frame] else same_action
        return int(to_frame(env.setup.params, view.state, view.seat - 1, action))


@dataclass(frozen=True)
class PolicyBot:
    """A policy as a custom bot (see `as_bot`)."""

    policy: Policy
    frame: str = "seat"

    def choose(self, view: View) -> int:
        """Return the policy's action for a view. Raises IllegalChoice."""
        setup, seat = view.setup, view.seat - 1
        to_frame: Any = relative_rule(setup.game) if FRAMES[self.frame] else same_action
        by_number = {int(to_frame(setup.params, view.state, seat, action)): action for action in view.legal
                     if action not in setup.game.conceding}  # fmt: skip
        mask = np.zeros((1, len(setup.game.rules.ACTIONS)), np.int8)
        mask[0, list(by_number)] = 1
        action = int(np.asarray(self.policy({"observation": view.observation()[None], "action_mask": mask})).item())
        if action not in by_number:
            raise IllegalChoice(f"The policy chose action {action}; legal are {sorted(by_number)}.")
        return by_number[action]


def as_bot(policy: Policy, frame: Literal["seat", "table"] = "seat") -> PolicyBot:
    """Return a policy as a custom bot, for the entry point `sparring.bots`: so a trained network plays at a table.

    :param policy: Chooses from a batch of observations, as in `SparringEnv`; here of one.
    :param frame: The frame of its actions (see `BatchEnv`).
    """
    if frame not in FRAMES:
        raise BadOption(f"frame must be {' or '.join(FRAMES)}, not {frame}.")
    return PolicyBot(policy, frame)


def payoff_matrix(
    game: str | Game, players: Sequence[Player], *, matches: int = 100, seed: int = 0, **table: Any
) -> Array:  # fmt: skip
    """Return the mean payoff of each player against each: float64 (n, n), row against column.

    The row's player sits on one seat, in turn on each, and the column's on all others. All pairs get the same deals.
    The standard error of an entry is at most half the spread of payoffs divided by the square root of `matches`.
    OpenSpiel's alpha-rank takes `[matrix, matrix.T]` of a game for two.

    :param players: Bots, their specifications, custom bots, and policies.
    :param matches: The number of matches for each pair.
    :param table: The other parameters of `BatchEnv`, such as `seats` and `options`.
    :raises SparringError: A parameter or a bot is wrong, or a player takes an illegal action.
    """
    env = BatchEnv(game, matches, seed=seed, autoreset="disabled", **table)
    rows, matrix = np.arange(matches), np.zeros((len(players), len(players)))
    own = rows % env.seats
    for i, first in enumerate(players):
        for j, second in enumerate(players):
            env.reset(seed=seed)
            opponents, payoffs = Opponents(env, OpponentPool([first, second])), np.zeros(matches)
            opponents.drawn[:] = np.arange(env.seats) != own[:, None]
            while not env.over.all():
                step, acted = opponents.act(~env.over)
                payoffs[acted] += step.rewards[rows, own][acted]
            matrix[i, j] = payoffs.mean()
    return matrix
