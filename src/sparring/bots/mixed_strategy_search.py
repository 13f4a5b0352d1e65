"""Mixed-strategy search: regret matching in determinized states, for games in which a pure strategy can be exploited.

Every seat has a tree of its observations, as in `search`. A seat plays by *regret matching*: each action in proportion
to its positive regret (Hart and Mas-Colell 2000). The bot samples its answer from the *average strategy*. In two-player
zero-sum games the average strategies approach an equilibrium (Lanctot et al. 2009; Lisý, Lanctot and Bowling 2015).

In each iteration every seat is the *learner* once, in a determinized state. Wherever the learner acts, each of its
actions is played out with the current strategies of all seats, and its regrets are updated. The average strategies of
the other seats are updated along the way.

How likely a hidden card is depends on its owner's actions. So every other iteration is *guided*: it determinizes the
first view that the bot remembers, replays all actions since, is weighted by the probability of the other seats'
actions, and is rejected if the bot would have observed something else. While another seat learns, only public
observations are replayed, so its strategy does not depend on what the bot holds. In games without private observations,
the strategy for any hand and the strategy for the bot's own hand are learned in two separate trees.

All functions here are rules, as in `search`.
"""

from typing import Any

import numpy as np

from sparring.engine.chance import below, unit
from sparring.engine.compilation.drivers import Driver, without_conceding
from sparring.engine.game import SPECTATOR, Game
from sparring.engine.rule import no_private_observation, record_dtype, rule

from .search import payoff_bounds_rule, private_observation_rule
from .search_trees import FIRST_OBSERVATION, append_child, child_of

#: The probability with which the learner continues with a random action, and the weight of the uniform policy in the
#: probability of an action that was actually taken.
EPSILON = 0.4
REACH_EPSILON = 0.05

#: How often a guided determinization is tried before the iteration is skipped.
MAX_RESAMPLES = 50

#: A node: `label` as in a search; the cumulative `regret` of its action; `strategy_sum`, its weight in the average
#: strategy; `gain`, its value (0 to 1) when it was last played out; and for hints the number of these playouts
#: (`visits`), the weighted sum of their values, and the sums of their weights and squared weights.
NODE = record_dtype(
    [("regret", "f8"), ("strategy_sum", "f8"), ("gain", "f8"), ("value_sum", "f8"), ("weight_sum", "f8"),
     ("weight_sq_sum", "f8"), ("label", "i4"), ("child", "i4"), ("next", "i4"), ("visits", "i4")]
)  # fmt: skip


def workspace_dtype(game: Game) -> np.dtype[Any]:
    """Return the dtype of a mixed-strategy search's workspace.

    * `g`: the search's generator; `used`: the number of nodes in use.
    * `node`: each seat's current node, 0 outside its tree; `saved`: its copy while an action is played out.
    * `actions`, `children`: the learner's actions and their nodes; `siblings`: the nodes of another seat's actions.
    * `action_child`: the node of each action, valid where `mark` equals `stamp`.
    * `weight_sums`, `run_counts`: the weights and number of guided determinizations per learner.
    * `current`: the node of the bot's own seat in the real match.
    """
    rules = game.rules
    seats, choices = rules.State.dtype["payoff"].shape[0], len(rules.ACTIONS)
    return record_dtype(
        [("g", "i8", 4), ("weight_sums", "f8", seats), ("run_counts", "f8", seats), ("used", "i4"), ("stamp", "i4"),
         ("current", "i4"), ("node", "i4", seats), ("saved", "i4", seats), ("mark", "i4", choices),
         ("action_child", "i4", choices), ("children", "i4", choices), ("siblings", "i4", choices),
         ("actions", "i2", choices)]
    )  # fmt: skip


@rule
def init_trees(nodes, ws, seats):
    """Reset the trees to their roots, which are children of node 0."""
    ws.used = 1
    ws.current = 0
    nodes[0].child = 0
    for _ in range(seats + 1):
        add_child(nodes, ws, 0, 0)
    for seat in range(seats):
        ws.weight_sums[seat] = 0.0
        ws.run_counts[seat] = 0.0


