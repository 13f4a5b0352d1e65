"""A bot explains itself: what its trees say of each choice, and which line they go on most often.

Everything comes from the view that it was handed and from the trees it has grown from that, so a hint tells a seat
nothing that it may not know: the same view, stream and budget give the same hint, whatever is hidden.
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

from .search import bounds, private_observation_of
from .search_trees import FIRST_NEWS, child_of

#: How sure the intervals are, as the share of those that miss.
MISSES = 0.05

#: A line is told as far as so many matches went on, and up to so many choices.
FEW, LONGEST_LINE = 10, 8

#: How many truths go along a line, to tell what its choices are called there.
TRUTHS = 40

Array = np.ndarray[Any, Any]


def read_hint(view: View, nodes: Array, g: Array, *, line: bool = True) -> Hint:
    """What trees grown from a view tell its seat; `g` is a generator. The `line` that is expected takes longest."""
    tried = {int(child["label"]): child for child in _children(nodes, view.seat)}
    prospects = []
    for choice in _kept(view):
        node = tried.get(choice.action)
        if node is None or not node["visits"]:
            prospects.append(_prospect(view, choice, None, 0, 0))
        else:
            visits = int(node["visits"])
            prospects.append(_prospect(view, choice, float(node["value"]) / visits, visits, visits))
    prospects.sort(key=lambda prospect: (-prospect.tried, -(prospect.value or 0.0)))
    return _hint(view, prospects, int(nodes[view.seat]["visits"]), tuple(_ExpectedLine(view, nodes, g)))


def read_mixture(view: View, nodes: Array, node: int, shares: Mapping[int, float]) -> Hint:
    """What a mixture tells a seat that is at a node of its tree: how often it makes each choice, what these brought.

    Truths weigh more or less; an interval is that of so many equal ones as tell as much (Kish 1965).
    """
    found = {int(child["label"]): child for child in _children(nodes, node)} if node else {}
    prospects = []
    for choice in _kept(view):
        tried = found.get(choice.action)
        if tried is None or not tried["tries"]:
            told = _prospect(view, choice, None, 0, 0)
        else:
            mean, equal = tried["brought"] / tried["heavy"], tried["heavy"] ** 2 / tried["squares"]
            told = _prospect(view, choice, float(mean), float(equal), int(tried["tries"]))
        prospects.append(replace(told, share=shares[choice.action]))
    prospects.sort(key=lambda prospect: (-(prospect.share or 0.0), -(prospect.value or 0.0)))
    return _hint(view, prospects, max(prospect.tried for prospect in prospects))


def _kept(view: View) -> list[Choice]:
    """The choices that are told of."""
    return [choice for choice in view.choices if choice.action not in view.box.game.conceding] or view.choices


def _hint(view: View, prospects: list[ActionEstimate], imagined: int, line: tuple[ExpectedChoice, ...] = ()) -> Hint:
    payoffs = view.box.game.payoffs
    return Hint(view.seat, tuple(prospects), line, imagined, payoffs.unit if payoffs else "")


def _prospect(view: View, choice: Choice, mean: float | None, equal: float, tried: int) -> ActionEstimate:
    """A choice by the mean of what it brought, from 0 to 1, which is as sure as that of so many equal matches."""
    game = view.box.game
    # Without payoffs of the game's own, what was brought between 0 and 1 are the seat's shares of a win.
    low, span = bounds(game)(int(view.state.seats)) if game.payoffs else (0.0, 1.0)
    if mean is None:
        return ActionEstimate(choice.action, choice.words, None, low, low + span, 0)
    mean = min(1.0, max(0.0, mean))
    worst, best = interval(mean, equal)
    return ActionEstimate(
        choice.action, choice.words, low + mean * span, low + worst * span, low + best * span, tried
    )  # fmt: skip


def interval(mean: float, seen: float) -> tuple[float, float]:
    """Where the true mean lies of numbers from 0 to 1, by the mean of so many of them (Chernoff 1952, Hoeffding 1963).

    It holds for numbers of any kind between these bounds and however few they are; for many it is a little wide.

    >>> [tuple(round(end, 2) for end in interval(mean, 100)) for mean in (0.5, 1.0)]
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
    """How far a coin of `p` is from one of `q` (Kullback and Leibler 1951)."""
    heads = p * log(p / q) if p else 0.0
    tails = (1 - p) * log((1 - p) / (1 - q)) if p < 1 and q < 1 else 0.0
    return heads + tails if q < 1 or p == 1 else float("inf")


def _children(nodes: Array, node: int) -> Iterator[Any]:
    """The children of a node that are choices, or what was glimpsed of some."""
    child = int(nodes[node]["child"])
    while child:
        if nodes[child]["label"] > FIRST_NEWS:
            yield nodes[child]
        child = int(nodes[child]["next"])


class _ExpectedLine:
    """The line that a seat's tree goes on most often, choice by choice.

    A tree knows labels alone. So some imagined truths go along, those in which the line can be chosen; they tell who
    chooses, and what the seat would see of it.
    """

    def __init__(self, view: View, nodes: Array, g: Array) -> None:
        self.view, self.nodes, self.g = view, nodes, g
        self.rules, self.kit, self.seat = view.box.game.rules, view.box.kit, view.seat - 1
        self.keep, self.news = without_conceding(view.box.game), private_observation_of(view.box.game)
        self.out = np.zeros(len(self.rules.ACTIONS), np.int16)
        self.spare = np.zeros(1, self.rules.STATE)
        self.octets = self.spare.view(np.uint8).reshape(1, -1)

    def __iter__(self) -> Iterator[ExpectedChoice]:
        node, truths = self.view.seat, [self._imagined() for _ in range(TRUTHS)]
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

    def _imagined(self) -> Any:
        truth = self.view.state.copy()
        self.rules.determinize(self.kit, truth, self.seat, self.g)
        return truth

    def _chosen(self, node: int, truths: list[Any]) -> tuple[int, float, list[tuple[Any, int]]] | None:
        """The label that is most often gone on with, its share, and the truths that can with their choices."""
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
        """A choice of which the seat sees this label; one of several by chance, None if there is none."""
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
        """Where the tree stands after the choices, by the news that most of the truths bring; node 0: outside it."""
        by_news: dict[int, list[Any]] = defaultdict(list)
        for truth, action in made:
            self.rules.step(self.kit, truth, action)
            if not truth.over:
                by_news[int(self.news(self.kit, self.spare, self.octets, truth, self.seat))].append(truth)
        if not by_news:
            return 0, []
        learned, truths = max(by_news.items(), key=lambda item: len(item[1]))
        return (int(child_of(self.nodes, node, FIRST_NEWS - learned)) if learned else node), truths
