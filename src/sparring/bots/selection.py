"""Selection in a search: UCB without a policy prior, PUCT with one, and the rollout policy beyond the tree.

UCT (Kocsis and Szepesvári 2006) picks the action with the highest upper confidence bound. PUCT scales the exploration
term by the policy prior (Rosin 2011, Silver et al. 2017). Rollouts pick uniformly at random, or sample the policy prior
in games with `is_quiescent`.
"""

from math import log, sqrt

import numpy as np

from sparring.engine.chance import below, unit
from sparring.engine.compilation.drivers import Driver
from sparring.engine.game import Game
from sparring.engine.rule import rule

from .evaluation import policy_rule
from .search_trees import add_child, find_child

#: The logarithms of small counts: computing them took a large part of a selection.
LOGARITHMS = np.array([log(max(1, count)) for count in range(2048)])


@rule
def exploration_of(root, settings, value_sq):
    """Return a seat's exploration constant; with a value model, in proportion to the standard deviation at the root.

    Far from the end of a match all evaluations are close together, and a fixed constant would try every action equally
    often. `std_dev` counts half a win and half a loss more than there were, so that it starts wide.
    """
    return settings.exploration * std_dev(root, value_sq) if settings.evaluates else settings.exploration


@rule
def std_dev(node, value_sq):
    """Return the standard deviation of a node's returns from their sum of squares, wide at first (`exploration_of`)."""
    mean = (node.value + 0.5) / (node.visits + 1)
    return sqrt(max(0.0, (value_sq + 0.5) / (node.visits + 1) - mean * mean))


@rule
def ucb(node, exploration, per_action):
    """Return the upper confidence bound of a visited node's action.

    As usual in information-set search, the number of times the action was available takes the place of the parent's
    visits. With `per_action`, `exploration` is in standard deviations of the action's own returns.
    """
    if per_action:
        exploration *= std_dev(node, node.value_sq)
    return node.value / node.visits + exploration * sqrt(log_of(node.available) / node.visits)


@rule
def log_of(count):
    """Return the natural logarithm of a count."""
    return LOGARITHMS[count] if count < len(LOGARITHMS) else log(count)


@rule
def find_children(nodes, ws, parent, out, n):
    """Write the nodes of the `n` actions in `out` to `ws.children`, 0 for none; return how many there are.

    They have been available once more.
    """
    known = 0
    for i in range(n):
        child = find_child(nodes, ws, parent, out[i])
        ws.children[i] = child
        if child != 0:
            nodes[child].available += 1
            known += 1
    return known


@rule
def select_ucb(nodes, ws, out, n, seat, per_action):
    """Select a seat's action inside its tree by UCB: a random untried one, or else the one with the highest bound.

    `ws.chosen` is its node, 0 for none. Among equals it is the newest, in all rules here.
    """
    ws.chosen = 0
    tried = find_children(nodes, ws, ws.node[seat], out, n)
    if tried < n:
        return untried(ws, out, n, below(ws.g, n - tried))
    highest = -1.0
    for i in range(n):
        child = ws.children[i]
        score = ucb(nodes[child], ws.exploration[seat], per_action)
        if score > highest or (score == highest and child > ws.chosen):
            highest = score
            ws.chosen = child
    return nodes[ws.chosen].label


@rule
def untried(ws, out, n, index):
    """Return the untried action with this index among the untried ones."""
    for i in range(n):
        if ws.children[i] == 0:
            if index == 0:
                return out[i]
            index -= 1
    return out[0]


def puct_rule(game: Game) -> Driver:
    """Return a rule that selects a seat's action inside its tree by PUCT.

    If a legal action has no node yet, every such action gets one with its prior probability. The value of an untried
    action is the mean of its parent.
    """
    write_policy = policy_rule(game)

    def select_puct(params, work, s, nodes, ws, settings, out, n, seat):
        parent = ws.node[seat]
        if n == 1:
            ws.chosen = find_child(nodes, ws, parent, out[0])
            return out[0]
        ws.chosen = 0
        if find_children(nodes, ws, parent, out, n) < n:
            write_policy(params, work, s, ws, settings, out, n, seat)
            for i in range(n):
                if ws.children[i] == 0:
                    child = add_child(nodes, ws, parent, out[i])
                    ws.children[i] = child
                    if child != 0:
                        nodes[child].prior = ws.policy[i]
        total = 0.0
        for i in range(n):
            if ws.children[i] != 0:
                total += nodes[ws.children[i]].prior
        untried_mean = (nodes[parent].value + 0.5) / (nodes[parent].visits + 1)
        highest = -1e30
        for i in range(n):
            child = ws.children[i]
            if child != 0:
                node = nodes[child]
                mean = node.value / node.visits if node.visits > 0 else untried_mean
                probability = node.prior / max(total, 1e-9)
                score = mean + ws.exploration[seat] * probability * sqrt(node.available) / (1 + node.visits)
                if score > highest or (score == highest and child > ws.chosen):
                    highest = score
                    ws.chosen = child
        return nodes[ws.chosen].label if ws.chosen != 0 else out[0]

    return rule(select_puct)


def rollout_rule(game: Game) -> Driver:
    """Return a rule that picks an action beyond the tree.

    It picks uniformly at random; with a policy prior, in games with `is_quiescent`, it samples the prior.
    """
    if not hasattr(game.rules, "is_quiescent"):

        def sample_uniform(params, work, s, ws, settings, out, n, seat):
            return out[below(ws.g, n)]

        return rule(sample_uniform)

    write_policy = policy_rule(game)

    def sample_policy(params, work, s, ws, settings, out, n, seat):
        if not settings.has_prior:
            return out[below(ws.g, n)]
        if n == 1:
            return out[0]
        write_policy(params, work, s, ws, settings, out, n, seat)
        remaining = unit(ws.g)
        for i in range(n - 1):
            remaining -= ws.policy[i]
            if remaining < 0.0:
                return out[i]
        return out[n - 1]

    return rule(sample_policy)
