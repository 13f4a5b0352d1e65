"""The whole tree of a small two-seat game in arrays: best responses, equilibria, exploitability; and small endgames.

Nodes are stored by depth. An information set is what a seat has observed so far (perfect recall), so all its nodes have
the same depth. Each information set has consecutive *slots*, one for each legal action; a strategy is an array of
probabilities over all slots.

A policy maps a view to the probabilities of its choices. The best response to it is computed over all deals at once,
grouped by the information sets of the responding seat. Exploitability is the mean payoff of the best responses over
both seats; it is 0 for an equilibrium of a two-seat zero-sum game.

>>> from sparring.lab.game_tree import GameTree, subgame
>>> setup, deals = subgame("make-your-moves")
>>> len(deals)
560

A subgame is a position in the last round or turn, in which no chance is left but the cards in hand: both seats know
which cards are unseen, and every way to deal them to the hands and the draw pile is equally likely. `GameTree` finds
its equilibrium and the exploitability of any policy.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from sparring.bots import parse, stream
from sparring.bots.mixed_strategy_bot import MixedStrategyBot
from sparring.engine.cards import in_order, put
from sparring.engine.errors import SparringError
from sparring.engine.features import Recall, extended
from sparring.engine.game import GameSetup
from sparring.engine.match import Match
from sparring.engine.views import View, digest, memory_of, view_of

Array = np.ndarray[Any, Any]

#: The maximum number of nodes: they take about a minute to build for each 300,000.
MAX_NODES = 2_000_000


class _Node(NamedTuple):
    """A node of the frontier while the tree is built."""

    state: Any
    chains: tuple[bytes, bytes]
    history: tuple[tuple[Any, int], ...]
    weight: float
    #: The index of the parent among the nodes one step above, and the slot that led here.
    parent: int
    slot: int


@dataclass(frozen=True)
class _Level:
    """All nodes of one depth: parents and slots, the seat that acts (-1 at the end), weights by chance, payoffs."""

    parent: Array
    slot: Array
    player: Array
    weight: Array
    payoff: Array


class GameTree:
    """The tree of a two-seat game after its deals. After them, the game must not use chance."""

    def __init__(self, setup: GameSetup, deals: Sequence[Any]) -> None:
        """Build the tree from first states, which are equally likely; equal ones are merged.

        Raises SparringError if it has more than MAX_NODES nodes.
        """
        self.setup = setup
        self._levels = list[_Level]()
        # Of each information set: a view of it, with what its seat remembers, and its first slot.
        self.views = list[View]()
        self._start = list[int]()
        self._sets: dict[bytes, int] = {}
        self.slots = self.nodes = 0
        counts: dict[bytes, int] = {}
        states = {deal.tobytes(): deal for deal in deals}
        for deal in deals:
            counts[deal.tobytes()] = counts.get(deal.tobytes(), 0) + 1
        frontier = [_Node(states[key], (b"", b""), (), n / len(deals), -1, -1) for key, n in counts.items()]
        while frontier:
            self.nodes += len(frontier)
            if self.nodes > MAX_NODES:
                raise SparringError(f"This game has more than {MAX_NODES:,} nodes; choose a smaller one.")
            self._levels.append(self._level(frontier))
            frontier = self._children(frontier)
        self.start = np.array(self._start)
        self.sizes = np.diff([*self._start, self.slots])

    def _level(self, nodes: list[_Node]) -> _Level:
        return _Level(
            np.array([node.parent for node in nodes]), np.array([node.slot for node in nodes]),
            np.array([-1 if node.state.over else int(node.state.player) for node in nodes]),
            np.array([node.weight for node in nodes]),
            np.array([node.state.payoff[:2] if node.state.over else (0.0, 0.0) for node in nodes], np.float64),
        )  # fmt: skip

    def _children(self, nodes: list[_Node]) -> list[_Node]:
        """Return the nodes one step below, and add the information sets of these nodes."""
        found = list[_Node]()
        for number, node in enumerate(nodes):
            if node.state.over:
                continue
            player = int(node.state.player)
            view = view_of(self.setup, node.state, player + 1)
            legal = [action for action in view.legal if action not in self.setup.game.conceding]
            first = self._start[self._set_of(node, view, legal)]
            for k, action in enumerate(legal):
                found.append(self._after(node, action, number, first + k))
        return found

    def _set_of(self, node: _Node, view: View, legal: list[int]) -> int:
        """Return the number of the information set of a view, which is added if it is new."""
        key = digest(node.chains[view.seat - 1], view.state.tobytes(), bytes([view.seat]))
        if key not in self._sets:
            self._sets[key] = len(self.views)
            memory = memory_of(self.setup, node.history, view.seat)
            self.views.append(replace(view, legal=tuple(legal), memory=memory))
            self._start.append(self.slots)
            self.slots += len(legal)
        return self._sets[key]

    def _after(self, node: _Node, action: int, parent: int, slot: int) -> _Node:
        """Return the child of a node after an action."""
        step = (node.state, action)
        one, two = (
            extended(self.setup, Recall(0, chain, node.state), lambda *_: iter((step,)), seat).chain
            for seat, chain in enumerate(node.chains, 1)
        )
        state = node.state.copy()
        self.setup.game.rules.step(self.setup.params, state, action)
        return _Node(state, (one, two), (*node.history, step), node.weight, parent, slot)

    # Strategies

    def normalized(self, weights: Array) -> Array:
        """Return non-negative weights of slots as probabilities; uniform where all are 0."""
        totals = np.repeat(np.add.reduceat(weights, self.start), self.sizes)
        return np.where(totals > 0, weights / np.where(totals > 0, totals, 1), 1 / np.repeat(self.sizes, self.sizes))

    def _reaches(self, strategy: Array) -> list[Array]:
        """Return for each level the probability that each seat's actions lead to a node, as (n, 2)."""
        reaches = [np.ones((len(self._levels[0].player), 2))]
        for above, level in pairwise(self._levels):
            reach = reaches[-1][level.parent]
            reach[np.arange(len(reach)), above.player[level.parent]] *= strategy[level.slot]
            reaches.append(reach)
        return reaches

    def values(self, strategy: Array) -> tuple[float, float]:
        """Return the mean payoffs of both seats if both play a strategy."""
        top = self._values(strategy)[0]
        one, two = (self._levels[0].weight[:, None] * top).sum(axis=0).tolist()
        return one, two

    def _values(self, strategy: Array) -> list[Array]:
        """Return for each level the mean payoffs of its nodes, as (n, 2)."""
        values = [self._levels[-1].payoff]
        for above, level in reversed([*pairwise(self._levels)]):
            value = above.payoff.copy()
            for seat in (0, 1):
                shares = strategy[level.slot] * values[0][:, seat]
                value[:, seat] += np.bincount(level.parent, shares, len(value))
            values.insert(0, value)
        return values

    def best_response(self, strategy: Array, seat: int) -> float:
        """Return the mean payoff of a best response of a seat (from 0) to the other seat's strategy."""
        reaches = self._reaches(strategy)
        below = self._levels[-1], reaches[-1]
        value = below[0].weight * below[1][:, 1 - seat] * below[0].payoff[:, seat]
        levels = [*zip(self._levels, reaches, strict=True)]
        for (above, reach), (level, _) in reversed([*pairwise(levels)]):
            best = self._best(np.bincount(level.slot, value, self.slots))
            taken = np.where(above.player[level.parent] == seat, best[level.slot], True)
            ended = above.weight * reach[:, 1 - seat] * above.payoff[:, seat]
            value = ended + np.bincount(level.parent, value * taken, len(ended))
        return float(value.sum())

    def _best(self, worth: Array) -> Array:
        """Return for each slot whether it is the first of the best ones of its information set."""
        best = np.flatnonzero(worth >= np.repeat(np.maximum.reduceat(worth, self.start), self.sizes))
        sets = np.repeat(np.arange(len(self.start)), self.sizes)[best]
        first = np.zeros(self.slots, np.bool_)
        first[best[np.unique(sets, return_index=True)[1]]] = True
        return first

    def exploitability(self, strategy: Array) -> float:
        """Return the mean payoff of best responses to a strategy, averaged over both seats."""
        return (self.best_response(strategy, 0) + self.best_response(strategy, 1)) / 2

    def solve(self, iterations: int) -> Array:
        """Return the average strategy of CFR+ (Tammelin 2014), which approaches an equilibrium of a zero-sum game."""
        regrets, total = np.zeros(self.slots), np.zeros(self.slots)
        for iteration in range(1, iterations + 1):
            for seat in (0, 1):
                strategy = self.normalized(regrets)
                reaches, values = self._reaches(strategy), self._values(strategy)
                for k, level in enumerate(self._levels[1:]):
                    edges = np.flatnonzero(self._levels[k].player[level.parent] == seat)
                    parent, slot = level.parent[edges], level.slot[edges]
                    reach = self._levels[k].weight[parent] * reaches[k][parent, 1 - seat]
                    gain = values[k + 1][edges, seat] - values[k][parent, seat]
                    regrets += np.bincount(slot, reach * gain, self.slots)
                    total += iteration * np.bincount(slot, reaches[k][parent, seat] * strategy[slot], self.slots)
                regrets = np.maximum(regrets, 0)
        return self.normalized(total)