@rule
def add_child(nodes, ws, parent, label):
    """Add a new child and return it; return 0 if the array is full."""
    child = append_child(nodes, ws, parent, label)
    if child != 0:
        node = nodes[child]
        node.regret = 0.0
        node.strategy_sum = 0.0
        node.value_sum = 0.0
        node.weight_sum = 0.0
        node.weight_sq_sum = 0.0
        node.visits = 0
    return child


@rule
def descend(nodes, ws, seat, label, grow):
    """Move a seat to the child with a label. Without one, `grow` adds it, or else the seat leaves its tree."""
    if ws.node[seat]:
        child = child_of(nodes, ws.node[seat], label)
        if child == 0 and grow:
            child = add_child(nodes, ws, ws.node[seat], label)
        ws.node[seat] = child


@rule
def find_children(nodes, ws, node, out, n, children, grow):
    """Write the nodes of the `n` actions in `out` to `children`.

    Return the sum of their positive regrets, or -1.0 if one is missing; `grow` adds missing ones.
    """
    ws.stamp += 1
    child = nodes[node].child
    while child != 0:
        label = nodes[child].label
        if label >= 0:
            ws.mark[label] = ws.stamp
            ws.action_child[label] = child
        child = nodes[child].next
    total = 0.0
    for i in range(n):
        children[i] = ws.action_child[out[i]] if ws.mark[out[i]] == ws.stamp else 0
        if children[i] == 0 and grow:
            children[i] = add_child(nodes, ws, node, out[i])
        if children[i] == 0:
            return -1.0
        total += max(nodes[children[i]].regret, 0.0)
    return total


@rule
def probability(nodes, child, total, n):
    """Return the probability of a node's action by regret matching; `total` is the sum of positive regrets of all `n`.

    Uniform if no regret is positive.
    """
    return max(nodes[child].regret, 0.0) / total if total > 0.0 else 1.0 / n


@rule
def sample_child(nodes, ws, children, n, total):
    """Sample the index of an action by regret matching."""
    remaining = unit(ws.g)
    for i in range(n - 1):
        remaining -= probability(nodes, children[i], total, n)
        if remaining < 0.0:
            return i
    return n - 1


@rule
def sample_policy(nodes, ws, seat, out, n):
    """Sample the index of a seat's action by its current strategy; uniform outside its tree."""
    if ws.node[seat]:
        total = find_children(nodes, ws, ws.node[seat], out, n, ws.siblings, False)
        if total >= 0.0:
            return sample_child(nodes, ws, ws.siblings, n, total)
    return below(ws.g, n)


@rule
def add_to_average(nodes, children, n, total, weight):
    """Add the current strategy, times `weight`, to the average strategy."""
    for i in range(n):
        nodes[children[i]].strategy_sum += weight * probability(nodes, children[i], total, n)


@rule
def update_regrets(nodes, children, n, total, weight):
    """Update the regret of each action; regrets never fall below 0 (regret matching+, Tammelin 2014)."""
    expected = 0.0
    for i in range(n):
        expected += probability(nodes, children[i], total, n) * nodes[children[i]].gain
    for i in range(n):
        child = nodes[children[i]]
        child.regret = max(child.regret + weight * (child.gain - expected), 0.0)


@rule
def update_values(nodes, children, n, weight):
    """Add each action's value to the sums from which hints are read."""
    for i in range(n):
        child = nodes[children[i]]
        child.value_sum += weight * child.gain
        child.weight_sum += weight
        child.weight_sq_sum += weight * weight
        child.visits += 1


@rule
def sample_average(nodes, ws, node, out, n):
    """Sample an action from the average strategy at a node; return -1 if there is none yet."""
    if node == 0 or find_children(nodes, ws, node, out, n, ws.siblings, False) < 0.0:
        return -1
    total = 0.0
    for i in range(n):
        total += nodes[ws.siblings[i]].strategy_sum
    if total == 0.0:
        return -1
    remaining = unit(ws.g) * total
    for i in range(n - 1):
        remaining -= nodes[ws.siblings[i]].strategy_sum
        if remaining < 0.0:
            return out[i]
    return out[n - 1]


