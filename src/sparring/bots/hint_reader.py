"""Read hints from search trees: an estimate for each action, and the expected line.

A hint depends only on the bot's view and the trees grown from it, so it reveals no hidden information: the same view,
stream and budget give the same hint.
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
from sparring.engine.messages import StoredText, Text
from sparring.engine.views import Choice, View

from .hint_reasons import contrast, reason
from .search import payoff_bounds_rule, private_observation_rule
from .search_trees import MIN_VISITS, after_observation, child_of, children_of

#: The error probability of the confidence intervals.
ERROR_RATE = 0.05

#: The expected line ends after this many actions.
LONGEST_LINE = 8

#: The number of determinizations that follow the line (see `_ExpectedLine`).
DETERMINIZATIONS = 40

Array = np.ndarray[Any, Any]


def read_hint(view: View, nodes: Array, g: Array) -> Hint:
    """Return the hint from the trees of a search.

    `nodes` has dtype `search_trees.NODE`; `g` is a generator for the determinizations that follow the expected line.
    """
    children = {int(child["label"]): child for child in children_of(nodes, view.seat)}
    estimates = []
    for choice in _covered_choices(view):
        node = children.get(choice.action)
        if node is None or not node["visits"]:
            estimates.append(_estimate(view, choice, None, 0, 0))
        else:
            visits = int(node["visits"])
            estimates.append(_estimate(view, choice, float(node["value"]) / visits, visits, visits))
    estimates.sort(key=lambda estimate: (-estimate.tried, -(estimate.value or 0.0)))
    hint = _hint(view, estimates, int(nodes[view.seat]["visits"]), tuple(_ExpectedLine(view, nodes, g)))
    return _explained(hint, reason(view, nodes, g, *_best_two(estimates)))


def visit_shares(view: View, nodes: Array) -> dict[int, float]:
    """Return the share of each tried action in the visits of a search from a view."""
    visits = {int(child["label"]): int(child["visits"]) for child in children_of(nodes, view.seat)}
    total = sum(count for action, count in visits.items() if action in view.legal)
    return {action: count / total for action, count in visits.items() if action in view.legal and total}


def expected_payoff(view: View, nodes: Array) -> float | None:
    """Return the mean payoff of the seat in a search from its view; None without a visit.

    In a game of wins and losses, it is on the scale of `Match.payoffs`.
    """
    children = [child for child in children_of(nodes, view.seat) if child["label"] in view.legal]
    visits = sum(int(child["visits"]) for child in children)
    low, span = payoff_bounds_rule(view.setup.game)(int(view.state.seats))
    return float(low + span * sum(float(child["value"]) for child in children) / visits) if visits else None


def read_mixed_strategy(view: View, nodes: Array, node: int, shares: Mapping[int, float]) -> Hint:
    """Return the hint from a mixed-strategy search: the value and the probability of each action.

    `node` is the seat's current node in `nodes` (dtype `mixed_strategy_search.NODE`; 0: none); `shares` are the
    probabilities. Determinizations have different weights, so intervals use the effective sample size (Kish 1965).
    """
    children = {int(child["label"]): child for child in children_of(nodes, node)} if node else {}
    estimates = []
    for choice in _covered_choices(view):
        child = children.get(choice.action)
        if child is None or not child["visits"]:
            estimate = _estimate(view, choice, None, 0, 0)
        else:
            mean, n = child["value_sum"] / child["weight_sum"], child["weight_sum"] ** 2 / child["weight_sq_sum"]
            estimate = _estimate(view, choice, float(mean), float(n), int(child["visits"]))
        estimates.append(replace(estimate, share=shares[choice.action]))
    estimates.sort(key=lambda estimate: (-(estimate.share or 0.0), -(estimate.value or 0.0)))
    hint = _hint(view, estimates, max(estimate.tried for estimate in estimates))
    return _explained(hint, contrast(view, *_best_two(estimates)))


def _explained(hint: Hint, why: Text | None) -> Hint:
    return replace(hint, why=StoredText.of(why)) if why else hint


def _best_two(estimates: list[ActionEstimate]) -> tuple[int, int | None]:
    """Return the suggested action, and the second best one if there is one that was tried."""
    second = next((estimate.action for estimate in estimates[1:2] if estimate.tried), None)
    return estimates[0].action, second


def _covered_choices(view: View) -> list[Choice]:
    """Return the choices to estimate: all but conceding ones."""
    return [choice for choice in view.choices if choice.action not in view.setup.game.conceding] or view.choices


def _hint(view: View, estimates: list[ActionEstimate], matches: int, line: tuple[ExpectedChoice, ...] = ()) -> Hint:
    payoffs = view.setup.game.payoffs
    return Hint(view.seat, tuple(estimates), line, matches, payoffs.unit if payoffs else "")


def _estimate(view: View, choice: Choice, mean: float | None, n: float, tried: int) -> ActionEstimate:
    """Return the estimate of an action from its mean return (0 to 1; None if untried) and effective sample size `n`."""
    game = view.setup.game
    # In a game of wins and losses, returns from 0 to 1 are the seat's shares of a win.
    low, span = payoff_bounds_rule(game)(int(view.state.seats)) if game.payoffs else (0.0, 1.0)
    if mean is None:
        return ActionEstimate(choice.action, choice.words, None, low, low + span, 0)
    mean = min(1.0, max(0.0, mean))
    worst, best = mean_interval(mean, n)
    return ActionEstimate(
        choice.action, choice.words, low + mean * span, low + worst * span, low + best * span, tried
    )  # fmt: skip


def mean_interval(mean: float, n: float) -> tuple[float, float]:
    """Return a 95% confidence interval for the mean of `n` values from 0 to 1 (Chernoff 1952, Hoeffding 1963).

    It holds for any distribution on [0, 1] and any sample size; for large samples it is slightly too wide.

    >>> [tuple(round(end, 2) for end in mean_interval(mean, 100)) for mean in (0.5, 1.0)]
    [(0.37, 0.63), (0.96, 1.0)]
    """
    return 1.0 - _upper_end(1.0 - mean, n), _upper_end(mean, n)


def _upper_end(mean: float, n: float) -> float:
    limit = log(2 / ERROR_RATE) / n
    low, high = mean, 1.0
    for _ in range(30):
        middle = (low + high) / 2
        if _divergence(mean, middle) <= limit:
            low = middle
        else:
            high = middle
    return high


def _divergence(p: float, q: float) -> float:
    """Return the Kullback-Leibler divergence of two Bernoulli distributions with means `p` and `q` (1951)."""
    heads = p * log(p / q) if p else 0.0
    tails = (1 - p) * log((1 - p) / (1 - q)) if p < 1 and q < 1 else 0.0
    return heads + tails if q < 1 or p == 1 else float("inf")


class _ExpectedLine:
    """The most visited line in a seat's tree, action by action.

    A tree stores only labels. Several determinizations follow the line while it is legal in them; these states
    give the seat that acts and what this seat observes.
    """

    def __init__(self, view: View, nodes: Array, g: Array) -> None:
        self.view, self.nodes, self.g = view, nodes, g
        self.rules, self.params, self.seat = view.setup.game.rules, view.setup.params, view.seat - 1
        self.keep, self.observe = without_conceding(view.setup.game), private_observation_rule(view.setup.game)
        self.out = np.zeros(len(self.rules.ACTIONS), np.int16)
        self.spare = np.zeros(1, self.rules.State.dtype)
        self.raw = self.spare.view(np.uint8).reshape(1, -1)
        self.observed = 0

    def __iter__(self) -> Iterator[ExpectedChoice]:
        node, states = self.view.seat, [self._determinized() for _ in range(DETERMINIZATIONS)]
        for _ in range(LONGEST_LINE):
            best = self._chosen(node, states)
            if best is None:
                return
            label, share, reached = best
            state, _ = reached[0]
            player = int(state.player)
            yield ExpectedChoice(player + 1, self._words(state, label), share)
            node, states = self._after(int(child_of(self.nodes, node, label)), reached)
            if not node:
                return

    def _determinized(self) -> Any:
        state = self.view.state.copy()
        self.rules.determinize(self.params, state, self.seat, self.g)
        return state

    def _chosen(self, node: int, states: list[Any]) -> tuple[int, float, list[tuple[Any, int]]] | None:
        """Return the most visited label, its share of the visits, and the states in which it is legal, with actions.

        None if no label has enough visits and is legal in some state.
        """
        children = sorted(children_of(self.nodes, node), key=lambda child: -child["visits"])
        for child in children:
            if child["visits"] < MIN_VISITS:
                return None
            label = int(child["label"])
            reached = [(state, action) for state in states if (action := self._choice(state, label)) is not None]
            if reached:
                return label, float(child["visits"]) / sum(int(other["visits"]) for other in children), reached
        return None

    def _choice(self, state: Any, label: int) -> int | None:
        """Return a legal action that the seat would observe as this label, random among several; None without one."""
        legal = self.out[: self.keep(self.out, self.rules.legal(self.params, state, self.out))].tolist()
        if state.player == self.seat:
            return label if label in legal else None
        same = [action for action in legal if self.rules.observe_action(self.params, state, action, self.seat) == label]
        return same[int(chance.below(self.g, len(same)))] if same else None

    def _words(self, state: Any, label: int) -> str:
        if label < 0:
            return ""
        view = state.copy()
        self.rules.redact(self.params, view, self.seat)
        return self.view.setup.game.scene.words(self.view.setup, view, label)

    def _after(self, node: int, reached: list[tuple[Any, int]]) -> tuple[int, list[Any]]:
        """Take the actions and return the child for the most frequent private observation, with its states.

        Node 0: the line has left the tree.
        """
        by_observation: dict[int, list[Any]] = defaultdict(list)
        for state, action in reached:
            self.rules.step(self.params, state, action)
            if not state.over:
                observation = int(self.observe(self.params, self.spare, self.raw, state, self.seat))
                by_observation[observation].append(state)
        if not by_observation:
            return 0, []
        observation, states = max(by_observation.items(), key=lambda item: len(item[1]))
        before, self.observed = self.observed, observation or self.observed
        return after_observation(self.nodes, node, observation, before), states
