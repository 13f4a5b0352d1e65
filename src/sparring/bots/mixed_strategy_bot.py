"""The mixed-strategy bot: what it remembers, how far back its search starts, and the answer it samples."""

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

from .bot import MOST_NODES, QUICK_SECONDS, Array, Bot, BotChoice, run_timed
from .hint_reader import read_mixed_strategy
from .mixed_strategy_search import NODE, init_trees, mixed_search_rule, sample_average, workspace_dtype

#: The number of nodes allocated per iteration and seat: a new node has one child per legal action.
ROOM = 64

#: Iterations that test a starting point. It is too far back if more than half of the guided determinizations fail.
TRIED = 10


@dataclass(frozen=True)
class MixedStrategyBot(Bot):
    """A bot that samples its action from an average strategy (`mixed_search_rule`)."""

    @property
    def remembers(self) -> bool:
        """The actions of other seats tell it what they may hold."""
        return True

    @property
    def plays_compiled(self) -> bool:
        """It needs earlier observations, which compiled matches do not keep."""
        return False

    def answer(self, view: View, stream: Array, *, quick: bool = False, even: bool = False) -> BotChoice:
        """Return an action sampled from the average strategy."""
        shown = [action for action in view.legal if action not in view.box.game.conceding] or list(view.legal)
        if len(shown) == 1 and not even:
            return BotChoice(shown[0], view)
        iterations = self.at_table(view.box, int(view.state.seats)).iterations
        thought = MixedSearch(view, view.memory, iterations)
        if quick:
            thought.begin(stream, len(view.memory), _interpreted(view.box.game))
            run_timed(thought.spend, min(QUICK_SECONDS, self.seconds or QUICK_SECONDS), iterations)
        else:
            thought.reach_back(stream, _compiled(view.box.game))
            if self.seconds:
                run_timed(thought.spend, self.seconds)
            else:
                thought.spend(iterations)
        chosen = thought.drawn(shown)
        stream[:] = thought.notes.g
        action = chosen if chosen in shown else shown[int(chance.below(stream, len(shown)))]
        return MixedChoice(action, view, thought=thought, shown=shown)


@dataclass(frozen=True, kw_only=True)
class MixedChoice(BotChoice):
    """A sampled action; it keeps the search alive for the hint."""

    thought: "MixedSearch"
    shown: Sequence[int]

    @cached_property
    def hint(self) -> Hint | None:
        """The probability and value of each action."""
        shares = dict(zip(self.shown, self.thought.shares(self.shown), strict=True))
        return read_mixed_strategy(self.view, self.thought.nodes, int(self.thought.notes.current), shares)


class MixedSearch:
    """A search from one of the states that a seat remembers."""

    def __init__(self, view: View, memory: Sequence[Observation], iterations: int = 0) -> None:
        self.view, game = view, view.box.game
        states = [*(seen.state for seen in memory), view.state]
        self.seen = np.array([seen.choice for seen in memory], np.int64)
        self.states = np.array(states, game.rules.STATE)
        watched = [view_of(view.box, state, 0).state for state in states]
        self.common = np.array(watched, game.rules.STATE)
        self.shown = np.array([self._in_public(seen) for seen in memory], np.int64)
        self.work = np.zeros(4, game.rules.STATE)
        self.out = np.zeros(len(game.rules.ACTIONS), np.int16)
        seats = int(view.state.seats)
        self.nodes = np.zeros(
            min(MOST_NODES, ROOM * seats * (iterations + 2 * TRIED)) if iterations else MOST_NODES, NODE
        )
        self.notes: Any = np.zeros(1, workspace_dtype(game))[0]

    def _in_public(self, seen: Observation) -> int:
        """Return what a spectator observed of an action."""
        if seen.choice < 0:
            return seen.choice
        box = self.view.box
        return int(box.game.rules.observe_action(box.kit, seen.state, seen.choice, -1))

    def begin(self, stream: Array, moment: int, think: Driver) -> None:
        """Reset the search to start from this moment (an index into the memory), with a driver."""
        self.moment, self.think, self.done = moment, think, 0
        self.notes.g[:] = stream
        init_trees(self.nodes, self.notes, int(self.view.state.seats))

    def reach_back(self, stream: Array, think: Driver) -> None:
        """Start as early as guided determinizations succeed."""
        moment = 0
        self.begin(stream, moment, think)
        while moment < len(self.seen) and 2 * self.spend(TRIED) > TRIED:
            moment += (len(self.seen) - moment + 1) // 2
            self.begin(stream, moment, think)

    def spend(self, iterations: int) -> int:
        """Run more iterations; return how many determinizations failed."""
        first, self.done = self.done, self.done + iterations
        states, common = self.states[self.moment :], self.common[self.moment :]
        return int(
            self.think(
                self.view.box.kit, self.work, _octets(self.work), self.out, self.nodes, self.notes, self.view.seat - 1,
                states, _octets(states), self.seen[self.moment :], common, _octets(common), self.shown[self.moment :],
                first, iterations,
            )
        )  # fmt: skip

    def drawn(self, choices: Sequence[int]) -> int:
        """Sample an action from the seat's average strategy in the current state; -1 if there is none."""
        out = np.array(choices, np.int16)
        return int(sample_average(self.nodes, self.notes, self.notes.current, out, len(choices)))

    def shares(self, choices: Sequence[int]) -> list[float]:
        """Return the probability of each action in the average strategy."""
        shares = dict.fromkeys(choices, 0.0)
        child = self.nodes[self.notes.current].child
        while child:
            node = self.nodes[child]
            shares[int(node.label)] = float(node.strategy_sum)
            child = node.next
        total = sum(shares[choice] for choice in choices)
        return [shares[choice] / total if total else 1 / len(choices) for choice in choices]


def _octets(records: Array) -> Array:
    """Return a view of the same memory as bytes, one row per record."""
    return records.view(np.uint8).reshape(len(records), records.dtype.itemsize)


@cache
def _interpreted(game: Game) -> Driver:
    return mixed_search_rule(game)


def _compiled(game: Game) -> Driver:
    from sparring.engine.compilation.machine_code import compiled  # Numba: not needed before a bot thinks

    return compiled(game, mixed_search_rule)


def average_strategy(view: View, iterations: int, stream: Array) -> list[float]:
    """Return the average strategy of a mixed-strategy bot at a view with a memory: a probability per legal action."""
    thought = MixedSearch(view, view.memory, iterations)
    thought.reach_back(stream, _compiled(view.box.game))
    thought.spend(iterations)
    return thought.shares(view.legal)
