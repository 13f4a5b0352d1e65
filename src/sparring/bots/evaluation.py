"""The search parameters, the value model and the policy prior as rules.

The value model gives each seat a logit from what that seat knows (`value_features` of its view): a linear term plus one
layer of hidden units. A softmax over the seats turns the logits into expected returns that sum to 1. So the evaluation
of a determinized state uses everything in that state, while each weight is trained on what one seat can know.

A policy prior is a network with one hidden layer over `value_features`, trained on the visit counts of searches. A
search tries likely actions first, and unlikely ones only if those disappoint (PUCT; Rosin 2011, Silver et al. 2017).
"""

from functools import cache
from math import exp, sqrt
from typing import Any

import numpy as np

from sparring.engine.compilation.drivers import Driver
from sparring.engine.game import Game
from sparring.engine.rule import record_dtype, rule
from sparring.engine.vectors import dot, layer, narrow, padded

#: The maximum number of hidden units of a value model.
MAX_HIDDEN_UNITS = 16

#: The number of hidden units of a policy prior.
PRIOR_UNITS = 32

#: The exploration constant for returns from 0 to 1; chosen by measurement (docs/strength.md).
EXPLORATION = 0.7

#: The exploration constant with a value model, in standard deviations of the returns.
EXPLORATION_WITH_MODEL = 2.0

#: The exploration constant in games with payoffs in units, in standard deviations of an action's own returns, per
#: square root of the number of iterations. However long the search runs, simulated opponents then keep making
#: mistakes: the less a mistake costs, the more often. A best response to such opponents is harder to exploit
#: (docs/strength.md).
EXPLORATION_IN_UNITS = 0.04

#: The number of iterations assumed for a time budget.
TIMED_ITERATIONS = 1000


def value_features_of(game: Game) -> tuple[int, Driver]:
    """Return the number of value features and the rule that writes them: `value_features`, or else `features`."""
    rules: Any = game.rules
    if hasattr(rules, "value_features"):
        return rules.VALUE_FEATURES, rules.value_features
    return rules.FEATURES, rules.features


def quiescence_rule(game: Game) -> Driver:
    """Return a rule that says whether the value model can evaluate a full state with `n` legal actions.

    With a policy prior, the game's `is_quiescent` decides if there is one; otherwise every state with a choice can be
    evaluated.
    """
    is_quiescent: Any = getattr(game.rules, "is_quiescent", None)
    if is_quiescent is not None:

        def can_evaluate(params, s, n, settings):
            return is_quiescent(params, s) if settings.has_prior else n > 1
    else:

        def can_evaluate(params, s, n, settings):
            return n > 1

    return rule(can_evaluate)


@cache
def settings_dtype(game: Game) -> np.dtype[Any]:
    """Return the dtype of the search parameters.

    * `exploration`: the exploration constant; with `per_action`, in standard deviations of each action's own returns,
      otherwise as `selection.exploration_of` says.
    * `discount`: the factor per action by which returns shrink toward a draw (`Game.discount`).
    * `evaluates`: whether the value model evaluates leaves, after `rollout` further actions; otherwise they are played
      out.
    * `stops_early`: whether the search stops once the most visited action can no longer change.
    * `max_depth`: the maximum depth of the trees in actions; 0: no limit.
    * `linear`, `hidden_weights`, `hidden_bias`, `output_weights`: the weights of the value model; `hidden_units`: the
      number of its hidden units, 0 for a linear model.
    * `has_prior`: whether there is a policy prior. Its weights are `policy_weights` and `policy_bias` (from features to
      hidden units), then `action_weights` and `action_bias` (from hidden units to actions).

    Weights of features are padded with zeros to whole vectors (see `engine.vectors`).
    """
    features, choices = padded(value_features_of(game)[0]), len(game.rules.ACTIONS)
    return record_dtype(
        [
            ("exploration", "f8"),
            ("discount", "f8"),
            ("linear", "f4", features),
            ("hidden_weights", "f4", (features, MAX_HIDDEN_UNITS)),
            ("hidden_bias", "f4", MAX_HIDDEN_UNITS),
            ("output_weights", "f4", MAX_HIDDEN_UNITS),
            ("evaluates", "i4"),
            ("rollout", "i4"),
            ("stops_early", "i4"),
            ("per_action", "i4"),
            ("max_depth", "i4"),
            ("hidden_units", "i4"),
            ("has_prior", "i4"),
            ("policy_weights", "f4", (features, PRIOR_UNITS)),
            ("policy_bias", "f4", PRIOR_UNITS),
            ("action_weights", "f4", (choices, PRIOR_UNITS)),
            ("action_bias", "f4", choices),
        ]
    )


