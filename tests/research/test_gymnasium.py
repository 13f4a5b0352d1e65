"""The Gymnasium adapter: Gymnasium's own checks, opponents, seats, and the three autoreset modes."""

from itertools import pairwise
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from research.games_under_test import ALL, KUHN, LEDUC, TIC_TAC_TOE
from research.gym_tables import tables
from sparring import BadBot, SparringError
from sparring.engine.errors import IllegalChoice
from sparring.research import gymnasium as adapter
from sparring.research.adapters import env_id

pytestmark = pytest.mark.compiled
BY_NAME = {game.name: game for game in ALL}


def first_legal(observation: dict[str, Any]) -> Any:
    """Take the first legal action: a policy for batches."""
    return observation["action_mask"].argmax(axis=1)


@pytest.fixture(autouse=True, scope="module")
def registered() -> None:
    for game in ALL:
        adapter.register(game)


@pytest.mark.parametrize("name", BY_NAME)
def test_every_table_passes_the_checks(name: str) -> None:
    for opponent in ("random", first_legal):
        for table in tables(BY_NAME[name]):
            made = gymnasium.make(env_id(BY_NAME[name]), opponent=opponent, **table)
            check_env(made.unwrapped)


@pytest.mark.parametrize("opponent", ["plain:iterations=20", "search:level=gentle"])
def test_searches_are_opponents(opponent: str) -> None:
    check_env(gymnasium.make("sparring/TicTacToe-v1", opponent=opponent).unwrapped)
    envs = adapter.SparringVectorEnv(TIC_TAC_TOE, 30, opponent=opponent, seat=1, autoreset_mode="SameStep")
    total, generator = 0.0, np.random.default_rng(1)
    observation, _ = envs.reset(seed=1)
    for _ in range(20):
        scores = generator.random(observation["action_mask"].shape) * observation["action_mask"]
        observation, rewards, *_ = envs.step(scores.argmax(axis=1))
        total += rewards.sum()
    assert total < -20


def test_wrong_parameters_are_refused() -> None:
    with pytest.raises(SparringError, match="seat must be 1 to 2, not 3"):
        gymnasium.make("sparring/TicTacToe-v1", seat=3)
    with pytest.raises(BadBot, match="There is no bot called nobody"):
        gymnasium.make("sparring/TicTacToe-v1", opponent="nobody")
    with pytest.raises(SparringError, match="render_mode must be ansi"):
        adapter.SparringEnv(TIC_TAC_TOE, render_mode="rgb")  # type: ignore[arg-type]


def test_a_match_ends_with_the_learners_payoff() -> None:
    env = gymnasium.make("sparring/TicTacToe-v1", opponent=first_legal, seat=2, render_mode="ansi")
    observation, info = env.reset(seed=1)
    assert (observation["action_mask"].tolist(), info["seat"], info["illegal"]) == ([0, *[1] * 8], 2, False)
    assert env.step(4)[1:4] == (0, False, False)  # the opponent holds 0 and 1
    observation, reward, terminated, truncated, _ = env.step(8)
    assert (reward, terminated, truncated) == (-1, True, False)
    assert not observation["action_mask"].any()
    assert observation["observation"][[4, 8]].tolist() == [1, 1]
    assert "Tic-tac-toe" in str(env.render())
    with pytest.raises(ValueError, match="the match is over; reset it"):
        env.step(3)


