"""Fit a policy prior to the visit counts of a long search.

A network with one hidden layer predicts the visit shares of the legal choices from a seat's features (Silver et al.
2017). It is fitted by L-BFGS. A new prior is kept only if it predicts held-out matches better than uniform choice and
better than the prior that guided their search.
"""

from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, NamedTuple

import numpy as np

from sparring.bots.evaluation import PRIOR_UNITS
from sparring.bots.value_models import PolicyPrior

from .self_play import WHOLE, Array, PolicySamples, ProgressGenerator, ProgressPart

#: The strength of L2 regularization, and the maximum number of L-BFGS steps.
L2, STEPS = 3e-5, 200
#: The interval between progress reports (seconds).
PROGRESS_INTERVAL = 0.25


class FittedPrior(NamedTuple):
    """A prior (or None) with its held-out cross-entropy and that of uniform choice."""

    prior: PolicyPrior | None
    loss: float
    uniform_loss: float


def fit_prior(
    samples: PolicySamples,
    held_out: Array,
    choices: int,
    random_state: int,
    part: ProgressPart = WHOLE,
    before: PolicyPrior | None = None,
) -> ProgressGenerator[FittedPrior]:
    """Fit a prior over `choices` actions and yield progress.

    `held_out` is a mask of the samples for validation, `part` the share of the whole work. `before` is the existing
    prior, which is kept if the new one is no better.
    """
    training_batch, held_out_batch = _PolicyBatch(samples.part(~held_out)), _PolicyBatch(samples.part(held_out))
    shape = _WeightShape(samples.features.shape[1], choices)
    initial = np.random.default_rng(random_state).normal(0, 0.05, shape.size)
    prior = shape.split((yield from _fitted(training_batch, shape, initial, part)))
    best = min([before, prior] if before else [prior], key=held_out_batch.loss)
    loss, uniform_loss = held_out_batch.loss(best), held_out_batch.uniform_loss()
    return FittedPrior(best if loss < uniform_loss else None, loss, uniform_loss)


def _fitted(
    training_batch: "_PolicyBatch", shape: "_WeightShape", weights: Array, part: ProgressPart
) -> ProgressGenerator[Array]:
    """Return the regularized maximum-likelihood weights.

    SciPy fits in a single call, which runs in a thread while this generator reports the steps.
    """
    from scipy.optimize import minimize
    from threadpoolctl import threadpool_limits

    steps, cancelled = 0, False

    def step(intermediate_result: Any) -> None:
        nonlocal steps
        steps += 1
        if cancelled:
            raise StopIteration

    with threadpool_limits(1), ThreadPoolExecutor(1) as pool:  # on one core, as `training` fits its models
        fit = pool.submit(
            minimize, training_batch.gradient, weights, (shape,), "L-BFGS-B", jac=True, callback=step,
            options={"maxiter": STEPS, "maxcor": 20},
        )  # fmt: skip
        try:
            while not wait([fit], PROGRESS_INTERVAL).done:
                yield part.progress(steps / STEPS)
        finally:
            cancelled = True
    return np.asarray(fit.result().x, np.float32)


class _WeightShape(NamedTuple):
    value_features: int
    choices: int

    @property
    def size(self) -> int:
        return (self.value_features + 1 + self.choices) * PRIOR_UNITS + self.choices

    def split(self, weights: Array) -> PolicyPrior:
        """Split a flat weight vector into the arrays of a prior."""
        ends = np.cumsum([self.value_features * PRIOR_UNITS, PRIOR_UNITS, self.choices * PRIOR_UNITS])
        hidden_weights, hidden_bias, action_weights, action_bias = np.split(weights, ends)
        hidden_weights, action_weights = (each.reshape(-1, PRIOR_UNITS) for each in (hidden_weights, action_weights))
        return PolicyPrior(hidden_weights, hidden_bias, action_weights, action_bias)


class _PolicyBatch:
    """Samples with their legal choices in flat arrays: the sample, the action and the visit share of each choice."""

    def __init__(self, samples: PolicySamples) -> None:
        is_legal = samples.choices >= 0
        shares = samples.visits / samples.visits.sum(axis=1, keepdims=True)
        self.features, self.shares = samples.features.astype(np.float32), shares[is_legal].astype(np.float32)
        self.sample_of, self.actions = np.nonzero(is_legal)[0], samples.choices[is_legal].astype(np.int64)
        self.first_choice = np.searchsorted(self.sample_of, np.arange(len(self.features)))
        #: The order of the choices sorted by action, the distinct actions, and where each begins.
        self.by_action = np.argsort(self.actions, kind="stable")
        self.distinct_actions, self.action_starts = np.unique(self.actions[self.by_action], return_index=True)

    def log_probabilities(self, prior: PolicyPrior) -> tuple[Array, Array]:
        """Return the hidden units of each sample and the log probability of each choice."""
        policy_hidden = np.maximum(self.features @ prior.hidden_weights + prior.hidden_bias, 0)
        logits = (
            np.einsum("ij,ij->i", policy_hidden[self.sample_of], prior.action_weights[self.actions])
            + prior.action_bias[self.actions]
        )
        logits -= np.maximum.reduceat(logits, self.first_choice)[self.sample_of]
        return policy_hidden, logits - np.log(np.add.reduceat(np.exp(logits), self.first_choice))[self.sample_of]

    def loss(self, prior: PolicyPrior) -> float:
        """Return the mean cross-entropy of a prior."""
        return float(-(self.shares * self.log_probabilities(prior)[1]).sum() / len(self.features))

    def uniform_loss(self) -> float:
        """Return the mean cross-entropy of uniform choice."""
        return float(np.log(np.bincount(self.sample_of)).mean())

    def gradient(self, weights: Array, shape: _WeightShape) -> tuple[float, Array]:
        """Return the regularized loss and its gradient."""
        prior = shape.split(weights.astype(np.float32))
        policy_hidden, logs = self.log_probabilities(prior)
        error = (np.exp(logs) - self.shares) / len(self.features)
        action_weights = np.zeros_like(prior.action_weights)
        action_weights[self.distinct_actions] = np.add.reduceat(
            (error[:, None] * policy_hidden[self.sample_of])[self.by_action], self.action_starts
        )
        into_units = np.add.reduceat(error[:, None] * prior.action_weights[self.actions], self.first_choice) * (
            policy_hidden > 0
        )
        gradients = (
            self.features.T @ into_units,
            into_units.sum(axis=0),
            action_weights,
            np.bincount(self.actions, error, shape.choices),
        )
        loss = -(self.shares * logs).sum() / len(self.features) + L2 * (weights @ weights) / 2
        return float(loss), np.concatenate([gradient.ravel() for gradient in gradients]).astype(float) + L2 * weights