def blank_settings(game: Game, count: int) -> np.ndarray[Any, Any]:
    """Return the parameters of `count` searches that play simulated matches out, without a value model."""
    settings = np.zeros(count, settings_dtype(game))
    settings["exploration"] = exploration_constant(game, TIMED_ITERATIONS)
    settings["per_action"] = game.payoffs is not None
    settings["discount"] = 1.0
    return settings


def exploration_constant(game: Game, iterations: int) -> float:
    """Return the exploration constant of a search without a value model."""
    return EXPLORATION if game.payoffs is None else EXPLORATION_IN_UNITS * sqrt(iterations)


@rule
def value_logit(settings, ws):
    """Return the value logit of a seat from its features in `ws.inputs`."""
    total = dot(settings.linear, ws.inputs)
    if settings.hidden_units:
        layer(ws.hidden, settings.hidden_bias, settings.hidden_weights, ws.inputs)
        total += dot(settings.output_weights, ws.hidden)
    return total


def evaluation_rule(game: Game) -> Driver:
    """Return a rule that writes each seat's expected return (0 to 1, summing to 1) to `ws.returns`.

    The full state `s` must not be over. The last record of `work` is scratch space.
    """
    redact = game.rules.redact
    _, value_features = value_features_of(game)

    def evaluate(params, work, s, ws, settings):
        last = len(work) - 1
        highest = -1e30
        for seat in range(s.seats):
            work[last] = s
            redact(params, work[last], seat)
            value_features(params, work[last], seat, ws.features)
            narrow(ws.inputs, ws.features)
            ws.returns[seat] = value_logit(settings, ws)
            highest = max(highest, ws.returns[seat])
        total = 0.0
        for seat in range(s.seats):
            ws.returns[seat] = exp(ws.returns[seat] - highest)
            total += ws.returns[seat]
        for seat in range(s.seats):
            ws.returns[seat] /= total

    return rule(evaluate)


def policy_fields(game: Game) -> list[tuple[str, str, int]]:
    """Return the workspace fields of a policy prior: the probability of each action in `out`, and the hidden units."""
    return [("policy", "f8", len(game.rules.ACTIONS)), ("policy_hidden", "f4", PRIOR_UNITS)]


def policy_rule(game: Game) -> Driver:
    """Return a rule that writes the prior probabilities of the `n` actions in `out` to `ws.policy`, in the same order.

    `s` is a full state, of which only the view of `seat` is used; the last record of `work` is scratch space.
    """
    redact = game.rules.redact
    _, value_features = value_features_of(game)

    def write_policy(params, work, s, ws, settings, out, n, seat):
        last = len(work) - 1
        work[last] = s
        redact(params, work[last], seat)
        value_features(params, work[last], seat, ws.features)
        narrow(ws.inputs, ws.features)
        layer(ws.policy_hidden, settings.policy_bias, settings.policy_weights, ws.inputs)
        highest = -1e30
        for i in range(n):
            ws.policy[i] = float(settings.action_bias[out[i]]) + dot(settings.action_weights[out[i]], ws.policy_hidden)
            highest = max(highest, ws.policy[i])
        total = 0.0
        for i in range(n):
            ws.policy[i] = exp(ws.policy[i] - highest)
            total += ws.policy[i]
        for i in range(n):
            ws.policy[i] /= total

    return rule(write_policy)
