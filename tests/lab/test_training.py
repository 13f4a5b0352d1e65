"""Training of value models and priors, on High Card for speed."""

import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from sparring import Game, Match
from sparring.bots.evaluation import PRIOR_UNITS
from sparring.bots.value_models import find_model
from sparring.cli import main
from sparring.engine.errors import BadOption
from sparring.engine.game import GameSetup, Payoffs
from sparring.games.high_card import GAME as HIGH_CARD
from sparring.lab import prior_fitting, training
from sparring.lab.self_play import (
    SAMPLES_PER_MATCH,
    PolicySamples,
    ProgressPart,
    SelfPlayRound,
    TrainingData,
    finish,
    play,
)
from sparring.lab.training import fit_value_model, loss, rounds, train

sys.path.append(str(Path(__file__).parents[2] / "examples" / "leduc_poker"))

pytestmark = [pytest.mark.usefixtures("own_value_models"), pytest.mark.compiled("world-of-fighters")]


def test_samples_have_each_seats_features_and_payoff() -> None:
    lesson = finish(play(HIGH_CARD.setup(), 2, SelfPlayRound(20, 0), 5, None))
    matches, positions = np.unique(lesson.match, return_counts=True)
    assert matches.tolist() == list(range(20))
    assert set(positions) == {4}  # the last of a seat's choices is forced
    assert SAMPLES_PER_MATCH > 4
    assert lesson.features.shape == (80, 2, HIGH_CARD.rules.FEATURES)
    assert lesson.returns.sum(axis=1) == pytest.approx(1)
    first = Match.new(HIGH_CARD, seats=2, seed=5)
    seen = np.zeros(HIGH_CARD.rules.FEATURES, np.float32)
    HIGH_CARD.rules.features(first.setup.params, first.view(2).state, 1, seen)
    assert lesson.features[0, 1] == pytest.approx(seen, abs=1e-3)


def test_a_model_learns_from_synthetic_matches() -> None:
    """For each seat the first feature decides; the second one means nothing."""
    numbers = np.random.default_rng(1)
    seen = numbers.uniform(-1, 1, (2000, 2, 2)).astype(np.float16)
    worth = (seen[:, :, 0] == seen[:, :, 0].max(axis=1, keepdims=True)).astype(float)
    lesson = TrainingData(seen, worth / worth.sum(axis=1, keepdims=True), np.arange(2000))
    learned = fit_value_model(lesson, 0, 0.3, network=False, random_state=0)
    assert learned.loss < 0.3 < learned.uniform_loss == pytest.approx(np.log(2))
    assert learned.value_model.linear[0] > 10 * abs(learned.value_model.linear[1])
    assert loss(learned.value_model, lesson.part(held_out=True)) == learned.loss


def test_a_network_learns_a_nonlinear_function() -> None:
    """A seat with both or neither of two features wins against one with one of them (XOR)."""
    numbers = np.random.default_rng(2)
    things = numbers.integers(0, 2, (6000, 2, 2))
    even = things[:, :, 0] == things[:, :, 1]
    decided = even[:, 0] != even[:, 1]
    lesson = TrainingData(things[decided].astype(np.float16), even[decided].astype(float), np.arange(decided.sum()))
    plain, network = (fit_value_model(lesson, 0, 0.3, network=network, random_state=0) for network in (False, True))
    assert plain.loss > 0.65
    assert network.loss < 0.2
    assert len(plain.value_model.hidden_bias) == 0 < len(network.value_model.hidden_bias)


def questions(choose: Callable[[Any, Any], Any]) -> tuple[PolicySamples, Any]:
    """Return questions with two of four choices legal, one picked by `choose`; and which are held out."""
    numbers = np.random.default_rng(3)
    seen = numbers.integers(0, 2, (3000, 3)).astype(np.float16)
    there = np.sort(numbers.permuted(np.tile(np.arange(4), (3000, 1)), axis=1)[:, :2], axis=1)
    tries = np.zeros((3000, 3), np.int32)
    tries[np.arange(3000), choose(numbers, seen)] = 50
    choices = np.hstack([there, np.full((3000, 1), -1)]).astype(np.int16)
    return PolicySamples(seen, choices, tries), np.arange(3000) % 5 == 0


def test_a_prior_learns_from_synthetic_choices() -> None:
    """Seats with both or neither of two features make the first legal choice, others the second (XOR)."""
    asked, held_out = questions(lambda numbers, seen: (seen[:, 0] != seen[:, 1]).astype(int))
    looked = finish(prior_fitting.fit_prior(asked, held_out, 4, 0))
    assert looked.loss < 0.1 < looked.uniform_loss == pytest.approx(np.log(2))
    assert looked.prior is not None
    assert looked.prior.action_weights.shape == (4, PRIOR_UNITS)


def test_no_prior_is_learned_from_random_choices() -> None:
    asked, held_out = questions(lambda numbers, seen: numbers.integers(0, 2, 3000))
    looked = finish(prior_fitting.fit_prior(asked, held_out, 4, 0))
    assert looked.prior is None
    assert looked.loss >= looked.uniform_loss


