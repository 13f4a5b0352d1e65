"""Train a value model and a policy prior by self-play.

The first round is random play. Each later round is played by a search that uses the value model of the round before,
with occasional random choices for exploration. The target of a position is the final return and, from the second round
on, its average with the search value. Every fifth match is held out; the model with the lowest held-out loss is kept,
linear or with hidden units. Finally some matches are searched ten times as long, and their visit counts train the
policy prior (`prior_fitting`).
"""

import warnings
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from sparring.bots.evaluation import EXPLORATION_WITH_MODEL, MAX_HIDDEN_UNITS
from sparring.bots.value_models import ValueModel
from sparring.engine.errors import BadOption, SparringError
from sparring.engine.game import Box, Game

from . import prior_fitting
from .generation import (
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

#: The prior round has one match for this many of the last value round, and this many times the iterations.
PRIOR_MATCH_DIVISOR, PRIOR_ITERATION_FACTOR = 4, 10

#: The share of the prior round spent on playing; the rest is fitting.
PLAYING = 0.75

#: Regularization strengths to try (scikit-learn's C: larger is weaker).
REGULARIZATION = (0.003, 0.03, 0.3)


class FittedModel(NamedTuple):
    """A value model with its held-out log loss and that of a uniform guess.

    `prior_loss` and `prior_uniform_loss` are the same for the policy prior (cross entropy of choices). Untrained parts
    have losses of 0.
    """

    value_model: ValueModel
    loss: float = 0.0
    uniform_loss: float = 0.0
    prior_loss: float = 0.0
    prior_uniform_loss: float = 0.0


def rounds(matches: int, iterations: int, for_prior: int | None = None) -> tuple[SelfPlayRound, ...]:
    """Return the rounds of a training: four for the value model, the last with `matches`, then one for the prior.

    `for_prior` is the number of matches of the prior round; 0 leaves it out. Raises BadOption for 1.
    """
    if for_prior == 1:
        raise BadOption("for_prior must be 0 or at least 2, not 1, because some matches are held out for validation.")
    half = SelfPlayRound(max(1, matches // 2), iterations)
    judging = SelfPlayRound(2 * matches, 0), half, half, SelfPlayRound(matches, iterations)
    others = max(HELD_OUT, matches // PRIOR_MATCH_DIVISOR) if for_prior is None else for_prior
    return (*judging, SelfPlayRound(others, PRIOR_ITERATION_FACTOR * iterations, prior=True)) if others else judging


def train(
    box: Box, seats: int, plan: Sequence[SelfPlayRound], *, first_seed: int = 0, ahead: int = 0,
    curiosity: float = EXPLORATION_WITH_MODEL, known: ValueModel | None = None,
    progress: ProgressCallback = lambda what, done: None,
) -> FittedModel:  # fmt: skip
    """Train a value model for a game; the same seed gives the same model.

    `ahead` and `curiosity` are stored in the model as search parameters. `known` is the value model to extend if `plan`
    has prior rounds only; its own prior guides the search. `progress` is called with a description and the share done.
    Raises BadOption if the game can't be learned, SparringError without scikit-learn.
    """
    course = training(box, seats, plan, first_seed=first_seed, ahead=ahead, curiosity=curiosity, known=known)
    return finish(course, progress)


def training(
    box: Box, seats: int, plan: Sequence[SelfPlayRound], *, first_seed: int = 0, ahead: int = 0,
    curiosity: float = EXPLORATION_WITH_MODEL, known: ValueModel | None = None,
) -> ProgressGenerator[FittedModel]:  # fmt: skip
    """Train as `train` does, as a generator that yields progress."""
    check(box.game)
    learned = FittedModel(known) if known else None
    before: TrainingData | None = None
    judging, random_state = sum(not each.prior for each in plan), first_seed % 2**31
    whole = sum(each.work for each in plan)
    for number, each in enumerate(plan):
        first, judgement = first_seed + number * 10_000_000, learned and learned.value_model
        part = ProgressPart(
            f"Round {number + 1} of {len(plan)}", sum(done.work for done in plan[:number]) / whole, each.work / whole
        )
        if each.prior and learned:
            playing, fitting = part.split(PLAYING)
            lesson = yield from play(box, seats, each, first, judgement, playing)
            learned = yield from _with_prior(learned, lesson, len(box.game.rules.ACTIONS), random_state, fitting)
        else:
            lesson = yield from play(box, seats, each, first, judgement, part)
            together = _joined(before, lesson) if number > 1 and before else lesson
            learned = learn(together, ahead, curiosity, network=number == judging - 1, random_state=random_state)
            before = lesson
    assert learned is not None
    return learned


def _with_prior(
    learned: FittedModel, lesson: TrainingData, choices: int, random_state: int, part: ProgressPart
) -> ProgressGenerator[FittedModel]:
    """Add a policy prior to a value model, if it beats uniform choice on held-out matches."""
    assert lesson.policy_samples is not None
    if not lesson.can_be_learned_from:
        return learned
    before = learned.value_model.prior
    prior, loss, lots = yield from prior_fitting.learning(
        lesson.policy_samples, lesson.held_out, choices, random_state, part, before
    )
    return learned._replace(
        value_model=replace(learned.value_model, prior=prior), prior_loss=loss, prior_uniform_loss=lots
    )


def check(game: Game) -> None:
    """Check that the game can be learned and scikit-learn is installed; raise BadOption or SparringError."""
    if find_spec("sklearn") is None:
        raise SparringError('Training needs scikit-learn: pip install "sparring[train]".')
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


def learn(data: TrainingData, ahead: int, curiosity: float, *, network: bool, random_state: int) -> FittedModel:
    """Fit candidate models and return the one with the lowest held-out loss."""
    if not data.can_be_learned_from:
        raise BadOption("These matches have too few choices to train on; play more matches.")
    known, unknown = data.part(held_out=False), data.part(held_out=True)
    none = np.zeros((data.features.shape[2], 0), np.float32), np.zeros(0, np.float32)
    hidden = [none, _hidden_units(known, random_state)] if network else [none]
    tried: list[tuple[float, int, ValueModel]] = []
    for into, bias in hidden:
        for freedom in REGULARIZATION:
            straight, out_of = _weigh(known, into, bias, freedom)
            judgement = ValueModel(straight, into, bias, out_of, ahead, curiosity)
            tried.append((loss(judgement, unknown), len(tried), judgement))
    best, _, judgement = min(tried, key=lambda each: each[:2])
    even = np.full(unknown.returns.shape, 1 / unknown.returns.shape[1])
    return FittedModel(judgement, best, _cross_entropy(even, unknown.returns))


def loss(judgement: ValueModel, lesson: TrainingData) -> float:
    """Return the mean log loss of a value model on a data set."""
    told = np.stack([_told(lesson.features[:, seat], judgement) for seat in range(lesson.features.shape[1])], axis=1)
    told -= told.max(axis=1, keepdims=True)
    shares = np.exp(told)
    return _cross_entropy(shares / shares.sum(axis=1, keepdims=True), lesson.returns)


def _told(seen: Array, judgement: ValueModel) -> Array:
    seen = seen.astype(np.float32)
    felt = np.maximum(seen @ judgement.hidden_weights + judgement.hidden_bias, 0)
    return np.asarray(seen @ judgement.linear + felt @ judgement.output_weights, np.float64)


def _cross_entropy(shares: Array, worth: Array) -> float:
    return float(-(worth * np.log(np.maximum(shares, 1e-9))).sum(axis=1).mean())


def _hidden_units(lesson: TrainingData, random_state: int) -> tuple[Array, Array]:
    """Train hidden units that predict from a seat's features whether it wins."""
    from sklearn.neural_network import MLPClassifier

    seats = lesson.features.shape[1]
    seen = lesson.features.reshape(-1, lesson.features.shape[2]).astype(np.float32)
    won = lesson.returns.ravel() > 1 / seats
    network = MLPClassifier(
        (MAX_HIDDEN_UNITS,), alpha=1e-3, batch_size=min(256, len(seen) // 2), learning_rate_init=2e-3, max_iter=40,
        early_stopping=True, n_iter_no_change=3, random_state=random_state,
    )  # fmt: skip
    _fit(network, seen, won)
    return _without_constants(network.coefs_[0], network.intercepts_[0], seen)


def _without_constants(into: Array, bias: Array, seen: Array) -> tuple[Array, Array]:
    """Fold features that are constant (such as the map of a board) into the bias."""
    constant = seen.min(axis=0) == seen.max(axis=0)
    bias = bias + seen[0, constant] @ into[constant]
    return np.where(constant[:, None], 0.0, into).astype(np.float32), bias.astype(np.float32)


def _fit(model: Any, *known: Any) -> None:
    """Fit a model and ignore convergence warnings.

    On one core: matrices are too small to gain from threads, and threads change the order of summation.
    """
    from sklearn.exceptions import ConvergenceWarning
    from threadpoolctl import threadpool_limits

    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(*known)


def _weigh(lesson: TrainingData, into: Array, bias: Array, freedom: float) -> tuple[Array, Array]:
    """Fit the output weights by pairwise logistic regression between the seats of each position.

    Returns the weights of the features and of the hidden units.
    """
    from scipy.sparse import csr_matrix, vstack
    from sklearn.linear_model import LogisticRegression

    seats, features = lesson.features.shape[1:]
    told, labels, weights = [], [], []
    for one in range(seats):
        for other in range(one + 1, seats):
            first, second = (lesson.features[:, seat].astype(np.float32) for seat in (one, other))
            felt = np.maximum(first @ into + bias, 0) - np.maximum(second @ into + bias, 0)
            rows = csr_matrix(np.hstack([first - second, felt]))
            for label, seat in ((1, one), (0, other)):
                mine = lesson.returns[:, seat] > 0
                told.append(rows[mine])
                labels.append(np.full(mine.sum(), label))
                weights.append(lesson.returns[mine, seat])
    model = LogisticRegression(C=freedom, fit_intercept=False, max_iter=200)
    _fit(model, vstack(told), np.concatenate(labels), np.concatenate(weights))
    found = model.coef_[0].astype(np.float32)
    return found[:features], found[features:]