def tree_rules(game: Game) -> tuple[Driver, Driver]:
    """Return two rules: `begin` moves every seat to its root; `apply_action` takes an action and moves every seat."""
    step, observe_action, observe = game.rules.step, game.rules.observe_action, private_observation_rule(game)

    def observe_privately(params, work, raw, nodes, ws, s, grow):
        for seat in range(s.seats):
            if ws.node[seat]:
                observation = observe(params, work, raw, s, seat)
                if observation:
                    descend(nodes, ws, seat, FIRST_OBSERVATION - observation, grow)

    observe_privately = rule(observe_privately)

    def begin(params, work, raw, nodes, ws, s, observer, root):
        for seat in range(s.seats):
            ws.node[seat] = root if root and seat == observer else 1 + seat
        observe_privately(params, work, raw, nodes, ws, s, True)

    def apply_action(params, work, raw, nodes, ws, s, action, grow):
        for seat in range(s.seats):
            descend(nodes, ws, seat, action if seat == s.player else observe_action(params, s, action, seat), grow)
        step(params, s, action)
        if not s.over:
            observe_privately(params, work, raw, nodes, ws, s, grow)

    return rule(begin), rule(apply_action)


def guided_determinization_rule(game: Game) -> Driver:
    """Return a rule that determinizes the first remembered view in `work[1]` and replays all actions since.

    It returns the probability of the other seats' actions, or 0.0 if `observer` would have observed something else.
    `root` is the root of the observer's tree (0: the usual one). `memory` holds the observer's views before each action
    and now, `memory_raw` the same memory as bytes, and `observed` what the observer saw of each action.
    """
    legal, determinize, observe_action, redact = (
        game.rules.legal,
        game.rules.determinize,
        game.rules.observe_action,
        game.rules.redact,
    )
    keep = without_conceding(game)
    begin, apply_action = tree_rules(game)

    def same_bytes(raw, index, other_raw, other_index):
        for i in range(raw.shape[1]):
            if raw[index, i] != other_raw[other_index, i]:
                return False
        return True

    same_bytes = rule(same_bytes)

    def determinize_guided(params, work, raw, out, nodes, ws, observer, root, learner, memory, memory_raw, observed):
        s, last = work[1], len(work) - 1
        work[1] = memory[0]
        determinize(params, s, observer, ws.g)
        begin(params, work, raw, nodes, ws, s, observer, root)
        weight = 1.0
        for moment in range(len(observed)):
            player, action = s.player, observed[moment]
            n = legal(params, s, out)
            if action < 0:
                n = keep(out, n)
                action = out[sample_policy(nodes, ws, player, out, n)]
                if observe_action(params, s, action, observer) != observed[moment]:
                    return 0.0
            elif player != learner:
                weight *= reach_probability(nodes, ws, player, out, n, action)
            apply_action(params, work, raw, nodes, ws, s, action, True)
            work[last] = s
            redact(params, work[last], observer)
            if weight == 0.0 or not same_bytes(raw, last, memory_raw, moment + 1):
                return 0.0
        return weight

    return rule(determinize_guided)


@rule
def reach_probability(nodes, ws, seat, out, n, action):
    """Return the probability with which a seat takes an action, mixed with the uniform policy; 0.0 if it is illegal."""
    index = -1
    for i in range(n):
        if out[i] == action:
            index = i
    if index < 0:
        return 0.0
    if ws.node[seat]:
        total = find_children(nodes, ws, ws.node[seat], out, n, ws.siblings, False)
        if total >= 0.0:
            return (1.0 - REACH_EPSILON) * probability(nodes, ws.siblings[index], total, n) + REACH_EPSILON / n
    return 1.0 / n


def action_value_rule(game: Game) -> Driver:
    """Return a rule for a seat's payoff when it takes an action in `work[1]` and all seats then play their strategies.

    It plays in `work[2]` and restores each seat's current node.
    """
    legal, keep = game.rules.legal, without_conceding(game)
    _, apply_action = tree_rules(game)

    def action_value(params, work, raw, out, nodes, ws, seat, action):
        work[2] = work[1]
        s = work[2]
        for other in range(s.seats):
            ws.saved[other] = ws.node[other]
        apply_action(params, work, raw, nodes, ws, s, action, False)
        while not s.over:
            n = keep(out, legal(params, s, out))
            apply_action(params, work, raw, nodes, ws, s, out[sample_policy(nodes, ws, s.player, out, n)], False)
        for other in range(s.seats):
            ws.node[other] = ws.saved[other]
        return s.payoff[seat]

    return rule(action_value)