def test_a_prior_is_replaced_only_by_a_better_one(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, held_out = questions(lambda numbers, seen: (seen[:, 0] != seen[:, 1]).astype(int))
    good = finish(prior_fitting.fit_prior(asked, held_out, 4, 0))
    bad = finish(
        prior_fitting.fit_prior(*questions(lambda numbers, seen: (seen[:, 0] == seen[:, 1]).astype(int)), 4, 0)
    )
    assert finish(prior_fitting.fit_prior(asked, held_out, 4, 0, before=bad.prior)).loss == good.loss
    nothing = SimpleNamespace(x=np.zeros(prior_fitting._WeightShape(3, 4).size))
    monkeypatch.setattr("scipy.optimize.minimize", lambda *_, **__: nothing)
    kept = finish(prior_fitting.fit_prior(asked, held_out, 4, 0, before=good.prior))
    assert kept.prior is good.prior is not None
    assert kept.loss == good.loss


def test_each_prior_learns_from_matches_of_the_previous_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    by = list[Any]()

    def playing(
        setup: GameSetup, seats: int, plan: SelfPlayRound, first_seed: int, model: Any, part: ProgressPart
    ) -> Any:
        by.append(model.prior)
        return play(setup, seats, plan, first_seed, model, part)

    learned = train(HIGH_CARD.setup(), 2, rounds(60, 5, 0)).value_model
    weights = prior_fitting._WeightShape(HIGH_CARD.rules.FEATURES, len(HIGH_CARD.rules.ACTIONS))
    known = replace(learned, prior=weights.split(np.zeros(weights.size)))
    monkeypatch.setattr(training, "play", playing)
    train(HIGH_CARD.setup(), 2, [SelfPlayRound(20, 10, prior=True)], known=known)
    assert by == [known.prior]


def test_fitting_reports_progress_and_can_be_cancelled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ended = []

    def endless(*_: Any, callback: Callable[[Any], None], **__: Any) -> None:
        with suppress(StopIteration):
            while True:
                callback(None)
        ended.append(True)

    monkeypatch.setattr("scipy.optimize.minimize", endless)
    monkeypatch.setattr(prior_fitting, "PROGRESS_INTERVAL", 0.01)
    course = prior_fitting.fit_prior(
        *questions(lambda numbers, seen: seen[:, 2].astype(int)), 4, 0, ProgressPart("Fitting", 0.5, 0.2)
    )
    told = [next(course) for _ in range(2)]
    assert {title for title, _ in told} == {"Fitting"}
    assert 0.5 <= told[0][1] < told[1][1]
    course.close()
    assert ended == [True]


def test_models_are_fitted_on_one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """More threads would wait for each other, and sums would depend on their number."""
    seen: list[set[int]] = []

    def fitting(*_: Any, **__: Any) -> Any:
        seen.append({pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"})
        return SimpleNamespace(x=np.zeros(prior_fitting._WeightShape(3, 4).size))

    monkeypatch.setattr("scipy.optimize.minimize", fitting)
    with threadpool_limits(2):
        outside = {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}
        finish(prior_fitting.fit_prior(*questions(lambda numbers, known: known[:, 2].astype(int)), 4, 0))
        training._fit(SimpleNamespace(fit=fitting))
    assert 2 in outside
    assert seen == [{1}, {1}]


def test_the_gradient_of_a_prior_matches_its_loss() -> None:
    asked, _ = questions(lambda numbers, seen: seen[:, 2].astype(int))
    known, shape = prior_fitting._PolicyBatch(asked.part(np.arange(3000) < 40)), prior_fitting._WeightShape(3, 4)
    weights = np.random.default_rng(8).normal(0, 0.5, shape.size)
    for place in (0, 97, 140, shape.size - 3):  # input weights, bias, rows, own bias
        step = np.zeros(shape.size)
        step[place] = 1e-2
        (more, _), (less, _) = known.gradient(weights + step, shape), known.gradient(weights - step, shape)
        assert known.gradient(weights, shape)[1][place] == pytest.approx((more - less) / 2e-2, abs=5e-4)


def test_without_choices_there_is_no_training_data() -> None:
    """With one card each there is no choice; of a single match everything is held out."""
    with pytest.raises(BadOption, match="too few choices"):
        train(HIGH_CARD.setup({"hand": 1}), 2, rounds(20, 5))
    with pytest.raises(BadOption, match="for_prior must be 0 or at least 2"):
        rounds(20, 5, 1)
    known = train(HIGH_CARD.setup(), 2, rounds(20, 5, 0)).value_model
    learned = train(HIGH_CARD.setup(), 2, [SelfPlayRound(1, 10, prior=True)], known=known)
    assert learned.value_model.prior is None
    assert learned.prior_uniform_loss == 0


def test_samples_for_priors_have_questions_and_visits() -> None:
    lesson = finish(play(HIGH_CARD.setup(), 2, SelfPlayRound(20, 30, prior=True), 5, None))
    asked = lesson.policy_samples
    assert asked is not None
    assert asked.features.shape == (80, HIGH_CARD.rules.FEATURES)
    assert (asked.visits.sum(axis=1) == 30).all()
    assert ((asked.choices >= 0) >= (asked.visits > 0)).all()
    first = Match.new(HIGH_CARD, seats=2, seed=5).view(1)
    assert [choice for choice in asked.choices[0] if choice >= 0] == list(first.legal)
    assert finish(play(HIGH_CARD.setup(), 2, SelfPlayRound(20, 30), 5, None)).policy_samples is None


def test_a_prior_is_learned_unless_disabled() -> None:
    assert [each.matches for each in rounds(100, 10)] == [200, 50, 50, 100, 25]
    assert [each.work for each in rounds(100, 10)] == [200, 550, 550, 1100, 2525]
    assert [each.prior for each in rounds(100, 10, 7)] == [False, False, False, False, True]
    without = train(HIGH_CARD.setup(), 2, rounds(150, 10, 0), first_seed=3)
    assert without.value_model.prior is None
    assert without.prior_uniform_loss == 0


def test_training_is_reproducible_and_predicts_matches() -> None:
    learned = [train(HIGH_CARD.setup(), 2, rounds(150, 10, 600), first_seed=3) for _ in range(2)]
    looks = [each.value_model.prior for each in learned]
    assert looks[0] is not None
    assert looks[1] is not None
    assert looks[0].action_weights.tolist() == looks[1].action_weights.tolist()
    assert learned[0].prior_loss < learned[0].prior_uniform_loss
    assert learned[0].value_model.linear.tolist() == learned[1].value_model.linear.tolist()
    assert learned[0].value_model.output_weights.tolist() == learned[1].value_model.output_weights.tolist()
    assert learned[0].loss < learned[0].uniform_loss


def test_payoffs_other_than_shares_are_refused() -> None:
    with pytest.raises(BadOption, match="has other payoffs"):
        train(replace(HIGH_CARD, payoffs=Payoffs(-5, 0, "points", zero_sum=False)).setup(), 2, rounds(10, 5))


def test_payoffs_other_than_wins_are_learned_for_two_seats() -> None:
    leduc: Game = import_module("leduc_poker").GAME
    lesson = finish(play(leduc.setup(), 2, SelfPlayRound(10, 0), 0, None))
    assert lesson.returns.sum(axis=1) == pytest.approx(1)


def test_the_command_trains_an_external_game_and_bots_use_the_model(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sparring.cli.training.find", lambda name: HIGH_CARD)
    with pytest.raises(SystemExit) as end:
        main(
            [
                "train",
                "high-card",
                "--seats-count",
                "2",
                "--matches",
                "60",
                "--iterations",
                "5",
                "--exploration",
                "0.25",
            ]
        )
    assert end.value.code == 0
    told = capsys.readouterr().out
    assert "High Card, 2 seats: log loss 0." in told
    assert "; policy cross-entropy " in told
    found = find_model(HIGH_CARD.setup(), 2)
    assert found is not None
    assert found.exploration == 0.25


def of_high_card(monkeypatch: pytest.MonkeyPatch, *words: str) -> Any:
    """Return the last line of `sparring train high-card` for two seats."""
    monkeypatch.setattr("sparring.cli.training.find", lambda name: HIGH_CARD)
    with pytest.raises(SystemExit) as end:
        main(["train", "high-card", "--seats-count", "2", "--matches", "60", "--iterations", "5", *words])
    return end.value.code


def test_a_prior_can_be_trained_for_an_existing_value_model(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert of_high_card(monkeypatch, "--only-prior") != 0
    assert "no value model for these options and seats" in capsys.readouterr().err
    assert of_high_card(monkeypatch, "--for-prior", "0") == 0
    before = find_model(HIGH_CARD.setup(), 2)
    assert before is not None
    assert before.prior is None
    assert of_high_card(monkeypatch, "--only-prior", "--for-prior", "0") != 0
    assert "--only-prior needs matches" in capsys.readouterr().err
    assert of_high_card(monkeypatch, "--only-prior", "--for-prior", "900") == 0
    assert "log loss" not in capsys.readouterr().out.splitlines()[0]
    after = find_model(HIGH_CARD.setup(), 2)
    assert after is not None
    assert after.prior is not None
    assert after.linear.tolist() == before.linear.tolist()
    nothing = SimpleNamespace(
        x=np.zeros(prior_fitting._WeightShape(HIGH_CARD.rules.FEATURES, len(HIGH_CARD.rules.ACTIONS)).size)
    )
    monkeypatch.setattr("scipy.optimize.minimize", lambda *_, **__: nothing)
    assert of_high_card(monkeypatch, "--only-prior", "--for-prior", "100") == 0
    assert "the existing prior is kept" in capsys.readouterr().out.replace("\n", " ")
