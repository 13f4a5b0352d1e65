"""Train a value model and a policy prior by self-play.

The first round is random play. Each later round is played by a search that uses the value model of the previous round,
with occasional random choices for exploration. The target of a position is the final return; from the second round on,
it is the mean of the final return and the search value. Every fifth match is held out for validation; the model with
the lowest held-out loss is kept, linear or with hidden units. Finally, some matches are searched ten times as long, and
their visit counts train the policy prior (`prior_fitting`).
"""

import warnings
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from sparring.bots.evaluation import EXPLORATION_WITH_MODEL, MAX_HIDDEN_UNITS
from sparring.bots.value_models import ValueModel
from sparring.engine.errors import BadOption
from sparring.engine.game import Game, GameSetup
from sparring.engine.plugins import MissingExtra

from . import prior_fitting
from .self_play import (
    HELD_OUT,
    Array,
    ProgressCallback,
    ProgressGenerator,
    ProgressPart,
    SelfPlayRound,
    TrainingData,
    finish,
    play,
)

#: Defaults: matches of the last value round, and search iterations per choice.
MATCHES, ITERATIONS = 1000, 100

#: The last value round has this many times as many matches as the prior round, and the prior round this many times as
#: many iterations.
PRIOR_MATCH_DIVISOR, PRIOR_ITERATION_FACTOR = 4, 10

#: The share of the prior round spent on playing; the rest is fitting.
PLAYING = 0.75

#: Regularization strengths to try (scikit-learn's C: larger is weaker).
REGULARIZATION = (0.003, 0.03, 0.3)


class FittedModel(NamedTuple):
    """A value model with its held-out log loss and that of uniform predictions.

    `prior_loss` and `prior_uniform_loss` are the same for the policy prior (cross-entropy of choices). The losses of
    untrained parts are 0.
    """

    value_model: ValueModel
    loss: float = 0.0
    uniform_loss: float = 0.0
    prior_loss: float = 0.0
    prior_uniform_loss: float = 0.0