def mixed_search_rule(game: Game) -> Driver:
    """Return a rule that runs `iterations` iterations, numbered from `first`.

    It returns how many guided determinizations failed. `seat` is the bot's seat. `work` has three records and a spare
    one, and `raw` is its memory as bytes. `memory`, `memory_raw` and `observed` are as in
    `guided_determinization_rule`; `public`, `public_raw` and `public_observed` are the same for a spectator.
    """
    legal, determinize, keep = game.rules.legal, game.rules.determinize, without_conceding(game)
    begin, apply_action, payoff_bounds = *tree_rules(game), payoff_bounds_rule(game)
    determinize_guided, action_value = guided_determinization_rule(game), action_value_rule(game)
    split = 1 if getattr(game.rules, "private_observation", None) is no_private_observation else 0

    def learn(params, work, raw, out, nodes, ws, learner, node, n, total, weight):
        for i in range(n):
            ws.actions[i] = out[i]
        low, width = payoff_bounds(work[1].seats)
        for i in range(n):
            gain = action_value(params, work, raw, out, nodes, ws, learner, ws.actions[i])
            nodes[ws.children[i]].gain = (gain - low) / width
        index = below(ws.g, n) if unit(ws.g) < EPSILON else sample_child(nodes, ws, ws.children, n, total)
        update_regrets(nodes, ws.children, n, total, weight)
        update_values(nodes, ws.children, n, weight)
        return ws.actions[index]

    learn = rule(learn)

    def play_out(params, work, raw, out, nodes, ws, learner, weight, iteration):
        s = work[1]
        while not s.over and ws.node[learner]:
            n = keep(out, legal(params, s, out))
            player = s.player
            node = ws.node[player]
            is_new = node != 0 and nodes[node].child == 0
            total = find_children(nodes, ws, node, out, n, ws.children, True) if node else -1.0
            if total < 0.0:
                action = out[below(ws.g, n)]
            else:
                if player != learner or node == ws.current:
                    add_to_average(nodes, ws.children, n, total, weight * iteration)
                if player == learner and n > 1:
                    action = learn(params, work, raw, out, nodes, ws, learner, node, n, total, weight)
                else:
                    action = out[sample_child(nodes, ws, ws.children, n, total)]
            apply_action(params, work, raw, nodes, ws, s, action, True)
            if is_new:
                ws.node[player] = 0

    play_out = rule(play_out)

    def search_iterations(
        params, work, raw, out, nodes, ws, seat, memory, memory_raw, observed, public, public_raw, public_observed,
        first, iterations,
    ):  # fmt: skip
        s, seats = work[1], memory[0].seats
        failures, private_root = 0, split * (seats + 1)
        for iteration in range(first, first + iterations):
            for learner in range(seats):
                weight = 1.0
                if iteration % 2 and (len(observed) or learner == seat):
                    for _ in range(MAX_RESAMPLES):
                        if learner == seat:
                            weight = determinize_guided(
                                params, work, raw, out, nodes, ws, seat, private_root, learner,
                                memory, memory_raw, observed,
                            )  # fmt: skip
                        else:
                            weight = determinize_guided(
                                params, work, raw, out, nodes, ws, SPECTATOR, 0, learner,
                                public, public_raw, public_observed,
                            )  # fmt: skip
                        if weight > 0.0:
                            break
                    if weight == 0.0:
                        failures += 1
                        continue
                    ws.weight_sums[learner] += weight
                    ws.run_counts[learner] += 1.0
                    weight *= ws.run_counts[learner] / ws.weight_sums[learner]
                    if learner == seat:
                        ws.current = ws.node[seat]
                else:
                    work[1] = public[0]
                    determinize(params, s, SPECTATOR, ws.g)
                    begin(params, work, raw, nodes, ws, s, SPECTATOR, 0)
                play_out(params, work, raw, out, nodes, ws, learner, weight, iteration + 1.0)
        return failures

    return rule(search_iterations)