#: The probability of each choice of a view, in the order of `view.legal`, without conceding ones.
Policy = Callable[[View], Sequence[float]]


def exploitability(setup: GameSetup, deals: Sequence[Any], policy: Policy) -> float:
    """Return the mean payoff per match of the best responses to `policy`, averaged over both seats.

    `deals` are all initial states of a two-seat match, equally likely; no chance may follow them.
    """
    tree = GameTree(setup, deals)
    return tree.exploitability(strategy_of(tree, policy))


def best_response(setup: GameSetup, deals: Sequence[Any], policy: Policy, seat: int) -> float:
    """Return the mean payoff of a best response to `policy` by a seat (from 0)."""
    tree = GameTree(setup, deals)
    return tree.best_response(strategy_of(tree, policy), seat)


def strategy_of(tree: GameTree, policy: Policy) -> np.ndarray[Any, Any]:
    """Return a policy as a strategy of the tree: the probabilities of all slots."""
    return np.array([probability for view in tree.views for probability in policy(view)], np.float64)


def bot_policy(bot: str, streams: int) -> Policy:
    """Return a bot's policy, averaged over streams of random numbers: its mixed strategy, or how often it acts so.

    The exploitability of a sampled policy is biased upward, because a best response also exploits the noise: in Kuhn
    poker `random` has 0.698 with 4 streams and 0.570 with 16, and uniform play 0.458. Compare only figures of the same
    number of streams.
    """
    parsed = parse(bot)
    is_mixed = isinstance(parsed, MixedStrategyBot)

    def policy(view: View) -> list[float]:
        answers = [parsed.answer(view, stream(seed, view.seat)) for seed in range(streams)]
        weights = [answer.shares if is_mixed and answer.shares else {answer.action: 1.0} for answer in answers]
        return [sum(each.get(action, 0.0) for each in weights) / streams for action in view.legal]

    return policy