def test_illegal_actions_lose_or_are_refused() -> None:
    env = adapter.SparringEnv(LEDUC, seat=1)
    env.reset(seed=1)
    *told, info = env.step(0)
    assert (told[1:], info["seat"], info["illegal"]) == ([-13, True, False], 1, True)
    strict = adapter.SparringEnv(LEDUC, seat=1, on_illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(ValueError, match="action 0 is illegal for seat 1"):
        strict.step(0)


def test_masks_are_where_maskable_ppo_looks() -> None:
    env = adapter.SparringEnv(TIC_TAC_TOE, opponent=first_legal, seat=2)
    observation, info = env.reset(seed=1)
    envs = adapter.SparringVectorEnv(TIC_TAC_TOE, 2, opponent=first_legal, seat=2)
    _, infos = envs.reset(seed=1)
    for mask in (env.action_masks(), info["action_mask"], *envs.action_masks(), *infos["action_mask"]):
        assert mask.dtype == bool
        assert (mask == observation["action_mask"]).all()
    mask = env.action_masks()
    env.step(4)
    assert mask[4], "it is a copy"


@pytest.mark.parametrize("action", [1.5, "1", True, None, [1], np.bool_(1), np.array([1])])
def test_what_is_not_a_whole_number_is_refused(action: Any) -> None:
    env = adapter.SparringEnv(TIC_TAC_TOE, seat=1)
    env.reset(seed=1)
    with pytest.raises(IllegalChoice, match="An action must be a whole number, not"):
        env.step(action)
    assert env.step(np.array(1))[0]["observation"][1] == 1


def test_seats_are_drawn_from_the_seed() -> None:
    envs = adapter.SparringVectorEnv(KUHN, 200)
    seats = envs.reset(seed=4)[1]["seat"]
    assert 70 < (seats == 1).sum() < 130
    assert (envs.reset(seed=4)[1]["seat"] == seats).all()
    assert (envs.reset()[1]["seat"] != seats).any()
    env = adapter.SparringEnv(KUHN)
    assert env.reset(seed=4)[1]["seat"] == seats[0]  # environment 0 of a batch is the single one


def rollout(mode: str, steps: int) -> tuple[list[Any], Any]:
    """Play the first legal actions in a batch of Leduc poker; return the results of each step."""
    envs = gymnasium.make_vec(
        "sparring/LeducPoker-v1", num_envs=6, vectorization_mode="vector_entry_point", opponent=first_legal,
        autoreset_mode=mode,
    )  # fmt: skip
    observation, _ = envs.reset(seed=3)
    results = []
    for _ in range(steps):
        results.append(envs.step(first_legal(observation)))
        observation = results[-1][0]
        assert envs.observation_space.contains(observation)
    return results, envs


def test_next_step_shows_the_end_and_then_the_next_match() -> None:
    results, envs = rollout("NextStep", 12)
    assert envs.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    for (seen, _, ended, _, _), (after, rewards, again, *_) in pairwise(results):
        assert not seen["action_mask"][ended].any()
        assert after["action_mask"][ended].any(axis=1).all()
        assert not rewards[ended].any()
        assert not again[ended].any()
    assert any(ended.any() for _, _, ended, *_ in results)


def test_same_step_keeps_the_end_in_the_infos() -> None:
    late, early = rollout("NextStep", 12)[0], rollout("SameStep", 12)[0]
    first = next(k for k, (_, _, ended, *_) in enumerate(early) if ended.any())
    seen, rewards, ended, _, infos = early[first]
    assert seen["action_mask"].any(axis=1).all()
    assert (infos["_final_obs"] == ended).all()
    assert (rewards == late[first][1]).all()
    for i in np.flatnonzero(ended):
        for name, values in infos["final_obs"][i].items():
            assert (values == late[first][0][name][i]).all()
        assert infos["final_info"]["seat"][i] in (1, 2)
    assert "final_obs" not in early[first - 1][4]


def test_without_autoreset_a_mask_says_which_matches_to_reset() -> None:
    envs = adapter.SparringVectorEnv(TIC_TAC_TOE, 2, opponent=first_legal, seat=2, autoreset_mode="Disabled")
    envs.reset(seed=1)
    envs.step(np.array([4, 1]))
    _, rewards, ended, *_ = envs.step(np.array([8, 3]))
    assert (rewards.tolist(), ended.tolist()) == ([-1, 0], [True, False])
    with pytest.raises(ValueError, match="environment 0: the match is over"):
        envs.step(np.array([3, 5]))
    observation, _ = envs.reset(options={"reset_mask": ended})
    assert observation["action_mask"].sum(axis=1).tolist() == [8, 4]


def test_results_do_not_depend_on_threads() -> None:
    one, three = (adapter.SparringVectorEnv(LEDUC, 50, threads=threads) for threads in (1, 3))
    for envs in (one, three):
        envs.reset(seed=2)
    for _ in range(10):
        mask = one._batch.observation()
        results = [envs.step(first_legal(mask)) for envs in (one, three)]
        assert all((a == b).all() for a, b in zip(results[0][1:4], results[1][1:4], strict=True))
        assert (results[0][0]["observation"] == results[1][0]["observation"]).all()


def test_wrappers_of_gymnasium_work() -> None:
    wrappers = gymnasium.wrappers
    env = wrappers.RecordEpisodeStatistics(wrappers.FlattenObservation(adapter.SparringEnv(TIC_TAC_TOE, seat=1)))
    observation, info = env.reset(seed=1)
    assert observation.shape == (27,)
    while "episode" not in info:
        observation, reward, *_, info = env.step(env.get_wrapper_attr("action_masks")().argmax())
    assert info["episode"]["r"] == reward
    envs: Any = wrappers.vector.RecordEpisodeStatistics(adapter.SparringVectorEnv(TIC_TAC_TOE, 4))
    observation, _ = envs.reset(seed=1)
    for _ in range(12):
        observation, *_ = envs.step(first_legal(observation))
    assert len(envs.return_queue) > 4


def test_a_batch_from_make_vec_in_a_loop_of_single_environments_has_the_same_spaces() -> None:
    single = gymnasium.make_vec("sparring/LeducPoker-v1", num_envs=2, vectorization_mode="sync")
    batch = gymnasium.make_vec("sparring/LeducPoker-v1", num_envs=2)
    assert single.observation_space == batch.observation_space
    assert isinstance(batch.unwrapped, adapter.SparringVectorEnv)
    single.close()


def test_opponents_that_end_every_match_at_once_are_reported() -> None:
    envs = adapter.SparringVectorEnv(KUHN, 2, seat=2, max_choices=1)
    with pytest.raises(SparringError, match="before the learner acts"):
        envs.reset(seed=1)
