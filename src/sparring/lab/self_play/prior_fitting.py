"""Fit a policy prior to the visit counts of a long search.

A network with one hidden layer predicts the visit shares of the legal choices from a seat's features (Silver et al.
2017), fitted by L-BFGS. A new prior is kept only if it predicts held-out matches better than uniform choice and better
than the prior that guided their search.
"""

from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, NamedTuple

import numpy as np

from sparring.bots.evaluation import PRIOR_UNITS
from sparring.bots.value_models import PolicyPrior

from .generation import WHOLE, Array, PolicySamples, ProgressGenerator, ProgressPart

#: L2 regularization, and the most L-BFGS steps.
L2, STEPS = 3e-5, 200
#: The interval between progress reports (seconds).
PORTION = 0.25


class FittedPrior(NamedTuple):
    """A prior (or None) with its held-out cross entropy and that of uniform choice."""

    prior: PolicyPrior | None
    loss: float
    loss_of_lots: float


def learning(
    asked: PolicySamples,
    held_out: Array,
    choices: int,
    random_state: int,
    part: ProgressPart = WHOLE,
    before: PolicyPrior | None = None,
) -> ProgressGenerator[FittedPrior]:
    """Fit a prior over `choices` actions.

    `held_out` masks the samples for validation; `part` is the place in the whole work; `before` is the existing prior,
    which stays if the new one is no better.
    """
    known, unknown = _PolicyBatch(asked.part(~held_out)), _PolicyBatch(asked.part(held_out))
    shape = _WeightShape(asked.features.shape[1], choices)
    begin = np.random.default_rng(random_state).normal(0, 0.05, shape.size)
    prior = shape.split((yield from _fitted(known, shape, begin, part)))
    best = min([before, prior] if before else [prior], key=unknown.loss)
    loss, lots = unknown.loss(best), unknown.loss_of_lots()
    return FittedPrior(best if loss < lots else None, loss, lots)


def _fitted(
    known: "_PolicyBatch", shape: "_WeightShape", weights: Array, part: ProgressPart
) -> ProgressGenerator[Array]:
    """Return the maximum-likelihood weights.

    SciPy fits in one call, so it runs in a thread while this generator reports its steps.
    """
    from scipy.optimize import minimize
    from threadpoolctl import threadpool_limits

    steps, given_up = 0, False

    def step(intermediate_result: Any) -> None:
        nonlocal steps
        steps += 1
        if given_up:
            raise StopIteration

    with threadpool_limits(1), ThreadPoolExecutor(1) as pool:  # on one core, as `training` fits its models
        fit = pool.submit(
            minimize, known.slope, weights, (shape,), "L-BFGS-B", jac=True, callback=step,
            options={"maxiter": STEPS, "maxcor": 20},
        )  # fmt: skip
        try:
            while not wait([fit], PORTION).done:
                yield part.progress(steps / STEPS)
        finally:
            given_up = True
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
        into, bias, rows, own = np.split(weights, ends)
        return PolicyPrior(into.reshape(-1, PRIOR_UNITS), bias, rows.reshape(-1, PRIOR_UNITS), own)


class _PolicyBatch:
    """Samples with their choices flattened, and the visit share of each choice."""

    def __init__(self, asked: PolicySamples) -> None:
        there = asked.choices >= 0
        shares = asked.visits / asked.visits.sum(axis=1, keepdims=True)
        self.seen, self.shares = asked.features.astype(np.float32), shares[there].astype(np.float32)
        self.number, self.choice = np.nonzero(there)[0], asked.choices[there].astype(np.int64)
        self.first = np.searchsorted(self.number, np.arange(len(self.seen)))
        #: The choices sorted by action, and where each action begins.
        self.sorted = np.argsort(self.choice, kind="stable")
        self.kinds, self.begins = np.unique(self.choice[self.sorted], return_index=True)

    def log_probabilities(self, prior: PolicyPrior) -> tuple[Array, Array]:
        """Return the hidden units of each sample and the log probability of each choice."""
        policy_hidden = np.maximum(self.seen @ prior.hidden_weights + prior.hidden_bias, 0)
        told = (
            np.einsum("ij,ij->i", policy_hidden[self.number], prior.action_weights[self.choice])
            + prior.action_bias[self.choice]
        )
        told -= np.maximum.reduceat(told, self.first)[self.number]
        return policy_hidden, told - np.log(np.add.reduceat(np.exp(told), self.first))[self.number]

    def loss(self, prior: PolicyPrior) -> float:
        """Return the mean cross entropy of a prior."""
        return float(-(self.shares * self.log_probabilities(prior)[1]).sum() / len(self.seen))

    def loss_of_lots(self) -> float:
        """Return the mean cross entropy of uniform choice."""
        return float(np.log(np.bincount(self.number)).mean())

    def slope(self, weights: Array, shape: _WeightShape) -> tuple[float, Array]:
        """Return the regularized loss and its gradient."""
        prior = shape.split(weights.astype(np.float32))
        policy_hidden, logs = self.log_probabilities(prior)
        error = (np.exp(logs) - self.shares) / len(self.seen)
        rows = np.zeros_like(prior.action_weights)
        rows[self.kinds] = np.add.reduceat((error[:, None] * policy_hidden[self.number])[self.sorted], self.begins)
        into_units = np.add.reduceat(error[:, None] * prior.action_weights[self.choice], self.first) * (
            policy_hidden > 0
        )
        slopes = self.seen.T @ into_units, into_units.sum(axis=0), rows, np.bincount(self.choice, error, shape.choices)
        loss = -(self.shares * logs).sum() / len(self.seen) + L2 * (weights @ weights) / 2
        return float(loss), np.concatenate([slope.ravel() for slope in slopes]).astype(float) + L2 * weights