@dataclass(frozen=True)
class Subgame:
    """A position, and the number of cards that are left in the draw pile; the others are in the discard pile."""

    summary: str
    position: Mapping[str, Any]
    draw_pile: int


SUBGAMES: Mapping[str, Subgame] = MappingProxyType({
    "make-your-moves": Subgame(
        "The last turn at 2:2. Seat 1 attacks with three cards; a point wins, otherwise it is a draw.",
        {
            "game": "make-your-moves", "options": {"turn_limit": 20, "point_cards": "marker"}, "turn": 20,
            "points": [2, 2], "hands": ["Red1 Red2 Blue1", "Red1 Blue2 Wild1"], "seed": 4,
        }, 2,
    ),
    "world-of-fighters": Subgame(
        "The last round in a ring of 5 by 5, 6 health each, supers used. Seat 2 moves first; more health wins.",
        {
            "game": "world-of-fighters", "options": {"board": "5x5", "round_limit": 10}, "round": 10,
            "health": [6, 6], "super_used": [True, True], "squares": ["c2", "c4"], "resting": [3, 3],
            "hands": ["Punch Kick Grapple", "Punch Kick Grapple"], "seed": 4,
        }, 2,
    ),
})  # fmt: skip


def subgame(game: str) -> tuple[GameSetup, list[Any]]:
    """Return the setup and all deals of a game's subgame, as full states. Raises SparringError if it has none."""
    if game not in SUBGAMES:
        raise SparringError(f"{game} has no subgame; these have one: {', '.join(SUBGAMES)}.")
    chosen = SUBGAMES[game]
    match = Match.from_position(chosen.position)
    state = match.state.copy()
    cards = in_order(state.deck)
    state.deck[:] = 0
    for card in cards[chosen.draw_pile :]:
        put(state.discard, card)
    for card in cards[: chosen.draw_pile]:
        put(state.deck, card)
    return match.setup, redealt(state)


def redealt(state: Any) -> list[Any]:
    """Return the states in which the cards of two hands and the draw pile are dealt in every way, equally likely.

    The order of the draw pile is fixed. `state` is of a game with piles `hand` and `deck` (see `engine.cards`).
    """
    piles = [state.hand[0], state.hand[1], state.deck]
    pool = sorted(card for pile in piles for card in in_order(pile))
    places, found = range(len(pool)), []
    for one in combinations(places, int(piles[0][0])):
        rest = [place for place in places if place not in one]
        for two in combinations(rest, int(piles[1][0])):
            deck = [place for place in rest if place not in two]
            dealt = state.copy()
            for pile, chosen in zip((dealt.hand[0], dealt.hand[1], dealt.deck), (one, two, deck), strict=True):
                pile[:] = 0
                for place in chosen:
                    put(pile, pool[place])
            found.append(dealt)
    return found
