"""The mixed-strategy bot: choose where its search starts in the match, run it, and sample an action."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np

from sparring.engine import chance
from sparring.engine.compilation.drivers import Driver
from sparring.engine.game import Game
from sparring.engine.hints import Hint
from sparring.engine.views import Observation, View, view_of

from .bot import MAX_NODES, QUICK_SECONDS, Array, Bot, BotChoice, run_timed
from .hint_reader import read_mixed_strategy
from .mixed_strategy_search import NODE, init_trees, mixed_search_rule, sample_average, workspace_dtype

#: The number of nodes allocated per iteration and seat: a new node has one child per legal action.
NODES_PER_ITERATION = 64

#: The iterations that test a starting point: it is too early if more than half of the guided ones fail.
TEST_ITERATIONS = 10


@dataclass(frozen=True)
class MixedStrategyBot(Bot):
    """A bot that samples its action from an average strategy (`mixed_search_rule`)."""

    @property
    def remembers(self) -> bool:
        """Always true: the actions of other seats tell it what they may hold."""
        return True

    @property
    def plays_compiled(self) -> bool:
        """Always false: it needs earlier observations, which compiled matches do not keep."""
        return False

    def answer(self, view: View, stream: Array, *, quick: bool = False, even: bool = False) -> BotChoice:
        """Choose an action by sampling the average strategy; parameters as in `Bot.choose`."""
        legal = [action for action in view.legal if action not in view.setup.game.conceding] or list(view.legal)
        if len(legal) == 1 and not even:
            return BotChoice(legal[0], view)
        iterations = self.at_table(view.setup, int(view.state.seats)).iterations
        search = MixedSearch(view, view.memory, iterations)
        if quick:
            search.begin(stream, len(view.memory), _interpreted(view.setup.game))
            run_timed(search.run, min(QUICK_SECONDS, self.seconds or QUICK_SECONDS), iterations)
        else:
            search.reach_back(stream, _compiled(view.setup.game))
            if self.seconds:
                run_timed(search.run, self.seconds)
            else:
                search.run(iterations)
        chosen = search.sample(legal)
        stream[:] = search.workspace.g
        action = chosen if chosen in legal else legal[int(chance.below(stream, len(legal)))]
        return MixedChoice(action, view, search=search, legal=legal)


@dataclass(frozen=True, kw_only=True)
class MixedChoice(BotChoice):
    """A sampled action; it keeps the search alive for the hint."""

    search: "MixedSearch"
    legal: Sequence[int]

    @property
    def shares(self) -> dict[int, float]:
        """The probability of each action in the average strategy."""
        return dict(zip(self.legal, self.search.shares(self.legal), strict=True))

    @property
    def value(self) -> float | None:
        """The payoff that the search expects from the average strategy; None if it has tried none of its actions."""
        tried = [each for each in (self.hint.choices if self.hint else ()) if each.value is not None]
        weight = sum(each.share or 0.0 for each in tried)
        if not weight:
            return None
        mean = sum((each.share or 0.0) * (each.value or 0.0) for each in tried) / weight
        # In a game of wins and losses, estimates are shares of a win.
        return mean if self.view.setup.game.payoffs else mean * int(self.view.state.seats) - 1

    @cached_property
    def hint(self) -> Hint | None:
        """The estimated value of each action and its probability in the average strategy."""
        return read_mixed_strategy(self.view, self.search.nodes, int(self.search.workspace.current), self.shares)


class MixedSearch:
    """A search from one of the views that a seat remembers.

    `states` are the seat's views before each action and now, and `observed` is what it saw of each action;
    `public_states` and `public_observed` are the same for a spectator.
    """

    def __init__(self, view: View, memory: Sequence[Observation], iterations: int = 0) -> None:
        """Allocate nodes for `iterations` iterations (0: for a time budget)."""
        self.view, game = view, view.setup.game
        states = [*(observation.state for observation in memory), view.state]
        self.observed = np.array([observation.choice for observation in memory], np.int64)
        self.states = np.array(states, game.rules.State.dtype)
        self.public_states = np.array([view_of(view.setup, state, 0).state for state in states], game.rules.State.dtype)
        self.public_observed = np.array([self._public_observation(observation) for observation in memory], np.int64)
        self.work = np.zeros(4, game.rules.State.dtype)
        self.out = np.zeros(len(game.rules.ACTIONS), np.int16)
        needed = NODES_PER_ITERATION * int(view.state.seats) * (iterations + 2 * TEST_ITERATIONS)
        self.nodes = np.zeros(min(MAX_NODES, needed) if iterations else MAX_NODES, NODE)
        self.workspace: Any = np.zeros(1, workspace_dtype(game))[0]

    def _public_observation(self, observation: Observation) -> int:
        """Return what a spectator observed of an action."""
        if observation.choice < 0:
            return observation.choice
        setup = self.view.setup
        return int(setup.game.rules.observe_action(setup.params, observation.state, observation.choice, -1))

    def begin(self, stream: Array, moment: int, driver: Driver) -> None:
        """Reset the search: start at index `moment` of the memory, and run iterations with `driver`."""
        self.moment, self.driver, self.iterations_done = moment, driver, 0
        self.workspace.g[:] = stream
        init_trees(self.nodes, self.workspace, int(self.view.state.seats))

    def reach_back(self, stream: Array, driver: Driver) -> None:
        """Begin at the earliest tested moment at which at least half of the guided determinizations succeed."""
        moment = 0
        self.begin(stream, moment, driver)
        while moment < len(self.observed) and 2 * self.run(TEST_ITERATIONS) > TEST_ITERATIONS:
            moment += (len(self.observed) - moment + 1) // 2
            self.begin(stream, moment, driver)

    def run(self, iterations: int) -> int:
        """Run more iterations; return how many guided determinizations failed."""
        first, self.iterations_done = self.iterations_done, self.iterations_done + iterations
        states, public = self.states[self.moment :], self.public_states[self.moment :]
        observed, public_observed = self.observed[self.moment :], self.public_observed[self.moment :]
        failed = self.driver(
            self.view.setup.params, self.work, _as_bytes(self.work), self.out, self.nodes, self.workspace,
            self.view.seat - 1, states, _as_bytes(states), observed, public, _as_bytes(public), public_observed,
            first, iterations,
        )  # fmt: skip
        return int(failed)

    def sample(self, choices: Sequence[int]) -> int:
        """Sample one of the `choices` from the seat's average strategy in the current state; -1 if there is none."""
        out = np.array(choices, np.int16)
        return int(sample_average(self.nodes, self.workspace, self.workspace.current, out, len(choices)))

    def shares(self, choices: Sequence[int]) -> list[float]:
        """Return the probability of each of the `choices` in the average strategy; uniform if there is none."""
        shares = dict.fromkeys(choices, 0.0)
        child = self.nodes[self.workspace.current].child
        while child:
            node = self.nodes[child]
            shares[int(node.label)] = float(node.strategy_sum)
            child = node.next
        total = sum(shares[choice] for choice in choices)
        return [shares[choice] / total if total else 1 / len(choices) for choice in choices]


def _as_bytes(records: Array) -> Array:
    """Return a view of the same memory as bytes, one row per record."""
    return records.view(np.uint8).reshape(len(records), records.dtype.itemsize)


@cache
def _interpreted(game: Game) -> Driver:
    return mixed_search_rule(game)


def _compiled(game: Game) -> Driver:
    from sparring.engine.compilation.machine_code import compiled  # Numba: not needed before a bot thinks

    return compiled(game, mixed_search_rule)


def average_strategy(view: View, iterations: int, stream: Array) -> list[float]:
    """Return the average strategy of a mixed-strategy bot: a probability for each of `view.legal`.

    The view must have a memory. `stream` is the bot's generator, an int64 array of shape (4,).
    """
    search = MixedSearch(view, view.memory, iterations)
    search.reach_back(stream, _compiled(view.setup.game))
    search.run(iterations)
    return search.shares(view.legal)
