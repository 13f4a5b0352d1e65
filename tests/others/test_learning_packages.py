"""Packages that learn run on our environments as they are, at small size: `make test-others` installs them."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples" / "research"
GAME = "make-your-moves"

pytestmark = pytest.mark.compiled(GAME)


@pytest.fixture(autouse=True)
def _examples_are_importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(EXAMPLES), *sys.path])


def test_sb3_contrib_trains_masked_ppo_on_environments_in_processes() -> None:
    pytest.importorskip("sb3_contrib")
    script: Any = import_module("sb3_masked_ppo")
    model = script.train(GAME, 600)
    assert model.num_timesteps >= 600
    assert -1 <= script.payoff(model, GAME, 60) <= 1


def test_sb3_gets_the_end_of_each_match() -> None:
    pytest.importorskip("stable_baselines3")
    from sparring.research.stable_baselines import SparringVecEnv

    envs = SparringVecEnv(GAME, 5, seat=1, max_choices=30)
    envs.seed(3)
    observation, ends = envs.reset(), 0
    assert envs.observation_space.contains({name: values[0] for name, values in observation.items()})
    for _ in range(40):
        masks = envs.action_masks()
        assert (np.stack(envs.env_method("action_masks")) == masks).all()
        assert (masks == observation["action_mask"]).all()
        observation, rewards, ended, infos = envs.step(masks.argmax(axis=1))
        for i in np.flatnonzero(ended):
            last = infos[i]["terminal_observation"]
            assert not last["action_mask"].any()
            assert infos[i]["TimeLimit.truncated"] == (rewards[i] == 0)
            ends += 1
        assert not rewards[~ended].any()
    assert ends > 3
    with pytest.raises(AttributeError, match="can't be set in a batch"):
        envs.set_attr("opponent", "random")


@pytest.mark.parametrize("kind", ["DQN", "NFSP"])
@pytest.mark.parametrize("game", [GAME, "world-of-fighters"])
def test_openspiels_agents_learn_by_sgd_without_nan(kind: str, game: str) -> None:
    pytest.importorskip("pyspiel")
    pytest.importorskip("torch")
    script: Any = import_module("openspiel_agents")
    losses = script.losses(kind, game, 40)
    assert len(losses) > 10
    assert np.isfinite(losses).all()


def test_torchrl_collects_matches() -> None:
    pytest.importorskip("torchrl")
    script: Any = import_module("torchrl_collector")
    batches = list(script.collect(GAME, 200, 2))
    assert [batch.numel() for batch in batches] == [200, 200]
    done = sum(int(batch["next", "done"].sum()) for batch in batches)
    assert done > 2
    rewards = [batch["next", seat, "reward"].sum().item() for batch in batches for seat in ("seat_1", "seat_2")]
    assert any(rewards)


def test_tianshou_collects_matches() -> None:
    pytest.importorskip("tianshou")
    from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
    from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
    from tianshou.data import Collector, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv, PettingZooEnv

    from sparring.research.pettingzoo import env

    table = PettingZooEnv(env(GAME))
    both = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(action_space=table.action_space) for _ in range(2)]
    envs = DummyVectorEnv([lambda: PettingZooEnv(env(GAME)) for _ in range(2)])
    collector = Collector(MultiAgentOffPolicyAlgorithm(algorithms=both, env=table), envs, VectorReplayBuffer(2000, 2))
    collector.reset()
    result = collector.collect(n_episode=4)
    assert result.n_collected_episodes == 4
    assert set(np.abs(result.returns).ravel()) == {1.0}


def test_supersuit_stacks_observations() -> None:
    pytest.importorskip("supersuit")
    from supersuit import frame_stack_v1, observation_lambda_v0

    from sparring.research.pettingzoo import env

    bare = observation_lambda_v0(env(GAME), lambda seen, _: seen["observation"], lambda space: space["observation"])
    table = frame_stack_v1(bare, 3)
    table.reset(seed=1)
    for agent in table.agent_iter():
        stacked, _, terminated, truncated, _ = table.last()
        assert table.observation_space(agent).contains(stacked)
        seen = table.unwrapped.observe(agent)
        assert len(stacked) == 3 * len(seen["observation"])
        assert (stacked[-len(seen["observation"]) :] == seen["observation"]).all()
        table.step(None if terminated or truncated else int(seen["action_mask"].argmax()))
    assert not table.agents


def test_shimmy_plays_our_openspiel_game() -> None:
    pytest.importorskip("shimmy")
    from shimmy import OpenSpielCompatibilityV0

    from sparring.research.openspiel import register

    table = OpenSpielCompatibilityV0(env=register(GAME, "shimmy_make_your_moves", deals=4))
    table.reset(seed=1)
    rewards: dict[str, float] = {}
    for _ in table.agent_iter():
        observation, _, terminated, truncated, info = table.last()
        assert np.abs(observation).max() <= 1
        rewards = rewards or (dict(table.rewards) if terminated else {})
        table.step(None if terminated or truncated else int(np.argmax(info["action_mask"])))
    assert sorted(rewards.values()) == [-1, 1]
