"""The scripts of `examples/research/` learn, each at small size."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from research.games_under_test import EXAMPLES, KUHN, LEDUC, TIC_TAC_TOE

NEEDS_TORCH = "PyTorch is not installed"


@pytest.fixture(autouse=True)
def _examples_are_importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(EXAMPLES / "research"), *sys.path])


def test_cfr_finds_the_value_of_kuhn_poker() -> None:
    script: Any = import_module("kuhn_cfr")
    solver = script.Solver(KUHN)
    uniform = script.value(solver)
    for _ in range(100):
        solver.iterate()
    assert script.value(solver) == pytest.approx(-1 / 18, abs=0.01)
    assert uniform == pytest.approx(1 / 8)


@pytest.mark.compiled("kuhn-poker")
def test_q_learning_nearly_finds_a_best_response_in_kuhn_poker() -> None:
    import gymnasium

    import sparring.research.gymnasium as adapter

    script: Any = import_module("kuhn_q_learning")
    env = gymnasium.make(adapter.register(KUHN), opponent="random")
    untaught = script.payoff(env, script.learn(env, 0), 1000)
    taught = script.payoff(env, script.learn(env, 3000), 1000)
    assert script.best_possible() == pytest.approx(0.4583333)
    assert taught > max(0.3, untaught + 0.1)


@pytest.mark.compiled("tic-tac-toe")
def test_reinforce_learns_tic_tac_toe() -> None:
    script: Any = import_module("reinforce")
    _, payoffs = script.learn(TIC_TAC_TOE, 60, rate=0.3)
    assert np.mean(payoffs[-20:]) > np.mean(payoffs[:5]) + 0.15


@pytest.mark.compiled("kuhn-poker")
def test_openspiels_cfr_approaches_the_equilibrium() -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed; it is in the extra `openspiel`")
    script: Any = import_module("leduc_openspiel_cfr")
    curve = script.solve(KUHN, 20)
    assert curve[0] == pytest.approx(0.4583333)
    assert curve[-1] < 0.05


@pytest.mark.compiled("tic-tac-toe")
def test_policies_play_through_pettingzoo() -> None:
    script: Any = import_module("pettingzoo_match")
    payoffs = script.play(TIC_TAC_TOE, [script.random_policy(1), script.first_policy], 40)
    assert payoffs.sum() == pytest.approx(0)
    assert payoffs.any()


@pytest.mark.compiled("leduc-poker")
def test_a_league_improves_in_leduc_poker(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from sparring import Match
    from sparring.research import payoff_matrix

    script: Any = import_module("league")
    league = script.learn(LEDUC, 8)
    assert len(league.players) == 9
    assert payoff_matrix(LEDUC, [league.players[-1], "random"], matches=400)[0, 1] > 0.4
    np.save(tmp_path / "league.npy", league.players[-1].weights)
    monkeypatch.setattr(script, "FILE", tmp_path / "league.npy")
    match = Match.new(LEDUC)
    match.choose(script.learned().choose(match.view(1)))


@pytest.mark.compiled("tic-tac-toe")
def test_ppo_learns_tic_tac_toe() -> None:
    torch = pytest.importorskip("torch", reason=NEEDS_TORCH)
    from sparring.research import BatchEnv

    script: Any = import_module("ppo")
    torch.manual_seed(1)
    torch.set_num_threads(1)
    settings = script.Settings(envs=64, steps=32, units=64, bot="random")
    network = script.train(BatchEnv(TIC_TAC_TOE, 64, seed=1), settings, actions=120_000)
    assert script.win_share(network, TIC_TAC_TOE, "random", 400) > 0.62


@pytest.mark.compiled("tic-tac-toe")
@pytest.mark.usefixtures("own_value_models")
def test_alphazero_teaches_the_search() -> None:
    torch = pytest.importorskip("torch", reason=NEEDS_TORCH)
    from sparring.bots import value_models

    script: Any = import_module("alphazero")
    samples = script.self_play(TIC_TAC_TOE, 30, 60, seed=1)
    model = script.fit(samples, 300)
    hidden = np.maximum(samples.own.cpu().numpy() @ model.prior.hidden_weights + model.prior.hidden_bias, 0)
    logits = torch.from_numpy(hidden @ model.prior.action_weights.T + model.prior.action_bias)
    mask, shares = samples.mask.cpu(), samples.shares.cpu()
    learned = script.cross_entropy(logits.masked_fill(~mask, -1e8), shares)
    assert learned < mask.sum(1).float().log().mean() - 0.1  # better than uniform
    assert value_models.find_model(TIC_TAC_TOE.setup(), 2) is None
    script.use(TIC_TAC_TOE, model)
    found = value_models.find_model(TIC_TAC_TOE.setup(), 2)
    assert found
    assert found.fits(TIC_TAC_TOE)
    assert found.prior
    assert script.win_share(TIC_TAC_TOE, 10, 60) > 0.2
