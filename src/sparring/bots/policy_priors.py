"""Policy priors as rules: the probability of each action from the features of a seat's view.

A policy prior is a network with one hidden layer over `value_features`, trained on the visit counts of searches. A
search tries likely actions first, and unlikely ones only if those disappoint (PUCT; Rosin 2011, Silver et al. 2017).
"""

from math import exp

from sparring.engine.compilation.drivers import Driver
from sparring.engine.game import Game
from sparring.engine.rule import rule
from sparring.engine.vectors import dot, layer, narrow

from .evaluation import PRIOR_UNITS, value_features_of


def policy_fields(game: Game) -> list[tuple[str, str, int]]:
    """Return the workspace fields of a policy prior: the probability of each action in `out`, and the hidden units."""
    return [("policy", "f8", len(game.rules.ACTIONS)), ("policy_hidden", "f4", PRIOR_UNITS)]


def policy_rule(game: Game) -> Driver:
    """Return a rule that writes the prior probabilities of the `n` actions in `out` to `ws.policy`, in the same order.

    `s` is a full state, of which only the view of `seat` is used; the last record of `work` is scratch space.
    """
    redact = game.rules.redact
    _, value_features = value_features_of(game)

    def write_policy(kit, work, s, ws, params, out, n, seat):
        last = len(work) - 1
        work[last] = s
        redact(kit, work[last], seat)
        value_features(kit, work[last], seat, ws.features)
        narrow(ws.inputs, ws.features)
        layer(ws.policy_hidden, params.policy_bias, params.policy_weights, ws.inputs)
        highest = -1e30
        for i in range(n):
            ws.policy[i] = float(params.action_bias[out[i]]) + dot(params.action_weights[out[i]], ws.policy_hidden)
            highest = max(highest, ws.policy[i])
        total = 0.0
        for i in range(n):
            ws.policy[i] = exp(ws.policy[i] - highest)
            total += ws.policy[i]
        for i in range(n):
            ws.policy[i] /= total

    return rule(write_policy)
