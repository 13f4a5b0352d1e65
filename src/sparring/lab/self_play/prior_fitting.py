"""Learn what good players choose, from what a search tried most often: the prior of a judgement.

A search that thinks long has tried the choices before it more or less often; a network of one layer learns to tell
these shares from what the seat knows, among the choices that there were (Silver et al. 2017). It is fitted by L-BFGS,
and some matches are held out: a prior that foretells these no better than drawing lots is none, nor one that
foretells them no better than the one by which they were played.
"""

from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, NamedTuple

import numpy as np

from sparring.bots.evaluation import PRIOR_UNITS
from sparring.bots.value_models import PolicyPrior

from .generation import WHOLE, Array, Course, PolicySamples, ProgressPart

#: How strongly weights are held back, and how many steps of the fit are made at most.
HELD_BACK, STEPS = 3e-5, 200
#: How often it is told how far the fit has come (seconds).
PORTION = 0.25


class FittedPrior(NamedTuple):
    """A prior, if there is one, and its mean cross entropy in matches that it has not seen, beside that of lots."""

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
) -> Course[FittedPrior]:
    """What foretells which of so many `choices` are made, learned from matches that are not held out.

    `held_out`: which questions are of those that are, and measure it; `part`: what part this is of what is to be done;
    `before`: the prior that there is, which stays if the new one is no better.
    """
    known, unknown = _PolicyBatch(asked.part(~held_out)), _PolicyBatch(asked.part(held_out))
    shape = _WeightShape(asked.seen.shape[1], choices)
    begin = np.random.default_rng(random_state).normal(0, 0.05, shape.size)
    prior = shape.split((yield from _fitted(known, shape, begin, part)))
    best = min([before, prior] if before else [prior], key=unknown.loss)
    loss, lots = unknown.loss(best), unknown.loss_of_lots()
    return FittedPrior(best if loss < lots else None, loss, lots)


def _fitted(known: "_PolicyBatch", shape: "_WeightShape", weights: Array, part: ProgressPart) -> Course[Array]:
    """The weights of which the questions are most likely.

    SciPy fits them in one go, so it does that in a thread, and how many steps it has made is told meanwhile.
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
                yield part.told(steps / STEPS)
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
        """The weights, each where it belongs."""
        ends = np.cumsum([self.value_features * PRIOR_UNITS, PRIOR_UNITS, self.choices * PRIOR_UNITS])
        into, bias, rows, own = np.split(weights, ends)
        return PolicyPrior(into.reshape(-1, PRIOR_UNITS), bias, rows.reshape(-1, PRIOR_UNITS), own)


class _PolicyBatch:
    """Questions with all their choices in a row, and what share of the tries each had."""

    def __init__(self, asked: PolicySamples) -> None:
        there = asked.choices >= 0
        shares = asked.tries / asked.tries.sum(axis=1, keepdims=True)
        self.seen, self.shares = asked.seen.astype(np.float32), shares[there].astype(np.float32)
        self.number, self.choice = np.nonzero(there)[0], asked.choices[there].astype(np.int64)
        self.first = np.searchsorted(self.number, np.arange(len(self.seen)))
        #: The same choices one after the other, and where each begins.
        self.sorted = np.argsort(self.choice, kind="stable")
        self.kinds, self.begins = np.unique(self.choice[self.sorted], return_index=True)

    def told(self, prior: PolicyPrior) -> tuple[Array, Array]:
        """What the hidden units say of each question, and the logarithm of how likely each choice is."""
        stirred = np.maximum(self.seen @ prior.into + prior.bias, 0)
        told = np.einsum("ij,ij->i", stirred[self.number], prior.rows[self.choice]) + prior.own[self.choice]
        told -= np.maximum.reduceat(told, self.first)[self.number]
        return stirred, told - np.log(np.add.reduceat(np.exp(told), self.first))[self.number]

    def loss(self, prior: PolicyPrior) -> float:
        """The mean cross entropy."""
        return float(-(self.shares * self.told(prior)[1]).sum() / len(self.seen))

    def loss_of_lots(self) -> float:
        """The same of who holds all choices equally likely."""
        return float(np.log(np.bincount(self.number)).mean())

    def slope(self, weights: Array, shape: _WeightShape) -> tuple[float, Array]:
        """The loss of these weights, with what holds them back, and its gradient."""
        prior = shape.split(weights.astype(np.float32))
        stirred, told = self.told(prior)
        error = (np.exp(told) - self.shares) / len(self.seen)
        rows = np.zeros_like(prior.rows)
        rows[self.kinds] = np.add.reduceat((error[:, None] * stirred[self.number])[self.sorted], self.begins)
        into_units = np.add.reduceat(error[:, None] * prior.rows[self.choice], self.first) * (stirred > 0)
        slopes = self.seen.T @ into_units, into_units.sum(axis=0), rows, np.bincount(self.choice, error, shape.choices)
        loss = -(self.shares * told).sum() / len(self.seen) + HELD_BACK * (weights @ weights) / 2
        return float(loss), np.concatenate([slope.ravel() for slope in slopes]).astype(float) + HELD_BACK * weights
