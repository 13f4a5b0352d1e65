"""The bot that mixes: what it remembers, how far back it thinks, and the answer that it draws."""

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

from .bot import MOST_NODES, QUICK, Array, Bot, BotChoice, by_the_clock
from .hint_reader import read_mixture
from .mixed_strategy_search import NODE, answer, clear, desk_dtype, mixing

#: Room for so many nodes an iteration and seat: whoever comes to a new place has one for each choice there.
ROOM = 64

#: How far back it thinks is tried by so many iterations; too far if more than half of the truths do not come out here.
TRIED = 10


@dataclass(frozen=True)
class MixedStrategyBot(Bot):
    """A bot that answers with a mixture (`mixing`)."""

    @property
    def remembers(self) -> bool:
        """What others chose tells it what they may hold."""
        return True

    @property
    def plays_compiled(self) -> bool:
        """It needs what its seat saw before, which compiled matches do not keep."""
        return False

    def answer(self, view: View, stream: Array, *, quick: bool = False, even: bool = False) -> BotChoice:
        """A choice drawn from what it would do on the average."""
        shown = [action for action in view.legal if action not in view.box.game.conceding] or list(view.legal)
        if len(shown) == 1 and not even:
            return BotChoice(shown[0], view)
        iterations = self.at_table(view.box, int(view.state.seats)).iterations
        thought = MixedSearch(view, view.memory, iterations)
        if quick:
            thought.begin(stream, len(view.memory), _interpreted(view.box.game))
            by_the_clock(thought.spend, min(QUICK, self.seconds or QUICK), iterations)
        else:
            thought.reach_back(stream, _compiled(view.box.game))
            if self.seconds:
                by_the_clock(thought.spend, self.seconds)
            else:
                thought.spend(iterations)
        chosen = thought.drawn(shown)
        stream[:] = thought.notes.g
        action = chosen if chosen in shown else shown[int(chance.below(stream, len(shown)))]
        return MixedChoice(action, view, thought=thought, shown=shown)


@dataclass(frozen=True, kw_only=True)
class MixedChoice(BotChoice):
    """An answer that was drawn; while somebody holds it, what was thought of it is kept."""

    thought: "MixedSearch"
    shown: Sequence[int]

    @cached_property
    def hint(self) -> Hint | None:
        """How often the bot makes each choice, and what they promise."""
        shares = dict(zip(self.shown, self.thought.shares(self.shown), strict=True))
        return read_mixture(self.view, self.thought.nodes, int(self.thought.notes.here), shares)


class MixedSearch:
    """A view being thought about, from some moment that its seat remembers."""

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
        self.notes: Any = np.zeros(1, desk_dtype(game))[0]

    def _in_public(self, seen: Observation) -> int:
        """What somebody who only watches saw of a choice."""
        if seen.choice < 0:
            return seen.choice
        box = self.view.box
        return int(box.game.rules.observe_action(box.kit, seen.state, seen.choice, -1))

    def begin(self, stream: Array, moment: int, think: Driver) -> None:
        """Think from this moment on, by a driver; nothing is known yet."""
        self.moment, self.think, self.done = moment, think, 0
        self.notes.g[:] = stream
        clear(self.nodes, self.notes, int(self.view.state.seats))

    def reach_back(self, stream: Array, think: Driver) -> None:
        """Begin as early as truths can be imagined that lead here."""
        moment = 0
        self.begin(stream, moment, think)
        while moment < len(self.seen) and 2 * self.spend(TRIED) > TRIED:
            moment += (len(self.seen) - moment + 1) // 2
            self.begin(stream, moment, think)

    def spend(self, iterations: int) -> int:
        """Think on; how many truths could not be imagined."""
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
        """A choice drawn from the average policy of the seat, here and now; -1 if there is none."""
        out = np.array(choices, np.int16)
        return int(answer(self.nodes, self.notes, self.notes.here, out, len(choices)))

    def shares(self, choices: Sequence[int]) -> list[float]:
        """How likely each choice is to be drawn."""
        shares = dict.fromkeys(choices, 0.0)
        child = self.nodes[self.notes.here].child
        while child:
            node = self.nodes[child]
            shares[int(node.label)] = float(node.share)
            child = node.next
        total = sum(shares[choice] for choice in choices)
        return [shares[choice] / total if total else 1 / len(choices) for choice in choices]


def _octets(records: Array) -> Array:
    """The same memory as bytes, a row for each record."""
    return records.view(np.uint8).reshape(len(records), records.dtype.itemsize)


@cache
def _interpreted(game: Game) -> Driver:
    return mixing(game)


def _compiled(game: Game) -> Driver:
    from sparring.engine.compilation.machine_code import compiled  # Numba: not needed before a bot thinks

    return compiled(game, mixing)


def mixture(view: View, iterations: int, stream: Array) -> list[float]:
    """The policy of a mixing bot at a view with a memory: how likely each choice is to be its answer."""
    thought = MixedSearch(view, view.memory, iterations)
    thought.reach_back(stream, _compiled(view.box.game))
    thought.spend(iterations)
    return thought.shares(view.legal)
