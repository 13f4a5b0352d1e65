"""Read hints from search trees: an estimate for each action, and the expected line.

Everything comes from the bot's view and the trees grown from it, so a hint tells a seat nothing that it may not know:
the same view, stream and budget give the same hint, whatever is hidden.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import log
from typing import Any

import numpy as np

from sparring.engine import chance
from sparring.engine.compilation.drivers import without_conceding
from sparring.engine.hints import ActionEstimate, ExpectedChoice, Hint
from sparring.engine.views import Choice, View

from .search import payoff_bounds_rule, private_observation_rule
from .search_trees import FIRST_OBSERVATION, child_of

#: The error rate of the confidence intervals.
MISSES = 0.05

#: The expected line ends at fewer visits than this, or after this many actions.
FEW, LONGEST_LINE = 10, 8

#: The number of determinizations that follow the line, to name its actions.
TRUTHS = 40

Array = np.ndarray[Any, Any]


def read_hint(view: View, nodes: Array, g: Array, *, line: bool = True) -> Hint:
    """Return the hint from trees grown from a view; `g` is a generator for the expected line."""
    tried = {int(child["label"]): child for child in _children(nodes, view.seat)}
    estimates = []
    for choice in _kept(view):
        node = tried.get(choice.action)
        if node is None or not node["visits"]:
            estimates.append(_estimate(view, choice, None, 0, 0))
        else:
            visits = int(node["visits"])
            estimates.append(_estimate(view, choice, float(node["value"]) / visits, visits, visits))
    estimates.sort(key=lambda estimate: (-estimate.tried, -(estimate.value or 0.0)))
    return _hint(view, estimates, int(nodes[view.seat]["visits"]), tuple(_ExpectedLine(view, nodes, g)))


def read_mixed_strategy(view: View, nodes: Array, node: int, shares: Mapping[int, float]) -> Hint:
    """Return the hint from a mixed-strategy search, whose current node is `node`: action probabilities and values.

    Determinizations have different weights; an interval uses the effective sample size (Kish 1965).
    """
    found = {int(child["label"]): child for child in _children(nodes, node)} if node else {}
    estimates = []
    for choice in _kept(view):
        tried = found.get(choice.action)
        if tried is None or not tried["visits"]:
            told = _estimate(view, choice, None, 0, 0)
        else:
            mean, equal = tried["value_sum"] / tried["weight_sum"], tried["weight_sum"] ** 2 / tried["weight_sq_sum"]
            told = _estimate(view, choice, float(mean), float(equal), int(tried["visits"]))
        estimates.append(replace(told, share=shares[choice.action]))
    estimates.sort(key=lambda estimate: (-(estimate.share or 0.0), -(estimate.value or 0.0)))
    return _hint(view, estimates, max(estimate.tried for estimate in estimates))


def _kept(view: View) -> list[Choice]:
    """Return the choices that a hint covers: all but conceding ones."""
    return [choice for choice in view.choices if choice.action not in view.box.game.conceding] or view.choices


def _hint(view: View, estimates: list[ActionEstimate], imagined: int, line: tuple[ExpectedChoice, ...] = ()) -> Hint:
    payoffs = view.box.game.payoffs
    return Hint(view.seat, tuple(estimates), line, imagined, payoffs.unit if payoffs else "")


def _estimate(view: View, choice: Choice, mean: float | None, equal: float, tried: int) -> ActionEstimate:
    """Return the estimate of an action from its mean return (0 to 1) and effective number of matches."""
    game = view.box.game
    # In a game of wins and losses, returns from 0 to 1 are the seat's shares of a win.
    low, span = payoff_bounds_rule(game)(int(view.state.seats)) if game.payoffs else (0.0, 1.0)
    if mean is None:
        return ActionEstimate(choice.action, choice.words, None, low, low + span, 0)
    mean = min(1.0, max(0.0, mean))
    worst, best = mean_interval(mean, equal)
    return ActionEstimate(
        choice.action, choice.words, low + mean * span, low + worst * span, low + best * span, tried
    )  # fmt: skip


def mean_interval(mean: float, seen: float) -> tuple[float, float]:
    """Return a confidence interval for the mean of values from 0 to 1 (Chernoff 1952, Hoeffding 1963).

    It holds for any distribution between these bounds and any sample size; for large samples it is a little wide.

    >>> [tuple(round(end, 2) for end in mean_interval(mean, 100)) for mean in (0.5, 1.0)]
    [(0.37, 0.63), (0.96, 1.0)]
    """
    return 1.0 - _upper_end(1.0 - mean, seen), _upper_end(mean, seen)


def _upper_end(mean: float, seen: float) -> float:
    most = log(2 / MISSES) / seen
    low, high = mean, 1.0
    for _ in range(30):
        middle = (low + high) / 2
        if _divergence(mean, middle) <= most:
            low = middle
        else:
            high = middle
    return high


def _divergence(p: float, q: float) -> float:
    """Return the Kullback-Leibler divergence between coins of probability `p` and `q` (1951)."""
    heads = p * log(p / q) if p else 0.0
    tails = (1 - p) * log((1 - p) / (1 - q)) if p < 1 and q < 1 else 0.0
    return heads + tails if q < 1 or p == 1 else float("inf")


def _children(nodes: Array, node: int) -> Iterator[Any]:
    """Yield the children of a node that are actions, or observations of actions."""
    child = int(nodes[node]["child"])
    while child:
        if nodes[child]["label"] > FIRST_OBSERVATION:
            yield nodes[child]
        child = int(nodes[child]["next"])


class _ExpectedLine:
    """The most visited line in a seat's tree, action by action.

    A tree knows only labels. So several determinizations follow the line as far as it is legal in them; they tell which
    seat acts, and what this seat would observe.
    """

    def __init__(self, view: View, nodes: Array, g: Array) -> None:
        self.view, self.nodes, self.g = view, nodes, g
        self.rules, self.kit, self.seat = view.box.game.rules, view.box.kit, view.seat - 1
        self.keep, self.observe = without_conceding(view.box.game), private_observation_rule(view.box.game)
        self.out = np.zeros(len(self.rules.ACTIONS), np.int16)
        self.spare = np.zeros(1, self.rules.STATE)
        self.octets = self.spare.view(np.uint8).reshape(1, -1)

    def __iter__(self) -> Iterator[ExpectedChoice]:
        node, truths = self.view.seat, [self._determinized() for _ in range(TRUTHS)]
        for _ in range(LONGEST_LINE):
            found = self._chosen(node, truths)
            if found is None:
                return
            label, share, made = found
            truth, _ = made[0]
            player = int(truth.player)
            yield ExpectedChoice(player + 1, self._words(truth, label), share)
            node, truths = self._after(int(child_of(self.nodes, node, label)), made)
            if not node:
                return

    def _determinized(self) -> Any:
        truth = self.view.state.copy()
        self.rules.determinize(self.kit, truth, self.seat, self.g)
        return truth

    def _chosen(self, node: int, truths: list[Any]) -> tuple[int, float, list[tuple[Any, int]]] | None:
        """Return the most visited label, its share of the visits, and the determinizations in which it is legal."""
        children = sorted(_children(self.nodes, node), key=lambda child: -child["visits"])
        for child in children:
            if child["visits"] < FEW:
                return None
            label = int(child["label"])
            made = [(truth, action) for truth in truths if (action := self._choice(truth, label)) is not None]
            if made:
                return label, float(child["visits"]) / sum(int(other["visits"]) for other in children), made
        return None

    def _choice(self, truth: Any, label: int) -> int | None:
        """Return an action that the seat would observe as this label, at random among several, or None."""
        legal = self.out[: self.keep(self.out, self.rules.legal(self.kit, truth, self.out))].tolist()
        if truth.player == self.seat:
            return label if label in legal else None
        same = [action for action in legal if self.rules.observe_action(self.kit, truth, action, self.seat) == label]
        return same[int(chance.below(self.g, len(same)))] if same else None

    def _words(self, truth: Any, label: int) -> str:
        if label < 0:
            return ""
        seen = truth.copy()
        self.rules.redact(self.kit, seen, self.seat)
        return self.view.box.game.scene.words(self.view.box, seen, label)

    def _after(self, node: int, made: list[tuple[Any, int]]) -> tuple[int, list[Any]]:
        """Return the node after the actions, by the most frequent private observation, and its states.

        Node 0 means that the line has left the tree.
        """
        by_observation: dict[int, list[Any]] = defaultdict(list)
        for truth, action in made:
            self.rules.step(self.kit, truth, action)
            if not truth.over:
                observation = int(self.observe(self.kit, self.spare, self.octets, truth, self.seat))
                by_observation[observation].append(truth)
        if not by_observation:
            return 0, []
        observation, truths = max(by_observation.items(), key=lambda item: len(item[1]))
        return (int(child_of(self.nodes, node, FIRST_OBSERVATION - observation)) if observation else node), truths
