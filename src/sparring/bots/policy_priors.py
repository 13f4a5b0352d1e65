"""Policy priors as rules: the probability of each action from the features of a seat's view.

A policy prior is a network with one hidden layer over `value_features`, trained on the visit counts of searches. A
search tries likely actions first, and unlikely ones only if those disappoint (PUCT; Rosin 2011, Silver et al. 2017).
"""

from math import exp

from sparring.engine.compilation.drivers import Driver
from sparring.engine.game import Game
from sparring.engine.rule import rule

from .evaluation import PRIOR_UNITS, value_features_of


def policy_fields(game: Game) -> list[tuple[str, str, int]]:
    """Return the workspace fields of a policy prior: the probability of each action in `out`, and the hidden units."""
    return [("policy", "f8", len(game.rules.ACTIONS)), ("policy_hidden", "f8", PRIOR_UNITS)]


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
        for unit in range(PRIOR_UNITS):
            ws.policy_hidden[unit] = params.policy_bias[unit]
        for place in range(params.policy_feature_count):
            i = params.policy_feature_index[place]
            if ws.features[i] != 0.0:
                for unit in range(PRIOR_UNITS):
                    ws.policy_hidden[unit] += params.policy_weights[i, unit] * ws.features[i]
        highest = -1e30
        for i in range(n):
            logit = float(params.action_bias[out[i]])
            for unit in range(PRIOR_UNITS):
                if ws.policy_hidden[unit] > 0.0:
                    logit += params.action_weights[out[i], unit] * ws.policy_hidden[unit]
            ws.policy[i] = logit
            highest = max(highest, logit)
        total = 0.0
        for i in range(n):
            ws.policy[i] = exp(ws.policy[i] - highest)
            total += ws.policy[i]
        for i in range(n):
            ws.policy[i] /= total

    return rule(write_policy)