def rounds(matches: int, iterations: int, for_prior: int | None = None) -> tuple[SelfPlayRound, ...]:
    """Return the rounds of a training: four for the value model, then one for the policy prior.

    `matches` is the number of matches of the last value round, `iterations` the search iterations per choice.
    `for_prior` is the number of matches of the prior round (None: a quarter of `matches`; 0: no prior round). Raises
    BadOption if it is 1.
    """
    if for_prior == 1:
        raise BadOption("for_prior must be 0 or at least 2, not 1, because some matches are held out for validation.")
    half = SelfPlayRound(max(1, matches // 2), iterations)
    value_rounds = SelfPlayRound(2 * matches, 0), half, half, SelfPlayRound(matches, iterations)
    prior_matches = max(HELD_OUT, matches // PRIOR_MATCH_DIVISOR) if for_prior is None else for_prior
    if not prior_matches:
        return value_rounds
    return (*value_rounds, SelfPlayRound(prior_matches, PRIOR_ITERATION_FACTOR * iterations, prior=True))


def train(
    setup: GameSetup, seats: int, plan: Sequence[SelfPlayRound], *, first_seed: int = 0, rollout: int = 0,
    exploration: float = EXPLORATION_WITH_MODEL, known: ValueModel | None = None,
    progress: ProgressCallback = lambda what, done: None,
) -> FittedModel:  # fmt: skip
    """Train a value model for a table; the same seed gives the same model.

    :param plan: The rounds of self-play (see `rounds`).
    :param first_seed: The seed of the first match of the first round.
    :param rollout: The number of rollout actions before an evaluation, stored in the model.
    :param exploration: The exploration constant, stored in the model.
    :param known: The value model to extend, if `plan` has only prior rounds; its own prior guides the search.
    :param progress: Called with a description and the share done, from 0 to 1.
    :raises BadOption: The game cannot be trained, or there are too few matches.
    :raises SparringError: scikit-learn is not installed.
    """
    course = training_steps(
        setup, seats, plan, first_seed=first_seed, rollout=rollout, exploration=exploration, known=known
    )
    return finish(course, progress)


def training_steps(
    setup: GameSetup, seats: int, plan: Sequence[SelfPlayRound], *, first_seed: int = 0, rollout: int = 0,
    exploration: float = EXPLORATION_WITH_MODEL, known: ValueModel | None = None,
) -> ProgressGenerator[FittedModel]:  # fmt: skip
    """Train as `train` does, as a generator that yields progress."""
    check(setup.game)
    fitted = FittedModel(known) if known else None
    before: TrainingData | None = None
    value_round_count, random_state = sum(not each.prior for each in plan), first_seed % 2**31
    total_work = sum(each.work for each in plan)
    for number, each in enumerate(plan):
        first, model = first_seed + number * 10_000_000, fitted and fitted.value_model
        work_before = sum(done.work for done in plan[:number])
        part = ProgressPart(f"Round {number + 1} of {len(plan)}", work_before / total_work, each.work / total_work)
        if each.prior and fitted:
            playing, fitting = part.split(PLAYING)
            samples = yield from play(setup, seats, each, first, model, playing)
            fitted = yield from _with_prior(fitted, samples, len(setup.game.rules.ACTIONS), random_state, fitting)
        else:
            samples = yield from play(setup, seats, each, first, model, part)
            combined = _joined(before, samples) if number > 1 and before else samples
            fitted = fit_value_model(
                combined, rollout, exploration, network=number == value_round_count - 1, random_state=random_state
            )
            before = samples
    assert fitted is not None
    return fitted


def _with_prior(
    fitted: FittedModel, samples: TrainingData, choices: int, random_state: int, part: ProgressPart
) -> ProgressGenerator[FittedModel]:
    """Fit a policy prior and add it to a value model, if it predicts held-out matches better than uniform choice."""
    assert samples.policy_samples is not None
    if not samples.is_sufficient:
        return fitted
    before = fitted.value_model.prior
    prior, loss, uniform_loss = yield from prior_fitting.fit_prior(
        samples.policy_samples, samples.held_out, choices, random_state, part, before
    )
    return fitted._replace(
        value_model=replace(fitted.value_model, prior=prior), prior_loss=loss, prior_uniform_loss=uniform_loss
    )


def check(game: Game) -> None:
    """Check that the game can be trained and scikit-learn is installed; raise BadOption or SparringError."""
    if find_spec("sklearn") is None:
        raise MissingExtra("Training needs scikit-learn", "train")
    paid = game.payoffs
    if paid is not None and not (paid.zero_sum and game.seats == (2,) and paid.low == -paid.high):
        raise BadOption(
            f"Value models can only be trained for games that are won or lost; {game.title} has other payoffs."
        )


def _joined(first: TrainingData, second: TrainingData) -> TrainingData:
    """Concatenate two data sets with distinct match numbers."""
    return TrainingData(
        np.concatenate([first.features, second.features]),
        np.concatenate([first.returns, second.returns]),
        np.concatenate([first.match, second.match + first.match.max() + 1]),
    )


def fit_value_model(
    samples: TrainingData, rollout: int, exploration: float, *, network: bool, random_state: int
) -> FittedModel:
    """Fit models with several regularization strengths and return the one with the lowest held-out loss.

    With `network`, models with hidden units are candidates, too. `rollout` and `exploration` are as in `train`.
    """
    if not samples.is_sufficient:
        raise BadOption("These matches have too few choices to train on; play more matches.")
    training_data, held_out_data = samples.part(held_out=False), samples.part(held_out=True)
    no_hidden_units = np.zeros((samples.features.shape[2], 0), np.float32), np.zeros(0, np.float32)
    hidden = [no_hidden_units, _hidden_units(training_data, random_state)] if network else [no_hidden_units]
    candidates: list[tuple[float, int, ValueModel]] = []
    for hidden_weights, hidden_bias in hidden:
        for regularization in REGULARIZATION:
            linear, output_weights = _fit_output_weights(training_data, hidden_weights, hidden_bias, regularization)
            model = ValueModel(linear, hidden_weights, hidden_bias, output_weights, rollout, exploration)
            candidates.append((loss(model, held_out_data), len(candidates), model))
    best, _, model = min(candidates, key=lambda each: each[:2])
    uniform = np.full(held_out_data.returns.shape, 1 / held_out_data.returns.shape[1])
    return FittedModel(model, best, _cross_entropy(uniform, held_out_data.returns))


def loss(model: ValueModel, samples: TrainingData) -> float:
    """Return the mean log loss of a value model on a data set."""
    logits = np.stack([_logits(samples.features[:, seat], model) for seat in range(samples.features.shape[1])], axis=1)
    logits -= logits.max(axis=1, keepdims=True)
    probabilities = np.exp(logits)
    return _cross_entropy(probabilities / probabilities.sum(axis=1, keepdims=True), samples.returns)


def _logits(features: Array, model: ValueModel) -> Array:
    features = features.astype(np.float32)
    hidden = np.maximum(features @ model.hidden_weights + model.hidden_bias, 0)
    return np.asarray(features @ model.linear + hidden @ model.output_weights, np.float64)


def _cross_entropy(shares: Array, returns: Array) -> float:
    return float(-(returns * np.log(np.maximum(shares, 1e-9))).sum(axis=1).mean())


def _hidden_units(samples: TrainingData, random_state: int) -> tuple[Array, Array]:
    """Train hidden units that predict from a seat's features whether it wins; return their weights and biases."""
    from sklearn.neural_network import MLPClassifier

    seats = samples.features.shape[1]
    features = samples.features.reshape(-1, samples.features.shape[2]).astype(np.float32)
    won = samples.returns.ravel() > 1 / seats
    network = MLPClassifier(
        (MAX_HIDDEN_UNITS,), alpha=1e-3, batch_size=min(256, len(features) // 2), learning_rate_init=2e-3, max_iter=40,
        early_stopping=True, n_iter_no_change=3, random_state=random_state,
    )  # fmt: skip
    _fit(network, features, won)
    return _without_constants(network.coefs_[0], network.intercepts_[0], features)


def _without_constants(hidden_weights: Array, hidden_bias: Array, features: Array) -> tuple[Array, Array]:
    """Move the contribution of constant features (such as the map of a board) into the biases."""
    constant = features.min(axis=0) == features.max(axis=0)
    hidden_bias = hidden_bias + features[0, constant] @ hidden_weights[constant]
    return np.where(constant[:, None], 0.0, hidden_weights).astype(np.float32), hidden_bias.astype(np.float32)


def _fit(model: Any, *arrays: Any) -> None:
    """Fit a model on one core, and ignore convergence warnings.

    The matrices are too small to gain from threads, which would also change the order of summation.
    """
    from sklearn.exceptions import ConvergenceWarning
    from threadpoolctl import threadpool_limits

    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(*arrays)


def _fit_output_weights(
    samples: TrainingData, hidden_weights: Array, hidden_bias: Array, regularization: float
) -> tuple[Array, Array]:
    """Fit the weights of features and hidden units by logistic regression between pairs of seats in each position."""
    from scipy.sparse import csr_matrix, vstack
    from sklearn.linear_model import LogisticRegression

    seats, features = samples.features.shape[1:]
    rows, labels, weights = [], [], []
    for one in range(seats):
        for other in range(one + 1, seats):
            first, second = (samples.features[:, seat].astype(np.float32) for seat in (one, other))
            hidden_first, hidden_second = (np.maximum(x @ hidden_weights + hidden_bias, 0) for x in (first, second))
            difference = csr_matrix(np.hstack([first - second, hidden_first - hidden_second]))
            for label, seat in ((1, one), (0, other)):
                mask = samples.returns[:, seat] > 0
                rows.append(difference[mask])
                labels.append(np.full(mask.sum(), label))
                weights.append(samples.returns[mask, seat])
    model = LogisticRegression(C=regularization, fit_intercept=False, max_iter=200)
    _fit(model, vstack(rows), np.concatenate(labels), np.concatenate(weights))
    coefficients = model.coef_[0].astype(np.float32)
    return coefficients[:features], coefficients[features:]
